// Softmax and its kin, over one axis or several. Sums are taken in fp64 (fp32's own error in a long row would be
// larger than what a tree of vector adds makes), results in fp32 and rounded on store.

#include "engine/ops/family_helpers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gelens {
namespace {

using namespace families;

/// Several axes are one when they are neighbours; others would need a transpose first.
Result<AxisSplit> splitAxes(const KernelContext& context, const Shape& shape, const IntList& axes)
{
    if (shape.rank() == 0) return AxisSplit(Shape{1}, 0);
    auto normal = normalizeAxes(axes, shape.rank());
    if (!normal.ok()) return context.error(normal.error().what);
    const std::vector<int>& list = normal.value();
    if (list.empty()) return context.error("no axis is given");
    if (list.back() - list.front() + 1 != static_cast<int>(list.size()))
        return context.error("the axes are not neighbours");
    AxisSplit split(Shape{1}, 0);
    for (int i = 0; i < shape.rank(); ++i)
        (i < list.front() ? split.outer : i > list.back() ? split.inner : split.length) *= shape.dim(i);
    return split;
}

constexpr std::int64_t columnBlock = 16;

/// One contiguous row of `n` elements through a buffer: y = e^(x - max) / sum, or its logarithm.
template <typename T, typename C>
void softmaxRow(const T* x, T* y, std::int64_t n, bool logarithm, C* row)
{
    C largest = -std::numeric_limits<C>::infinity();
    bool hasNan = false;
    for (std::int64_t i = 0; i < n; ++i) {
        row[i] = static_cast<C>(load(x[i]));
        hasNan |= row[i] != row[i];
        largest = std::max(largest, row[i]);
    }
    if (hasNan) largest = std::numeric_limits<C>::quiet_NaN();
    double sum = 0;
    if (logarithm) {
        for (std::int64_t i = 0; i < n; ++i) sum += std::exp(row[i] - largest);
        const C shift = static_cast<C>(std::log(sum));
        for (std::int64_t i = 0; i < n; ++i) y[i] = store<T>(row[i] - largest - shift);
        return;
    }
    for (std::int64_t i = 0; i < n; ++i) row[i] = std::exp(row[i] - largest);
    double lanes[8] = {};
    std::int64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (std::int64_t k = 0; k < 8; ++k) lanes[k] += row[i + k];
    for (; i < n; ++i) sum += row[i];
    for (const double lane : lanes) sum += lane;
    const C factor = static_cast<C>(1 / sum);
    for (i = 0; i < n; ++i) y[i] = store<T>(row[i] * factor);
}

/// Neighbouring columns at once, so that memory is read along its rows: `width` columns of `n` elements, `stride`
/// apart.
template <typename T, typename C>
void softmaxColumns(const T* x, T* y, std::int64_t n, std::int64_t stride, std::int64_t width, bool logarithm, C* block)
{
    constexpr std::int64_t most = columnBlock;
    C largest[most];
    double sum[most];
    std::fill_n(largest, width, -std::numeric_limits<C>::infinity());
    std::fill_n(sum, width, 0.0);
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t k = 0; k < width; ++k) {
            const C value = static_cast<C>(load(x[i * stride + k]));
            block[i * width + k] = value;
            largest[k] = value > largest[k] || value != value ? value : largest[k]; // a NaN stays: nothing is above it
        }
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t k = 0; k < width; ++k) {
            C& value = block[i * width + k];
            const C power = std::exp(value - largest[k]);
            sum[k] += power;
            value = logarithm ? value - largest[k] : power;
        }
    C last[most]; // factor, or what is subtracted
    for (std::int64_t k = 0; k < width; ++k) last[k] = static_cast<C>(logarithm ? std::log(sum[k]) : 1 / sum[k]);
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t k = 0; k < width; ++k) {
            const C value = block[i * width + k];
            y[i * stride + k] = store<T>(logarithm ? value - last[k] : value * last[k]);
        }
}

/// All rows of a tensor; `y` may be `x`.
template <typename T>
void softmaxAll(const T* x, T* y, const AxisSplit& split, bool logarithm)
{
    const std::int64_t width = std::min(columnBlock, split.inner);
    std::vector<ComputeType<T>> buffer(static_cast<std::size_t>(std::max<std::int64_t>(split.length * width, 1)));
    for (std::int64_t o = 0; o < split.outer; ++o) {
        const std::int64_t begin = o * split.length * split.inner;
        if (split.inner == 1) {
            softmaxRow(x + begin, y + begin, split.length, logarithm, buffer.data());
            continue;
        }
        for (std::int64_t i = 0; i < split.inner; i += columnBlock)
            softmaxColumns(x + begin + i, y + begin + i, split.length, split.inner,
                           std::min(columnBlock, split.inner - i), logarithm, buffer.data());
    }
}

/// fp16 in, fp32 out.
Status softmaxToFloat(KernelContext& context, const AxisSplit& split, bool logarithm)
{
    const TensorView& x = context.input(0);
    GELENS_ASSIGN(float* const y, context.outputAs<float>(0, DataType::Float, x.shape));
    unaryLoop(y, reinterpret_cast<const Half*>(x.data), x.elementCount(), [](float value) { return value; });
    softmaxAll(static_cast<const float*>(y), y, split, logarithm);
    return {};
}

KernelFunction softmaxKernel(bool logarithm)
{
    return [logarithm](KernelContext& context) -> Status {
        const TensorView& x = context.input(0);
        GELENS_ASSIGN(const AxisSplit split, splitAxes(context, x.shape, attrInts(context.attrs(), "axes", {-1})));
        if (x.dtype == DataType::Float16 && attrBool(context.attrs(), "half_to_float", false))
            return softmaxToFloat(context, split, logarithm);
        Status status;
        const bool known = visitFloating(x.dtype, [&]<typename T>(TypeTag<T>) {
            auto y = context.outputAs<T>(0, x.dtype, x.shape);
            if (!y.ok())
                status = y.error();
            else
                softmaxAll(reinterpret_cast<const T*>(x.data), y.value(), split, logarithm);
        });
        return known ? status : Status(typeError(context, 0));
    };
}

Status inferSoftmax(InferContext& context)
{
    const Shape& shape = context.shape(0);
    if (shape.hasRank() && shape.rank() > 0) {
        auto axes = normalizeAxes(attrInts(context.attrs(), "axes", {-1}), shape.rank());
        if (!axes.ok()) return at(context, axes.error());
    }
    const bool toFloat = context.dtype(0) == DataType::Float16 && attrBool(context.attrs(), "half_to_float", false);
    context.setOutput(0, toFloat ? DataType::Float : context.dtype(0), shape);
    return {};
}

/// 1 at the first largest element along the axis, 0 elsewhere.
Status hardMaxKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    GELENS_ASSIGN(const AxisSplit split, splitAxes(context, x.shape, {attrInt(context.attrs(), "axis", -1)}));
    Status status;
    const bool known = visitFloating(x.dtype, [&]<typename T>(TypeTag<T>) {
        auto out = context.outputAs<T>(0, x.dtype, x.shape);
        if (!out.ok()) {
            status = out.error();
            return;
        }
        const T* const from = reinterpret_cast<const T*>(x.data);
        T* const y = out.value();
        for (std::int64_t o = 0; o < split.outer; ++o) {
            for (std::int64_t i = 0; i < split.inner; ++i) {
                const std::int64_t at = o * split.length * split.inner + i;
                std::int64_t best = 0;
                for (std::int64_t n = 1; n < split.length; ++n)
                    if (load(from[at + n * split.inner]) > load(from[at + best * split.inner])) best = n;
                for (std::int64_t n = 0; n < split.length; ++n)
                    y[at + n * split.inner] = store<T>(n == best ? 1.0f : 0.0f);
            }
        }
    });
    return known ? status : Status(typeError(context, 0));
}

} // namespace

void registerSoftmaxOps(OpRegistry& ops)
{
    OpDef softmax("SoftmaxV2");
    softmax.arithmetic(Arithmetic::SumsInFp64);
    softmax.doc("y = e^x / sum of e^x over `axes`")
        .source(canonical)
        .input("x")
        .output("y")
        .attr("axes", IntList{-1})
        .attr("half_to_float", false)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Other)
        .mayRunInPlace()
        .infer(inferSoftmax)
        .cost(elementwise(8))
        .kernel(softmaxKernel(false));
    ops.add(std::move(softmax));

    OpDef logSoftmax("LogSoftmaxV2");
    logSoftmax.arithmetic(Arithmetic::SumsInFp64);
    logSoftmax.doc("logsoftmax = ln(e^x / sum of e^x over `axes`)")
        .source(canonical)
        .input("logits")
        .output("logsoftmax")
        .attr("axes", IntList{-1})
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Other)
        .mayRunInPlace()
        .infer(inferSoftmax)
        .cost(elementwise(8))
        .kernel(softmaxKernel(true));
    ops.add(std::move(logSoftmax));

    OpDef hardMax("HardMax");
    hardMax.arithmetic(Arithmetic::None);
    hardMax.doc("1 at the first largest element along `axis`, 0 elsewhere")
        .source(canonical)
        .input("x")
        .output("y")
        .attr("axis", -1)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Other)
        .infer(sameAsInput)
        .cost(elementwise(3))
        .kernel(hardMaxKernel);
    ops.add(std::move(hardMax));
}

} // namespace gelens
