#pragma once
// The repeated blocks of a model: the layers of a decoder, the stages of a tower.

#include "engine/graph/graph.h"

#include <vector>

namespace gelens {

/// Operators and views of the root graph in topological order, cut into equal blocks and what lies around them.
struct BlockStack {
    std::vector<NodeId> before; ///< ahead of the first block: embedding, tables, masks
    std::vector<std::vector<NodeId>> blocks;
    std::vector<NodeId> behind; ///< final norm, head, sampling
    int crossing = 0;           ///< tensors that go from a block to what lies behind it
};

/// Finds the longest run of equal blocks, by the types and shapes of the operators alone; no block where nothing repeats. Among
/// the places where a block may begin it takes the one that the fewest tensors cross, the earliest of those. O(nodes).
BlockStack findBlocks(const Graph& graph);

} // namespace gelens
