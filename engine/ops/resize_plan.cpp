#include "engine/ops/infer_helpers.h"
#include "engine/ops/resize_plan_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace gelens::resize {
namespace {

template <typename Value>
std::optional<Value> choose(const std::string& name, std::initializer_list<std::pair<const char*, Value>> table)
{
    for (const auto& [text, value] : table)
        if (name == text) return value;
    return std::nullopt;
}

Result<std::int64_t> scaledDim(std::int64_t dim, float scale)
{
    if (!(scale > 0) || !(scale < 1e9f)) return Error::invalid(fmt::format("a scale is {}", scale));
    const float size = std::floor(scale * static_cast<float>(dim));
    if (!(size < 1e15f)) return Error::limit("a dim becomes too large");
    return static_cast<std::int64_t>(size);
}

float cubicWeight(float distance, float a)
{
    const float x = std::abs(distance);
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    return 0;
}

} // namespace

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
    if (!interpolation) return Error::unsupported(fmt::format("the mode '{}' is not known", mode));
    options.interpolation = *interpolation;
    const std::string nearest = attrString(attrs, "nearest_mode", "round_prefer_floor");
    const auto rounding = choose<Rounding>(nearest, {{"round_prefer_floor", Rounding::PreferFloor},
                                                     {"round_prefer_ceil", Rounding::PreferCeil},
                                                     {"floor", Rounding::Floor},
                                                     {"ceil", Rounding::Ceil}});
    if (!rounding) return Error::unsupported(fmt::format("the nearest mode '{}' is not known", nearest));
    options.rounding = *rounding;
    options.cubicA = static_cast<float>(attrFloat(attrs, "cubic_coeff_a", -0.75));
    options.extrapolation = static_cast<float>(attrFloat(attrs, "extrapolation_value", 0.0));
    options.excludesOutside = attrInt(attrs, "exclude_outside", 0) != 0;
    options.isAntialiased = attrInt(attrs, "antialias", 0) != 0;
    options.aspectPolicy = attrString(attrs, "keep_aspect_ratio_policy", "stretch");
    options.axes = attrInts(attrs, "axes");
    return options;
}

Result<std::vector<DimResize>> resizePlan(const Shape& input, const ResizeOptions& options, const ResizeLists& lists)
{
    std::vector<DimResize> plan;
    for (const std::int64_t dim : input.dims()) plan.push_back({dim, dim});
    std::vector<int> axes;
    if (options.axes.empty()) {
        for (int i = 0; i < input.rank(); ++i) axes.push_back(i);
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
    if (given != axes.size()) return Error::invalid(fmt::format("{} scales or sizes for {} dims", given, axes.size()));
    float common = 0;
    for (std::size_t i = 0; bySizes && options.aspectPolicy != "stretch" && i < axes.size(); ++i) {
        const std::int64_t dim = input.dim(axes[i]);
        if (dim < 1) return Error::invalid(fmt::format("{} has no aspect ratio", input.text()));
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
            if (!(size < 1e15f)) return Error::limit("a dim becomes too large");
            dim.to = static_cast<std::int64_t>(size);
        } else if (bySizes) {
            dim.to = (*lists.sizes)[i];
            if (dim.to < 0) return Error::invalid(fmt::format("a size is {}", dim.to));
            dim.scale = dim.from > 0 ? static_cast<float>(dim.to) / static_cast<float>(dim.from) : 1.0f;
        } else {
            dim.scale = static_cast<float>((*lists.scales)[i]);
            GELENS_ASSIGN(dim.to, scaledDim(dim.from, dim.scale));
        }
        if (dim.from == 0 && dim.to > 0) return Error::invalid("an empty dim cannot grow");
        if (options.coordinates == Coordinates::CropAndResize) {
            if (!lists.roi || lists.roi->size() != 2 * axes.size())
                return Error::invalid("the region of interest does not fit the dims");
            dim.begin = static_cast<float>((*lists.roi)[i]);
            dim.end = static_cast<float>((*lists.roi)[i + axes.size()]);
        }
    }
    return plan;
}

float originalCoordinate(const ResizeOptions& options, const DimResize& dim, std::int64_t at)
{
    const float x = static_cast<float>(at), from = static_cast<float>(dim.from);
    switch (options.coordinates) {
    case Coordinates::HalfPixel: return (x + 0.5f) / dim.scale - 0.5f;
    case Coordinates::HalfPixelSymmetric: {
        const float adjustment = static_cast<float>(dim.to) / (dim.scale * from);
        return from / 2 * (1 - adjustment) + (x + 0.5f) / dim.scale - 0.5f;
    }
    case Coordinates::PytorchHalfPixel: return dim.to > 1 ? (x + 0.5f) / dim.scale - 0.5f : 0.0f;
    case Coordinates::AlignCorners: {
        // The size before rounding counts, as in ONNX's own reference.
        const float size = dim.scale * from;
        return size == 1 || dim.to == 1 ? 0.0f : x * (from - 1) / (size - 1);
    }
    case Coordinates::Asymmetric: return x / dim.scale;
    case Coordinates::TfHalfPixel: return (x + 0.5f) / dim.scale;
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
    case Rounding::PreferFloor: at = std::ceil(x - 0.5f); break;
    case Rounding::PreferCeil: at = std::floor(x + 0.5f); break;
    case Rounding::Floor: at = std::floor(x); break;
    case Rounding::Ceil: at = std::ceil(x); break;
    }
    if (!(at > 0)) return 0;
    return std::min(static_cast<std::int64_t>(std::min(at, 1e15f)), dim - 1);
}

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
            if (isOutside && options.excludesOutside) weight = 0;
            if (weight == 0) continue;
            sum += weight;
            taps.index.push_back(std::clamp<std::int64_t>(place, 0, dim.from - 1));
            taps.weight.push_back(weight);
        }
        const bool normalises = options.excludesOutside || options.isAntialiased;
        for (std::size_t i = begin; normalises && sum != 0 && i < taps.weight.size(); ++i) taps.weight[i] /= sum;
    }
    taps.first.push_back(taps.index.size());
    return taps;
}

bool isUnchanged(const ResizeOptions& options, const DimResize& dim)
{
    return dim.from == dim.to && dim.scale == 1.0f && options.coordinates != Coordinates::CropAndResize;
}

} // namespace gelens::resize
