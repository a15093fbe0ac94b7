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

/// One row of `n` elements, `stride` apart, through a buffer: y = e^(x - max) / sum, or its logarithm.
template <typename T, typename C>
void softmaxRow(const T* x, T* y, std::int64_t n, std::int64_t stride, bool logarithm, C* row)
{
    C largest = -std::numeric_limits<C>::infinity();
    bool hasNan = false;
    for (std::int64_t i = 0; i < n; ++i) {
        row[i] = static_cast<C>(load(x[i * stride]));
        hasNan |= row[i] != row[i];
        largest = std::max(largest, row[i]);
    }
    if (hasNan) largest = std::numeric_limits<C>::quiet_NaN();
    double sum = 0;
    if (logarithm) {
        for (std::int64_t i = 0; i < n; ++i)
            sum += std::exp(row[i] - largest);
        const C shift = static_cast<C>(std::log(sum));
        for (std::int64_t i = 0; i < n; ++i)
            y[i * stride] = store<T>(row[i] - largest - shift);
        return;
    }
    for (std::int64_t i = 0; i < n; ++i) {
        row[i] = std::exp(row[i] - largest);
        sum += row[i];
    }
    const C factor = static_cast<C>(1 / sum);
    for (std::int64_t i = 0; i < n; ++i)
        y[i * stride] = store<T>(row[i] * factor);
}

/// All rows of a tensor; `y` may be `x`.
template <typename T>
void softmaxAll(const T* x, T* y, const AxisSplit& split, bool logarithm)
{
    std::vector<ComputeType<T>> row(static_cast<std::size_t>(std::max<std::int64_t>(split.length, 1)));
    for (std::int64_t o = 0; o < split.outer; ++o) {
        for (std::int64_t i = 0; i < split.inner; ++i) {
            const std::int64_t at = o * split.length * split.inner + i;
            softmaxRow(x + at, y + at, split.length, split.inner, logarithm, row.data());
        }
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
    softmax.doc("y = e^x / sum of e^x over `axes`").source(canonical).input("x").output("y")
        .attr("axes", IntList{-1}).attr("half_to_float", false)
        .unit(Unit::Vector).fusionClass(FusionClass::Other).mayRunInPlace()
        .infer(inferSoftmax).cost(elementwise(8)).kernel(softmaxKernel(false));
    ops.add(std::move(softmax));

    OpDef logSoftmax("LogSoftmaxV2");
    logSoftmax.doc("logsoftmax = ln(e^x / sum of e^x over `axes`)").source(canonical)
        .input("logits").output("logsoftmax").attr("axes", IntList{-1})
        .unit(Unit::Vector).fusionClass(FusionClass::Other).mayRunInPlace()
        .infer(inferSoftmax).cost(elementwise(8)).kernel(softmaxKernel(true));
    ops.add(std::move(logSoftmax));

    OpDef hardMax("HardMax");
    hardMax.doc("1 at the first largest element along `axis`, 0 elsewhere").source(canonical)
        .input("x").output("y").attr("axis", -1)
        .unit(Unit::Vector).fusionClass(FusionClass::Other)
        .infer(sameAsInput).cost(elementwise(3)).kernel(hardMaxKernel);
    ops.add(std::move(hardMax));
}

} // namespace gelens
