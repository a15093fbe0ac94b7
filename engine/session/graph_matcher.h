#pragma once
// What changed between two graphs that share no journal: two dumps, a dump and a run, two models.

#include "engine/graph/graph.h"
#include "engine/spec/graph_diff.h"

#include <utility>
#include <vector>

namespace gelens {

/// Pairs of nodes that are the same in both graphs: first by name and type within graphs of the same name, then by name,
/// then by structure (same type, same inputs from matched nodes), so that renamed nodes are found.
struct GraphMatch {
    std::vector<std::pair<NodeId, NodeId>> pairs; ///< in the order of the new graph
    std::vector<NodeId> onlyBefore, onlyAfter;    ///< in graph order
    int byStructure = 0;                          ///< how many pairs their names did not show
};

GraphMatch matchGraphs(const Graph& before, const Graph& after);

/// The difference over a match. A neighbour that was only renamed is no change of its readers. Groups join removed nodes
/// with the added ones that name them as their origin.
GraphDiff diffOfMatched(const Graph& before, const Graph& after, const GraphMatch& match);
inline GraphDiff diffOfGraphs(const Graph& before, const Graph& after)
{
    return diffOfMatched(before, after, matchGraphs(before, after));
}

} // namespace gelens
