#pragma once
// Runs a graph node by node with the reference kernels and tensors on the heap: the reference of every comparison.

#include "engine/graph/graph.h"
#include "engine/graph/result.h"
#include "engine/ops/tensor_view.h"

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

namespace onednn {
class PreparedWeights;
}

struct InterpreterOptions {
    /// Live intermediate tensors, constants and inputs not counted; more is an error (Limit). Unit: bytes.
    std::int64_t memoryLimitBytes = std::int64_t{4} << 30;
    int maxDepth = 32;      ///< of sub-graphs within sub-graphs
    std::uint64_t seed = 1; ///< for random operators
    std::stop_token stop;
    /// Shared by runs over the same constants (makePreparedWeights); null: each run prepares them itself.
    std::shared_ptr<onednn::PreparedWeights> weights;
    bool keepAll = false;     ///< keep every value of the root graph
    std::set<OutputRef> keep; ///< or these
    bool onlyKept = false;    ///< run what `keep` needs and leave the graph's outputs out
    /// Called for each value of the root graph as it is made, before it may be freed.
    std::function<void(OutputRef, const HostTensor&)> onValue;
};

struct NamedTensor {
    std::string name; ///< the model's name of the output where it has one, else "node:index"
    OutputRef source;
    HostTensor value;
    DataType precision = DataType::Undefined; ///< coarsest floating type on any way from the inputs to it
};

struct RunResult {
    std::vector<NamedTensor> outputs;
    std::map<OutputRef, HostTensor> kept;
    std::int64_t peakBytes = 0; ///< most bytes alive at once on the heap
    int nodesRun = 0;
};

/// Inputs by the name of their Data node. Only what the outputs (and kept values) need is run. Sub-graphs run through
/// the kernels of their owners; a Data node of a body takes the owner's input that `_parent_node_index` names (or `index`).
/// Errors: a missing or mistyped input, "weights are absent", a node without a kernel, a kernel's own error, Limit,
/// Cancelled.
Result<RunResult> interpret(const Graph& graph, const std::map<std::string, HostTensor>& inputs,
                            const InterpreterOptions& options = {});

/// Runs one sub-graph on given inputs; for executors other than the interpreter.
Result<std::vector<HostTensor>> interpretSubgraph(const Graph& graph, GraphId subgraph,
                                                  const std::vector<HostTensor>& inputs,
                                                  const InterpreterOptions& options = {});

/// Inputs of the root graph in order: its Data nodes by `index` attribute, then by position.
std::vector<NodeId> dataNodes(const Graph& graph, GraphId subgraph = rootGraph);
/// What a graph gives back, in order: the sources of its NetOutput, or its recorded outputs when it has none.
std::vector<OutputRef> graphOutputs(const Graph& graph, GraphId subgraph = rootGraph);
/// Coarsest floating type on the ways to each output of the root graph, in order.
std::vector<DataType> outputPrecisions(const Graph& graph);
/// Coarsest floating type on the ways to one value of the root graph.
DataType precisionOf(const Graph& graph, OutputRef value);
/// Name of output i of the root graph.
std::string outputName(const Graph& graph, int index);

} // namespace gelens
