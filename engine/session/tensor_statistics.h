#pragma once
// Numbers of one tensor of a run, on request: a node's result after any step, what it looks like, and where fp16 overflows.

#include "engine/npu/interpreter.h"
#include "engine/session/run.h"

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

/// What a tensor of numbers looks like. NaN and infinities are counted and take no part in the rest.
struct TensorStatistics {
    DataType dtype = DataType::Undefined;
    Shape shape;
    std::int64_t elements = 0;
    std::int64_t nanCount = 0, infinityCount = 0, zeroCount = 0;
    double minimum = 0, maximum = 0, mean = 0, deviation = 0; ///< 0 when no element is finite
    /// Finite elements by size: bin k holds [minimum + k·w, minimum + (k+1)·w), the last one the maximum too.
    std::vector<std::int64_t> histogram;
    double binWidth = 0;
    std::int64_t finiteCount() const { return elements - nanCount - infinityCount; }
};

/// Errors: strings and sequences have no statistics.
Result<TensorStatistics> statisticsOf(const HostTensor& tensor, int bins = 40);

/// Inputs for a run of any step: drawn from the first graph that knows shapes, with the smallest size for open dims for
/// which the imported model runs. Errors: why it does not run.
struct RunInputs {
    std::map<std::string, HostTensor> values;
    std::vector<NamedTensor> reference; ///< what the imported graph makes of them
};
Result<RunInputs> drawInputs(const Run& run, std::uint64_t seed, std::stop_token stop = {});

/// A value, and the coarsest floating type that it went through.
struct TensorValue {
    HostTensor tensor;
    DataType precision = DataType::Undefined;
};

/// The value of one output after a step, on inputs drawn before with `seed`; several values need only one drawing.
/// Cost and errors: as tensorAt.
Result<TensorValue> valueAt(const Run& run, StepId step, OutputRef output, const RunInputs& inputs, std::uint64_t seed,
                            std::stop_token stop = {});
/// `second` against `first`, by the tolerance of the coarsest type on the way of either.
ErrorMeasure compareValues(const TensorValue& first, const TensorValue& second, std::string name);

/// The output in another step's graph that stands for one of this step's: the same where its node lives there, else the
/// last output of its shape among the nodes that became it, or that it became. Invalid when there is none.
OutputRef counterpart(const Run& run, StepId step, OutputRef output, StepId other);

/// The value of one output after a step, computed on inputs drawn with `seed` as verification draws them (its sizes for
/// dims that the model leaves open included). Private storage formats are undone: the tensor is as the model means it.
/// Runs only what the value depends on. Cost: a run of that part of the graph; call it off the GUI thread.
/// Errors: no such node in that step's graph, an output that the node does not have, weights that are absent, a node
/// without a kernel, a node inside a sub-graph, Cancelled.
Result<HostTensor> tensorAt(const Run& run, StepId step, OutputRef output, std::uint64_t seed,
                            std::stop_token stop = {});

/// The same value after two steps, against each other, by the tolerance of the coarsest type on the way.
/// Errors: as tensorAt; the tensors may differ in type or shape, which the measure says.
Result<ErrorMeasure> compareAt(const Run& run, StepId first, OutputRef firstOutput, StepId second,
                               OutputRef secondOutput, std::uint64_t seed, std::stop_token stop = {});

/// Where a 16-bit float result is infinite or NaN though nothing that its node reads is.
struct Overflow {
    OutputRef output;
    std::string nodeName, nodeType;
    std::int64_t infinityCount = 0, nanCount = 0;
    double largestInput = 0; ///< magnitude of what went in
};

/// The first such node in execution order of a step's graph; nothing when there is none. Constants and inputs do not
/// count, nor do masks: an infinity that the node reads is not made by it.
Result<std::optional<Overflow>> firstOverflow(const Run& run, StepId step, std::uint64_t seed,
                                              std::stop_token stop = {});

/// The same on inputs drawn before.
Result<std::optional<Overflow>> firstOverflow(const Run& run, StepId step, const RunInputs& inputs, std::uint64_t seed,
                                              std::stop_token stop = {});

} // namespace gelens
