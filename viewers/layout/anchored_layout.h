#pragma once
// The next step's drawing: what stays keeps its place to the last bit, what is new appears where the caller says (the
// middle of what it replaced), and only edges that changed or are in the way of something new get a new route.

#include <optional>

#include "viewers/layout/layout_types.h"

namespace gelens {

struct LayoutAnchors {
    /// One for each node: where it stays. Such boxes are never moved, not even if the caller's places overlap.
    std::vector<std::optional<LayoutPoint>> kept;
    /// One for each node without a kept place: where it is wanted. It gets the free place nearest to that; without a
    /// wish, nearest to the middle of its placed neighbours. May be empty.
    std::vector<std::optional<LayoutPoint>> wanted;
    /// The drawing before, and for each edge its index there or -1: a route is taken over if both ends are kept and no
    /// new box stands in its way; a stub stays a stub. May be null.
    const LayoutResult* previous = nullptr;
    std::vector<int32_t> previousEdge;
};

/// Time is linear in nodes and edges but for the search of free places around crowded wishes. Bounds may start at
/// negative coordinates. Same input, same bytes.
LayoutResult anchoredLayout(const LayoutGraph& graph, const LayoutAnchors& anchors, const LayoutOptions& options);

} // namespace gelens
