#pragma once
// How much of a 16-bit result is rounding: the model's own error, measured against the same model in fp32.

#include "engine/npu/interpreter.h"

#include <map>
#include <string>
#include <vector>

namespace gelens {

/// Error of one result against what the model means, over the elements that are finite in both.
struct Rounding {
    double rms = 0;
    double largest = 0;
    DataType type = DataType::Undefined; ///< whose rounding it is; Undefined: not measured
    bool isKnown() const { return type != DataType::Undefined; }
};

/// The same graph with fp32 for fp16 and bf16, in descriptors, constants, type attributes and sub-graphs.
Graph widenedGraph(const Graph& graph);
/// A 16-bit floating tensor as fp32, exactly; anything else as it is.
HostTensor widened(const HostTensor& value);

/// For each output of `reference` (a run of `graph` on `inputs`) how far it is from the run in fp32. Nothing is known of
/// an output whose values never were 16-bit floats, of sequences, and of any output when the wide graph does not run.
/// Cost: one run of the graph in fp32, and none when there is nothing to measure.
std::vector<Rounding> measureRounding(const Graph& graph, const std::map<std::string, HostTensor>& inputs,
                                      const std::vector<NamedTensor>& reference, const InterpreterOptions& options = {});

} // namespace gelens
