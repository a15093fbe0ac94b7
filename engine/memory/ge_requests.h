#pragma once
// From buffers with lifetimes to what GE's block assigners are asked for, and back to offsets.

#include "engine/graph/graph.h"
#include "engine/memory/planners/ge.h"
#include "engine/spec/memory_plan.h"

#include <utility>
#include <vector>

namespace gelens {

/// GE's own plan of the feature map.
struct GeBufferPlan {
    std::vector<std::int64_t> offsets; ///< in the order of `planned`
    /// Model outputs, by buffer id, from the start of their region.
    std::vector<std::pair<int, std::int64_t>> outputs;
    std::int64_t total = 0; ///< with what an atomic clean zeroes, which lies behind all blocks
    GePlan blocks;          ///< winner and candidates, without that part
};

/// Plans the buffers `planned` (ids of feature-map and workspace buffers) as GE does, with its notion of lifetime: one
/// for each stream. Members of a padded group are blocks of their own, as in GE; where they would not come to lie side
/// by side they are asked for as one block instead. Requests are independent of any offset that the plan has.
/// The classes of `options` are formed here.
GeBufferPlan planGeBuffers(const Graph& graph, const MemoryPlan& plan, const std::vector<int>& planned,
                           const GeOptions& options = {});

} // namespace gelens
