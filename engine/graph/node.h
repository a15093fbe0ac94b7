#pragma once
// One operator of the graph and its connections.

#include "engine/graph/ids.h"
#include "engine/graph/tensor.h"

#include <string>
#include <vector>

namespace gelens {

/// A data input slot: its descriptor, and the output that feeds it (invalid when nothing does).
struct InputSlot {
    TensorDesc desc;
    OutputRef source;
    std::string
        name; ///< argument name of the operator's definition ("x1", "bias"); dynamic inputs carry their number ("x0")
};

/// A data output: its descriptor, and the input slots it feeds in the order in which they were linked.
struct OutputSlot {
    TensorDesc desc;
    std::vector<InputRef> consumers;
    std::string name;
};

/// What scheduling and memory assignment write on a node (OpDef stream_id, input_i, output_i, workspace …).
struct Placement {
    std::int64_t streamId = -1;              ///< logical stream; -1 while unassigned
    std::string engine;                      ///< "AIcoreEngine", "DNN_VM_GE_LOCAL" …; empty while unplaced
    std::string kernelLib;                   ///< "AIcoreEngine", "DNN_VM_GE_LOCAL_OP_STORE" …
    std::vector<std::int64_t> inputOffsets;  ///< bytes, one for each connected data input
    std::vector<std::int64_t> outputOffsets; ///< bytes, one for each output; -1 = none
    std::vector<std::int64_t> workspaceOffsets;
    std::vector<std::int64_t> workspaceBytes;
    bool operator==(const Placement&) const = default;
};

/// Read through Graph, changed through GraphEditor only.
struct Node {
    NodeId id;
    GraphId graph;
    std::string name; ///< unique within its (sub-)graph
    std::string type; ///< GE operator type: "MatMulV2"
    std::vector<InputSlot> inputs;
    std::vector<OutputSlot> outputs;
    std::vector<NodeId> controlInputs;
    std::vector<NodeId> controlOutputs;
    std::vector<GraphId> subgraphs; ///< graphs this node owns (If branches, loop bodies), in IR order
    AttrMap attrs;
    Placement placement;

    NodeId previous; ///< neighbours in the current order of the graph
    NodeId next;
    bool isAlive = true;
    bool isOpaque = false; ///< imported, but its operator is not known to the registry

    int inputCount() const { return static_cast<int>(inputs.size()); }
    int outputCount() const { return static_cast<int>(outputs.size()); }
    OutputRef output(int i = 0) const { return {id, i}; }
    /// Source of input i; invalid when the slot does not exist or is unconnected.
    OutputRef source(int i) const
    {
        return i >= 0 && i < inputCount() ? inputs[static_cast<std::size_t>(i)].source : OutputRef{};
    }
    bool hasInput(int i) const { return source(i).isValid(); }
};

} // namespace gelens
