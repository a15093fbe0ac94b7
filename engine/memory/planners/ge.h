#pragma once
// GE's own block reuse (facts/pipeline 5.5): equal blocks are handed on, then smaller blocks move inside larger ones.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace gelens {

/// One output or workspace that asks for memory. Times are node ids; `end` is the last reader (inclusive).
struct GeRequest {
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    std::int64_t size = 0;  ///< bytes; a multiple of 512
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
    /// Its readers take slices of it: it takes over no other block, and moves into none.
    bool isSliced = false;
    /// The user's memory: sorted with the other blocks, but laid out behind them, outputs before inputs.
    enum class ZeroCopy { No, Output, Input } zeroCopy = ZeroCopy::No;
};

/// An edge between streams: what runs on `toStream` from node `to` on comes after all of `fromStream` up to node `from`.
struct GeStreamEdge {
    std::int64_t fromStream = 0, from = 0, toStream = 0, to = 0;
};

struct GePlan {
    std::vector<std::int64_t> offsets; ///< by request; of zero-copy ones in a region of their own, from 0
    std::int64_t total = 0;  ///< of the blocks, without zero-copy
    std::string winner;                ///< "binary-block" or "max-block"
    std::int64_t binaryTotal = 0, maxTotal = 0;
};

/// Requests in the order in which they are made: by node, outputs before workspaces. Both assigners run, the smaller total
/// wins and a tie goes to binary-block. Blocks of different streams share only where an edge proves that all of one is
/// over before all of the other begins. Level 2 compares blocks pairwise: quadratic in the blocks after level 1.
GePlan planGe(std::span<const GeRequest> requests, std::span<const GeStreamEdge> edges = {});

} // namespace gelens
