// Resizing of tensors of any rank, in all of ONNX's modes. The interpolation is separable: one pass for each dim that
// changes. Coordinates are computed in float, as ONNX Runtime does: rounding decides which pixel is nearest.

#include "engine/ops/element_types.h"
#include "engine/ops/image_ops_private.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gelens
{
namespace
{

using movement::CellMover;
using movement::Cells;
using movement::product;

enum class Coordinates {
    HalfPixel,
    HalfPixelSymmetric,
    PytorchHalfPixel,
    AlignCorners,
    Asymmetric,
    TfHalfPixel,
    CropAndResize
};
enum class Rounding { PreferFloor, PreferCeil, Floor, Ceil };
enum class Interpolation { Nearest, Linear, Cubic };

struct ResizeOptions {
    Coordinates coordinates = Coordinates::HalfPixel;
    Rounding rounding = Rounding::PreferFloor;
    Interpolation interpolation = Interpolation::Nearest;
    float cubicA = -0.75f, extrapolation = 0.0f;
    bool excludesOutside = false, isAntialiased = false;
    std::string aspectPolicy;
    std::vector<std::int64_t> axes;
};

template <typename Value>
std::optional<Value> choose(const std::string& name, std::initializer_list<std::pair<const char*, Value>> table)
{
    for (const auto& [text, value] : table)
        if (name == text)
            return value;
    return std::nullopt;
}

Result<ResizeOptions> resizeOptions(const AttrMap& attrs)
{
    ResizeOptions options;
    const std::string coordinates = attrString(attrs, "coordinate_transformation_mode", "half_pixel");
    const auto transform = choose<Coordinates>(coordinates, {{"half_pixel", Coordinates::HalfPixel},
                                                             {"half_pixel_symmetric", Coordinates::HalfPixelSymmetric},
                                                             {"pytorch_half_pixel", Coordinates::PytorchHalfPixel},
                                                             {"align_corners", Coordinates::AlignCorners},
                                                             {"asymmetric", Coordinates::Asymmetric},
                                                             {"tf_half_pixel_for_nn", Coordinates::TfHalfPixel},
                                                             {"tf_crop_and_resize", Coordinates::CropAndResize}});
    if (!transform)
        return Error::unsupported(fmt::format("the coordinate transformation '{}' is not known", coordinates));
    options.coordinates = *transform;
    const std::string mode = attrString(attrs, "mode", "nearest");
    const auto interpolation = choose<Interpolation>(mode, {{"nearest", Interpolation::Nearest},
                                                            {"linear", Interpolation::Linear},
                                                            {"bilinear", Interpolation::Linear},
                                                            {"cubic", Interpolation::Cubic}});
    if (!interpolation)
        return Error::unsupported(fmt::format("the mode '{}' is not known", mode));
    options.interpolation = *interpolation;
    const std::string nearest = attrString(attrs, "nearest_mode", "round_prefer_floor");
    const auto rounding = choose<Rounding>(nearest, {{"round_prefer_floor", Rounding::PreferFloor},
                                                     {"round_prefer_ceil", Rounding::PreferCeil},
                                                     {"floor", Rounding::Floor},
                                                     {"ceil", Rounding::Ceil}});
    if (!rounding)
        return Error::unsupported(fmt::format("the nearest mode '{}' is not known", nearest));
    options.rounding = *rounding;
    options.cubicA = static_cast<float>(attrFloat(attrs, "cubic_coeff_a", -0.75));
    options.extrapolation = static_cast<float>(attrFloat(attrs, "extrapolation_value", 0.0));
    options.excludesOutside = attrInt(attrs, "exclude_outside", 0) != 0;
    options.isAntialiased = attrInt(attrs, "antialias", 0) != 0;
    options.aspectPolicy = attrString(attrs, "keep_aspect_ratio_policy", "stretch");
    options.axes = attrInts(attrs, "axes");
    return options;
}

/// Old and new size of one dim, the scale, and the crop of tf_crop_and_resize.
struct DimResize {
    std::int64_t from = 0, to = 0;
    float scale = 1, begin = 0, end = 1;
};

struct ResizeLists {
    std::optional<std::vector<double>> scales, roi;
    std::optional<std::vector<std::int64_t>> sizes;
};

Result<std::int64_t> scaledDim(std::int64_t dim, float scale)
{
    if (!(scale > 0) || !(scale < 1e9f))
        return Error::invalid(fmt::format("a scale is {}", scale));
    const float size = std::floor(scale * static_cast<float>(dim));
    if (!(size < 1e15f))
        return Error::limit("a dim becomes too large");
    return static_cast<std::int64_t>(size);
}

Result<std::vector<DimResize>> resizePlan(const Shape& input, const ResizeOptions& options, const ResizeLists& lists)
{
    std::vector<DimResize> plan;
    for (const std::int64_t dim : input.dims())
        plan.push_back({dim, dim});
    std::vector<int> axes;
    if (options.axes.empty()) {
        for (int i = 0; i < input.rank(); ++i)
            axes.push_back(i);
    } else {
        for (const std::int64_t number : options.axes) {
            const auto axis = normalizeAxis(number, input.rank());
            if (!axis)
                return Error::invalid(
                    fmt::format("axis {} does not exist in a tensor of rank {}", number, input.rank()));
            axes.push_back(*axis);
        }
    }
    const bool bySizes = lists.sizes && !lists.sizes->empty();
    const std::size_t given = bySizes ? lists.sizes->size() : lists.scales ? lists.scales->size() : 0;
    if (given != axes.size())
        return Error::invalid(fmt::format("{} scales or sizes for {} dims", given, axes.size()));
    float common = 0;
    for (std::size_t i = 0; bySizes && options.aspectPolicy != "stretch" && i < axes.size(); ++i) {
        const std::int64_t dim = input.dim(axes[i]);
        if (dim < 1)
            return Error::invalid(fmt::format("{} has no aspect ratio", input.text()));
        const float scale = static_cast<float>((*lists.sizes)[i]) / static_cast<float>(dim);
        const bool isFirst = i == 0;
        common = isFirst                                ? scale
                 : options.aspectPolicy == "not_larger" ? std::min(common, scale)
                                                        : std::max(common, scale);
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        DimResize& dim = plan[static_cast<std::size_t>(axes[i])];
        if (common > 0) {
            dim.scale = common;
            const float size = std::floor(common * static_cast<float>(dim.from) + 0.5f);
            if (!(size < 1e15f))
                return Error::limit("a dim becomes too large");
            dim.to = static_cast<std::int64_t>(size);
        } else if (bySizes) {
            dim.to = (*lists.sizes)[i];
            if (dim.to < 0)
                return Error::invalid(fmt::format("a size is {}", dim.to));
            dim.scale = dim.from > 0 ? static_cast<float>(dim.to) / static_cast<float>(dim.from) : 1.0f;
        } else {
            dim.scale = static_cast<float>((*lists.scales)[i]);
            GELENS_ASSIGN(dim.to, scaledDim(dim.from, dim.scale));
        }
        if (dim.from == 0 && dim.to > 0)
            return Error::invalid("an empty dim cannot grow");
        if (options.coordinates == Coordinates::CropAndResize) {
            if (!lists.roi || lists.roi->size() != 2 * axes.size())
                return Error::invalid("the region of interest does not fit the dims");
            dim.begin = static_cast<float>((*lists.roi)[i]);
            dim.end = static_cast<float>((*lists.roi)[i + axes.size()]);
        }
    }
    return plan;
}

/// Place in the input for a place in the output.
float originalCoordinate(const ResizeOptions& options, const DimResize& dim, std::int64_t at)
{
    const float x = static_cast<float>(at), from = static_cast<float>(dim.from);
    switch (options.coordinates) {
    case Coordinates::HalfPixel:
        return (x + 0.5f) / dim.scale - 0.5f;
    case Coordinates::HalfPixelSymmetric: {
        const float adjustment = static_cast<float>(dim.to) / (dim.scale * from);
        return from / 2 * (1 - adjustment) + (x + 0.5f) / dim.scale - 0.5f;
    }
    case Coordinates::PytorchHalfPixel:
        return dim.to > 1 ? (x + 0.5f) / dim.scale - 0.5f : 0.0f;
    case Coordinates::AlignCorners: {
        // The size before rounding counts, as in ONNX's own reference.
        const float size = dim.scale * from;
        return size == 1 || dim.to == 1 ? 0.0f : x * (from - 1) / (size - 1);
    }
    case Coordinates::Asymmetric:
        return x / dim.scale;
    case Coordinates::TfHalfPixel:
        return (x + 0.5f) / dim.scale;
    case Coordinates::CropAndResize:
        if (dim.to > 1)
            return dim.begin * (from - 1) + x * (dim.end - dim.begin) * (from - 1) / static_cast<float>(dim.to - 1);
        return 0.5f * (dim.begin + dim.end) * (from - 1);
    }
    return x;
}

std::int64_t nearestIndex(Rounding rounding, float x, std::int64_t dim)
{
    float at = 0;
    switch (rounding) {
    case Rounding::PreferFloor:
        at = std::ceil(x - 0.5f);
        break;
    case Rounding::PreferCeil:
        at = std::floor(x + 0.5f);
        break;
    case Rounding::Floor:
        at = std::floor(x);
        break;
    case Rounding::Ceil:
        at = std::ceil(x);
        break;
    }
    if (!(at > 0))
        return 0;
    return std::min(static_cast<std::int64_t>(std::min(at, 1e15f)), dim - 1);
}

float cubicWeight(float distance, float a)
{
    const float x = std::abs(distance);
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2)
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    return 0;
}

/// What each output place of a dim is a sum of.
struct Taps {
    std::vector<std::int64_t> index;
    std::vector<float> weight;
    std::vector<std::size_t> first; ///< first tap of each place, one more at the end
};

Taps tapsOf(const ResizeOptions& options, const DimResize& dim)
{
    Taps taps;
    const bool isCubic = options.interpolation == Interpolation::Cubic;
    const float shrink = options.isAntialiased ? std::min(dim.scale, 1.0f) : 1.0f;
    const float support = (isCubic ? 2.0f : 1.0f) / shrink;
    for (std::int64_t at = 0; at < dim.to; ++at) {
        taps.first.push_back(taps.index.size());
        // Far outside all taps fall on the edge, wherever exactly; the bound keeps the sums exact in float.
        const float reach = 2 * static_cast<float>(dim.from) + 4;
        const float x = std::clamp(originalCoordinate(options, dim, at), -reach, reach);
        const auto low = static_cast<std::int64_t>(std::floor(x - support)),
                   high = static_cast<std::int64_t>(std::ceil(x + support));
        const std::size_t begin = taps.index.size();
        float sum = 0;
        for (std::int64_t place = low; place <= high; ++place) {
            const float distance = static_cast<float>(place) - x;
            float weight = isCubic ? cubicWeight(distance * shrink, options.cubicA)
                                   : std::max(0.0f, 1 - std::abs(distance) * shrink);
            const bool isOutside = place < 0 || place >= dim.from;
            if (isOutside && options.excludesOutside)
                weight = 0;
            if (weight == 0)
                continue;
            sum += weight;
            taps.index.push_back(std::clamp<std::int64_t>(place, 0, dim.from - 1));
            taps.weight.push_back(weight);
        }
        const bool normalises = options.excludesOutside || options.isAntialiased;
        for (std::size_t i = begin; normalises && sum != 0 && i < taps.weight.size(); ++i)
            taps.weight[i] /= sum;
    }
    taps.first.push_back(taps.index.size());
    return taps;
}

bool isUnchanged(const ResizeOptions& options, const DimResize& dim)
{
    return dim.from == dim.to && dim.scale == 1.0f && options.coordinates != Coordinates::CropAndResize;
}

/// Places of each dim that lie outside the input, for tf_crop_and_resize: filled with the extrapolation value.
std::vector<std::vector<bool>> outsidePlaces(const ResizeOptions& options, const std::vector<DimResize>& plan)
{
    std::vector<std::vector<bool>> outside;
    if (options.coordinates != Coordinates::CropAndResize)
        return outside;
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
    if (outside.empty())
        return;
    const std::int64_t count = product(dims);
    std::vector<std::int64_t> at(dims.size(), 0);
    for (std::int64_t i = 0; i < count; ++i) {
        for (std::size_t d = 0; d < dims.size(); ++d)
            if (outside[d][static_cast<std::size_t>(at[d])]) {
                f(i);
                break;
            }
        for (std::size_t d = dims.size(); d-- > 0;) {
            if (++at[d] < dims[d])
                break;
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
    if (count == 0)
        return mover.finish();
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
        for (std::size_t d = 0; d + 1 < rank; ++d)
            base += maps[d][static_cast<std::size_t>(at[d])];
        for (std::int64_t i = 0; i < row; ++i, to += width)
            std::memcpy(to, cells.data + (base + maps[rank - 1][static_cast<std::size_t>(i)]) * width,
                        static_cast<std::size_t>(width));
        for (std::size_t d = rank - 1; d-- > 0;) {
            if (++at[d] < dims[d])
                break;
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
                for (std::int64_t i = 0; i < inner; ++i)
                    row[i] += weight * source[i];
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
        if (dim > (1 << 26))
            return context.error(fmt::format("a dim of {} is too long to interpolate", dim));
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
            if (isUnchanged(options, plan[d]))
                continue;
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
    for (const DimResize& dim : plan)
        shape.append(dim.to);
    return shape;
}

Status inferResize(InferContext& context)
{
    const auto options = resizeOptions(context.attrs());
    if (!options.ok())
        return at(context, options.error());
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
    for (const std::int64_t dim : x.dims())
        known.append(dim < 0 ? 1 : dim);
    const auto plan = resizePlan(known, options.value(), lists);
    if (!plan.ok())
        return at(context, plan.error());
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
    if (!options.ok())
        return context.error(options.error().what);
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
    if (!plan.ok())
        return context.error(plan.error().what);
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
