#include "engine/ops/cost_helpers.h"
#include "engine/ops/cube_common.h"
#include "engine/ops/kernel_helpers.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/pooling_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gelens {

Result<PoolProblem> readPool(const AttrMap& attrs, Format declared, const Shape& x, int spatial)
{
    PoolProblem pool;
    if (x.rank() != spatial + 2)
        return Error::invalid(fmt::format("x of shape {} needs {} axes", x.text(), spatial + 2));
    const bool channelsLast = isChannelsLast(attrs, declared);
    pool.channelsLast = channelsLast;
    const int first = channelsLast ? 1 : 2;
    for (int i = 0; i < spatial; ++i) pool.in.push_back(x.dim(first + i));
    pool.batch = x[0];
    pool.channels = x.dim(channelsLast ? spatial + 1 : 1);
    if (attrBool(attrs, "global_pooling")) {
        pool.axes.kernel = pool.in;
        for (int i = 0; i < spatial; ++i) {
            pool.axes.strides.push_back(1);
            pool.axes.dilations.push_back(1);
            pool.axes.padBegin.push_back(0);
            pool.axes.padEnd.push_back(0);
        }
        pool.out.assign(static_cast<std::size_t>(spatial), 1);
    } else {
        GELENS_ASSIGN(std::vector<std::int64_t> kernel, spatialAttr(attrs, "ksize", spatial, channelsLast, 0));
        for (const std::int64_t size : kernel)
            if (size < 1) return Error::invalid(fmt::format("kernel size {} is not allowed", size));
        GELENS_ASSIGN(pool.axes, readWindow(attrs, std::move(kernel), channelsLast));
        GELENS_ASSIGN(pool.out, windowOutput(pool.axes, pool.in));
    }
    pool.shape.append(x[0], x.symbol(0));
    if (!channelsLast) pool.shape.append(x[1], x.symbol(1));
    for (int i = 0; i < spatial; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const std::int64_t range = (pool.axes.kernel[at] - 1) * pool.axes.dilations[at] + 1;
        const bool keeps = pool.axes.strides[at] == 1 && pool.axes.padBegin[at] + pool.axes.padEnd[at] == range - 1;
        pool.shape.append(pool.out[at], keeps ? x.symbol(static_cast<std::size_t>(first + i)) : std::string_view());
    }
    if (channelsLast) appendDim(pool.shape, x, spatial + 1);
    return pool;
}

InferFunction inferPool(int spatial, bool hasIndices)
{
    return [spatial, hasIndices](InferContext& context) -> Status {
        Shape out = Shape::unknownRank();
        if (context.shape(0).hasRank()) {
            auto pool = readPool(context.attrs(), declaredFormat(context.node(), 0), context.shape(0),
                                 spatialRank(spatial, context.shape(0)));
            if (!pool.ok()) return context.error(pool.error().what);
            out = pool->shape;
        }
        context.setOutput(0, context.dtype(0), out);
        if (hasIndices) context.setOutput(1, DataType::Int64, out);
        return {};
    };
}

int spatialRank(int stated, const Shape& x) { return stated > 0 ? stated : std::clamp(x.rank() - 2, 1, 3); }

PoolGrid::PoolGrid(const PoolProblem& pool)
{
    const auto fill = [](std::array<std::int64_t, 3>& to, const std::vector<std::int64_t>& from) {
        std::copy(from.rbegin(), from.rend(), to.rbegin());
    };
    fill(in, pool.in);
    fill(out, pool.out);
    fill(kernel, pool.axes.kernel);
    fill(stride, pool.axes.strides);
    fill(dilation, pool.axes.dilations);
    fill(padBegin, pool.axes.padBegin);
    fill(padEnd, pool.axes.padEnd);
}

namespace {

enum class Mode { Max, Average, Lp };

struct PoolOptions {
    bool includePadding = false;
    std::int64_t divisor = 0; ///< divisor_override, 0 = none
    double p = 2;
};

/// One channel plane with a fixed element stride between neighbours of a row.
template <typename T>
void maxPlane(const PoolGrid& g, const T* x, T* y, std::int64_t* indices, std::int64_t base, std::int64_t step,
              bool columnMajor)
{
    g.forEachOutput([&](std::int64_t at, const PoolGrid::Window& window) {
        using C = ComputeType<T>;
        // The first element of the window stands until a larger one comes, so that NaN and -inf survive.
        bool isFirst = true;
        C best{};
        std::int64_t where = 0;
        g.forEachInput(window, [&](std::int64_t d, std::int64_t h, std::int64_t w) {
            const std::int64_t offset = (d * g.in[1] + h) * g.in[2] + w;
            const C value = load(x[offset * step]);
            bool isNan = false;
            if constexpr (std::is_floating_point_v<C>) isNan = std::isnan(value);
            if (isFirst || value > best || isNan) {
                best = value;
                where = columnMajor ? (w * g.in[1] + h) * g.in[0] + d : offset;
                isFirst = false;
            }
        });
        y[at * step] = store<T>(isFirst ? std::numeric_limits<C>::lowest() : best); // first: a window of padding only
        if (indices) indices[at] = base + where;
    });
}

template <typename T>
void averagePlane(const PoolGrid& g, const T* x, T* y, std::int64_t step, const PoolOptions& options)
{
    g.forEachOutput([&](std::int64_t at, const PoolGrid::Window& window) {
        using C = std::conditional_t<std::is_same_v<T, double>, double, float>;
        C sum = 0;
        std::int64_t count = 0;
        g.forEachInput(window, [&](std::int64_t d, std::int64_t h, std::int64_t w) {
            sum += static_cast<C>(load(x[((d * g.in[1] + h) * g.in[2] + w) * step]));
            ++count;
        });
        if (options.includePadding) count = g.paddedCount(window);
        if (options.divisor > 0) count = options.divisor;
        y[at * step] = store<T>(count ? sum / static_cast<C>(count) : C{0});
    });
}

template <typename T>
void lpPlane(const PoolGrid& g, const T* x, T* y, std::int64_t step, double p)
{
    g.forEachOutput([&](std::int64_t at, const PoolGrid::Window& window) {
        double sum = 0;
        g.forEachInput(window, [&](std::int64_t d, std::int64_t h, std::int64_t w) {
            const double value = std::fabs(static_cast<double>(load(x[((d * g.in[1] + h) * g.in[2] + w) * step])));
            sum += p == 2 ? value * value : p == 1 ? value : std::pow(value, p);
        });
        y[at * step] = store<T>(static_cast<ComputeType<T>>(p == 2   ? std::sqrt(sum)
                                                            : p == 1 ? sum
                                                                     : std::pow(sum, 1 / p)));
    });
}

/// The vendor library's pooling where it has the same meaning; false leaves it to the loops.
bool poolByLibrary(const PoolProblem& pool, Mode mode, const PoolOptions& options, const float* x, float* y)
{
    if (mode == Mode::Lp || options.divisor > 0 || pool.channelsLast) return false;
    onednn::WindowSpec spec;
    spec.batch = pool.batch;
    spec.inChannels = pool.channels;
    spec.in = pool.in;
    spec.out = pool.out;
    spec.kernel = pool.axes.kernel;
    spec.strides = pool.axes.strides;
    spec.dilations = pool.axes.dilations;
    spec.padBegin = pool.axes.padBegin;
    for (std::size_t i = 0; i < spec.in.size(); ++i) {
        const std::int64_t range = (spec.kernel[i] - 1) * spec.dilations[i] + 1;
        const std::int64_t reach = (spec.out[i] - 1) * spec.strides[i] + range - spec.in[i] - spec.padBegin[i];
        // Rounded-up sizes reach past the padding: that part has rules of its own. So have windows of padding only.
        if (reach > pool.axes.padEnd[i] || spec.padBegin[i] >= range || reach >= range || spec.dilations[i] != 1)
            return false;
        spec.padEnd.push_back(std::max<std::int64_t>(reach, 0));
        if (reach < 0 && (spec.in[i] + spec.padBegin[i] - range) / spec.strides[i] + 1 != spec.out[i]) return false;
    }
    const auto kind = mode == Mode::Max        ? onednn::PoolKind::Max
                      : options.includePadding ? onednn::PoolKind::AverageIncludePadding
                                               : onednn::PoolKind::AverageExcludePadding;
    return onednn::pooling(spec, kind, x, y);
}

template <typename T>
Status runPlanes(KernelContext& context, const PoolProblem& pool, Mode mode, const PoolOptions& options,
                 std::int64_t* indices)
{
    const TensorView& x = context.input(0);
    GELENS_ASSIGN(T* const y, context.outputAs<T>(0, x.dtype, pool.shape));
    const T* const source = reinterpret_cast<const T*>(x.data);
    if (pool.shape.elementCount().value_or(0) == 0) return {};
    if constexpr (std::is_same_v<T, float>)
        if (!indices && poolByLibrary(pool, mode, options, source, y)) return {};
    const PoolGrid grid(pool);
    const std::int64_t inPlane = grid.in[0] * grid.in[1] * grid.in[2],
                       outPlane = grid.out[0] * grid.out[1] * grid.out[2];
    const std::int64_t step = pool.channelsLast ? pool.channels : 1;
    const bool columnMajor = attrInt(context.attrs(), "storage_order") != 0;
    for (std::int64_t n = 0; n < pool.batch; ++n) {
        for (std::int64_t c = 0; c < pool.channels; ++c) {
            const std::int64_t plane = n * pool.channels + c;
            const T* const from = pool.channelsLast ? source + n * inPlane * step + c : source + plane * inPlane;
            T* const to = pool.channelsLast ? y + n * outPlane * step + c : y + plane * outPlane;
            if (mode == Mode::Max)
                maxPlane(grid, from, to, indices ? indices + plane * outPlane : nullptr, plane * inPlane, step,
                         columnMajor);
            else if (mode == Mode::Average)
                averagePlane(grid, from, to, step, options);
            else
                lpPlane(grid, from, to, step, options.p);
        }
    }
    return {};
}

KernelFunction poolKernel(int spatial, Mode mode, bool hasIndices = false)
{
    return [=](KernelContext& context) -> Status {
        const TensorView& x = context.input(0);
        const auto pool = readPool(context.attrs(), x.originFormat, x.shape, spatialRank(spatial, x.shape));
        if (!pool.ok()) return context.error(pool.error().what);
        PoolOptions options;
        options.includePadding =
            attrBool(context.attrs(), "count_include_pad") || !attrBool(context.attrs(), "exclusive", true);
        options.divisor = attrInt(context.attrs(), "divisor_override");
        options.p = static_cast<double>(attrInt(context.attrs(), "p", 2));
        if (mode == Mode::Lp && options.p < 1) return context.error(fmt::format("p of {} is not allowed", options.p));
        std::int64_t* indices = nullptr;
        if (hasIndices && context.outputCount() > 1) {
            GELENS_ASSIGN(indices, context.outputAs<std::int64_t>(1, DataType::Int64, pool->shape));
        }
        Status status;
        const auto run = [&]<typename T>(TypeTag<T>) { status = runPlanes<T>(context, *pool, mode, options, indices); };
        const bool known = mode == Mode::Max ? visitArithmetic(x.dtype, run) : visitFloating(x.dtype, run);
        return known ? status : Status(typeError(context, 0));
    };
}

Cost poolCost(const Node& node, const Graph& graph)
{
    Cost cost = bytesOnly(node, graph);
    const Shape& x = inputDesc(node, graph, 0).originShape;
    if (!x.hasRank() || x.rank() < 3) return cost;
    const auto pool = readPool(node.attrs, declaredFormat(node, 0), x, spatialRank(0, x));
    double taps = 1;
    if (pool.ok())
        for (const std::int64_t size : pool->axes.kernel) taps *= static_cast<double>(std::max<std::int64_t>(size, 1));
    cost.vectorOps = taps * elementsOf(outputDesc(node, 0));
    return cost;
}

OpDef poolDef(const char* type, int spatial, Mode mode, const char* doc)
{
    OpDef def(type);
    def.doc(doc).source("CANN operator library").input("x").output("y");
    def.unit(Unit::Vector).fusionClass(FusionClass::Pool).formats(FormatSupport::FiveHd);
    def.infer(inferPool(spatial)).cost(poolCost).kernel(poolKernel(spatial, mode));
    return def;
}

} // namespace

void registerPoolingOps(OpRegistry& registry)
{
    const IntList none4{0, 0, 0, 0}, none6{0, 0, 0, 0, 0, 0}, ones5{1, 1, 1, 1, 1};
    registry.add(
        poolDef("MaxPoolV3", 2, Mode::Max,
                "Largest element of each window; exact in any type. padding_mode CALCULATED takes pads (begin and "
                "end of each axis), SAME and VALID compute them; dilations is the simulator's extension")
            .requiredAttr("ksize")
            .requiredAttr("strides")
            .attr("padding_mode", "CALCULATED")
            .attr("pads", none4)
            .attr("data_format", "NCHW")
            .attr("global_pooling", false)
            .attr("ceil_mode", false));
    registry.add(poolDef("MaxPool3D", 3, Mode::Max, "Largest element of each 3-D window; exact in any type")
                     .requiredAttr("ksize")
                     .requiredAttr("strides")
                     .attr("padding", "CALCULATED")
                     .attr("pads", none6)
                     .attr("dilation", ones5)
                     .attr("ceil_mode", 0)
                     .attr("data_format", "NDHWC"));
    registry.add(
        poolDef("AvgPoolV2", 2, Mode::Average,
                "Mean of each window, over elements inside x (exclusive) or inside the padded x; sums in fp32, "
                "one rounding on storage. divisor_override replaces the count")
            .requiredAttr("ksize")
            .requiredAttr("strides")
            .attr("padding_mode", "CALCULATED")
            .attr("pads", none4)
            .attr("data_format", "NCHW")
            .attr("global_pooling", false)
            .attr("ceil_mode", false)
            .attr("exclusive", true)
            .attr("divisor_override", 0));
    registry.add(
        poolDef("AvgPool3D", 3, Mode::Average, "Mean of each 3-D window; sums in fp32, one rounding on storage")
            .requiredAttr("ksize")
            .requiredAttr("strides")
            .requiredAttr("pads")
            .attr("ceil_mode", false)
            .attr("count_include_pad", true)
            .attr("divisor_override", 0)
            .attr("data_format", "NDHWC"));
    registry.add(poolDef("LpPool", 0, Mode::Lp, "p-norm of each window (1 to 3 spatial axes), summed in fp64")
                     .source("simulator (ONNX LpPool-22)")
                     .requiredAttr("ksize")
                     .requiredAttr("strides")
                     .attr("padding_mode", "CALCULATED")
                     .attr("pads", IntList{})
                     .attr("data_format", "NCHW")
                     .attr("p", 2));
    registry.add(
        OpDef("MaxPoolWithIndices")
            .arithmetic(Arithmetic::None)
            .doc("Largest element of each window (1 to 3 spatial axes) and its flat position in the whole of x, "
                 "counted row-major, or column-major within a plane when storage_order is 1. The indices are "
                 "ONNX's; CANN's MaxPoolWithArgmax counts otherwise")
            .source("simulator (ONNX MaxPool-22)")
            .input("x")
            .output("y")
            .output("indices")
            .requiredAttr("ksize")
            .requiredAttr("strides")
            .attr("padding_mode", "CALCULATED")
            .attr("pads", IntList{})
            .attr("data_format", "NCHW")
            .attr("ceil_mode", false)
            .attr("storage_order", 0)
            .unit(Unit::Vector)
            .fusionClass(FusionClass::Pool)
            .infer(inferPool(0, true))
            .cost(poolCost)
            .kernel(poolKernel(0, Mode::Max, true)));
    registerGlobalPoolOps(registry);
}

} // namespace gelens
