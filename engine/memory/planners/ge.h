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
    std::int64_t begin = 0;
    std::int64_t end = 0;
    std::int64_t stream = 0;
    /// Place among those released by the same node: inputs by index, then workspaces and unread outputs.
    int releaseOrder = 0;
    bool mayTakeFreed = true; ///< false: always a block of its own that nothing joins
    int references = 0;       ///< members that share it as views: they count when blocks are sorted
};

struct GePlan {
    std::vector<std::int64_t> offsets; ///< by request
    std::int64_t total = 0;
    std::string winner;                ///< "binary-block" or "max-block"
    std::int64_t binaryTotal = 0, maxTotal = 0;
};

/// Requests in order of `begin` (outputs of a node before its workspaces). Both assigners run, the smaller total wins
/// and a tie goes to binary-block. Level 2 compares blocks pairwise: quadratic in the number of blocks after level 1.
GePlan planGe(std::span<const GeRequest> requests);

} // namespace gelens
