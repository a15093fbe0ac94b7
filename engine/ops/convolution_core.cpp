#include "engine/ops/convolution_core.h"

#include "engine/ops/cost_helpers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gelens {
namespace {

/// Permutations between channels-last and channels-first of a tensor of `spatial` + 2 axes.
void setLayout(ConvProblem& problem, int spatial)
{
    if (!problem.channelsLast) return;
    problem.toFirst = {0, spatial + 1};
    problem.fromFirst = {0};
    for (int i = 0; i < spatial; ++i) {
        problem.toFirst.push_back(i + 1);
        problem.fromFirst.push_back(i + 2);
    }
    problem.fromFirst.push_back(1);
}

/// Output shape in the data format's order. A symbolic size carries over where the axis keeps its length.
Shape outputShape(const ConvProblem& problem, const Shape& x, const WindowAxes& axes, bool isTransposed)
{
    const int spatial = static_cast<int>(axes.kernel.size());
    const int first = problem.channelsLast ? 1 : 2;
    Shape out;
    out.append(x[0], x.symbol(0));
    if (!problem.channelsLast) out.append(problem.spec.outChannels);
    for (int i = 0; i < spatial; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const std::int64_t range = (axes.kernel[at] - 1) * axes.dilations[at] + 1;
        const bool isSame = axes.autoPad == AutoPad::SameUpper || axes.autoPad == AutoPad::SameLower;
        const bool keeps = axes.kernel[at] > 0 && axes.strides[at] == 1 && !isTransposed &&
                           (isSame || axes.padBegin[at] + axes.padEnd[at] == range - 1);
        out.append(problem.spec.out[at], keeps ? x.symbol(static_cast<std::size_t>(first + i)) : std::string_view());
    }
    if (problem.channelsLast) out.append(problem.spec.outChannels);
    return out;
}

using Three = std::array<std::int64_t, 3>;

/// Spatial values as exactly three axes, filled up in front.
Three three(const std::vector<std::int64_t>& values, std::int64_t fill)
{
    Three result{fill, fill, fill};
    std::copy(values.rbegin(), values.rend(), result.rbegin());
    return result;
}

struct Geometry {
    Three in, out, kernel, stride, dilation, pad;
    explicit Geometry(const onednn::WindowSpec& spec)
        : in(three(spec.in, 1)), out(three(spec.out, 1)), kernel(three(spec.kernel, 1)), stride(three(spec.strides, 1)),
          dilation(three(spec.dilations, 1)), pad(three(spec.padBegin, 0))
    {
    }
    static std::int64_t volume(const Three& t) { return t[0] * t[1] * t[2]; }
};

/// Outputs [first, last) along one axis whose input position o·stride + shift lies inside [0, in).
std::pair<std::int64_t, std::int64_t> validRange(std::int64_t shift, std::int64_t stride, std::int64_t in,
                                                 std::int64_t out)
{
    const std::int64_t first = shift >= 0 ? 0 : (-shift + stride - 1) / stride;
    const std::int64_t last = shift >= in ? 0 : (in - 1 - shift) / stride + 1;
    return {first, std::max(first, std::min(last, out))};
}

/// Calls f(outRow, inRow, firstOut, lastOut, inShift) for each pair of rows that one kernel element connects.
template <typename F>
void forEachRow(const Geometry& g, const Three& tap, F f)
{
    Three shift;
    for (int i = 0; i < 3; ++i) shift[i] = tap[i] * g.dilation[i] - g.pad[i];
    const auto [d0, d1] = validRange(shift[0], g.stride[0], g.in[0], g.out[0]);
    const auto [h0, h1] = validRange(shift[1], g.stride[1], g.in[1], g.out[1]);
    const auto [w0, w1] = validRange(shift[2], g.stride[2], g.in[2], g.out[2]);
    for (std::int64_t d = d0; d < d1; ++d)
        for (std::int64_t h = h0; h < h1; ++h)
            f((d * g.out[1] + h) * g.out[2],
              ((d * g.stride[0] + shift[0]) * g.in[1] + h * g.stride[1] + shift[1]) * g.in[2], w0, w1, shift[2]);
}

template <typename F>
void forEachTap(const Geometry& g, F f)
{
    std::int64_t index = 0;
    for (std::int64_t d = 0; d < g.kernel[0]; ++d)
        for (std::int64_t h = 0; h < g.kernel[1]; ++h)
            for (std::int64_t w = 0; w < g.kernel[2]; ++w) f(Three{d, h, w}, index++);
}

template <typename Acc>
void fillBias(const onednn::WindowSpec& spec, std::int64_t plane, const Acc* bias, Acc* y)
{
    for (std::int64_t n = 0; n < spec.batch; ++n)
        for (std::int64_t c = 0; c < spec.outChannels; ++c, y += plane) std::fill(y, y + plane, bias ? bias[c] : Acc{});
}

} // namespace

Result<ConvProblem> readConvolution(const AttrMap& attrs, bool channelsLast, const Shape& x, const Shape& filter,
                                    int spatial, bool isTransposed, std::int64_t groups,
                                    const std::vector<std::int64_t>& wanted)
{
    ConvProblem problem;
    problem.channelsLast = channelsLast;
    setLayout(problem, spatial);
    if (x.rank() != spatial + 2)
        return Error::invalid(fmt::format("x of shape {} needs {} axes", x.text(), spatial + 2));
    if (filter.rank() != spatial + 2)
        return Error::invalid(fmt::format("filter of shape {} needs {} axes", filter.text(), spatial + 2));
    if (groups < 1) return Error::invalid(fmt::format("groups {} is not allowed", groups));
    onednn::WindowSpec& spec = problem.spec;
    spec.groups = groups;
    spec.batch = x[0];
    spec.inChannels = x.dim(problem.channelsLast ? -1 : 1);
    std::vector<std::int64_t> kernel;
    for (int i = 0; i < spatial; ++i) {
        spec.in.push_back(x.dim(i + (problem.channelsLast ? 1 : 2)));
        kernel.push_back(filter.dim(i + 2));
    }
    const std::int64_t perGroup = filter.dim(1);
    spec.outChannels = !isTransposed ? filter.dim(0) : perGroup < 0 ? unknownDim : perGroup * groups;
    const std::int64_t expected = isTransposed ? filter.dim(0) : perGroup < 0 ? unknownDim : perGroup * groups;
    if (dimsContradict(spec.inChannels, expected))
        return Error::invalid(fmt::format("x of shape {} has {} channels, filter {} with {} groups expects {}",
                                          x.text(), spec.inChannels, filter.text(), groups, expected));
    if ((spec.outChannels > 0 && spec.outChannels % groups != 0) || (expected > 0 && expected % groups != 0))
        return Error::invalid(fmt::format("channels cannot be divided into {} groups", groups));
    if (spec.inChannels < 0) spec.inChannels = expected;
    GELENS_ASSIGN(WindowAxes axes, readWindow(attrs, std::move(kernel), problem.channelsLast));
    axes.ceilMode = false;
    GELENS_ASSIGN(spec.out, isTransposed ? transposedOutput(axes, spec.in, wanted) : windowOutput(axes, spec.in));
    spec.kernel = axes.kernel;
    spec.strides = axes.strides;
    spec.dilations = axes.dilations;
    spec.padBegin = axes.padBegin;
    spec.padEnd = axes.padEnd;
    problem.out = outputShape(problem, x, axes, isTransposed);
    return problem;
}

template <typename T, typename F, typename Acc>
void convolve(const onednn::WindowSpec& spec, const T* x, const F* filter, const Acc* bias, Acc* y, Acc xZero,
              const Acc* filterZero, bool zeroPerChannel)
{
    const Geometry g(spec);
    const std::int64_t inPlane = Geometry::volume(g.in), outPlane = Geometry::volume(g.out),
                       taps = Geometry::volume(g.kernel);
    const std::int64_t ci = spec.inChannels / spec.groups, co = spec.outChannels / spec.groups;
    fillBias(spec, outPlane, bias, y);
    for (std::int64_t n = 0; n < spec.batch; ++n) {
        for (std::int64_t o = 0; o < spec.outChannels; ++o) {
            const Acc zero = filterZero ? filterZero[zeroPerChannel ? o : 0] : Acc{};
            Acc* const target = y + (n * spec.outChannels + o) * outPlane;
            for (std::int64_t c = 0; c < ci; ++c) {
                const T* const source = x + (n * spec.inChannels + o / co * ci + c) * inPlane;
                const F* const weights = filter + (o * ci + c) * taps;
                forEachTap(g, [&](const Three& tap, std::int64_t index) {
                    const Acc weight = static_cast<Acc>(weights[index]) - zero;
                    forEachRow(g, tap,
                               [&](std::int64_t outRow, std::int64_t inRow, std::int64_t w0, std::int64_t w1,
                                   std::int64_t shift) {
                                   Acc* const to = target + outRow;
                                   const T* const from = source + inRow + shift;
                                   for (std::int64_t w = w0; w < w1; ++w)
                                       to[w] += weight * (static_cast<Acc>(from[w * g.stride[2]]) - xZero);
                               });
                });
            }
        }
    }
}

template <typename Acc>
void deconvolve(const onednn::WindowSpec& spec, const Acc* x, const Acc* filter, const Acc* bias, Acc* y)
{
    // The transposed product: rows that a convolution from y to x would connect, with the data flowing back.
    onednn::WindowSpec back = spec;
    std::swap(back.in, back.out);
    const Geometry g(back);
    const std::int64_t xPlane = Geometry::volume(g.out), yPlane = Geometry::volume(g.in),
                       taps = Geometry::volume(g.kernel);
    const std::int64_t ci = spec.inChannels / spec.groups, co = spec.outChannels / spec.groups;
    fillBias(spec, yPlane, bias, y);
    for (std::int64_t n = 0; n < spec.batch; ++n) {
        for (std::int64_t c = 0; c < spec.inChannels; ++c) {
            const Acc* const source = x + (n * spec.inChannels + c) * xPlane;
            for (std::int64_t o = 0; o < co; ++o) {
                Acc* const target = y + (n * spec.outChannels + c / ci * co + o) * yPlane;
                const Acc* const weights = filter + (c * co + o) * taps;
                forEachTap(g, [&](const Three& tap, std::int64_t index) {
                    forEachRow(g, tap,
                               [&](std::int64_t xRow, std::int64_t yRow, std::int64_t w0, std::int64_t w1,
                                   std::int64_t shift) {
                                   for (std::int64_t w = w0; w < w1; ++w)
                                       target[yRow + shift + w * g.stride[2]] += weights[index] * source[xRow + w];
                               });
                });
            }
        }
    }
}

template void convolve(const onednn::WindowSpec&, const float*, const float*, const float*, float*, float, const float*,
                       bool);
template void convolve(const onednn::WindowSpec&, const double*, const double*, const double*, double*, double,
                       const double*, bool);
template void convolve(const onednn::WindowSpec&, const std::int32_t*, const std::int32_t*, const std::int32_t*,
                       std::int32_t*, std::int32_t, const std::int32_t*, bool);
template void deconvolve(const onednn::WindowSpec&, const float*, const float*, const float*, float*);
template void deconvolve(const onednn::WindowSpec&, const double*, const double*, const double*, double*);
template void deconvolve(const onednn::WindowSpec&, const std::int32_t*, const std::int32_t*, const std::int32_t*,
                         std::int32_t*);

void convolveFloat(const onednn::WindowSpec& spec, const float* x, const float* filter, const float* bias, float* y,
                   const onednn::KeptFilter& kept)
{
    if (!onednn::convolution(spec, x, filter, bias, y, kept)) convolve<float, float, float>(spec, x, filter, bias, y);
}

void deconvolveFloat(const onednn::WindowSpec& spec, const float* x, const float* filter, const float* bias, float* y)
{
    if (!onednn::deconvolution(spec, x, filter, bias, y)) deconvolve<float>(spec, x, filter, bias, y);
}

const float* channelsFirst(const ConvProblem& problem, const Shape& shape, const float* x, std::vector<float>& storage)
{
    if (problem.toFirst.empty()) return x;
    storage.resize(static_cast<std::size_t>(shape.elementCount().value_or(0)));
    permuteBytes(reinterpret_cast<const std::byte*>(x), shape.dims(), problem.toFirst, sizeof(float),
                 reinterpret_cast<std::byte*>(storage.data()));
    return storage.data();
}

Status runConvolution(KernelContext& context, const ConvProblem& problem, int x, int filter, int bias,
                      bool isTransposed, const ConvEpilogue& epilogue)
{
    const onednn::WindowSpec& spec = problem.spec;
    if (bias >= 0 && context.hasInput(bias) && context.input(bias).elementCount() != spec.outChannels)
        return context.error(fmt::format("bias of shape {} does not fit {} output channels",
                                         context.input(bias).shape.text(), spec.outChannels));
    GELENS_ASSIGN(const FloatOperand data, FloatOperand::of(context, x));
    GELENS_ASSIGN(const FloatOperand weights, FloatOperand::of(context, filter));
    FloatOperand offsets;
    const bool hasBias = bias >= 0 && context.hasInput(bias);
    if (hasBias) {
        GELENS_ASSIGN(offsets, FloatOperand::of(context, bias));
    }
    GELENS_ASSIGN(FloatResult y,
                  FloatResult::make(context, 0, outputTypeOr(context, 0, context.input(x).dtype), problem.out));
    if (y.size() == 0) return y.finish(context);
    std::vector<float> first, result;
    const float* const source = channelsFirst(problem, context.input(x).shape, data.data(), first);
    float* target = y.data();
    if (problem.channelsLast) {
        result.resize(y.size());
        target = result.data();
    }
    if (isTransposed)
        deconvolveFloat(spec, source, weights.data(), hasBias ? offsets.data() : nullptr, target);
    else
        convolveFloat(spec, source, weights.data(), hasBias ? offsets.data() : nullptr, target,
                      {context.weights, weights.isView() ? context.input(filter).constant : nullptr});
    if (problem.channelsLast) {
        std::vector<std::int64_t> dims{spec.batch, spec.outChannels};
        dims.insert(dims.end(), spec.out.begin(), spec.out.end());
        permuteBytes(reinterpret_cast<const std::byte*>(target), dims, problem.fromFirst, sizeof(float),
                     reinterpret_cast<std::byte*>(y.data()));
    }
    if (epilogue.addInput >= 0 && context.hasInput(epilogue.addInput)) {
        const Shape& shape = context.input(epilogue.addInput).shape;
        if (!broadcastsTo(shape, problem.out))
            return context.error(
                fmt::format("added tensor of shape {} does not fit {}", shape.text(), problem.out.text()));
        GELENS_ASSIGN(const FloatOperand added, FloatOperand::of(context, epilogue.addInput));
        addBroadcast(y.data(), problem.out, added.data(), shape);
    }
    if (epilogue.activation)
        for (std::size_t i = 0; i < y.size(); ++i)
            y.data()[i] = epilogue.activation(y.data()[i], epilogue.alpha, epilogue.beta);
    return y.finish(context);
}

Cost convolutionCost(const Node& node, const Graph& graph, const ConvProblem& problem, bool isTransposed)
{
    Cost cost = bytesOnly(node, graph);
    const auto known = [](std::int64_t value) { return std::max<std::int64_t>(value, 1); };
    const onednn::WindowSpec& spec = problem.spec;
    cost.batch = spec.groups;
    cost.m = known(spec.batch);
    for (const std::int64_t size : isTransposed ? spec.in : spec.out) cost.m *= known(size);
    std::int64_t taps = 1;
    for (const std::int64_t size : spec.kernel) taps *= known(size);
    cost.k = known(spec.inChannels) / spec.groups * (isTransposed ? 1 : taps);
    cost.n = known(spec.outChannels) / spec.groups * (isTransposed ? taps : 1);
    cost.cubeMacs = static_cast<double>(cost.m) * static_cast<double>(cost.k) * static_cast<double>(cost.n) *
                    static_cast<double>(cost.batch);
    return cost;
}

} // namespace gelens
