#pragma once
// Rows: which node stands in which row, so that every edge points downwards.

#include "viewers/layout/layout_types.h"

namespace gelens {

struct Ranking {
    std::vector<int32_t> rank; ///< one for each node, from 0; not normalised for each connected part
    /// One for each edge: 1 if it closes a cycle and is laid out from `to` to `from`.
    std::vector<uint8_t> reversed;
    bool cancelled = false;
};

/// True for edges that the layout looks at: in range and not a self-loop.
inline bool isLayoutEdge(const LayoutGraph& graph, const LayoutEdge& edge)
{
    const auto count = static_cast<int64_t>(graph.nodes.size());
    return edge.from != edge.to && edge.from >= 0 && edge.to >= 0 && edge.from < count && edge.to < count;
}

/// Longest-path rows over the edges whose `skip` is 0 (an empty span skips none). With `tighten`, rows are then moved
/// to shorten the edges. Time and memory are linear in nodes and edges.
Ranking rankNodes(const LayoutGraph& graph, std::span<const uint8_t> skip, bool tighten, const std::stop_token& stop);

} // namespace gelens
