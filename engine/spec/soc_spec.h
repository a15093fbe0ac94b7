#pragma once
// What the simulator knows of one Ascend SoC, read from a CANN platform ini file.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

/// Whether cube and vector units share a core (data passes L0C → UB) or sit in separate cores.
enum class CoreLayout { Fused, Split };

/// Buffers of one core. Unit: bytes.
struct BufferSizes {
    std::int64_t l0a = 0, l0b = 0, l0c = 0, l1 = 0, ub = 0, biasTable = 0, fixpipe = 0;
};

/// Rates of one core. Unit: bytes per cycle.
struct MemoryRates {
    double ddrRead = 0, ddrWrite = 0, l2Read = 0, l2Write = 0;
    double l1ToL0a = 0, l1ToL0b = 0, l1ToUb = 0, l0cToUb = 0, ubToL2 = 0, ubToDdr = 0, ubToL1 = 0;
};

/// M0, K0 (= C0 of private formats) and N0 for one element type.
struct BlockSize {
    int m0 = 16, k0 = 16, n0 = 16;
};

struct SocSpec {
    std::string name;        ///< "Ascend910B1", the value of --soc
    std::string family;      ///< Short_SoC_version: "Ascend910B"
    std::string sourceFile;  ///< the ini file it was read from
    std::string archVersion; ///< AIC_version: "AIC-C-220"
    int generation = 0;      ///< third field of AIC_version mapped as GE does: 100, 200, 220, 300, 350

    CoreLayout coreLayout = CoreLayout::Fused;
    bool hasHardwareSyncBetweenCores = false;
    bool hasFftsPlus = false;
    bool hasUbFusion = true; ///< false for the 950 generation, which has none
    int cubeCores = 0;
    int vectorCores = 0; ///< on fused chips: the cores again, each has both units
    int aiCpus = 0;
    double cubeMegahertz = 0, vectorMegahertz = 0;
    int cubeM = 16, cubeK = 16, cubeN = 16; ///< fp16 MAC block done per cycle
    int vectorLanes = 128;                  ///< 16-bit elements per cycle and core
    std::int64_t memoryBytes = 0;           ///< device memory; 0 = not stated
    std::int64_t l2Bytes = 0;
    std::int64_t ubBlockBytes = 32;
    BufferSizes buffers;
    MemoryRates cubeRates;                                ///< cube core (or the fused core)
    MemoryRates vectorRates;                              ///< vector core
    std::map<std::string, BlockSize, std::less<>> blocks; ///< by GE type name ("DT_INT8"); "Default"
    int maxStreams = 2024, maxEvents = 1024;
    std::map<std::string, std::string, std::less<>> raw; ///< every "section.key" as written, for the inspector

    const BlockSize& blockFor(std::string_view geTypeName) const;
    /// Peak of the cube unit for fp16. Unit: FLOP/s.
    double peakCubeFlops() const;
};

} // namespace gelens
