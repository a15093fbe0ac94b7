#pragma once
// GE's own block reuse (facts/pipeline 5.5): equal blocks are handed on, then smaller blocks move inside larger ones.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gelens {

/// One output or workspace that asks for memory. Times are node ids; `end` is the last reader (inclusive).
struct GeRequest {
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    /// Release orders from here on belong to workspaces and unread outputs, which go back after all inputs.
    static constexpr int afterInputs = 1 << 20;

    std::int64_t size = 0;   ///< bytes; a multiple of 512
    std::int64_t single = 0; ///< of its largest single tensor, where several make one block; 0: `size`
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t stream = 0;
    /// Place among those released by the same node: inputs by index, then workspaces and unread outputs.
    int releaseOrder = 0;
    bool mayTakeFreed = true; ///< false: always a block of its own that nothing joins
    int references = 0;       ///< members that share it as views: they count when blocks are sorted
    /// Node that gives its block to the pool; < 0: `end`. Earlier than `end` where another stream reads it last.
    std::int64_t released = -1;
    /// One of several that lie side by side for one reader: level 1 leaves it alone, and nothing sticks out of it.
    bool isContinuous = false;
    /// Of a continuous one: the reader of its group (groups come last in the order of their readers) and its place there.
    std::int64_t groupReader = -1;
    std::int64_t groupPlace = 0;
    /// The user's memory: sorted with the other blocks, but laid out behind them, outputs before inputs.
    enum class ZeroCopy { No, Output, Input } zeroCopy = ZeroCopy::No;
    /// Size before it was rounded: what is compared with the classes of the range variants, and for continuous ones,
    /// where it is without padding too, what they are sorted by and offer; 0: `size`.
    std::int64_t bytes = 0;
};

/// An edge between streams: what runs on `toStream` from node `to` on comes after all of `fromStream` up to node `from`.
struct GeStreamEdge {
    std::int64_t fromStream = 0, from = 0, toStream = 0, to = 0;
};

/// The options of GE that choose among its assigners.
struct GeOptions {
    /// `ge.exec.memoryOptimizationPolicy` = MemoryPriority: four more assigners, inputs are released by their producers.
    bool isMemoryPriority = false;
    /// `ge.exec.disableReuseMemory`: every request has a block of its own.
    bool reusesNothing = false;
    /// Sizes to which requests are rounded up by the range variants, ascending: see geRangeCeils.
    std::vector<std::int64_t> rangeCeils;
};

/// Classes of sizes for the range variants, from the exact sizes of all outputs (views too) and workspaces in any order.
/// Ranges halve from the largest size down; what is below the last one makes no class, and a range with less than its
/// share of the sizes joins the one above it.
std::vector<std::int64_t> geRangeCeils(std::vector<std::int64_t> sizes);

struct GePlan {
    std::vector<std::int64_t> offsets; ///< by request; of zero-copy ones in a region of their own, from 0
    std::int64_t total = 0;            ///< of the blocks, without zero-copy
    std::string winner;                ///< "binary-block", "max-block" or "range-binary-block-…"
    /// What each assigner came to, in GE's order: the first of the smallest wins.
    std::vector<std::pair<std::string, std::int64_t>> candidates;
};

/// Requests in the order in which they are made: by node, outputs before workspaces. All assigners that the options ask
/// for run. Blocks of different streams share only where an edge proves that all of one is over before all of the other
/// begins. Level 2 compares blocks pairwise: quadratic in the blocks after level 1.
GePlan planGe(std::span<const GeRequest> requests, std::span<const GeStreamEdge> edges = {},
              const GeOptions& options = {});

} // namespace gelens
