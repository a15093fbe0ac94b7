#pragma once
// The published cost model: from the work of one kernel to time on one SoC. Every number it gives is an estimate.
// Marks of a constant's source: P = CANN platform file, A = assumption of the simulator (facts/pipeline 9.3).

#include "engine/graph/data_type.h"
#include "engine/spec/soc_spec.h"
#include "engine/spec/timeline.h"
#include "engine/spec/unit.h"

#include <cstdint>

namespace gelens {

namespace cost_model {
inline constexpr double sunkLaunchUs = 2.0; ///< A: 1–3 µs for each task of a sunk graph, start and first load included
inline constexpr double superKernelPartUs =
    0.5; ///< A: 0.3–1 µs for each kernel of a super kernel, which is launched once
inline constexpr double hostLaunchUs =
    15.0; ///< A: an operator launched by the host, one after the other; the least of 15–40 µs
inline constexpr double eventUs = 1.0;              ///< A: a record or a wait; a pair takes 1–3 µs
inline constexpr double mixSyncUs = 1.5;            ///< A: cube and vector cores of one kernel meet, 1–2 µs
inline constexpr double aiCpuBaseUs = 30.0;         ///< A: least of 30–200 µs
inline constexpr double aiCpuOpsPerUs = 1000;       ///< A: about one elementary operation in each ns, on one AI CPU
inline constexpr double largeCubeEfficiency = 0.85; ///< A: from `largeCubeResults` results on
inline constexpr double smallCubeEfficiency = 0.6;  ///< A
/// A: results of a product from which on the array is fed well: what a square of 512 × 512 has. The area decides and not
/// the shorter side, because a short side is already paid for by whole tiles, whole waves and the fill of the array.
inline constexpr std::int64_t largeCubeResults = 512 * 512;
inline constexpr double fp32CubeFactor = 4;            ///< A: pure fp32 on the fp16 array, ×4 to ×8
inline constexpr double fillDrainTiles = 2;            ///< A: tiles of one core during which the array is not full
inline constexpr double l2Share = 0.7;                 ///< A: part of L2 that holds what was used last
inline constexpr std::int64_t vectorTileBytes = 32768; ///< A: bytes that a vector core moves at a time
inline constexpr double tilesToPipeline = 2; ///< A: with fewer tiles a core, load, work and store do not overlap
} // namespace cost_model

/// How a matrix product is cut into output tiles.
struct CubeTiling {
    std::int64_t tileM = 16, tileN = 16; ///< elements
    std::int64_t tiles = 0;              ///< of all batches
    std::int64_t waves = 0;              ///< rounds in which all cores work
    std::int64_t tileCycles = 0;
    std::int64_t cycles() const { return waves * tileCycles; }
};

/// ⌈tm/16⌉·⌈tn/16⌉·⌈K/K0⌉ cycles for a tile, ⌈tiles/cores⌉ waves; the tile is the largest of those with the fewest cycles
/// whose fp32 result fits L0C. K0 is 16, 32 for 8-bit types; fp32 takes `fp32CubeFactor` times as long.
CubeTiling tileMatMul(const Cost& cost, DataType dtype, const SocSpec& soc);

/// Bytes that a kernel moves, by where they are.
struct Traffic {
    double l2Read = 0, ddrRead = 0, l2Write = 0, ddrWrite = 0;
};

/// What a kernel asks of each part of the chip. Unit: microseconds with the whole part to itself.
struct KernelTime {
    double launchUs = 0;
    double cubeUs = 0, vectorUs = 0, aiCpuUs = 0;
    double l2ReadUs = 0, l2WriteUs = 0, ddrReadUs = 0, ddrWriteUs = 0;
    double syncUs = 0;
    bool isPipelined = true; ///< load, work and store overlap: the longest counts; else their sum
    int cores = 1;
    double l2Bytes = 0, ddrBytes = 0; ///< what those times move, both directions
    double computeUs() const;
    double memoryUs() const;
    double totalUs() const;
    Bound bound() const;
};

/// `dtype` is the type that the kernel computes in (its first input's).
KernelTime kernelTime(const Cost& cost, Unit unit, DataType dtype, const Traffic& traffic, const SocSpec& soc,
                      bool isHostLaunched = false);

/// Cores that a kernel spreads over: tiles of a matrix product, 32 KiB pieces of a vector operator.
int coresUsed(const Cost& cost, Unit unit, const SocSpec& soc);

/// Rate of a memory over the whole chip: bytes/cycle/core × cube cores × clock. Cube and vector cores share it.
/// Unit: bytes per microsecond.
struct ChipRates {
    double l2Read = 0, l2Write = 0, ddrRead = 0, ddrWrite = 0;
};
ChipRates chipRates(const SocSpec& soc);

} // namespace gelens
