// Loop and Scan of ONNX. GE's own parser has no mapping for them (GE's While has its condition as a graph of its own
// and no scan outputs), so they keep ONNX's types and ports.

#include "engine/ops/control_helpers.h"
#include "engine/ops/control_ops_private.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace gelens {
namespace {

using namespace control;
using movement::copyBox;
using movement::stridesOf;

HostTensor scalar(DataType dtype, std::int64_t value)
{
    return HostTensor::fromConstant(Tensor::fromInts({value}, Shape{}, dtype));
}

/// Joins equal tensors along a new axis. `reversed` puts the last one first.
Result<HostTensor> stacked(const KernelContext& context, const std::vector<HostTensor>& parts, int axisNumber,
                           bool reversed)
{
    const Shape& shape = parts.front().shape;
    const DataType dtype = parts.front().dtype;
    const auto count = static_cast<std::int64_t>(parts.size());
    const auto axis = normalizeAxis(axisNumber, shape.rank() + 1);
    if (!axis) return context.error(fmt::format("axis {} does not exist in a scan output", axisNumber));
    for (const HostTensor& part : parts)
        if (part.dtype != dtype || part.shape.dims() != shape.dims())
            return context.error(
                fmt::format("scan outputs {} and {} of two iterations differ", shape.text(), part.shape.text()));
    std::vector<std::int64_t> dims = shape.dims();
    dims.insert(dims.begin() + *axis, count);
    GELENS_TRY(movement::checkOutput(context, dtype, Shape(dims)));
    HostTensor result = HostTensor::zeros(dtype, Shape(dims));
    if (dtype == DataType::String || dataTypeBits(dtype) < 8) {
        if (*axis != 0 || dtype != DataType::String)
            return context.error(fmt::format("scan outputs of {} are not supported", dataTypeShortName(dtype)));
        for (std::int64_t i = 0; i < count; ++i) {
            const auto& from = *parts[static_cast<std::size_t>(reversed ? count - 1 - i : i)].view().strings;
            std::copy(from.begin(), from.end(), result.strings->begin() + i * static_cast<std::int64_t>(from.size()));
        }
        return result;
    }
    const std::int64_t width = movement::cellWidth(dtype);
    std::vector<std::int64_t> to = stridesOf(dims);
    const std::int64_t step = to[static_cast<std::size_t>(*axis)];
    to.erase(to.begin() + *axis);
    for (std::int64_t i = 0; i < count; ++i) {
        const HostTensor& part = parts[static_cast<std::size_t>(reversed ? count - 1 - i : i)];
        copyBox(result.bytes->data() + i * step * width, to, part.view().data, stridesOf(shape.dims()), shape.dims(),
                width);
    }
    return result;
}

/// Slice `index` of a tensor along an axis.
Result<HostTensor> sliceOf(const KernelContext& context, const HostTensor& tensor, int axis, std::int64_t index)
{
    std::vector<std::int64_t> dims = tensor.shape.dims();
    std::vector<std::int64_t> from = stridesOf(dims);
    const std::int64_t offset = from[static_cast<std::size_t>(axis)] * index;
    dims.erase(dims.begin() + axis);
    from.erase(from.begin() + axis);
    HostTensor result = HostTensor::zeros(tensor.dtype, Shape(dims));
    const TensorView view = tensor.view();
    if (tensor.dtype == DataType::String && axis == 0) {
        const auto count = static_cast<std::ptrdiff_t>(result.strings->size());
        std::copy_n(view.strings->begin() + offset, count, result.strings->begin());
        return result;
    }
    if (tensor.dtype == DataType::String || dataTypeBits(tensor.dtype) < 8)
        return context.error(fmt::format("scan inputs of {} are not supported", dataTypeShortName(tensor.dtype)));
    const std::int64_t width = movement::cellWidth(tensor.dtype);
    copyBox(result.bytes->data(), stridesOf(dims), view.data + offset * width, from, dims, width);
    return result;
}

// ---- Loop ----
// Inputs: trip count, condition, carried values, then values captured from outside. The body takes the iteration, the
// condition, carried and captured values, and gives the condition, the carried values and one slice for each scan
// output.

Status inferLoop(InferContext& context)
{
    const int carried = static_cast<int>(attrInt(context.attrs(), "loop_carried", 0));
    for (int k = 0; k < context.outputCount(); ++k) {
        TensorDesc next = bodyOutput(context, 0, k + 1);
        if (k < carried) {
            TensorDesc desc = context.input(2 + k);
            if (desc.dtype == DataType::Undefined) desc = next;
            if (next.dtype != DataType::Undefined) desc.setShape(commonShape(desc.originShape, next.originShape));
            context.setOutputDesc(k, std::move(desc));
            continue;
        }
        Shape shape = Shape::unknownRank();
        if (next.originShape.hasRank()) {
            shape = Shape{unknownDim};
            for (int d = 0; d < next.originShape.rank(); ++d) movement::appendDim(shape, next.originShape, d);
        }
        context.setOutput(k, next.dtype, std::move(shape));
    }
    return {};
}

Status runLoop(KernelContext& context)
{
    const int carried = static_cast<int>(attrInt(context.attrs(), "loop_carried", 0));
    const int scans = context.outputCount() - carried;
    if (scans < 0 || carried < 0 || carried + 2 > context.inputCount())
        return context.error("inputs and outputs do not fit");
    const bool countsInList = attrBool(context.attrs(), "_counts_in_list", false);
    std::int64_t trips = std::numeric_limits<std::int64_t>::max();
    bool goesOn = true;
    if (context.hasInput(0)) {
        GELENS_ASSIGN(trips, movement::scalarInt(context, 0));
    }
    std::vector<HostTensor> values = inputTensors(context);
    if (context.hasInput(1)) {
        GELENS_ASSIGN(goesOn, truth(context, values[1]));
    }
    std::vector<std::vector<HostTensor>> collected(static_cast<std::size_t>(scans));
    std::int64_t collectedBytes = 0;
    for (std::int64_t iteration = 0; iteration < trips && goesOn; ++iteration) {
        GELENS_TRY(checkStop(context));
        if (iteration == maxLoopIterations)
            return context.error(fmt::format("still loops after {} iterations", maxLoopIterations));
        values[0] = scalar(DataType::Int64, iteration);
        if (countsInList) values[0].shape = Shape{1};
        values[1] = scalar(DataType::Bool, goesOn ? 1 : 0);
        GELENS_ASSIGN(auto next, runBody(context, 0, values, 1 + carried + scans));
        GELENS_ASSIGN(goesOn, truth(context, next[0]));
        for (int k = 0; k < carried; ++k)
            values[static_cast<std::size_t>(2 + k)] = movement::ownedCopy(next[static_cast<std::size_t>(1 + k)]);
        for (int k = 0; k < scans; ++k) {
            HostTensor slice = movement::ownedCopy(next[static_cast<std::size_t>(1 + carried + k)]);
            collectedBytes += storageBytes(slice.dtype, slice.shape).value_or(64);
            if (collectedBytes > movement::maxOutputBytes) return context.error("scan outputs grow beyond 2 GiB");
            collected[static_cast<std::size_t>(k)].push_back(std::move(slice));
        }
    }
    for (int k = 0; k < carried; ++k)
        GELENS_TRY(movement::writeOutput(context, k, values[static_cast<std::size_t>(2 + k)]));
    for (int k = 0; k < scans; ++k) {
        const auto& parts = collected[static_cast<std::size_t>(k)];
        if (parts.empty()) {
            // No iteration: nothing says how a slice would look but the type.
            const DataType dtype = context.outputType(carried + k);
            GELENS_TRY(movement::writeOutput(
                context, carried + k,
                HostTensor::zeros(dtype == DataType::Undefined ? DataType::Float : dtype, Shape{0})));
            continue;
        }
        GELENS_ASSIGN(const HostTensor joined, stacked(context, parts, 0, false));
        GELENS_TRY(movement::writeOutput(context, carried + k, joined));
    }
    return {};
}

// ---- Scan ----
// Inputs: states, scanned tensors, captured values. The body takes states and slices and gives states and slices.

struct ScanPlan {
    int states = 0, scanned = 0, results = 0;
    std::vector<std::int64_t> inputAxes, outputAxes, inputDirections, outputDirections;
    int firstDim = 0; ///< 1 for Scan-8, whose tensors have a batch in front
};

ScanPlan scanPlan(const AttrMap& attrs, int outputs)
{
    ScanPlan plan;
    plan.scanned = static_cast<int>(attrInt(attrs, "num_scan_inputs", 1));
    plan.states = static_cast<int>(attrInt(attrs, "num_states", 0));
    plan.results = outputs - plan.states;
    plan.firstDim = attrBool(attrs, "batched", false) ? 1 : 0;
    const auto filled = [&attrs](const char* name, int count) {
        std::vector<std::int64_t> list = attrInts(attrs, name);
        list.resize(static_cast<std::size_t>(std::max(0, count)), 0);
        return list;
    };
    plan.inputAxes = filled("scan_input_axes", plan.scanned);
    plan.outputAxes = filled("scan_output_axes", plan.results);
    plan.inputDirections = filled("scan_input_directions", plan.scanned);
    plan.outputDirections = filled("scan_output_directions", plan.results);
    return plan;
}

Status inferScan(InferContext& context)
{
    const ScanPlan plan = scanPlan(context.attrs(), context.outputCount());
    std::int64_t length = unknownDim;
    for (int i = 0; i < plan.scanned; ++i) {
        const Shape& shape = context.shape(plan.states + i);
        if (!shape.hasRank()) continue;
        if (plan.firstDim == 1) {
            if (shape.rank() > 1) length = std::max(length, shape.dim(1));
            continue;
        }
        GELENS_ASSIGN(const int axis,
                      movement::axisOf(context, plan.inputAxes[static_cast<std::size_t>(i)], shape.rank()));
        length = std::max(length, shape.dim(axis));
    }
    for (int k = 0; k < context.outputCount(); ++k) {
        const TensorDesc body = bodyOutput(context, 0, k);
        if (k < plan.states) {
            TensorDesc desc = context.input(k);
            if (plan.firstDim == 0 && body.dtype != DataType::Undefined)
                desc.setShape(commonShape(desc.originShape, body.originShape));
            context.setOutputDesc(k, std::move(desc));
            continue;
        }
        Shape shape = Shape::unknownRank();
        if (body.originShape.hasRank() && plan.firstDim == 0) {
            const auto axis =
                normalizeAxis(plan.outputAxes[static_cast<std::size_t>(k - plan.states)], body.originShape.rank() + 1);
            if (!axis) return context.error("a scan output axis does not exist");
            shape = Shape();
            for (int d = 0; d <= body.originShape.rank(); ++d) {
                if (d == *axis) shape.append(length);
                if (d < body.originShape.rank()) movement::appendDim(shape, body.originShape, d);
            }
        }
        context.setOutput(k, body.dtype, std::move(shape));
    }
    return {};
}

/// One run over the sequence: states in and out, and the stacked results.
Result<std::vector<HostTensor>> scanOnce(const KernelContext& context, const ScanPlan& plan,
                                         std::vector<HostTensor> values)
{
    const std::vector<HostTensor> sources(values.begin() + plan.states, values.begin() + plan.states + plan.scanned);
    std::vector<int> axes;
    std::int64_t length = -1;
    for (int i = 0; i < plan.scanned; ++i) {
        const Shape& shape = sources[static_cast<std::size_t>(i)].shape;
        GELENS_ASSIGN(const int axis,
                      movement::axisOf(context, plan.inputAxes[static_cast<std::size_t>(i)], shape.rank()));
        axes.push_back(axis);
        if (length >= 0 && shape.dim(axis) != length) return context.error("scan inputs have different lengths");
        length = shape.dim(axis);
    }
    std::vector<std::vector<HostTensor>> collected(static_cast<std::size_t>(plan.results));
    for (std::int64_t t = 0; t < length; ++t) {
        GELENS_TRY(checkStop(context));
        if (t == maxLoopIterations) return context.error(fmt::format("more than {} steps", maxLoopIterations));
        for (int i = 0; i < plan.scanned; ++i) {
            const auto k = static_cast<std::size_t>(i);
            GELENS_ASSIGN(values[static_cast<std::size_t>(plan.states + i)],
                          sliceOf(context, sources[k], axes[k], plan.inputDirections[k] != 0 ? length - 1 - t : t));
        }
        GELENS_ASSIGN(auto next, runBody(context, 0, values, plan.states + plan.results));
        for (int s = 0; s < plan.states; ++s)
            values[static_cast<std::size_t>(s)] = movement::ownedCopy(next[static_cast<std::size_t>(s)]);
        for (int r = 0; r < plan.results; ++r)
            collected[static_cast<std::size_t>(r)].push_back(
                movement::ownedCopy(next[static_cast<std::size_t>(plan.states + r)]));
    }
    std::vector<HostTensor> results(values.begin(), values.begin() + plan.states);
    for (int r = 0; r < plan.results; ++r) {
        const auto k = static_cast<std::size_t>(r);
        if (collected[k].empty()) {
            const DataType dtype = context.outputType(plan.states + r);
            results.push_back(HostTensor::zeros(dtype == DataType::Undefined ? DataType::Float : dtype, Shape{0}));
            continue;
        }
        GELENS_ASSIGN(HostTensor joined, stacked(context, collected[k], static_cast<int>(plan.outputAxes[k]),
                                                 plan.outputDirections[k] != 0));
        results.push_back(std::move(joined));
    }
    return results;
}

Status runScan(KernelContext& context)
{
    const ScanPlan plan = scanPlan(context.attrs(), context.outputCount());
    if (plan.states < 0 || plan.scanned < 1 || plan.results < 0 || plan.states + plan.scanned > context.inputCount())
        return context.error("inputs and outputs do not fit");
    const std::vector<HostTensor> inputs = inputTensors(context);
    std::vector<HostTensor> results;
    if (plan.firstDim == 0) {
        GELENS_ASSIGN(results, scanOnce(context, plan, inputs));
    } else {
        // Scan-8: each element of the batch on its own.
        const Shape& first = inputs.front().shape;
        if (first.rank() < 1) return context.error("an input has no batch");
        std::vector<std::vector<HostTensor>> byOutput(static_cast<std::size_t>(context.outputCount()));
        for (std::int64_t b = 0; b < first[0]; ++b) {
            std::vector<HostTensor> values = inputs;
            for (int i = 0; i < plan.states + plan.scanned; ++i) {
                const auto k = static_cast<std::size_t>(i);
                if (inputs[k].shape.rank() < 1 || inputs[k].shape[0] != first[0])
                    return context.error("inputs have different batches");
                GELENS_ASSIGN(values[k], sliceOf(context, inputs[k], 0, b));
            }
            GELENS_ASSIGN(auto once, scanOnce(context, plan, std::move(values)));
            for (std::size_t k = 0; k < once.size(); ++k) byOutput[k].push_back(std::move(once[k]));
        }
        for (const auto& parts : byOutput) {
            if (parts.empty()) return context.error("the batch is empty");
            GELENS_ASSIGN(HostTensor joined, stacked(context, parts, 0, false));
            results.push_back(std::move(joined));
        }
    }
    for (int k = 0; k < context.outputCount(); ++k)
        GELENS_TRY(movement::writeOutput(context, k, results[static_cast<std::size_t>(k)]));
    return {};
}

OpDef base(const char* type, const char* doc, const char* source)
{
    OpDef def(type);
    def.doc(doc)
        .source(source)
        .unit(Unit::Host)
        .fusionClass(FusionClass::Opaque)
        .formats(FormatSupport::NdOnly)
        .isStateful()
        .cost([](const Node&, const Graph&) { return Cost{}; });
    return def;
}

} // namespace

void registerLoopOps(OpRegistry& ops)
{
    ops.add(base("Loop",
                 "Runs its body `trip_count` times or until the condition fails; `loop_carried` values go round, "
                 "further outputs "
                 "of the body are stacked",
                 "ONNX Loop-16")
                .optionalInput("trip_count")
                .optionalInput("cond")
                .dynamicInput("input")
                .dynamicOutput("output")
                .requiredAttr("loop_carried")
                .infer(inferLoop)
                .kernel(runLoop));
    ops.add(base("Scan",
                 "Runs its body over the slices of `num_scan_inputs` inputs; `num_states` values go round, further "
                 "outputs are stacked",
                 "ONNX Scan-11")
                .dynamicInput("input")
                .dynamicOutput("output")
                .requiredAttr("num_scan_inputs")
                .requiredAttr("num_states")
                .attr("scan_input_axes", IntList{})
                .attr("scan_output_axes", IntList{})
                .attr("scan_input_directions", IntList{})
                .attr("scan_output_directions", IntList{})
                .attr("batched", false)
                .infer(inferScan)
                .kernel(runScan));
}

} // namespace gelens
