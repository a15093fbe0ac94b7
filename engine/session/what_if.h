#pragma once
// What-if: options that a remedy asks for, the difference between two sets of options, and between two runs.

#include "engine/session/session.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gelens {

/// One option that differs, as it is written on the command line: "soc", "Ascend910B1", "Ascend310P3". A rule switch is
/// named by its rule, a shape by its input, a buffer's size is in bytes.
struct OptionChange {
    enum class Kind {
        Soc,
        SocFile,
        Mode,
        Precision,
        MemoryPolicy,
        Rule,
        RuleFolder,
        SwitchFile,
        SkippedPass,
        Autofuse,
        Shape,
        Buffer,
        Cards,
        Streams,
        StreamLabel,
        SuperKernel,
        TimeLimit,
        Seed,
        Verify
    };
    Kind kind = Kind::Soc;
    std::string subject;       ///< rule, folder, pass, input, buffer ("l1") or node; empty for the rest
    std::string before, after; ///< empty: not set
    bool operator==(const OptionChange&) const = default;
};
std::vector<OptionChange> optionChanges(const CompileOptions& base, const CompileOptions& other);

/// The options as arguments of `gelens-cli compile`; what stands at its default is left out.
std::vector<std::string> argumentsOf(const CompileOptions& options);

/// Names of the enumerations as the command line writes them.
std::string_view precisionName(PrecisionMode precision);
std::string_view memoryPolicyName(MemoryPolicy policy);
std::string_view modeName(CompileMode mode);

/// The buffers whose sizes can be overridden, by the names that the command line gives them.
struct BufferField {
    const char* name;
    std::int64_t BufferOverrides::*size;
};
inline constexpr BufferField bufferFields[] = {{"l1", &BufferOverrides::l1},   {"ub", &BufferOverrides::ub},
                                               {"l0a", &BufferOverrides::l0a}, {"l0b", &BufferOverrides::l0b},
                                               {"l0c", &BufferOverrides::l0c}, {"l2", &BufferOverrides::l2}};
/// Bytes that the chip itself has of it.
std::int64_t bufferSizeOn(const SocSpec& soc, std::int64_t BufferOverrides::*field);

/// One thing to try against a refusal: the base run's options with a single change.
struct Remedy {
    OptionChange change;
    CompileOptions options;
};
/// What can be tried against a refused verdict, the likeliest first; empty when nothing that a run can be given would
/// help. A smaller shape is offered for inputs whose shape was set (--set): those that the file fixes cannot be changed. Loads SoC profiles for capacity refusals: some milliseconds.
std::vector<Remedy> remediesFor(const Run& run, const FusionVerdict& verdict);

/// One figure of two runs. `base` is absent where the base run has none.
struct FigureChange {
    enum class Unit { Count, Bytes, Microseconds, Ratio };
    std::string
        figure; ///< "operators", "intermediate_tensors", "memory_peak", "lower_bound", "memory_unshared", "weights",
                ///< "tasks", "latency", "fusion_rate", "memory_reuse_rate", "unfused_chains"
    Unit unit = Unit::Count;
    double base = 0, other = 0;
    bool isLessBetter = true;
    double difference() const { return other - base; }
};
std::vector<FigureChange> figureChanges(const Run& base, const Run& other);

/// A fusion rule whose effect differs.
struct RuleChange {
    std::string rule;
    int baseEffective = 0, otherEffective = 0;
};
std::vector<RuleChange> ruleChanges(const Run& base, const Run& other);

} // namespace gelens
