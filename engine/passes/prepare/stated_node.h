#pragma once
// What a graph of GE's says of one node's tensors, held against what is inferred here.

#include "engine/graph/graph.h"
#include "engine/ops/op_def.h"

#include <optional>
#include <string>
#include <vector>

namespace gelens {

/// A node as the file has it, taken before inference touches its descriptors. GE infers a graph before it gives operators to
/// an engine, and compiles their kernels for what it inferred. So of an operator that has an engine the descriptors count:
/// its attributes may be gone, its operands rearranged, its type newer than ours.
class StatedNode {
public:
    StatedNode(const Graph& graph, const Node& node);

    /// Why the outputs stay as they are stated although inference failed with `failure`. Nothing where there is no
    /// reason: the model contradicts itself.
    std::optional<std::string> reasonToKeep(const Node& node, const OpDef& def, const std::string& failure) const;
    /// Output `index`, inferred as `ours`, as the node is to have it. `note` says where that contradicts our inference.
    TensorDesc settle(int index, const TensorDesc& ours, std::optional<std::string>& note) const;

private:
    std::vector<TensorDesc> m_outputs;
    bool m_isSettled = false; ///< it has an engine, states every output, and reads what it says it reads
};

} // namespace gelens
