#pragma once
// What changed between two graphs that share no journal: two dumps, a dump and a run, two models.

#include "engine/graph/graph.h"
#include "engine/spec/graph_diff.h"

#include <utility>
#include <vector>

namespace gelens {

/// Pairs of nodes that are the same in both graphs. In this order, each among what is left over: by name and type within
/// graphs of the same name; by GE's origin-name attributes; by the name alone; by structure (same type, same inputs from
/// matched nodes, or the only feeder of the same input of a matched node). Linear in nodes and edges.
struct GraphMatch {
    std::vector<std::pair<NodeId, NodeId>> pairs; ///< in the order of the new graph
    std::vector<MatchBasis> basis;                ///< of each pair
    std::vector<NodeId> onlyBefore, onlyAfter;    ///< in graph order
    int byStructure = 0;                          ///< how many pairs neither names nor origins showed
};

GraphMatch matchGraphs(const Graph& before, const Graph& after);

/// The difference over a match. A neighbour that was only renamed is no change of its readers. Groups join removed nodes
/// with the added ones that name them as their origin.
GraphDiff diffOfMatched(const Graph& before, const Graph& after, const GraphMatch& match);
inline GraphDiff diffOfGraphs(const Graph& before, const Graph& after)
{
    return diffOfMatched(before, after, matchGraphs(before, after));
}

/// Leaves what makes a graph compute the same: operator types, edges, types, shapes and formats of outputs that somebody
/// reads. Attributes, names, engines, streams and constant payloads go, and descriptors that one of the two leaves open
/// (a parser's graph states none yet); changes with nothing left go too.
void keepStructureOnly(const Graph& before, const Graph& after, GraphDiff& diff);

} // namespace gelens
