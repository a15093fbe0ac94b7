// Sequences of tensors, and optional values. A sequence travels as a handle (DT_RESOURCE) that the host holds.

#include "engine/ops/control_helpers.h"
#include "engine/ops/control_ops_private.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace gelens {
namespace {

using namespace control;
using movement::CellMover;
using movement::Cells;

constexpr const char* cann = "CANN operator library";

Result<std::vector<HostTensor>> sequenceInput(const KernelContext& context, int i)
{
    const TensorView& view = context.input(i);
    if (!view.sequence) return context.error(fmt::format("input {} is no sequence", i));
    return *view.sequence;
}

/// Own memory for each: a sequence outlives the tensors it was made of.
HostTensor element(const TensorView& view) { return movement::ownedCopy(movement::windowOf(view)); }

TensorDesc emptyOptional() { return TensorDesc(DataType::Variant, Shape{}); }

// ---- making and changing sequences ----

Status inferConstruct(InferContext& context)
{
    Shape shape = context.inputCount() > 0 ? context.shape(0) : Shape::unknownRank();
    for (int i = 1; i < context.inputCount(); ++i) shape = commonShape(shape, context.shape(i));
    context.setOutputDesc(0, sequenceDesc(context.inputCount() > 0 ? context.dtype(0) : DataType::Undefined, shape));
    return {};
}

Status runConstruct(KernelContext& context)
{
    std::vector<HostTensor> values;
    for (int i = 0; i < context.inputCount(); ++i) values.push_back(element(context.input(i)));
    context.setSequence(0, std::move(values));
    return {};
}

Status inferEmpty(InferContext& context)
{
    const auto dtype =
        static_cast<DataType>(attrInt(context.attrs(), "dtype", static_cast<std::int64_t>(DataType::Float)));
    context.setOutputDesc(0, sequenceDesc(dtype, Shape::unknownRank()));
    return {};
}

Status inferInsert(InferContext& context)
{
    const DataType known = elementType(context.input(0));
    const DataType dtype = known == DataType::Undefined ? context.dtype(1) : known;
    context.setOutputDesc(0, sequenceDesc(dtype, commonShape(elementShape(context.input(0)), context.shape(1))));
    return {};
}

/// Position from input `i`, negative from the end; `otherwise` when the input is absent. Valid are [0, last].
Result<std::int64_t> position(const KernelContext& context, int i, std::int64_t count, std::int64_t last,
                              std::int64_t otherwise)
{
    if (!context.hasInput(i)) return otherwise;
    GELENS_ASSIGN(std::int64_t index, movement::scalarInt(context, i));
    const std::int64_t wanted = index;
    if (index < 0) index += count;
    if (index < 0 || index > last)
        return context.error(fmt::format("position {} lies outside a sequence of {}", wanted, count));
    return index;
}

Status runInsert(KernelContext& context)
{
    GELENS_ASSIGN(std::vector<HostTensor> values, sequenceInput(context, 0));
    const auto count = static_cast<std::int64_t>(values.size());
    GELENS_ASSIGN(const std::int64_t at, position(context, 2, count, count, count));
    if (!context.hasInput(1)) return context.error("nothing to insert");
    values.insert(values.begin() + at, element(context.input(1)));
    context.setSequence(0, std::move(values));
    return {};
}

Status runErase(KernelContext& context)
{
    GELENS_ASSIGN(std::vector<HostTensor> values, sequenceInput(context, 0));
    const auto count = static_cast<std::int64_t>(values.size());
    if (count == 0) return context.error("the sequence is empty");
    GELENS_ASSIGN(const std::int64_t at, position(context, 1, count, count - 1, count - 1));
    values.erase(values.begin() + at);
    context.setSequence(0, std::move(values));
    return {};
}

Status inferSameSequence(InferContext& context)
{
    context.setOutputDesc(0, context.input(0));
    return {};
}

// ---- reading sequences ----

Status runAt(KernelContext& context)
{
    GELENS_ASSIGN(const std::vector<HostTensor> values, sequenceInput(context, 0));
    const auto count = static_cast<std::int64_t>(values.size());
    GELENS_ASSIGN(const std::int64_t at, position(context, 1, count, count - 1, -1));
    if (at < 0) return context.error("the sequence is empty");
    return movement::writeOutput(context, 0, values[static_cast<std::size_t>(at)]);
}

Status runLength(KernelContext& context)
{
    GELENS_ASSIGN(const std::vector<HostTensor> values, sequenceInput(context, 0));
    GELENS_ASSIGN(auto* const out, context.outputAs<std::int64_t>(0, DataType::Int64, Shape{}));
    *out = static_cast<std::int64_t>(values.size());
    return {};
}

// ---- between tensors and sequences ----

Status inferSplitToSequence(InferContext& context)
{
    const Shape& x = context.shape(0);
    Shape part = Shape::unknownRank();
    if (x.hasRank()) {
        GELENS_ASSIGN(const int axis, movement::axisOf(context, attrInt(context.attrs(), "axis", 0), x.rank()));
        part = Shape();
        const bool dropsAxis = !context.hasInput(1) && !attrBool(context.attrs(), "keepdims", true);
        for (int i = 0; i < x.rank(); ++i) {
            if (i != axis)
                movement::appendDim(part, x, i);
            else if (!dropsAxis)
                part.append(context.hasInput(1) ? unknownDim : 1);
        }
    }
    context.setOutputDesc(0, sequenceDesc(context.dtype(0), part));
    return {};
}

/// Sizes of the parts along a dim: from input 1 (one number for all, or a list), else 1.
Result<std::vector<std::int64_t>> partSizes(const KernelContext& context, std::int64_t dim)
{
    std::int64_t each = 1;
    if (context.hasInput(1)) {
        GELENS_ASSIGN(auto sizes, context.ints(1));
        if (context.input(1).shape.rank() > 0) {
            std::int64_t left = dim;
            for (const std::int64_t size : sizes) {
                if (size < 0 || size > left) return context.error(fmt::format("a part of {} does not fit", size));
                left -= size;
            }
            if (left != 0) return context.error(fmt::format("the parts leave {} of {} over", left, dim));
            return sizes;
        }
        each = sizes.at(0);
        if (each < 1) return context.error(fmt::format("the parts have the size {}", each));
    }
    std::vector<std::int64_t> sizes;
    for (std::int64_t left = dim; left > 0; left -= each) sizes.push_back(std::min(each, left));
    return sizes;
}

Status runSplitToSequence(KernelContext& context)
{
    const TensorView& x = context.input(0);
    GELENS_ASSIGN(const int axisIndex, movement::axisOf(context, attrInt(context.attrs(), "axis", 0), x.shape.rank()));
    const auto axis = static_cast<std::size_t>(axisIndex);
    const auto& dims = x.shape.dims();
    GELENS_ASSIGN(const auto sizes, partSizes(context, dims[axis]));
    const bool isString = x.dtype == DataType::String;
    if (!isString && dataTypeBits(x.dtype) < 8)
        return context.error(fmt::format("type {} cannot be split", dataTypeShortName(x.dtype)));
    const bool dropsAxis = !context.hasInput(1) && !attrBool(context.attrs(), "keepdims", true);
    const std::int64_t outer = movement::product(dims, 0, axis), inner = movement::product(dims, axis + 1, dims.size());
    const std::int64_t width = movement::cellWidth(x.dtype);
    std::vector<HostTensor> parts;
    std::int64_t begin = 0;
    for (const std::int64_t size : sizes) {
        std::vector<std::int64_t> partDims = dims;
        partDims[axis] = size;
        if (dropsAxis) partDims.erase(partDims.begin() + axisIndex);
        HostTensor part = HostTensor::zeros(x.dtype, Shape(partDims));
        const std::int64_t run = size * inner;
        for (std::int64_t o = 0; o < outer && run > 0; ++o) {
            const std::int64_t from = (o * dims[axis] + begin) * inner;
            if (isString)
                std::copy_n(x.strings->begin() + from, run, part.strings->begin() + o * run);
            else
                std::memcpy(part.bytes->data() + o * run * width, x.data + from * width,
                            static_cast<std::size_t>(run * width));
        }
        parts.push_back(std::move(part));
        begin += size;
    }
    context.setSequence(0, std::move(parts));
    return {};
}

Status inferConcatFromSequence(InferContext& context)
{
    const Shape part = elementShape(context.input(0));
    const bool isNewAxis = attrBool(context.attrs(), "new_axis", false);
    Shape result = Shape::unknownRank();
    if (part.hasRank()) {
        GELENS_ASSIGN(const int axis, movement::axisOf(context, attrInt(context.attrs(), "axis", 0),
                                                       part.rank() + (isNewAxis ? 1 : 0)));
        result = Shape();
        for (int i = 0; i < part.rank() + (isNewAxis ? 1 : 0); ++i) {
            if (i == axis)
                result.append(unknownDim);
            else
                movement::appendDim(result, part, isNewAxis && i > axis ? i - 1 : i);
        }
    }
    context.setOutput(0, elementType(context.input(0)), std::move(result));
    return {};
}

Status runConcatFromSequence(KernelContext& context)
{
    GELENS_ASSIGN(const std::vector<HostTensor> parts, sequenceInput(context, 0));
    if (parts.empty()) return context.error("the sequence is empty");
    const bool isNewAxis = attrBool(context.attrs(), "new_axis", false);
    const DataType dtype = parts[0].dtype;
    const int rank = parts[0].shape.rank() + (isNewAxis ? 1 : 0);
    GELENS_ASSIGN(const int axisIndex, movement::axisOf(context, attrInt(context.attrs(), "axis", 0), rank));
    const auto axis = static_cast<std::size_t>(axisIndex);
    if (dtype == DataType::String || dataTypeBits(dtype) < 8)
        return context.error(fmt::format("type {} cannot be joined", dataTypeShortName(dtype)));
    std::vector<std::vector<std::int64_t>> dims;
    std::int64_t total = 0;
    for (const HostTensor& part : parts) {
        std::vector<std::int64_t> own = part.shape.dims();
        if (part.dtype != dtype || static_cast<int>(own.size()) != parts[0].shape.rank())
            return context.error("the tensors of the sequence differ in type or rank");
        if (isNewAxis) own.insert(own.begin() + axisIndex, 1);
        for (std::size_t i = 0; i < own.size(); ++i)
            if (!dims.empty() && i != axis && own[i] != dims[0][i])
                return context.error("the tensors of the sequence have different shapes");
        total += own[axis];
        dims.push_back(std::move(own));
    }
    std::vector<std::int64_t> result = dims[0];
    result[axis] = total;
    GELENS_TRY(movement::checkOutput(context, dtype, Shape(result)));
    GELENS_ASSIGN(std::byte* const out, context.output(0, dtype, Shape(result)));
    const std::int64_t outer = movement::product(result, 0, axis);
    const std::int64_t inner = movement::product(result, axis + 1, result.size()) * movement::cellWidth(dtype);
    std::int64_t offset = 0;
    for (std::size_t p = 0; p < parts.size(); ++p) {
        const std::int64_t run = dims[p][axis] * inner;
        const std::byte* const from = parts[p].view().data;
        for (std::int64_t o = 0; o < outer && run > 0; ++o)
            std::memcpy(out + o * total * inner + offset, from + o * run, static_cast<std::size_t>(run));
        offset += run;
    }
    return {};
}

// ---- SequenceMap: the body for each element ----

Status inferSequenceMap(InferContext& context)
{
    for (int k = 0; k < context.outputCount(); ++k) {
        const TensorDesc body = bodyOutput(context, 0, k);
        context.setOutputDesc(k, sequenceDesc(body.dtype, body.originShape));
    }
    return {};
}

Status runSequenceMap(KernelContext& context)
{
    GELENS_ASSIGN(const std::vector<HostTensor> first, sequenceInput(context, 0));
    const std::vector<HostTensor> inputs = inputTensors(context);
    std::vector<std::vector<HostTensor>> results(static_cast<std::size_t>(context.outputCount()));
    for (std::size_t i = 0; i < first.size(); ++i) {
        GELENS_TRY(checkStop(context));
        std::vector<HostTensor> values = inputs;
        for (HostTensor& value : values) {
            if (!value.sequence) continue;
            if (value.sequence->size() != first.size()) return context.error("the sequences have different lengths");
            const auto all = value.sequence;
            value = (*all)[i];
        }
        GELENS_ASSIGN(auto next, runBody(context, 0, values, context.outputCount()));
        for (std::size_t k = 0; k < results.size(); ++k) results[k].push_back(movement::ownedCopy(next[k]));
    }
    for (int k = 0; k < context.outputCount(); ++k)
        context.setSequence(k, std::move(results[static_cast<std::size_t>(k)]));
    return {};
}

// ---- Optional values ----

Status inferOptional(InferContext& context)
{
    context.setOutputDesc(0, context.hasInput(0) ? context.input(0) : emptyOptional());
    return {};
}

Status runOptional(KernelContext& context)
{
    if (context.hasInput(0)) return movement::passThrough(context, 0, 0, context.input(0).shape);
    context.setSequence(0, {}, DataType::Variant);
    return {};
}

Status runHasElement(KernelContext& context)
{
    GELENS_ASSIGN(auto* const out, context.outputAs<std::uint8_t>(0, DataType::Bool, Shape{}));
    *out = context.hasInput(0) && context.input(0).dtype != DataType::Variant ? 1 : 0;
    return {};
}

Status runGetElement(KernelContext& context)
{
    if (!context.hasInput(0) || context.input(0).dtype == DataType::Variant)
        return context.error("the optional has no value");
    return movement::passThrough(context, 0, 0, context.input(0).shape);
}

OpDef base(const char* type, const char* doc, const char* source = cann)
{
    OpDef def(type);
    def.doc(doc)
        .source(source)
        .unit(Unit::AiCpu)
        .fusionClass(FusionClass::Opaque)
        .formats(FormatSupport::NdOnly)
        .isStateful()
        .arithmetic(Arithmetic::None)
        .cost(moving());
    return def;
}

} // namespace

void registerSequenceOps(OpRegistry& ops)
{
    ops.add(base("SequenceConstruct", "A sequence of the inputs")
                .dynamicInput("inputs")
                .output("handle")
                .infer(inferConstruct)
                .kernel(runConstruct));
    ops.add(base("SequenceEmpty", "A sequence without elements")
                .output("handle")
                .attr("dtype", DataType::Float)
                .infer(inferEmpty)
                .kernel([](KernelContext& context) -> Status {
                    context.setSequence(0, {});
                    return {};
                }));
    ops.add(base("SequenceInsert", "The sequence with a tensor inserted (at the end without `index`)")
                .input("handle")
                .input("value")
                .optionalInput("index")
                .output("handle_y")
                .infer(inferInsert)
                .kernel(runInsert));
    ops.add(base("SequenceErase", "The sequence without one element (the last without `index`)")
                .input("handle")
                .optionalInput("index")
                .output("handle_y")
                .infer(inferSameSequence)
                .kernel(runErase));
    ops.add(base("SequenceAt", "One element of the sequence")
                .input("handle")
                .input("index")
                .output("y")
                .infer([](InferContext& context) -> Status {
                    context.setOutput(0, elementType(context.input(0)), elementShape(context.input(0)));
                    return {};
                })
                .kernel(runAt));
    ops.add(base("SequenceLength", "Number of elements")
                .input("handle")
                .output("length")
                .infer([](InferContext& context) -> Status {
                    context.setOutput(0, DataType::Int64, Shape{});
                    return {};
                })
                .kernel(runLength));
    ops.add(base("SplitToSequence", "Parts of a tensor along `axis` as a sequence")
                .input("x")
                .optionalInput("split")
                .output("handle")
                .attr("axis", 0)
                .attr("keepdims", true)
                .infer(inferSplitToSequence)
                .kernel(runSplitToSequence));
    ops.add(base("ConcatFromSequence", "Joins the elements along `axis`, or stacks them along a new one")
                .input("handle")
                .output("y")
                .attr("axis", 0)
                .attr("new_axis", false)
                .infer(inferConcatFromSequence)
                .kernel(runConcatFromSequence));
    ops.add(base("SequenceMap", "Runs its body on each element of the sequences", "ONNX SequenceMap-17")
                .input("handle")
                .dynamicInput("input")
                .dynamicOutput("output")
                .infer(inferSequenceMap)
                .kernel(runSequenceMap));
    ops.add(base("Optional", "The input as an optional value, or none", "ONNX Optional-15")
                .optionalInput("x")
                .output("y")
                .infer(inferOptional)
                .kernel(runOptional));
    ops.add(base("OptionalHasElement", "Whether there is a value", "ONNX OptionalHasElement-18")
                .optionalInput("x")
                .output("y")
                .infer([](InferContext& context) -> Status {
                    context.setOutput(0, DataType::Bool, Shape{});
                    return {};
                })
                .kernel(runHasElement));
    ops.add(base("OptionalGetElement", "The value of an optional", "ONNX OptionalGetElement-18")
                .input("x")
                .output("y")
                .infer(inferOptional)
                .kernel(runGetElement));
}

} // namespace gelens
