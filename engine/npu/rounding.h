#pragma once
// How much of a 16-bit result is rounding: the model's own error, measured against the same model in fp32.
// Where the model is fp32 and a precision mode makes it fp16, the same question is asked of the mode: what does rounding
// to fp16 do to this model, with these inputs, and nothing else?

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
    /// The reference keeps what the values under test have to round (a precision mode chose their type).
    bool isOfValues = false;
    double relative = 0;        ///< rms / rms of the result
    std::int64_t overflows = 0; ///< elements that are finite, and no longer when rounded
    /// Elements of an integer, bool or text result that rounding alone changes (all of them where it changes the shape):
    /// the model decides by values that fp16 cannot tell apart, and no fp16 compile can promise the same decisions.
    std::int64_t decisions = 0;
};

/// The same graph with fp32 for fp16 and bf16, in descriptors, constants, type attributes and sub-graphs.
Graph widenedGraph(const Graph& graph);
/// A 16-bit floating tensor as fp32, exactly; anything else as it is.
HostTensor widened(const HostTensor& value);

/// For each output of `reference` (a run of `graph` on `inputs`) how far it is from the run in fp32. Nothing is known of
/// an output whose values never were 16-bit floats, of sequences, and of any output when the wide graph does not run.
/// Cost: one run of the graph in fp32, and none when there is nothing to measure.
std::vector<Rounding> measureRounding(const Graph& graph, const std::map<std::string, HostTensor>& inputs,
                                      const std::vector<NamedTensor>& reference,
                                      const InterpreterOptions& options = {});

enum class RoundedValues { All, Constants };

/// `graph` in its own types, but each value (or each constant) rounded to fp16 and back where `narrowed`, the same graph
/// after precision selection (nodes keep their ids), holds it or reads it as fp16. It asks `narrowed` for types only, so a
/// Cast that is wrongly placed or connected there does not show in it.
Graph roundedGraph(const Graph& graph, const Graph& narrowed, RoundedValues values = RoundedValues::All);
/// As widenedGraph, but a constant that is cast to fp16 is rounded all the same: whether or not that Cast has been folded
/// into the constant yet, the graph means the same numbers.
Graph widenedWithRoundedConstants(const Graph& graph);

/// How far the outputs of a run of a rounded graph are from those of the graph itself.
std::vector<Rounding> roundingsBetween(const std::vector<NamedTensor>& reference,
                                       const std::vector<NamedTensor>& rounded);

/// For each output of `reference` (a run of `graph` on `inputs`) how far rounding alone moves it: a run of roundedGraph.
/// Cost: that run. Nothing is known where it does not go through.
std::vector<Rounding> measureNarrowing(const Graph& graph, const Graph& narrowed,
                                       const std::map<std::string, HostTensor>& inputs,
                                       const std::vector<NamedTensor>& reference,
                                       const InterpreterOptions& options = {});

} // namespace gelens
