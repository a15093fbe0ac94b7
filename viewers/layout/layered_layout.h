#pragma once
// Our own layout: rows by longest path, one shared line for the long edges of a producer, barycentre sweeps,
// least-squares places, polylines. Time and memory are linear in nodes and edges; the same input gives the same bytes.

#include "viewers/layout/layout_types.h"

namespace gelens {

/// Lays out any graph: cycles, self-loops, several edges between two nodes, unconnected nodes, none at all.
/// Hubs are taken out first if `options.stubHubs`. Only fails by cancellation.
LayoutResult layeredLayout(const LayoutGraph& graph, const LayoutOptions& options);

} // namespace gelens
