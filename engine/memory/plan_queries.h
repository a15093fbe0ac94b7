#pragma once
// What planners and explanations ask of a plan in the same way.

#include "engine/graph/graph.h"
#include "engine/spec/memory_plan.h"

#include <algorithm>
#include <vector>

namespace gelens {

/// Whether the buffer has its place from a planner; the rest is the user's memory or weights.
inline bool isPlanned(const MemoryBuffer& buffer)
{
    return buffer.kind == BufferKind::FeatureMap || buffer.kind == BufferKind::Workspace;
}

/// Position in the plan's order, by node id; -1 for nodes that are not in it.
inline std::vector<std::int64_t> positionsOf(const Graph& graph, const MemoryPlan& plan)
{
    std::vector<std::int64_t> positions(static_cast<std::size_t>(graph.nodeIdBound()), -1);
    for (std::size_t i = 0; i < plan.order.size(); ++i)
        positions[static_cast<std::size_t>(plan.order[i].value)] = static_cast<std::int64_t>(i);
    return positions;
}

/// Whether the model gives one of the buffer's tensors away.
inline bool feedsOutput(const Graph& graph, const MemoryBuffer& buffer)
{
    return std::any_of(buffer.members.begin(), buffer.members.end(), [&](OutputRef member) {
        const auto& readers = graph.consumers(member);
        return std::any_of(readers.begin(), readers.end(),
                           [&](const InputRef& reader) { return graph.node(reader.node).type == "NetOutput"; });
    });
}

} // namespace gelens
