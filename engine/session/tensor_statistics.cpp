#include "engine/session/tensor_statistics.h"

#include "engine/npu/compare.h"
#include "engine/npu/node_runner.h"
#include "engine/npu/random_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

/// Sizes to try for dims that the model leaves open: a window may not fit, or a table have no such row, in less.
std::vector<std::int64_t> openDims(const Graph& graph)
{
    for (const NodeId id : dataNodes(graph)) {
        const Node& node = graph.node(id);
        if (!node.outputs.empty() && !node.outputs.front().desc.originShape.isStatic())
            return {1, 2, 3, 4, 5, 8, 16, 32, 64, 128, 256};
    }
    return {1};
}

/// What the inputs of a run take, before any is drawn: all of them, and the numbers that the largest is drawn as.
/// Errors: more than a run may keep alive (Limit).
Result<std::int64_t> inputBytes(const Graph& graph, std::int64_t unknownDim)
{
    std::int64_t total = 0;
    for (const NodeId id : dataNodes(graph)) {
        const Node& node = graph.node(id);
        if (node.outputs.empty() || node.outputs.front().consumers.empty()) continue;
        const TensorDesc& desc = node.outputs.front().desc;
        if (!isInteger(desc.dtype) && !isFloating(desc.dtype) && desc.dtype != DataType::Bool) continue;
        std::vector<std::int64_t> dims;
        if (desc.shape.hasRank())
            for (const std::int64_t dim : desc.shape.dims()) dims.push_back(dim < 0 ? unknownDim : dim);
        const Shape shape(dims);
        GELENS_ASSIGN(const std::int64_t bytes, checkedBytes(node, desc.dtype, shape));
        const std::int64_t room = runLimitBytes - total - bytes;
        const std::int64_t drawnAs = static_cast<std::int64_t>(sizeof(double)) * shape.elementCount().value_or(0);
        if (room < drawnAs)
            return Error::limit(
                fmt::format("an input of {} bytes, drawn with {} more beside {} bytes of other inputs, is "
                            "more than the {} bytes that the run may use",
                            bytes, drawnAs, total, runLimitBytes),
                nodePlace(node));
        total += bytes;
    }
    return total;
}

std::optional<std::vector<double>> numbersOf(const HostTensor& tensor)
{
    if (tensor.strings || tensor.sequence) return std::nullopt;
    return tensor.toConstant().asDoubles(static_cast<std::size_t>(tensor.shape.elementCount().value_or(0)));
}

void fillHistogram(TensorStatistics& statistics, const std::vector<double>& values, int bins)
{
    const double range = statistics.maximum - statistics.minimum;
    bins = range > 0 && std::isfinite(range) ? std::max(1, bins) : 1;
    statistics.histogram.assign(static_cast<std::size_t>(bins), 0);
    statistics.binWidth = range / bins;
    for (const double value : values) {
        if (!std::isfinite(value)) continue;
        const double place = statistics.binWidth > 0 ? (value - statistics.minimum) / statistics.binWidth : 0;
        ++statistics.histogram[static_cast<std::size_t>(std::clamp(place, 0.0, bins - 1.0))];
    }
}

Status checkStep(const Run& run, StepId step)
{
    if (step.value < 0 || step.value >= run.stepCount())
        return Error::notFound(fmt::format("there is no step {}", step.value));
    return Status::success();
}

Status checkOutput(const Graph& graph, OutputRef output)
{
    if (!output.isValid() || !graph.contains(output.node))
        return Error::notFound("the node is not in the graph of this step");
    const Node& node = graph.node(output.node);
    if (output.index < 0 || output.index >= node.outputCount())
        return Error::notFound(fmt::format("there is no output {}", output.index), nodePlace(node));
    if (node.graph != rootGraph)
        return Error::unsupported("values inside a sub-graph come and go with its owner's run", nodePlace(node));
    return {};
}

/// NaN and infinities among 16-bit floats; nothing for other types.
std::optional<Overflow> overflowIn(const HostTensor& tensor)
{
    if (tensor.dtype != DataType::Float16 && tensor.dtype != DataType::BFloat16) return std::nullopt;
    Overflow overflow;
    const auto values = numbersOf(tensor);
    if (!values) return std::nullopt;
    for (const double value : *values) {
        overflow.nanCount += std::isnan(value);
        overflow.infinityCount += std::isinf(value);
    }
    if (overflow.nanCount + overflow.infinityCount == 0) return std::nullopt;
    return overflow;
}

/// Largest magnitude of finite numbers; nothing when one is not finite.
std::optional<double> largestFinite(const HostTensor& tensor)
{
    double largest = 0;
    if (!isFloating(tensor.dtype)) return largest;
    const auto values = numbersOf(tensor);
    if (!values) return largest;
    for (const double value : *values) {
        if (!std::isfinite(value)) return std::nullopt;
        largest = std::max(largest, std::abs(value));
    }
    return largest;
}

} // namespace

Result<TensorStatistics> statisticsOf(const HostTensor& tensor, int bins)
{
    const auto values = numbersOf(tensor);
    if (!values) return Error::unsupported(fmt::format("{} has no statistics", dataTypeShortName(tensor.dtype)));
    TensorStatistics statistics;
    statistics.dtype = tensor.dtype;
    statistics.shape = tensor.shape;
    statistics.elements = static_cast<std::int64_t>(values->size());
    double sum = 0, count = 0;
    for (const double value : *values) {
        if (std::isnan(value))
            ++statistics.nanCount;
        else if (std::isinf(value))
            ++statistics.infinityCount;
        else {
            statistics.minimum = count == 0 ? value : std::min(statistics.minimum, value);
            statistics.maximum = count == 0 ? value : std::max(statistics.maximum, value);
            statistics.zeroCount += value == 0;
            sum += value;
            count += 1;
        }
    }
    if (count == 0) return statistics;
    statistics.mean = sum / count;
    double squares = 0;
    for (const double value : *values)
        if (std::isfinite(value)) squares += (value - statistics.mean) * (value - statistics.mean);
    statistics.deviation = std::sqrt(squares / count);
    fillHistogram(statistics, *values, bins);
    return statistics;
}

Result<RunInputs> drawInputs(const Run& run, std::uint64_t seed, std::stop_token stop)
{
    // Shapes steer the ranges of generated inputs, so they are drawn from the first graph that knows them.
    StepId shaped{0};
    for (const Step& step : run.steps)
        if (step.pass == "InferShapePass") shaped = step.id;
    const auto drawn = run.graphAt(shaped), imported = run.graphAt(StepId{0});
    InterpreterOptions options;
    options.seed = seed;
    options.stop = stop;
    std::optional<Error> first; // the error for the smallest size is the one to tell
    for (const std::int64_t dim : openDims(*drawn)) {
        const auto bytes = inputBytes(*drawn, dim);
        if (!bytes.ok()) return first ? *first : bytes.error();
        options.memoryLimitBytes = runLimitBytes - *bytes;
        RunInputs inputs{randomInputs(*drawn, seed, dim), {}};
        auto reference = interpret(*imported, inputs.values, options);
        if (reference.ok()) {
            inputs.reference = std::move(reference->outputs);
            return inputs;
        }
        if (!first) first = reference.error();
        if (reference.error().code != ErrorCode::InvalidInput) return reference.error();
    }
    return *first;
}

Result<TensorValue> valueAt(const Run& run, StepId step, OutputRef output, const RunInputs& inputs, std::uint64_t seed,
                            std::stop_token stop)
{
    GELENS_TRY(checkStep(run, step));
    const auto graph = run.graphAt(step);
    GELENS_TRY(checkOutput(*graph, output));
    InterpreterOptions options;
    options.seed = seed;
    options.stop = stop;
    options.keep = {output};
    options.onlyKept = true;
    GELENS_ASSIGN(RunResult result, interpret(*graph, inputs.values, options));
    const auto found = result.kept.find(output);
    if (found == result.kept.end())
        return Error::notFound("the node left this output out", nodePlace(graph->node(output.node)));
    TensorValue value{{}, precisionOf(*graph, output)};
    GELENS_ASSIGN(value.tensor, logicalOutput(found->second, graph->outputDesc(output)));
    return value;
}

ErrorMeasure compareValues(const TensorValue& first, const TensorValue& second, std::string name)
{
    const DataType own = first.tensor.dtype;
    const DataType type = isFloating(own) ? coarserType(own, coarserType(first.precision, second.precision)) : own;
    return compareTensors(first.tensor, second.tensor, std::move(name), toleranceOf(type));
}

OutputRef counterpart(const Run& run, StepId step, OutputRef output, StepId other)
{
    if (!checkStep(run, step).ok() || !checkStep(run, other).ok()) return {};
    const auto graph = run.graphAt(step), otherGraph = run.graphAt(other);
    if (!checkOutput(*graph, output).ok()) return {};
    if (otherGraph->contains(output.node)) return checkOutput(*otherGraph, output).ok() ? output : OutputRef{};
    const Shape& shape = graph->outputDesc(output).originShape;
    OutputRef found;
    for (const LineageGroup& group : run.diff(other, step).groups) { // "before" are the other step's nodes
        if (std::find(group.after.begin(), group.after.end(), output.node) == group.after.end()) continue;
        for (const NodeId id : otherGraph->topologicalOrder()) {
            if (std::find(group.before.begin(), group.before.end(), id) == group.before.end()) continue;
            for (std::int32_t i = 0; i < otherGraph->node(id).outputCount(); ++i)
                if (otherGraph->outputDesc({id, i}).originShape.dims() == shape.dims()) found = {id, i};
        }
    }
    return found;
}

Result<HostTensor> tensorAt(const Run& run, StepId step, OutputRef output, std::uint64_t seed, std::stop_token stop)
{
    GELENS_TRY(checkStep(run, step));
    GELENS_TRY(checkOutput(*run.graphAt(step), output)); // before the inputs' drawing, which costs a run
    GELENS_ASSIGN(const RunInputs inputs, drawInputs(run, seed, stop));
    GELENS_ASSIGN(TensorValue value, valueAt(run, step, output, inputs, seed, stop));
    return std::move(value.tensor);
}

Result<ErrorMeasure> compareAt(const Run& run, StepId first, OutputRef firstOutput, StepId second,
                               OutputRef secondOutput, std::uint64_t seed, std::stop_token stop)
{
    GELENS_ASSIGN(const RunInputs inputs, drawInputs(run, seed, stop));
    GELENS_ASSIGN(const TensorValue a, valueAt(run, first, firstOutput, inputs, seed, stop));
    GELENS_ASSIGN(const TensorValue b, valueAt(run, second, secondOutput, inputs, seed, stop));
    return compareValues(a, b, run.nameOf(secondOutput.node));
}

Result<std::optional<Overflow>> firstOverflow(const Run& run, StepId step, std::uint64_t seed, std::stop_token stop)
{
    GELENS_TRY(checkStep(run, step));
    GELENS_ASSIGN(const RunInputs inputs, drawInputs(run, seed, stop));
    return firstOverflow(run, step, inputs, seed, stop);
}

Result<std::optional<Overflow>> firstOverflow(const Run& run, StepId step, const RunInputs& inputs, std::uint64_t seed,
                                              std::stop_token stop)
{
    GELENS_TRY(checkStep(run, step));
    const auto shown = run.graphAt(step);
    const Graph& graph = *shown;
    InterpreterOptions options;
    options.seed = seed;
    options.stop = stop;
    // Seen in execution order; magnitudes of what was made so far tell whether a node's inputs were still finite.
    std::map<OutputRef, std::optional<double>> largest;
    std::optional<Overflow> found;
    options.onValue = [&](OutputRef output, const HostTensor& value) {
        if (found) return;
        largest[output] = largestFinite(value);
        const Node& node = graph.node(output.node);
        if (isBoundaryType(node.type)) return;
        auto overflow = overflowIn(value);
        if (!overflow) return;
        for (const InputSlot& slot : node.inputs) {
            const auto input = largest.find(slot.source);
            if (!slot.source.isValid() || input == largest.end()) continue;
            if (!input->second) return; // it was not finite before
            overflow->largestInput = std::max(overflow->largestInput, *input->second);
        }
        overflow->output = output;
        overflow->nodeName = node.name;
        overflow->nodeType = node.type;
        found = std::move(overflow);
    };
    GELENS_TRY(interpret(graph, inputs.values, options));
    return found;
}

} // namespace gelens
