// Operators that take a box out of a tensor.

#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/shape_ops_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace gelens::movement {
namespace {

constexpr const char* cann = "CANN operator library";
constexpr std::int64_t toTheEnd = std::numeric_limits<std::int64_t>::max();

/// What is asked for along one dim of the input. `isFull` marks a dim that nobody mentioned.
struct DimSlice {
    std::int64_t begin = 0, end = toTheEnd, step = 1;
    bool isFull = true;
    bool isShrunk = false;                 ///< one element, the dim goes away
    bool isUnknown = false;                ///< begin, end or step is not known (inference only)
    bool fromBegin = false, toEnd = false; ///< masks: ignore begin or end
};

/// The slice of each input dim, and before which of them dims of 1 are inserted (index rank = at the end).
struct SlicePlan {
    std::vector<DimSlice> dims;
    std::vector<int> newDimsBefore;
};

struct Extent {
    std::int64_t first = 0, step = 1, count = 0;
};

/// First element, step and number of elements along a dim of known size; out-of-range bounds are clamped.
Extent extentOf(const DimSlice& slice, std::int64_t dim)
{
    if (slice.isShrunk) return {slice.begin < 0 ? slice.begin + dim : slice.begin, 1, 1};
    const bool isForward = slice.step > 0;
    const std::int64_t low = isForward ? 0 : -1, high = isForward ? dim : dim - 1;
    const auto clamp = [&](std::int64_t bound) { return std::clamp(bound < 0 ? bound + dim : bound, low, high); };
    const std::int64_t begin = slice.fromBegin ? (isForward ? 0 : dim - 1) : clamp(slice.begin);
    const std::int64_t end = slice.toEnd ? (isForward ? dim : -1) : clamp(slice.end);
    const std::int64_t step = std::clamp(slice.step, -dim - 1, dim + 1);
    const std::int64_t span = isForward ? end - begin : begin - end;
    const std::int64_t stride = isForward ? step : -step;
    return {begin, step, span <= 0 ? 0 : (span + stride - 1) / stride};
}

Result<Shape> slicedShape(const Shape& input, const SlicePlan& plan)
{
    Shape result;
    std::size_t inserted = 0;
    for (int i = 0; i <= input.rank(); ++i) {
        for (; inserted < plan.newDimsBefore.size() && plan.newDimsBefore[inserted] == i; ++inserted) result.append(1);
        if (i == input.rank()) break;
        const DimSlice& slice = plan.dims[static_cast<std::size_t>(i)];
        if (slice.isFull) {
            appendDim(result, input, i);
        } else if (slice.isShrunk) {
            const std::int64_t dim = input.dim(i);
            if (!slice.isUnknown && dim >= 0 && (slice.begin < -dim || slice.begin >= dim))
                return Error::invalid(fmt::format("index {} lies outside dim {} of {}", slice.begin, i, input.text()));
        } else if (slice.isUnknown) {
            result.append(unknownDim);
        } else if (input.dim(i) >= 0) {
            result.append(extentOf(slice, input.dim(i)).count);
        } else {
            const bool isWhole = slice.step == 1 && (slice.fromBegin || slice.begin == 0) &&
                                 (slice.toEnd || slice.end >= std::numeric_limits<std::int32_t>::max());
            if (isWhole)
                appendDim(result, input, i);
            else
                result.append(unknownDim);
        }
    }
    return result;
}

/// Values of the four lists; `begin` etc. are absent when they are not known.
struct SliceLists {
    std::optional<std::vector<std::int64_t>> begin, end, axes, strides;
    bool hasAxes = false, hasStrides = false;
    std::size_t count = 0; ///< length of begin and end
};

struct SliceMasks {
    std::int64_t begin = 0, end = 0, ellipsis = 0, newAxis = 0, shrink = 0;
    explicit SliceMasks(const AttrMap& attrs)
        : begin(attrInt(attrs, "begin_mask", 0)), end(attrInt(attrs, "end_mask", 0)),
          ellipsis(attrInt(attrs, "ellipsis_mask", 0)), newAxis(attrInt(attrs, "new_axis_mask", 0)),
          shrink(attrInt(attrs, "shrink_axis_mask", 0))
    {
    }
};

bool bitOf(std::int64_t mask, std::size_t i) { return i < 63 && ((mask >> i) & 1) != 0; }

/// Nothing when axes are given but not known: then no dim can be told.
Result<std::optional<SlicePlan>> planOf(const SliceLists& lists, const SliceMasks& masks, int rank)
{
    SlicePlan plan;
    plan.dims.resize(static_cast<std::size_t>(rank));
    if (lists.hasAxes && !lists.axes) return std::optional<SlicePlan>();
    if (lists.axes && lists.axes->size() != lists.count) return Error::invalid("axes and begin have different lengths");
    const auto checkLength = [&](const std::optional<std::vector<std::int64_t>>& list) {
        return !list || list->size() == lists.count;
    };
    if (!checkLength(lists.begin) || !checkLength(lists.end) || !checkLength(lists.strides))
        return Error::invalid("begin, end and strides have different lengths");
    // Dims that the sparse list consumes behind the ellipsis are counted from the back.
    std::size_t dim = 0;
    std::vector<bool> isUsed(plan.dims.size(), false);
    for (std::size_t i = 0; i < lists.count; ++i) {
        if (bitOf(masks.ellipsis, i)) {
            std::size_t behind = 0;
            for (std::size_t k = i + 1; k < lists.count; ++k)
                if (!bitOf(masks.newAxis, k)) ++behind;
            if (behind > plan.dims.size() || plan.dims.size() - behind < dim)
                return Error::invalid("more slices than dims");
            dim = plan.dims.size() - behind;
            continue;
        }
        if (bitOf(masks.newAxis, i)) {
            plan.newDimsBefore.push_back(static_cast<int>(dim));
            continue;
        }
        std::size_t at = dim++;
        if (lists.axes) {
            const std::optional<int> axis = normalizeAxis((*lists.axes)[i], rank);
            if (!axis)
                return Error::invalid(
                    fmt::format("axis {} does not exist in a tensor of rank {}", (*lists.axes)[i], rank));
            at = static_cast<std::size_t>(*axis);
            if (isUsed[at]) return Error::invalid(fmt::format("axis {} is named twice", *axis));
        }
        if (at >= plan.dims.size()) return Error::invalid(fmt::format("more slices than the {} dims", rank));
        isUsed[at] = true;
        DimSlice& slice = plan.dims[at];
        slice.isFull = false;
        slice.fromBegin = bitOf(masks.begin, i);
        slice.toEnd = bitOf(masks.end, i);
        slice.isShrunk = bitOf(masks.shrink, i);
        const bool hasStep = !lists.hasStrides || lists.strides;
        slice.isUnknown = (!lists.begin && !slice.fromBegin) || (!lists.end && !slice.toEnd) || !hasStep;
        if (lists.begin) slice.begin = (*lists.begin)[i];
        if (lists.end) slice.end = (*lists.end)[i];
        if (lists.strides) slice.step = (*lists.strides)[i];
        if (slice.step == 0) return Error::invalid("a stride is 0");
        if (slice.isShrunk && slice.fromBegin) slice.begin = 0;
    }
    return std::optional(std::move(plan));
}

/// Slots of the inputs by operator type; -1 = the operator has none.
struct SliceSlots {
    int begin = 1, end = 2, axes = -1, strides = -1;
};
SliceSlots slotsOf(const std::string& type)
{
    if (type == "StridedSliceV2") return {1, 2, 3, 4};
    return {1, 2, -1, 3};
}

std::optional<std::int64_t> lengthOf(const InferContext& context, int i)
{
    const Shape& shape = context.shape(i);
    if (!shape.hasRank() || shape.rank() != 1 || shape[0] < 0) return std::nullopt;
    return shape[0];
}

Status inferStridedSlice(InferContext& context)
{
    const SliceSlots slots = slotsOf(context.node().type);
    SliceLists lists;
    lists.begin = context.constantInts(slots.begin);
    lists.end = context.constantInts(slots.end);
    lists.hasAxes = slots.axes >= 0 && context.hasInput(slots.axes);
    lists.hasStrides = context.hasInput(slots.strides);
    if (lists.hasAxes) lists.axes = context.constantInts(slots.axes);
    if (lists.hasStrides) lists.strides = context.constantInts(slots.strides);
    const auto length = lists.begin ? std::optional<std::int64_t>(lists.begin->size()) : lengthOf(context, slots.begin);
    const Shape& input = context.shape(0);
    if (!input.hasRank() || !length || *length > 64) {
        const bool keepsRank =
            input.hasRank() && SliceMasks(context.attrs()).shrink == 0 && SliceMasks(context.attrs()).newAxis == 0;
        context.setOutput(0, context.dtype(0), unknownDims(keepsRank ? input.rank() : -1));
        return {};
    }
    lists.count = static_cast<std::size_t>(*length);
    const auto plan = planOf(lists, SliceMasks(context.attrs()), input.rank());
    if (!plan.ok()) return at(context, plan.error());
    if (!plan.value()) {
        context.setOutput(0, context.dtype(0), unknownDims(input.rank()));
        return {};
    }
    auto shape = slicedShape(input, *plan.value());
    if (!shape.ok()) return at(context, shape.error());
    context.setOutput(0, context.dtype(0), std::move(shape).value());
    return {};
}

/// Copies the planned box to output 0.
Status copySlice(KernelContext& context, const SlicePlan& plan)
{
    CellMover mover(context);
    GELENS_ASSIGN(const Cells cells, mover.input(0));
    const auto shape = slicedShape(cells.shape, plan);
    if (!shape.ok()) return context.error(shape.error().what);
    GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(0).dtype, shape.value()));
    const std::vector<std::int64_t> strides = stridesOf(cells.shape.dims());
    std::vector<std::int64_t> counts, steps;
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < plan.dims.size(); ++i) {
        const Extent extent =
            plan.dims[i].isFull ? Extent{0, 1, cells.shape[i]} : extentOf(plan.dims[i], cells.shape[i]);
        counts.push_back(extent.count);
        steps.push_back(extent.step * strides[i]);
        if (extent.count > 0) offset += extent.first * strides[i];
    }
    copyBox(out, stridesOf(counts), cells.data + offset * cells.width, steps, counts, cells.width);
    return mover.finish();
}

Status runStridedSlice(KernelContext& context)
{
    const SliceSlots slots = slotsOf(context.opType());
    SliceLists lists;
    GELENS_ASSIGN(lists.begin, context.ints(slots.begin));
    GELENS_ASSIGN(lists.end, context.ints(slots.end));
    lists.hasAxes = slots.axes >= 0 && context.hasInput(slots.axes);
    lists.hasStrides = context.hasInput(slots.strides);
    if (lists.hasAxes) {
        GELENS_ASSIGN(lists.axes, context.ints(slots.axes));
    }
    if (lists.hasStrides) {
        GELENS_ASSIGN(lists.strides, context.ints(slots.strides));
    }
    lists.count = lists.begin->size();
    const auto plan = planOf(lists, SliceMasks(context.attrs()), context.input(0).shape.rank());
    if (!plan.ok()) return context.error(plan.error().what);
    return copySlice(context, *plan.value());
}

// ---- Slice: offsets and sizes ----

/// `offsets` and `size` (-1: to the end) as a plan; the box must lie inside the input.
Result<SlicePlan> boxPlan(const Shape& input, const std::vector<std::int64_t>& offsets,
                          const std::vector<std::int64_t>& sizes)
{
    if (static_cast<int>(offsets.size()) != input.rank() || sizes.size() != offsets.size())
        return Error::invalid(
            fmt::format("{} offsets and {} sizes for a tensor of rank {}", offsets.size(), sizes.size(), input.rank()));
    SlicePlan plan;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        const std::int64_t dim = input[i], begin = offsets[i], size = sizes[i];
        const bool isOutside =
            begin < 0 || size < -1 || (dim >= 0 && (begin > dim || (size >= 0 && size > dim - begin)));
        if (isOutside)
            return Error::invalid(
                fmt::format("offset {} and size {} do not fit dim {} of {}", begin, size, i, input.text()));
        DimSlice slice;
        slice.isFull = false;
        slice.begin = begin;
        slice.end = size < 0 || begin > toTheEnd - size ? toTheEnd : begin + size;
        plan.dims.push_back(slice);
    }
    return plan;
}

struct BoxLists {
    std::optional<std::vector<std::int64_t>> offsets, sizes;
};

Status inferSlice(InferContext& context)
{
    const Shape& input = context.shape(0);
    BoxLists box;
    if (context.node().type == "SliceD") {
        box.offsets = attrInts(context.attrs(), "offsets");
        box.sizes = attrInts(context.attrs(), "size");
    } else {
        box.offsets = context.constantInts(1);
        box.sizes = context.constantInts(2);
    }
    if (!input.hasRank() || !box.offsets || !box.sizes) {
        Shape result = unknownDims(input.hasRank() ? input.rank() : -1);
        if (box.sizes && input.hasRank() && static_cast<int>(box.sizes->size()) == input.rank())
            for (std::size_t i = 0; i < box.sizes->size(); ++i)
                if ((*box.sizes)[i] >= 0) result.setDim(i, (*box.sizes)[i]);
        context.setOutput(0, context.dtype(0), std::move(result));
        return {};
    }
    const auto plan = boxPlan(input, *box.offsets, *box.sizes);
    if (!plan.ok()) return at(context, plan.error());
    Shape result;
    for (int i = 0; i < input.rank(); ++i) {
        const std::int64_t size = (*box.sizes)[static_cast<std::size_t>(i)];
        const std::int64_t offset = (*box.offsets)[static_cast<std::size_t>(i)];
        if (size >= 0)
            result.append(size);
        else if (offset == 0)
            appendDim(result, input, i);
        else
            result.append(input.dim(i) < 0 ? unknownDim : input.dim(i) - offset);
    }
    context.setOutput(0, context.dtype(0), std::move(result));
    return {};
}

Status runSlice(KernelContext& context)
{
    std::vector<std::int64_t> offsets, sizes;
    if (context.opType() == "SliceD") {
        offsets = attrInts(context.attrs(), "offsets");
        sizes = attrInts(context.attrs(), "size");
    } else {
        GELENS_ASSIGN(offsets, context.ints(1));
        GELENS_ASSIGN(sizes, context.ints(2));
    }
    const auto plan = boxPlan(context.input(0).shape, offsets, sizes);
    if (!plan.ok()) return context.error(plan.error().what);
    return copySlice(context, plan.value());
}

OpDef base(const char* type, const char* doc)
{
    OpDef def(type);
    def.doc(doc)
        .source(cann)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Slice)
        .formats(FormatSupport::NdOnly)
        .cost([](const Node& node, const Graph& graph) {
            // Only what is kept is read.
            Cost cost = bytesOnly(node, graph);
            cost.bytesRead = cost.bytesWritten;
            return cost;
        });
    return def;
}

OpDef& withMasks(OpDef& def)
{
    return def.attr("begin_mask", 0)
        .attr("end_mask", 0)
        .attr("ellipsis_mask", 0)
        .attr("new_axis_mask", 0)
        .attr("shrink_axis_mask", 0);
}

} // namespace

void registerSliceOps(OpRegistry& ops)
{
    OpDef v2 =
        base("StridedSliceV2", "Every `strides`-th element from `begin` to before `end` along `axes`, bounds clamped");
    v2.input("x").input("begin").input("end").optionalInput("axes").optionalInput("strides").output("y");
    ops.add(withMasks(v2).infer(inferStridedSlice).kernel(runStridedSlice));
    OpDef v1 = base("StridedSlice", "Every `strides`-th element from `begin` to before `end`, with NumPy's masks");
    v1.input("x").input("begin").input("end").optionalInput("strides").output("y").hasHostKernel();
    ops.add(withMasks(v1).infer(inferStridedSlice).kernel(runStridedSlice));
    ops.add(base("Slice", "The box of `size` at `offsets`; a size of -1 reaches to the end")
                .input("x")
                .input("offsets")
                .input("size")
                .output("y")
                .hasHostKernel()
                .infer(inferSlice)
                .kernel(runSlice));
    ops.add(base("SliceV2", "The box of `size` at `offsets`; a size of -1 reaches to the end")
                .input("x")
                .input("offsets")
                .input("size")
                .output("y")
                .infer(inferSlice)
                .kernel(runSlice));
    ops.add(base("SliceD", "The box of `size` at `offsets`, both attributes")
                .input("x")
                .output("y")
                .requiredAttr("offsets")
                .requiredAttr("size")
                .hasHostKernel()
                .infer(inferSlice)
                .kernel(runSlice));
}

} // namespace gelens::movement
