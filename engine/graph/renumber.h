#pragma once
// The same graph under other node ids, so that graphs from several files can share one id space.

#include "engine/graph/graph.h"

#include <vector>

namespace gelens {

/// A graph equal to `graph` in all but ids: live node `i` gets `ids[i]`, dead ones vanish. `ids` has an entry for each
/// id of the graph; those of live nodes are different and below `bound`. Ids that no node has hold a dead node.
/// Sub-graph ids stay. Attributes are copied, tensors shared.
Graph renumbered(const Graph& graph, const std::vector<NodeId>& ids, int bound);

} // namespace gelens
