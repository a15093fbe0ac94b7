#pragma once
// What a user can set for one run.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gelens {

enum class CompileMode { Auto, Full, Light };
/// ATC's precision_mode.
enum class PrecisionMode { MustKeepOriginDtype, ForceFp16, AllowFp32ToFp16, AllowMixPrecision };
enum class MemoryPolicy { Best, Ge, Simple, Greedy, Optimal };

/// Buffer sizes that a what-if puts in place of the SoC's own; 0 = the SoC's. Unit: bytes.
struct BufferOverrides {
    std::int64_t l1 = 0, ub = 0, l0a = 0, l0b = 0, l0c = 0, l2 = 0;
    bool operator==(const BufferOverrides&) const = default;
};

struct CompileOptions {
    std::string soc = "Ascend910B1";
    std::string socFile; ///< an ini file of the user's instead of a built-in profile
    CompileMode mode = CompileMode::Auto;
    PrecisionMode precision = PrecisionMode::MustKeepOriginDtype;
    MemoryPolicy memoryPolicy = MemoryPolicy::Best;
    std::string fusionSwitchFile;
    std::vector<std::string> ruleFolders;
    std::map<std::string, bool> ruleSwitches; ///< rule id or GE pass name → on or off; beats the file
    std::vector<std::string> skippedPasses;   ///< passes left out, by GE pass name or rule id
    std::string
        autofuseFlags; ///< GE's AUTOFUSE_FLAGS: "--enable_autofuse=true;--autofuse_enable_pass=reduce"; off when empty
    std::map<std::string, std::vector<std::int64_t>> inputShapes; ///< --set INPUT=1,3,224,224
    BufferOverrides buffers;
    double timeLimitSeconds = 0; ///< for planners that search; 0 = a budget in steps
    /// Streams by label, engine and independence instead of the one that GE gives a static inference graph.
    bool parallelStreams = false;
    std::map<std::string, std::string> streamLabels; ///< what-if: node name → stream label; each label gets a stream
    /// Operators by name ("*" stands for any letters) → super-kernel scope, where the model names none.
    std::map<std::string, std::string> superKernelScopes;
    int cards = 1;
    bool verify = false;
    std::uint64_t seed = 1;
    bool operator==(const CompileOptions&) const = default;
};

} // namespace gelens
