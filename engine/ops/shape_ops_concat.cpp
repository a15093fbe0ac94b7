// Operators that join tensors along an axis or cut them apart.

#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/shape_ops_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace gelens::movement {
namespace {

constexpr const char* cann = "CANN operator library";

// ---- Concat ----

/// Joined shape of inputs [first, first + count), symbols kept where all agree.
Result<Shape> joined(const std::vector<Shape>& shapes, std::int64_t axisNumber)
{
    const Shape* pattern = nullptr;
    for (const Shape& shape : shapes)
        if (shape.hasRank() && !pattern) pattern = &shape;
    if (!pattern) return Shape::unknownRank();
    const std::optional<int> axis = normalizeAxis(axisNumber, pattern->rank());
    if (!axis)
        return Error::invalid(
            fmt::format("axis {} does not exist in a tensor of rank {}", axisNumber, pattern->rank()));
    Shape result = *pattern;
    std::int64_t total = 0;
    for (const Shape& shape : shapes) {
        if (!shape.hasRank()) {
            total = unknownDim;
            continue;
        }
        if (shape.rank() != result.rank())
            return Error::invalid(fmt::format("{} and {} have different ranks", pattern->text(), shape.text()));
        for (int i = 0; i < shape.rank(); ++i) {
            const std::int64_t dim = shape.dim(i);
            const auto k = static_cast<std::size_t>(i);
            if (i == *axis) {
                total = dim < 0 || total < 0 ? unknownDim : total + dim;
            } else if (dim >= 0 && result[k] < 0) {
                result.setDim(k, dim);
            } else if (dim >= 0 && dim != result[k]) {
                return Error::invalid(
                    fmt::format("{} and {} differ outside axis {}", pattern->text(), shape.text(), *axis));
            }
        }
    }
    const auto k = static_cast<std::size_t>(*axis);
    if (shapes.size() > 1 || total >= 0) {
        Shape joinedShape;
        for (int i = 0; i < result.rank(); ++i)
            i == *axis ? joinedShape.append(total, shapes.size() == 1 ? result.symbol(k) : std::string_view())
                       : appendDim(joinedShape, result, i);
        return joinedShape;
    }
    return result;
}

/// Data inputs are [first, first + count); the axis is an attribute or input `axisInput`.
struct ConcatLayout {
    int first = 0, count = 0, axisInput = -1;
};

ConcatLayout concatLayout(const std::string& type, int inputs)
{
    if (type == "ConcatV2") return {0, inputs - 1, inputs - 1};
    if (type == "Concat") return {1, inputs - 1, 0};
    return {0, inputs, -1};
}

Status inferConcat(InferContext& context)
{
    const ConcatLayout layout = concatLayout(context.node().type, context.inputCount());
    if (layout.count < 1) return context.error("nothing to join");
    std::vector<Shape> shapes;
    for (int i = 0; i < layout.count; ++i) {
        shapes.push_back(context.shape(layout.first + i));
        const DataType dtype = context.dtype(layout.first + i);
        const DataType first = context.dtype(layout.first);
        if (dtype != first && dtype != DataType::Undefined && first != DataType::Undefined)
            return context.error(
                fmt::format("input {} is {}, the first is {}", i, dataTypeShortName(dtype), dataTypeShortName(first)));
    }
    const auto axis = layout.axisInput < 0 ? std::optional(attrInt(context.attrs(), "concat_dim", 0))
                                           : constantInt(context, layout.axisInput);
    if (!axis) {
        context.setOutput(0, context.dtype(layout.first), unknownDims(shapes[0].hasRank() ? shapes[0].rank() : -1));
        return {};
    }
    auto shape = joined(shapes, *axis);
    if (!shape.ok()) return at(context, shape.error());
    context.setOutput(0, context.dtype(layout.first), std::move(shape).value());
    return {};
}

Status runConcat(KernelContext& context)
{
    const ConcatLayout layout = concatLayout(context.opType(), context.inputCount());
    if (layout.count < 1) return context.error("nothing to join");
    std::int64_t axisNumber = attrInt(context.attrs(), "concat_dim", 0);
    if (layout.axisInput >= 0) {
        GELENS_ASSIGN(axisNumber, scalarInt(context, layout.axisInput));
    }
    CellMover mover(context);
    std::vector<Cells> parts;
    std::vector<Shape> shapes;
    const DataType dtype = context.input(layout.first).dtype;
    for (int i = 0; i < layout.count; ++i) {
        GELENS_ASSIGN(Cells part, mover.input(layout.first + i));
        if (context.input(layout.first + i).dtype != dtype)
            return context.error(fmt::format("input {} has another type than the first", i));
        shapes.push_back(part.shape);
        parts.push_back(std::move(part));
    }
    const auto shape = joined(shapes, axisNumber);
    if (!shape.ok()) return context.error(shape.error().what);
    const auto& dims = shape.value().dims();
    const auto axis = static_cast<std::size_t>(*normalizeAxis(axisNumber, shape.value().rank()));
    GELENS_ASSIGN(std::byte* const out, mover.output(0, dtype, shape.value()));
    const std::int64_t outer = product(dims, 0, axis);
    const std::int64_t inner = product(dims, axis + 1, dims.size()) * cellWidth(dtype);
    const std::int64_t row = inner * dims[axis];
    std::int64_t offset = 0;
    for (const Cells& part : parts) {
        const std::int64_t bytes = inner * part.shape[axis];
        for (std::int64_t i = 0; i < outer && bytes > 0; ++i)
            std::memcpy(out + i * row + offset, part.data + i * bytes, static_cast<std::size_t>(bytes));
        offset += bytes;
    }
    return mover.finish();
}

// ---- Split ----

/// Where a split operator finds data, axis and sizes.
struct SplitPlan {
    int data = 0;
    std::optional<std::int64_t> axis;
    std::optional<std::vector<std::int64_t>> sizes; ///< absent: equal parts
    bool isUneven = false;                          ///< equal parts, the last one smaller (ONNX num_outputs)
};

/// Sizes along the axis; one -1 takes what is left. Unknown sizes give -1.
Result<std::vector<std::int64_t>> partSizes(const SplitPlan& plan, std::int64_t dim, int outputs)
{
    std::vector<std::int64_t> sizes;
    if (plan.sizes) {
        sizes = *plan.sizes;
        if (static_cast<int>(sizes.size()) != outputs)
            return Error::invalid(fmt::format("{} sizes for {} outputs", sizes.size(), outputs));
        std::int64_t sum = 0;
        int open = -1;
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            if (sizes[i] == -1 && open < 0)
                open = static_cast<int>(i);
            else if (sizes[i] < 0 || sizes[i] > (std::int64_t{1} << 40))
                return Error::invalid(fmt::format("a part would have the size {}", sizes[i]));
            else
                sum += sizes[i];
        }
        if (open >= 0 && dim >= 0) {
            if (sum > dim) return Error::invalid(fmt::format("parts of {} do not fit a dim of {}", sum, dim));
            sizes[static_cast<std::size_t>(open)] = dim - sum;
        } else if (dim >= 0 && sum != dim) {
            return Error::invalid(fmt::format("the parts add up to {}, the dim is {}", sum, dim));
        }
        return sizes;
    }
    if (dim < 0) return std::vector<std::int64_t>(static_cast<std::size_t>(outputs), unknownDim);
    const std::int64_t each = (dim + outputs - 1) / outputs;
    if (dim % outputs != 0 && !plan.isUneven)
        return Error::invalid(fmt::format("a dim of {} cannot be cut into {} equal parts", dim, outputs));
    std::int64_t left = dim;
    for (int i = 0; i < outputs; ++i) {
        sizes.push_back(std::min(each, left));
        left -= sizes.back();
    }
    return sizes;
}

Status inferParts(InferContext& context, const SplitPlan& plan)
{
    const Shape& input = context.shape(plan.data);
    const int outputs = context.outputCount();
    if (!input.hasRank() || !plan.axis) {
        for (int i = 0; i < outputs; ++i)
            context.setOutput(i, context.dtype(plan.data), unknownDims(input.hasRank() ? input.rank() : -1));
        return {};
    }
    GELENS_ASSIGN(const int axis, axisOf(context, *plan.axis, input.rank()));
    const auto sizes = partSizes(plan, input.dim(axis), outputs);
    if (!sizes.ok()) return at(context, sizes.error());
    for (int i = 0; i < outputs; ++i) {
        Shape part;
        for (int d = 0; d < input.rank(); ++d)
            d == axis ? part.append(sizes.value()[static_cast<std::size_t>(i)]) : appendDim(part, input, d);
        context.setOutput(i, context.dtype(plan.data), std::move(part));
    }
    return {};
}

Status runParts(KernelContext& context, const SplitPlan& plan)
{
    CellMover mover(context);
    GELENS_ASSIGN(const Cells cells, mover.input(plan.data));
    const auto& dims = cells.shape.dims();
    GELENS_ASSIGN(const int axisIndex, axisOf(context, *plan.axis, cells.shape.rank()));
    const auto axis = static_cast<std::size_t>(axisIndex);
    const auto sizes = partSizes(plan, dims[axis], context.outputCount());
    if (!sizes.ok()) return context.error(sizes.error().what);
    const std::int64_t outer = product(dims, 0, axis);
    const std::int64_t inner = product(dims, axis + 1, dims.size()) * cells.width;
    std::int64_t offset = 0;
    for (int i = 0; i < context.outputCount(); ++i) {
        Shape part = Shape(dims);
        part.setDim(axis, sizes.value()[static_cast<std::size_t>(i)]);
        GELENS_ASSIGN(std::byte* const out, mover.output(i, context.input(plan.data).dtype, part));
        const std::int64_t bytes = inner * part[axis];
        for (std::int64_t row = 0; row < outer && bytes > 0; ++row)
            std::memcpy(out + row * bytes, cells.data + row * inner * dims[axis] + offset,
                        static_cast<std::size_t>(bytes));
        offset += bytes;
    }
    return mover.finish();
}

SplitPlan planFromAttrs(const std::string& type, const AttrMap& attrs)
{
    SplitPlan plan;
    plan.axis = attrInt(attrs, "split_dim", 0);
    if (type == "SplitVD") plan.sizes = attrInts(attrs, "size_splits");
    plan.isUneven = attrBool(attrs, "uneven", false);
    return plan;
}

Status inferSplit(InferContext& context)
{
    const std::string& type = context.node().type;
    SplitPlan plan = planFromAttrs(type, context.attrs());
    if (type == "Split") {
        plan.data = 1;
        plan.axis = constantInt(context, 0);
    } else if (type == "SplitV") {
        plan.axis = constantInt(context, 2);
        plan.sizes = context.constantInts(1);
        if (!plan.sizes) {
            const Shape& input = context.shape(0);
            for (int i = 0; i < context.outputCount(); ++i) {
                Shape part = input;
                const auto axis = plan.axis && input.hasRank() ? normalizeAxis(*plan.axis, input.rank()) : std::nullopt;
                if (axis) {
                    part = Shape();
                    for (int d = 0; d < input.rank(); ++d)
                        d == *axis ? part.append(unknownDim) : appendDim(part, input, d);
                } else if (input.hasRank()) {
                    part = unknownDims(input.rank());
                }
                context.setOutput(i, context.dtype(0), std::move(part));
            }
            return {};
        }
    }
    return inferParts(context, plan);
}

Status runSplit(KernelContext& context)
{
    const std::string& type = context.opType();
    SplitPlan plan = planFromAttrs(type, context.attrs());
    if (type == "Split") {
        plan.data = 1;
        GELENS_ASSIGN(plan.axis, scalarInt(context, 0));
    } else if (type == "SplitV") {
        GELENS_ASSIGN(plan.axis, scalarInt(context, 2));
        GELENS_ASSIGN(plan.sizes, context.ints(1));
    }
    return runParts(context, plan);
}

// ---- Pack and Unpack: a new axis ----

Status inferPack(InferContext& context)
{
    if (context.inputCount() < 1) return context.error("nothing to pack");
    Shape shape = context.shape(0);
    for (int i = 1; i < context.inputCount(); ++i) {
        const Shape& other = context.shape(i);
        if (!shape.hasRank()) shape = other;
        if (!shape.hasRank() || !other.hasRank()) continue;
        if (other.rank() != shape.rank()) return context.error("inputs have different ranks");
        for (int d = 0; d < shape.rank(); ++d) {
            if (shape.dim(d) < 0 && other.dim(d) >= 0) shape.setDim(static_cast<std::size_t>(d), other.dim(d));
            if (other.dim(d) >= 0 && shape.dim(d) != other.dim(d)) return context.error("inputs have different shapes");
        }
    }
    if (!shape.hasRank()) {
        context.setOutput(0, context.dtype(0), Shape::unknownRank());
        return {};
    }
    GELENS_ASSIGN(const int axis, axisOf(context, attrInt(context.attrs(), "axis", 0), shape.rank() + 1));
    Shape result;
    for (int d = 0; d <= shape.rank(); ++d) {
        if (d == axis) result.append(context.inputCount());
        if (d < shape.rank()) appendDim(result, shape, d);
    }
    context.setOutput(0, context.dtype(0), std::move(result));
    return {};
}

Status runPack(KernelContext& context)
{
    CellMover mover(context);
    std::vector<Cells> parts;
    for (int i = 0; i < context.inputCount(); ++i) {
        GELENS_ASSIGN(Cells part, mover.input(i));
        if (i > 0 && (part.shape.dims() != parts[0].shape.dims() || part.width != parts[0].width))
            return context.error("inputs have different shapes or types");
        parts.push_back(std::move(part));
    }
    if (parts.empty()) return context.error("nothing to pack");
    const auto& dims = parts[0].shape.dims();
    GELENS_ASSIGN(const int axisIndex,
                  axisOf(context, attrInt(context.attrs(), "axis", 0), static_cast<int>(dims.size()) + 1));
    const auto axis = static_cast<std::size_t>(axisIndex);
    std::vector<std::int64_t> result = dims;
    result.insert(result.begin() + axisIndex, context.inputCount());
    GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(0).dtype, Shape(result)));
    const std::int64_t outer = product(dims, 0, axis);
    const std::int64_t bytes = product(dims, axis, dims.size()) * parts[0].width;
    const auto count = static_cast<std::int64_t>(parts.size());
    for (std::int64_t i = 0; i < count && bytes > 0; ++i)
        for (std::int64_t row = 0; row < outer; ++row)
            std::memcpy(out + (row * count + i) * bytes, parts[static_cast<std::size_t>(i)].data + row * bytes,
                        static_cast<std::size_t>(bytes));
    return mover.finish();
}

Status inferUnpack(InferContext& context)
{
    const Shape& input = context.shape(0);
    if (!input.hasRank()) {
        for (int i = 0; i < context.outputCount(); ++i) context.setOutput(i, context.dtype(0), Shape::unknownRank());
        return {};
    }
    GELENS_ASSIGN(const int axis, axisOf(context, attrInt(context.attrs(), "axis", 0), input.rank()));
    if (input.dim(axis) >= 0 && input.dim(axis) != context.outputCount())
        return context.error(fmt::format("{} outputs for a dim of {}", context.outputCount(), input.dim(axis)));
    Shape part;
    for (int d = 0; d < input.rank(); ++d)
        if (d != axis) appendDim(part, input, d);
    for (int i = 0; i < context.outputCount(); ++i) context.setOutput(i, context.dtype(0), part);
    return {};
}

Status runUnpack(KernelContext& context)
{
    CellMover mover(context);
    GELENS_ASSIGN(const Cells cells, mover.input(0));
    const auto& dims = cells.shape.dims();
    GELENS_ASSIGN(const int axisIndex, axisOf(context, attrInt(context.attrs(), "axis", 0), cells.shape.rank()));
    const auto axis = static_cast<std::size_t>(axisIndex);
    if (dims[axis] != context.outputCount())
        return context.error(fmt::format("{} outputs for a dim of {}", context.outputCount(), dims[axis]));
    std::vector<std::int64_t> part = dims;
    part.erase(part.begin() + axisIndex);
    const std::int64_t outer = product(dims, 0, axis);
    const std::int64_t bytes = product(dims, axis + 1, dims.size()) * cells.width;
    for (int i = 0; i < context.outputCount(); ++i) {
        GELENS_ASSIGN(std::byte* const out, mover.output(i, context.input(0).dtype, Shape(part)));
        for (std::int64_t row = 0; row < outer && bytes > 0; ++row)
            std::memcpy(out + row * bytes, cells.data + (row * dims[axis] + i) * bytes,
                        static_cast<std::size_t>(bytes));
    }
    return mover.finish();
}

OpDef base(const char* type, const char* doc, FusionClass fusionClass)
{
    OpDef def(type);
    def.doc(doc).source(cann).unit(Unit::Vector).fusionClass(fusionClass).formats(FormatSupport::NdOnly).cost(moving());
    return def;
}

} // namespace

void registerConcatOps(OpRegistry& ops)
{
    ops.add(base("ConcatD", "Joins tensors along `concat_dim`", FusionClass::Concat)
                .dynamicInput("x")
                .output("y")
                .requiredAttr("concat_dim")
                .attr("N", 1)
                .infer(inferConcat)
                .kernel(runConcat));
    ops.add(base("ConcatV2", "Joins tensors along the axis of the last input", FusionClass::Concat)
                .dynamicInput("x")
                .input("concat_dim")
                .output("y")
                .attr("N", 1)
                .hasHostKernel()
                .infer(inferConcat)
                .kernel(runConcat));
    ops.add(base("ConcatV2D", "Joins tensors along `concat_dim`", FusionClass::Concat)
                .dynamicInput("x")
                .output("y")
                .requiredAttr("concat_dim")
                .attr("N", 1)
                .infer(inferConcat)
                .kernel(runConcat));
    ops.add(base("Concat", "Joins tensors along the axis of the first input", FusionClass::Concat)
                .input("concat_dim")
                .dynamicInput("x")
                .output("y")
                .attr("N", 1)
                .infer(inferConcat)
                .kernel(runConcat));
    ops.add(base("SplitD", "Cuts a tensor into equal parts along `split_dim`", FusionClass::Split)
                .input("x")
                .dynamicOutput("y")
                .requiredAttr("split_dim")
                .requiredAttr("num_split")
                .infer(inferSplit)
                .kernel(runSplit));
    ops.add(base("Split", "Cuts a tensor into equal parts along the axis of the first input", FusionClass::Split)
                .input("split_dim")
                .input("x")
                .dynamicOutput("y")
                .requiredAttr("num_split")
                .infer(inferSplit)
                .kernel(runSplit));
    ops.add(base("SplitV", "Cuts a tensor into parts of the given sizes (one may be -1)", FusionClass::Split)
                .input("x")
                .input("size_splits")
                .input("split_dim")
                .dynamicOutput("y")
                .requiredAttr("num_split")
                .infer(inferSplit)
                .kernel(runSplit));
    ops.add(base("SplitVD", "Cuts a tensor into parts of `size_splits` along `split_dim`", FusionClass::Split)
                .input("x")
                .dynamicOutput("y")
                .requiredAttr("size_splits")
                .requiredAttr("split_dim")
                .requiredAttr("num_split")
                .infer(inferSplit)
                .kernel(runSplit));
    ops.add(base("Pack", "Stacks tensors of one shape along a new axis", FusionClass::Concat)
                .dynamicInput("x")
                .output("y")
                .attr("axis", 0)
                .attr("N", 1)
                .hasHostKernel()
                .infer(inferPack)
                .kernel(runPack));
    ops.add(base("Unpack", "The slices of a tensor along `axis`, without that axis", FusionClass::Split)
                .input("x")
                .dynamicOutput("y")
                .requiredAttr("num")
                .attr("axis", 0)
                .hasHostKernel()
                .infer(inferUnpack)
                .kernel(runUnpack));
}

} // namespace gelens::movement
