// Views (the same memory under another shape) and questions about shapes.

#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/shape_ops_private.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {
namespace movement {
namespace {

constexpr const char* cann = "CANN operator library";

/// What a Reshape asks for: 0 copies a dim (unless allowzero), one -1 takes what is left.
struct ReshapeRequest {
    std::vector<std::int64_t> dims;
    bool isZeroLiteral = false;
};

/// Target shape with symbols. Unknown dims of the input stay unknown where they cannot be cancelled.
/// GE's attributes axis and num_axes (reshape only a part of the dims) are honoured by the callers through `input`.
Result<Shape> reshaped(const Shape& input, const ReshapeRequest& request)
{
    Shape result;
    int open = -1;
    std::vector<bool> isCopied(static_cast<std::size_t>(input.rank()), false);
    std::int64_t known = 1;
    for (std::size_t i = 0; i < request.dims.size(); ++i) {
        const std::int64_t dim = request.dims[i];
        if (dim == 0 && !request.isZeroLiteral) {
            if (!input.hasRank()) {
                result.append(unknownDim);
                continue;
            }
            if (static_cast<int>(i) >= input.rank())
                return Error::invalid(
                    fmt::format("dim {} of the new shape copies a dim that the input {} lacks", i, input.text()));
            appendDim(result, input, static_cast<int>(i));
            isCopied[i] = true;
        } else if (dim == -1) {
            if (open >= 0) return Error::invalid("the new shape has more than one -1");
            open = static_cast<int>(i);
            result.append(unknownDim);
        } else if (dim < 0) {
            return Error::invalid(fmt::format("the new shape has the dim {}", dim));
        } else {
            if (dim != 0 && known > (std::int64_t{1} << 62) / dim) return Error::limit("the new shape is too large");
            known *= dim;
            result.append(dim);
        }
    }
    if (!input.hasRank()) return result;
    // What is left of the input once copied dims are cancelled on both sides.
    std::int64_t left = 1;
    int unknown = -1, unknownCount = 0;
    for (int i = 0; i < input.rank(); ++i) {
        if (isCopied[static_cast<std::size_t>(i)]) continue;
        const std::int64_t dim = input.dim(i);
        if (dim < 0) {
            unknown = i;
            ++unknownCount;
        } else {
            if (dim != 0 && left > (std::int64_t{1} << 62) / dim) return Error::limit("the input is too large");
            left *= dim;
        }
    }
    const auto mismatch = [&] {
        return Error::invalid(fmt::format("{} cannot be reshaped to [{}]", input.text(), listText(request.dims)));
    };
    if (unknownCount == 0) {
        if (open < 0) return left == known ? Result<Shape>(result) : Result<Shape>(mismatch());
        // 0 elements and a -1: the other dims must hold a zero, then any value would do; ONNX takes 0.
        if (known == 0)
            return left == 0 ? (result.setDim(static_cast<std::size_t>(open), 0), Result<Shape>(result))
                             : Result<Shape>(mismatch());
        if (left % known != 0) return mismatch();
        result.setDim(static_cast<std::size_t>(open), left / known);
        return result;
    }
    if (open >= 0 && unknownCount == 1 && left == known && left != 0)
        result.setSymbol(static_cast<std::size_t>(open), std::string(input.symbol(static_cast<std::size_t>(unknown))));
    return result;
}

/// axis and num_axes of GE's Reshape: only dims [axis, axis + num_axes) are replaced. Defaults replace all.
struct ReshapeRange {
    int begin = 0, end = 0;
};
std::optional<ReshapeRange> reshapeRange(const AttrMap& attrs, int rank)
{
    std::int64_t axis = attrInt(attrs, "axis", 0);
    const std::int64_t count = attrInt(attrs, "num_axes", -1);
    if (axis < 0) axis += rank + 1;
    const std::int64_t end = count < 0 ? rank : axis + count;
    if (axis < 0 || axis > rank || end > rank) return std::nullopt;
    return ReshapeRange{static_cast<int>(axis), static_cast<int>(end)};
}

Result<Shape> reshapedInRange(const Shape& input, const AttrMap& attrs, const std::vector<std::int64_t>& dims)
{
    const ReshapeRequest request{dims, attrInt(attrs, "allowzero", 0) != 0};
    if (!input.hasRank()) return reshaped(input, request);
    const auto range = reshapeRange(attrs, input.rank());
    if (!range) return Error::invalid("axis and num_axes lie outside the input's rank");
    if (range->begin == 0 && range->end == input.rank()) return reshaped(input, request);
    Shape middle;
    for (int i = range->begin; i < range->end; ++i) appendDim(middle, input, i);
    GELENS_ASSIGN(const Shape changed, reshaped(middle, request));
    Shape result;
    for (int i = 0; i < range->begin; ++i) appendDim(result, input, i);
    for (int i = 0; i < changed.rank(); ++i) appendDim(result, changed, i);
    for (int i = range->end; i < input.rank(); ++i) appendDim(result, input, i);
    return result;
}

Status inferReshape(InferContext& context)
{
    if (const auto dims = context.constantInts(1)) {
        const auto shape = reshapedInRange(context.shape(0), context.attrs(), *dims);
        if (!shape.ok()) return at(context, shape.error());
        context.setOutput(0, context.dtype(0), shape.value());
        return {};
    }
    const Shape& wanted = context.shape(1);
    const bool hasLength = wanted.hasRank() && wanted.rank() == 1 && wanted[0] >= 0 && wanted[0] < 64;
    context.setOutput(0, context.dtype(0), unknownDims(hasLength ? static_cast<int>(wanted[0]) : -1));
    return {};
}

Status runReshape(KernelContext& context)
{
    GELENS_ASSIGN(const auto dims, context.ints(1));
    const auto shape = reshapedInRange(context.input(0).shape, context.attrs(), dims);
    if (!shape.ok()) return context.error(shape.error().what);
    return passThrough(context, 0, 0, shape.value());
}

// Squeeze and Unsqueeze: axes by attribute or by input.

Result<Shape> squeezed(const Shape& input, const std::optional<std::vector<std::int64_t>>& axes)
{
    Shape result;
    std::vector<int> drop;
    if (axes && !axes->empty()) {
        GELENS_ASSIGN(drop, normalizeAxes(*axes, input.rank()));
    } else {
        for (int i = 0; i < input.rank(); ++i) {
            if (input.dim(i) < 0) return Shape::unknownRank(); // whether it is 1 decides over the rank
            if (input.dim(i) == 1) drop.push_back(i);
        }
    }
    for (int i = 0; i < input.rank(); ++i) {
        if (!std::binary_search(drop.begin(), drop.end(), i))
            appendDim(result, input, i);
        else if (input.dim(i) >= 0 && input.dim(i) != 1)
            return Error::invalid(fmt::format("dim {} of {} is not 1 and cannot be squeezed", i, input.text()));
    }
    return result;
}

Result<Shape> unsqueezed(const Shape& input, const std::vector<std::int64_t>& axes)
{
    if (axes.size() > 64) return Error::limit("more than 64 axes");
    const int rank = input.rank() + static_cast<int>(axes.size());
    GELENS_ASSIGN(const std::vector<int> ones, normalizeAxes(axes, rank));
    if (ones.size() != axes.size()) return Error::invalid("an axis is named twice");
    Shape result;
    for (int i = 0, from = 0; i < rank; ++i) {
        if (std::binary_search(ones.begin(), ones.end(), i))
            result.append(1);
        else
            appendDim(result, input, from++);
    }
    return result;
}

/// Where a squeeze-like operator finds its axes.
enum class AxesFrom { Attr, Input };

InferFunction inferSqueeze(AxesFrom source)
{
    return [source](InferContext& context) -> Status {
        const Shape& input = context.shape(0);
        std::optional<std::vector<std::int64_t>> axes;
        bool isKnown = true;
        if (source == AxesFrom::Attr) {
            axes = attrInts(context.attrs(), "axis");
        } else if (context.hasInput(1)) {
            axes = context.constantInts(1);
            isKnown = axes.has_value();
        }
        if (!input.hasRank() || !isKnown) {
            context.setOutput(0, context.dtype(0), Shape::unknownRank());
            return {};
        }
        auto shape = squeezed(input, axes);
        if (!shape.ok()) return at(context, shape.error());
        context.setOutput(0, context.dtype(0), std::move(shape).value());
        return {};
    };
}

KernelFunction runSqueeze(AxesFrom source)
{
    return [source](KernelContext& context) -> Status {
        std::optional<std::vector<std::int64_t>> axes;
        if (source == AxesFrom::Attr) {
            axes = attrInts(context.attrs(), "axis");
        } else if (context.hasInput(1)) {
            GELENS_ASSIGN(axes, context.ints(1));
        }
        const auto shape = squeezed(context.input(0).shape, axes);
        if (!shape.ok()) return context.error(shape.error().what);
        return passThrough(context, 0, 0, shape.value());
    };
}

InferFunction inferUnsqueeze(AxesFrom source)
{
    return [source](InferContext& context) -> Status {
        const auto axes =
            source == AxesFrom::Attr ? std::optional(attrInts(context.attrs(), "axes")) : context.constantInts(1);
        const Shape& input = context.shape(0);
        if (!input.hasRank()) {
            context.setOutput(0, context.dtype(0), Shape::unknownRank());
            return {};
        }
        if (!axes) {
            const auto count = context.shape(1).elementCount();
            const bool isSmall = context.shape(1).hasRank() && count && *count < 64;
            context.setOutput(0, context.dtype(0), unknownDims(isSmall ? input.rank() + static_cast<int>(*count) : -1));
            return {};
        }
        auto shape = unsqueezed(input, *axes);
        if (!shape.ok()) return at(context, shape.error());
        context.setOutput(0, context.dtype(0), std::move(shape).value());
        return {};
    };
}

KernelFunction runUnsqueeze(AxesFrom source)
{
    return [source](KernelContext& context) -> Status {
        std::vector<std::int64_t> axes;
        if (source == AxesFrom::Attr) {
            axes = attrInts(context.attrs(), "axes");
        } else {
            GELENS_ASSIGN(axes, context.ints(1));
        }
        const auto shape = unsqueezed(context.input(0).shape, axes);
        if (!shape.ok()) return context.error(shape.error().what);
        return passThrough(context, 0, 0, shape.value());
    };
}

// Flatten to a matrix (ONNX), and FlattenV2: a range of dims becomes one.

Shape mergedDims(const Shape& input, int begin, int end)
{
    std::int64_t count = 1;
    int unknown = -1;
    for (int i = begin; i < end; ++i) {
        if (input.dim(i) < 0) {
            if (unknown >= 0 || count < 0) return Shape{unknownDim};
            unknown = i;
        } else {
            count *= input.dim(i);
        }
    }
    Shape result;
    if (unknown < 0)
        result.append(count);
    else
        result.append(count == 0 ? 0 : unknownDim,
                      count == 1 ? input.symbol(static_cast<std::size_t>(unknown)) : std::string_view());
    return result;
}

Result<Shape> flattened(const Shape& input, const AttrMap& attrs)
{
    std::int64_t axis = attrInt(attrs, "axis", 1);
    if (axis < 0) axis += input.rank();
    if (axis < 0 || axis > input.rank())
        return Error::invalid(fmt::format("axis {} does not exist in a tensor of rank {}", axis, input.rank()));
    Shape result = mergedDims(input, 0, static_cast<int>(axis));
    appendDim(result, mergedDims(input, static_cast<int>(axis), input.rank()), 0);
    return result;
}

Result<Shape> flattenedRange(const Shape& input, const AttrMap& attrs)
{
    if (input.rank() == 0) return Shape{1};
    const auto begin = normalizeAxis(attrInt(attrs, "axis", 1), input.rank());
    const auto end = normalizeAxis(attrInt(attrs, "end_axis", -1), input.rank());
    if (!begin || !end || *begin > *end)
        return Error::invalid(fmt::format("axis and end_axis do not fit a tensor of rank {}", input.rank()));
    Shape result;
    for (int i = 0; i < *begin; ++i) appendDim(result, input, i);
    appendDim(result, mergedDims(input, *begin, *end + 1), 0);
    for (int i = *end + 1; i < input.rank(); ++i) appendDim(result, input, i);
    return result;
}

using AttrShape = Result<Shape> (*)(const Shape&, const AttrMap&);

InferFunction inferView(AttrShape rule)
{
    return [rule](InferContext& context) -> Status {
        if (!context.shape(0).hasRank()) {
            context.setOutput(0, context.dtype(0), Shape::unknownRank());
            return {};
        }
        auto shape = rule(context.shape(0), context.attrs());
        if (!shape.ok()) return at(context, shape.error());
        context.setOutput(0, context.dtype(0), std::move(shape).value());
        return {};
    };
}

KernelFunction runView(AttrShape rule)
{
    return [rule](KernelContext& context) -> Status {
        const auto shape = rule(context.input(0).shape, context.attrs());
        if (!shape.ok()) return context.error(shape.error().what);
        return passThrough(context, 0, 0, shape.value());
    };
}

Status inferIdentityN(InferContext& context)
{
    for (int i = 0; i < context.inputCount(); ++i) context.setOutputDesc(i, context.input(i));
    return {};
}

Status runIdentityN(KernelContext& context)
{
    for (int i = 0; i < context.outputCount(); ++i) GELENS_TRY(passThrough(context, i, i, context.input(i).shape));
    return {};
}

OpDef view(const char* type, const char* doc)
{
    OpDef def(type);
    def.doc(doc)
        .source(cann)
        .unit(Unit::GeLocal)
        .fusionClass(FusionClass::View)
        .formats(FormatSupport::NdOnly)
        .isView();
    return def;
}

} // namespace

void registerViewOps(OpRegistry& ops)
{
    ops.add(view("Reshape", "The same elements under the shape of the second input: 0 copies a dim, -1 takes the rest")
                .input("x")
                .input("shape")
                .output("y")
                .attr("axis", 0)
                .attr("num_axes", -1)
                .hasHostKernel()
                .infer(inferReshape)
                .kernel(runReshape));
    ops.add(view("Squeeze", "Drops dims of 1: those of `axis`, or all of them")
                .input("x")
                .output("y")
                .attr("axis", IntList{})
                .hasHostKernel()
                .infer(inferSqueeze(AxesFrom::Attr))
                .kernel(runSqueeze(AxesFrom::Attr)));
    ops.add(view("SqueezeV2", "Drops dims of 1: those of `axis`, or all of them")
                .input("x")
                .output("y")
                .attr("axis", IntList{})
                .hasHostKernel()
                .infer(inferSqueeze(AxesFrom::Attr))
                .kernel(runSqueeze(AxesFrom::Attr)));
    ops.add(view("SqueezeV3", "Drops dims of 1: those of the second input, or all of them")
                .input("x")
                .optionalInput("axes")
                .output("y")
                .hasHostKernel()
                .infer(inferSqueeze(AxesFrom::Input))
                .kernel(runSqueeze(AxesFrom::Input)));
    ops.add(view("Unsqueeze", "Inserts dims of 1 at `axes` of the result")
                .input("x")
                .output("y")
                .attr("axes", IntList{})
                .hasHostKernel()
                .infer(inferUnsqueeze(AxesFrom::Attr))
                .kernel(runUnsqueeze(AxesFrom::Attr)));
    ops.add(view("UnsqueezeV2", "Inserts dims of 1 at `axes` of the result")
                .input("x")
                .output("y")
                .attr("axes", IntList{})
                .hasHostKernel()
                .infer(inferUnsqueeze(AxesFrom::Attr))
                .kernel(runUnsqueeze(AxesFrom::Attr)));
    ops.add(view("UnsqueezeV3", "Inserts dims of 1 at the axes of the second input")
                .input("x")
                .input("axes")
                .output("y")
                .hasHostKernel()
                .infer(inferUnsqueeze(AxesFrom::Input))
                .kernel(runUnsqueeze(AxesFrom::Input)));
    ops.add(view("ExpandDims", "Inserts a dim of 1 at the axis of the second input")
                .input("x")
                .input("axis")
                .output("y")
                .hasHostKernel()
                .infer(inferUnsqueeze(AxesFrom::Input))
                .kernel(runUnsqueeze(AxesFrom::Input)));
    ops.add(view("Flatten", "A matrix: dims before `axis` become rows, the others columns")
                .input("x")
                .output("y")
                .attr("axis", 1)
                .infer(inferView(flattened))
                .kernel(runView(flattened)));
    ops.add(view("FlattenV2", "Dims from `axis` to `end_axis` become one")
                .input("x")
                .output("y")
                .attr("axis", 1)
                .attr("end_axis", -1)
                .hasHostKernel()
                .infer(inferView(flattenedRange))
                .kernel(runView(flattenedRange)));
    ops.add(view("Identity", "The input itself")
                .input("x")
                .output("y")
                .hasHostKernel()
                .infer([](InferContext& context) -> Status {
                    context.setOutputDesc(0, context.input(0));
                    return {};
                })
                .kernel([](KernelContext& context) { return passThrough(context, 0, 0, context.input(0).shape); }));
    ops.add(view("IdentityN", "The inputs themselves")
                .dynamicInput("x")
                .dynamicOutput("y")
                .infer(inferIdentityN)
                .kernel(runIdentityN));
}

} // namespace movement

void registerShapeOps(OpRegistry& ops)
{
    movement::registerViewOps(ops);
    movement::registerShapeQueries(ops);
    movement::registerConcatOps(ops);
    movement::registerSliceOps(ops);
    movement::registerPadOps(ops);
    movement::registerExpandOps(ops);
    movement::registerMakerOps(ops);
    movement::registerTransposeOps(ops);
    movement::registerRearrangeOps(ops);
}

} // namespace gelens
