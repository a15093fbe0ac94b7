// Sampling of images at given places, and the grids that say where.

#include "engine/ops/element_types.h"
#include "engine/ops/image_ops_private.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gelens {
namespace {

enum class Mode { Nearest, Linear, Cubic };
enum class Padding { Zeros, Border, Reflection };

struct SampleOptions {
    Mode mode = Mode::Linear;
    Padding padding = Padding::Zeros;
    bool alignsCorners = false;
};

Result<SampleOptions> sampleOptions(const AttrMap& attrs)
{
    SampleOptions options;
    const std::string mode = attrString(attrs, "interpolation_mode", "bilinear");
    if (mode == "nearest")
        options.mode = Mode::Nearest;
    else if (mode == "bicubic" || mode == "cubic")
        options.mode = Mode::Cubic;
    else if (mode != "bilinear" && mode != "linear")
        return Error::unsupported(fmt::format("the interpolation mode '{}' is not known", mode));
    const std::string padding = attrString(attrs, "padding_mode", "zeros");
    if (padding == "border")
        options.padding = Padding::Border;
    else if (padding == "reflection")
        options.padding = Padding::Reflection;
    else if (padding != "zeros")
        return Error::unsupported(fmt::format("the padding mode '{}' is not known", padding));
    options.alignsCorners = attrBool(attrs, "align_corners", false);
    return options;
}

/// Mirrors x at both bounds until it lies between them.
double reflected(double x, double low, double high)
{
    const double span = high - low;
    if (span <= 0) return low;
    double offset = std::fmod(std::abs(x - low), 2 * span);
    if (offset > span) offset = 2 * span - offset;
    return low + offset;
}

/// One image of one channel; up to three dims, the last one innermost.
template <typename T>
struct Plane {
    const T* data;
    std::array<std::int64_t, 3> dims; ///< depth (1 for 2-D), height, width
};

/// Pixel index along a dim after padding; -1 reads as zero.
std::int64_t pixelIndex(const SampleOptions& options, double at, std::int64_t dim)
{
    if (at >= 0 && at < static_cast<double>(dim)) return static_cast<std::int64_t>(at);
    if (options.padding == Padding::Zeros) return -1;
    const double low = options.alignsCorners ? 0.0 : -0.5,
                 high = static_cast<double>(dim) - (options.alignsCorners ? 1.0 : 0.5);
    const double inside = options.padding == Padding::Border ? at : std::nearbyint(reflected(at, low, high));
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::clamp(inside, 0.0, static_cast<double>(dim - 1))), 0,
                                    dim - 1);
}

/// Weighted pixels along one dim.
struct DimTaps {
    std::array<std::int64_t, 4> index{};
    std::array<double, 4> weight{};
    int count = 0;
    void add(std::int64_t i, double w)
    {
        index[static_cast<std::size_t>(count)] = i;
        weight[static_cast<std::size_t>(count++)] = w;
    }
};

DimTaps dimTaps(const SampleOptions& options, double normalised, std::int64_t dim)
{
    const auto size = static_cast<double>(dim);
    double x = options.alignsCorners ? (normalised + 1) / 2 * (size - 1) : ((normalised + 1) * size - 1) / 2;
    if (!(std::abs(x) < 1e9))
        x = std::isnan(x) ? -1.0 : std::copysign(1e9, x); // far outside; NaN reads as just outside
    if (options.mode == Mode::Nearest) x = std::nearbyint(x);
    const double low = options.alignsCorners ? 0.0 : -0.5, high = size - (options.alignsCorners ? 1.0 : 0.5);
    if (x < low || x > high) {
        if (options.padding == Padding::Border) x = std::clamp(x, 0.0, size - 1);
        if (options.padding == Padding::Reflection) x = reflected(x, low, high);
    }
    DimTaps taps;
    if (options.mode == Mode::Nearest) {
        taps.add(pixelIndex(options, std::nearbyint(x), dim), 1.0);
        return taps;
    }
    const double base = std::floor(x), part = x - base;
    if (options.mode == Mode::Linear) {
        taps.add(pixelIndex(options, base, dim), 1 - part);
        taps.add(pixelIndex(options, base + 1, dim), part);
        return taps;
    }
    constexpr double a = -0.75; // PyTorch's and ONNX's coefficient
    for (int i = -1; i <= 2; ++i) {
        const double d = std::abs(part - i);
        const double weight = d <= 1 ? ((a + 2) * d - (a + 3)) * d * d + 1 : ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
        taps.add(pixelIndex(options, base + i, dim), weight);
    }
    return taps;
}

template <typename T>
double sample(const Plane<T>& plane, const std::array<DimTaps, 3>& taps)
{
    double sum = 0;
    for (int z = 0; z < taps[0].count; ++z)
        for (int y = 0; y < taps[1].count; ++y)
            for (int x = 0; x < taps[2].count; ++x) {
                const auto iz = taps[0].index[static_cast<std::size_t>(z)],
                           iy = taps[1].index[static_cast<std::size_t>(y)],
                           ix = taps[2].index[static_cast<std::size_t>(x)];
                if (iz < 0 || iy < 0 || ix < 0) continue;
                const double weight = taps[0].weight[static_cast<std::size_t>(z)] *
                                      taps[1].weight[static_cast<std::size_t>(y)] *
                                      taps[2].weight[static_cast<std::size_t>(x)];
                sum += weight * static_cast<double>(load(plane.data[(iz * plane.dims[1] + iy) * plane.dims[2] + ix]));
            }
    return sum;
}

Status inferGridSampler(InferContext& context)
{
    const Shape& x = context.shape(0);
    const Shape& grid = context.shape(1);
    if (!x.hasRank() || !grid.hasRank()) {
        context.setOutput(0, context.dtype(0),
                          movement::unknownDims(x.hasRank()      ? x.rank()
                                                : grid.hasRank() ? grid.rank()
                                                                 : -1));
        return {};
    }
    if (x.rank() != grid.rank() || (x.rank() != 4 && x.rank() != 5))
        return context.error(fmt::format("{} cannot be sampled at {}", x.text(), grid.text()));
    if (grid.dim(-1) >= 0 && grid.dim(-1) != x.rank() - 2)
        return context.error(fmt::format("places of {} numbers in an image of {} dims", grid.dim(-1), x.rank() - 2));
    Shape shape;
    movement::appendDim(shape, x, 0);
    movement::appendDim(shape, x, 1);
    for (int i = 1; i < grid.rank() - 1; ++i) movement::appendDim(shape, grid, i);
    context.setOutput(0, context.dtype(0), std::move(shape));
    return {};
}

Status runGridSampler(KernelContext& context)
{
    const auto options = sampleOptions(context.attrs());
    if (!options.ok()) return context.error(options.error().what);
    const TensorView& x = context.input(0);
    const Shape& grid = context.input(1).shape;
    const int rank = x.shape.rank();
    if (rank != grid.rank() || (rank != 4 && rank != 5) || grid.dim(-1) != rank - 2 || grid[0] != x.shape[0])
        return context.error(fmt::format("{} cannot be sampled at {}", x.shape.text(), grid.text()));
    GELENS_ASSIGN(const std::vector<double> places, context.doubles(1));
    const bool isVolume = rank == 5;
    Shape shape{x.shape[0], x.shape[1]};
    for (int i = 1; i < rank - 1; ++i) shape.append(grid.dim(i));
    GELENS_TRY(movement::checkOutput(context, x.dtype, shape));
    const std::array<std::int64_t, 3> dims{isVolume ? x.shape[2] : 1, x.shape.dim(-2), x.shape.dim(-1)};
    const std::int64_t pixels = dims[0] * dims[1] * dims[2],
                       perImage = movement::product(grid.dims(), 1, static_cast<std::size_t>(rank - 1));
    if (pixels == 0 && shape.elementCount().value_or(0) > 0) return context.error("an empty image cannot be sampled");
    Status status;
    const bool isKnown = visitArithmetic(x.dtype, [&]<typename T>(TypeTag<T>) {
        auto out = context.outputAs<T>(0, x.dtype, shape);
        if (!out.ok()) {
            status = out.error();
            return;
        }
        const std::int64_t channels = x.shape[1];
        for (std::int64_t n = 0; n < x.shape[0]; ++n)
            for (std::int64_t i = 0; i < perImage; ++i) {
                // The grid names x first, the image has it last.
                const double* const place = places.data() + (n * perImage + i) * (rank - 2);
                std::array<DimTaps, 3> taps;
                taps[2] = dimTaps(options.value(), place[0], dims[2]);
                taps[1] = dimTaps(options.value(), place[1], dims[1]);
                if (isVolume)
                    taps[0] = dimTaps(options.value(), place[2], dims[0]);
                else
                    taps[0].add(0, 1.0);
                for (std::int64_t c = 0; c < channels; ++c) {
                    const Plane<T> plane{reinterpret_cast<const T*>(x.data) + (n * channels + c) * pixels, dims};
                    out.value()[(n * channels + c) * perImage + i] = saturateTo<T>(sample(plane, taps));
                }
            }
    });
    return isKnown ? status
                   : Status(context.error(fmt::format("type {} cannot be interpolated", dataTypeShortName(x.dtype))));
}

// ---- AffineGrid ----

Result<Shape> gridShape(const std::vector<std::int64_t>& size)
{
    if (size.size() != 4 && size.size() != 5)
        return Error::invalid(fmt::format("an output size of {} numbers", size.size()));
    Shape shape{size[0]};
    for (std::size_t i = 2; i < size.size(); ++i) shape.append(size[i]);
    shape.append(static_cast<std::int64_t>(size.size()) - 2);
    for (const std::int64_t dim : shape.dims())
        if (dim < 0) return Error::invalid("the output size is negative");
    return shape;
}

Status inferAffineGrid(InferContext& context)
{
    const auto size = context.constantInts(1);
    if (!size) {
        const Shape& length = context.shape(1);
        const bool isKnown = length.hasRank() && length.rank() == 1 && (length[0] == 4 || length[0] == 5);
        context.setOutput(0, context.dtype(0), movement::unknownDims(isKnown ? static_cast<int>(length[0]) : -1));
        return {};
    }
    auto shape = gridShape(*size);
    if (!shape.ok()) return at(context, shape.error());
    GELENS_TRY(movement::checkOutput(context, context.dtype(0), shape.value()));
    context.setOutput(0, context.dtype(0), std::move(shape).value());
    return {};
}

Status runAffineGrid(KernelContext& context)
{
    GELENS_ASSIGN(const auto size, context.ints(1));
    const auto shape = gridShape(size);
    if (!shape.ok()) return context.error(shape.error().what);
    const TensorView& theta = context.input(0);
    const auto dims = static_cast<std::size_t>(shape.value().dim(-1));
    if (theta.shape != Shape{size[0], static_cast<std::int64_t>(dims), static_cast<std::int64_t>(dims) + 1})
        return context.error(fmt::format("{} are no matrices for a grid of {} dims", theta.shape.text(), dims));
    GELENS_TRY(movement::checkOutput(context, DataType::Float, shape.value()));
    GELENS_ASSIGN(const std::vector<double> matrix, context.doubles(0));
    const bool alignsCorners = attrBool(context.attrs(), "align_corners", false);
    const auto coordinate = [alignsCorners](std::int64_t i, std::int64_t n) {
        if (!alignsCorners) return (2.0 * static_cast<double>(i) + 1) / static_cast<double>(n) - 1;
        return n == 1 ? 0.0 : -1 + 2.0 * static_cast<double>(i) / static_cast<double>(n - 1);
    };
    const std::int64_t count = shape.value().elementCount().value_or(0);
    std::vector<float> values(static_cast<std::size_t>(count));
    std::vector<std::int64_t> at(dims, 0); // spatial position, innermost last
    const std::int64_t places = count == 0 ? 0 : count / static_cast<std::int64_t>(dims) / size[0];
    float* to = values.data();
    for (std::int64_t n = 0; n < size[0]; ++n) {
        std::fill(at.begin(), at.end(), 0);
        for (std::int64_t p = 0; p < places; ++p) {
            for (std::size_t row = 0; row < dims; ++row) {
                const double* const line = matrix.data() + (static_cast<std::size_t>(n) * dims + row) * (dims + 1);
                double sum = line[dims];
                for (std::size_t d = 0; d < dims; ++d) // d = 0 is x, the innermost
                    sum += line[d] * coordinate(at[dims - 1 - d], size[size.size() - 1 - d]);
                *to++ = static_cast<float>(sum);
            }
            for (std::size_t d = dims; d-- > 0;) {
                if (++at[d] < size[d + 2]) break;
                at[d] = 0;
            }
        }
    }
    return context.setFloats(0, theta.dtype, shape.value(), values);
}

OpDef base(const char* type, const char* doc, double weight)
{
    OpDef def(type);
    def.doc(doc)
        .source("CANN operator library")
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Other)
        .formats(FormatSupport::NdOnly)
        .cost(elementwise(weight));
    return def;
}

} // namespace

void registerSampleOps(OpRegistry& ops)
{
    for (const char* const type : {"GridSampler2D", "GridSampler3D"})
        ops.add(base(type, "Reads the image at the places of the grid (-1 … 1), between pixels by interpolation", 32)
                    .arithmetic(Arithmetic::Fp64)
                    .input("x")
                    .input("grid")
                    .output("y")
                    .attr("interpolation_mode", "bilinear")
                    .attr("padding_mode", "zeros")
                    .attr("align_corners", false)
                    .infer(inferGridSampler)
                    .kernel(runGridSampler));
    ops.add(base("AffineGrid", "Places of a regular grid under affine maps", 6)
                .arithmetic(Arithmetic::Fp64)
                .input("theta")
                .input("output_size")
                .output("y")
                .attr("align_corners", false)
                .infer(inferAffineGrid)
                .kernel(runAffineGrid));
}

} // namespace gelens
