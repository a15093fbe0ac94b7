// Resizing of tensors of any rank, in all of ONNX's modes. The interpolation is separable: one pass for each dim that
// changes.

#include "engine/ops/element_types.h"
#include "engine/ops/image_ops_private.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/resize_plan_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gelens {
namespace {

using movement::CellMover;
using movement::Cells;
using movement::product;
using namespace resize;

/// Places of each dim that lie outside the input, for tf_crop_and_resize: filled with the extrapolation value.
std::vector<std::vector<bool>> outsidePlaces(const ResizeOptions& options, const std::vector<DimResize>& plan)
{
    std::vector<std::vector<bool>> outside;
    if (options.coordinates != Coordinates::CropAndResize) return outside;
    for (const DimResize& dim : plan) {
        std::vector<bool> marks;
        for (std::int64_t i = 0; i < dim.to; ++i) {
            const float x = originalCoordinate(options, dim, i);
            marks.push_back(x < 0 || x > static_cast<float>(dim.from - 1));
        }
        outside.push_back(std::move(marks));
    }
    return outside;
}

/// Calls f(flat index) for each output element outside the crop.
template <typename F>
void forEachOutside(const std::vector<std::vector<bool>>& outside, const std::vector<std::int64_t>& dims, F f)
{
    if (outside.empty()) return;
    const std::int64_t count = product(dims);
    std::vector<std::int64_t> at(dims.size(), 0);
    for (std::int64_t i = 0; i < count; ++i) {
        for (std::size_t d = 0; d < dims.size(); ++d)
            if (outside[d][static_cast<std::size_t>(at[d])]) {
                f(i);
                break;
            }
        for (std::size_t d = dims.size(); d-- > 0;) {
            if (++at[d] < dims[d]) break;
            at[d] = 0;
        }
    }
}

Status resizeNearest(KernelContext& context, const ResizeOptions& options, const std::vector<DimResize>& plan,
                     const Shape& shape)
{
    CellMover mover(context);
    GELENS_ASSIGN(const Cells cells, mover.input(0));
    const DataType dtype = context.input(0).dtype;
    GELENS_ASSIGN(std::byte* const out, mover.output(0, dtype, shape));
    const auto& dims = shape.dims();
    const std::int64_t count = product(dims), width = cells.width;
    if (count == 0) return mover.finish();
    const auto strides = movement::stridesOf(cells.shape.dims());
    std::vector<std::vector<std::int64_t>> maps;
    for (std::size_t d = 0; d < plan.size(); ++d) {
        std::vector<std::int64_t> map;
        for (std::int64_t i = 0; i < plan[d].to; ++i)
            map.push_back(
                (isUnchanged(options, plan[d])
                     ? i
                     : nearestIndex(options.rounding, originalCoordinate(options, plan[d], i), plan[d].from)) *
                strides[d]);
        maps.push_back(std::move(map));
    }
    const std::size_t rank = dims.size();
    if (rank == 0) {
        std::memcpy(out, cells.data, static_cast<std::size_t>(width));
        return mover.finish();
    }
    std::vector<std::int64_t> at(rank - 1, 0);
    const std::int64_t row = dims[rank - 1];
    std::byte* to = out;
    for (std::int64_t r = 0; r < count / row; ++r) {
        std::int64_t base = 0;
        for (std::size_t d = 0; d + 1 < rank; ++d) base += maps[d][static_cast<std::size_t>(at[d])];
        for (std::int64_t i = 0; i < row; ++i, to += width)
            std::memcpy(to, cells.data + (base + maps[rank - 1][static_cast<std::size_t>(i)]) * width,
                        static_cast<std::size_t>(width));
        for (std::size_t d = rank - 1; d-- > 0;) {
            if (++at[d] < dims[d]) break;
            at[d] = 0;
        }
    }
    const auto outside = outsidePlaces(options, plan);
    if (!outside.empty()) {
        const double value[] = {static_cast<double>(options.extrapolation)};
        const Tensor fill = Tensor::fromDoubles(value, Shape{}, dtype);
        if (static_cast<std::int64_t>(fill.data.size()) >= width)
            forEachOutside(outside, dims, [&](std::int64_t i) {
                std::memcpy(out + i * width, fill.data.data(), static_cast<std::size_t>(width));
            });
    }
    return mover.finish();
}

/// One pass: the dim in the middle of (outer, from, inner) gets a new length.
template <typename C>
std::vector<C> resizePass(const std::vector<C>& in, std::int64_t outer, std::int64_t from, std::int64_t inner,
                          const Taps& taps)
{
    const auto to = static_cast<std::int64_t>(taps.first.size()) - 1;
    std::vector<C> out(static_cast<std::size_t>(outer * to * inner), C(0));
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t t = 0; t < to; ++t) {
            C* const row = out.data() + (o * to + t) * inner;
            for (std::size_t k = taps.first[static_cast<std::size_t>(t)];
                 k < taps.first[static_cast<std::size_t>(t) + 1]; ++k) {
                const C weight = static_cast<C>(taps.weight[k]);
                const C* const source = in.data() + (o * from + taps.index[k]) * inner;
                for (std::int64_t i = 0; i < inner; ++i) row[i] += weight * source[i];
            }
        }
    return out;
}

Status resizeSmooth(KernelContext& context, const ResizeOptions& options, const std::vector<DimResize>& plan,
                    const Shape& shape)
{
    const TensorView& x = context.input(0);
    GELENS_TRY(movement::checkOutput(context, DataType::Float, shape));
    // The taps of a dim take some ten times the memory of its places.
    for (const std::int64_t dim : shape.dims())
        if (dim > (1 << 26)) return context.error(fmt::format("a dim of {} is too long to interpolate", dim));
    Status status;
    const bool isKnown = visitArithmetic(x.dtype, [&]<typename T>(TypeTag<T>) {
        using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
        auto out = context.outputAs<T>(0, x.dtype, shape);
        if (!out.ok()) {
            status = out.error();
            return;
        }
        std::vector<C> values(static_cast<std::size_t>(x.elementCount()));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<C>(load(reinterpret_cast<const T*>(x.data)[i]));
        std::vector<std::int64_t> dims = x.shape.dims();
        for (std::size_t d = 0; d < plan.size() && !values.empty(); ++d) {
            if (isUnchanged(options, plan[d])) continue;
            values = resizePass(values, product(dims, 0, d), dims[d], product(dims, d + 1, dims.size()),
                                tapsOf(options, plan[d]));
            dims[d] = plan[d].to;
        }
        // Integers are cut off, as ONNX Runtime does.
        for (std::size_t i = 0; i < values.size(); ++i)
            out.value()[i] = saturateTo<T>(isFloatType<T> ? values[i] : std::trunc(values[i]));
        forEachOutside(outsidePlaces(options, plan), dims,
                       [&](std::int64_t i) { out.value()[i] = saturateTo<T>(static_cast<C>(options.extrapolation)); });
    });
    return isKnown ? status
                   : Status(context.error(fmt::format("type {} cannot be interpolated", dataTypeShortName(x.dtype))));
}

Shape shapeOf(const std::vector<DimResize>& plan)
{
    Shape shape;
    for (const DimResize& dim : plan) shape.append(dim.to);
    return shape;
}

Status inferResize(InferContext& context)
{
    const auto options = resizeOptions(context.attrs());
    if (!options.ok()) return at(context, options.error());
    const Shape& x = context.shape(0);
    ResizeLists lists;
    const auto numbers = [&context](int i) {
        const Tensor* const value = context.constant(i);
        return value ? value->asDoubles(64) : std::nullopt;
    };
    lists.roi = numbers(1);
    lists.scales = numbers(2);
    lists.sizes = context.constantInts(3);
    const bool isKnown = (lists.sizes && !lists.sizes->empty()) || (lists.scales && !lists.scales->empty());
    if (!x.hasRank() || !isKnown) {
        context.setOutput(0, context.dtype(0), movement::unknownDims(x.hasRank() ? x.rank() : -1));
        return {};
    }
    if (options.value().coordinates == Coordinates::CropAndResize && !lists.roi)
        lists.roi = std::vector<double>(
            2 * (options.value().axes.empty() ? static_cast<std::size_t>(x.rank()) : options.value().axes.size()), 0.0);
    // Unknown dims count as 1 for the plan and stay unknown where their size does not follow from it.
    Shape known;
    for (const std::int64_t dim : x.dims()) known.append(dim < 0 ? 1 : dim);
    const auto plan = resizePlan(known, options.value(), lists);
    if (!plan.ok()) return at(context, plan.error());
    Shape result;
    const bool bySizes = lists.sizes && !lists.sizes->empty() && options.value().aspectPolicy == "stretch";
    for (int i = 0; i < x.rank(); ++i) {
        const DimResize& dim = plan.value()[static_cast<std::size_t>(i)];
        const auto& axes = options.value().axes;
        const bool isNamed = axes.empty() || std::any_of(axes.begin(), axes.end(), [&](std::int64_t a) {
                                 return normalizeAxis(a, x.rank()) == i;
                             });
        if (x.dim(i) >= 0 || (bySizes && isNamed))
            result.append(dim.to);
        else if (dim.scale == 1.0f && !bySizes)
            movement::appendDim(result, x, i);
        else if (!isNamed)
            movement::appendDim(result, x, i);
        else
            result.append(unknownDim);
    }
    GELENS_TRY(movement::checkOutput(context, context.dtype(0), result));
    context.setOutput(0, context.dtype(0), std::move(result));
    return {};
}

Status runResize(KernelContext& context)
{
    const auto options = resizeOptions(context.attrs());
    if (!options.ok()) return context.error(options.error().what);
    ResizeLists lists;
    if (context.hasInput(1)) {
        GELENS_ASSIGN(lists.roi, context.doubles(1));
    }
    if (context.hasInput(2)) {
        GELENS_ASSIGN(lists.scales, context.doubles(2));
    }
    if (context.hasInput(3)) {
        GELENS_ASSIGN(lists.sizes, context.ints(3));
    }
    const auto plan = resizePlan(context.input(0).shape, options.value(), lists);
    if (!plan.ok()) return context.error(plan.error().what);
    const Shape shape = shapeOf(plan.value());
    GELENS_TRY(movement::checkOutput(context, context.input(0).dtype, shape));
    if (options.value().interpolation == Interpolation::Nearest)
        return resizeNearest(context, options.value(), plan.value(), shape);
    return resizeSmooth(context, options.value(), plan.value(), shape);
}

Cost resizeCost(const Node& node, const Graph& graph)
{
    Cost cost = bytesOnly(node, graph);
    const std::string mode = attrString(node.attrs, "mode", "nearest");
    cost.vectorOps = (mode == "nearest" ? 1.0 : mode == "cubic" ? 16.0 : 6.0) * elementsOf(outputDesc(node, 0));
    return cost;
}

} // namespace

void registerResizeOps(OpRegistry& ops)
{
    ops.add(OpDef("Resize")
                .doc("Changes the size of dims by nearest, linear or cubic interpolation; sums are taken in fp32. "
                     "antialias, axes and "
                     "keep_aspect_ratio_policy as in ONNX Resize-18")
                .source("CANN operator library")
                .unit(Unit::Vector)
                .fusionClass(FusionClass::Other)
                .formats(FormatSupport::NdOnly)
                .input("x")
                .optionalInput("roi")
                .optionalInput("scales")
                .optionalInput("sizes")
                .output("y")
                .attr("coordinate_transformation_mode", "half_pixel")
                .attr("cubic_coeff_a", -0.75)
                .attr("exclude_outside", 0)
                .attr("extrapolation_value", 0.0)
                .attr("mode", "nearest")
                .attr("nearest_mode", "round_prefer_floor")
                .infer(inferResize)
                .cost(resizeCost)
                .kernel(runResize));
}

void registerImageOps(OpRegistry& ops)
{
    registerResizeOps(ops);
    registerSampleOps(ops);
    registerDetectionOps(ops);
}

} // namespace gelens
