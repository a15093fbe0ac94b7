#pragma once
// Repeated blocks found by structure alone: what a model repeats layer by layer, whatever its nodes are called.

#include "engine/graph/graph.h"

#include <stop_token>
#include <vector>

namespace gelens {

/// A chain of equal blocks, one behind the other.
struct RepeatedBlock {
    std::vector<std::vector<NodeId>> instances; ///< at least three; each in topological order
};

/// Looks among `nodes` (of one graph, in its order) for chains of at least three blocks that are equal in operator
/// types, tensor shapes and inner edges. Blocks are cut where a single value carries the data on (the residual stream
/// of a transformer, the sum behind a convolution block); tables and masks that feed every block do not count as
/// carriers. No limit on a block's size; time is linear in nodes and edges up to a small constant number of periods.
std::vector<RepeatedBlock> findRepeatedBlocks(const Graph& graph, const std::vector<NodeId>& nodes,
                                              std::stop_token stop = {});

/// Hash of a list of nodes by types, shapes and edges among them, names left out. Equal blocks, equal hashes.
std::uint64_t structureHash(const Graph& graph, const std::vector<NodeId>& nodes);

} // namespace gelens
