// Normalisation over the trailing dims, over groups of channels, over neighbours. Moments in fp64, results in fp32
// (fp64 for fp64), rounded on store.

#include "engine/ops/family_helpers.h"
#include "engine/ops/op_families.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

using namespace families;

struct Moments {
    double mean = 0, variance = 0;
};

template <typename T>
Moments momentsOf(const T* row, std::int64_t n)
{
    Moments moments;
    for (std::int64_t i = 0; i < n; ++i) moments.mean += static_cast<double>(load(row[i]));
    moments.mean /= static_cast<double>(n);
    for (std::int64_t i = 0; i < n; ++i) {
        const double difference = static_cast<double>(load(row[i])) - moments.mean;
        moments.variance += difference * difference;
    }
    moments.variance /= static_cast<double>(n);
    return moments;
}

/// Numbers of an optional input in type C; `otherwise` when it is absent.
template <typename C>
Result<std::vector<C>> parameter(const KernelContext& context, int input, std::int64_t count, double otherwise)
{
    if (!context.hasInput(input)) return std::vector<C>(static_cast<std::size_t>(count), static_cast<C>(otherwise));
    GELENS_ASSIGN(const std::vector<double> values, context.doubles(input));
    if (static_cast<std::int64_t>(values.size()) != count)
        return context.error(fmt::format("input {} has {} numbers instead of {}", input, values.size(), count));
    return std::vector<C>(values.begin(), values.end());
}

/// Writes one number for each row.
Status setRows(KernelContext& context, int output, DataType dtype, const Shape& shape,
               const std::vector<double>& values)
{
    if (output >= context.outputCount()) return {};
    Status status;
    const bool known = visitFloating(dtype, [&]<typename T>(TypeTag<T>) {
        auto y = context.outputAs<T>(output, dtype, shape);
        if (!y.ok())
            status = y.error();
        else
            unaryLoop(y.value(), values.data(), static_cast<std::int64_t>(values.size()),
                      [](double value) { return static_cast<ComputeType<T>>(value); });
    });
    return known ? status : Status(typeError(context, 0));
}

// --- LayerNorm, LayerNormV3 ---

Result<int> firstNormAxis(const AttrMap& attrs, int rank)
{
    const std::int64_t axis = attrInt(attrs, "begin_norm_axis", 0);
    const std::optional<int> normal = normalizeAxis(axis, std::max(rank, 1));
    if (!normal)
        return Error::invalid(fmt::format("begin_norm_axis {} does not exist in a tensor of rank {}", axis, rank));
    return *normal;
}

/// The leading dims, and 1 for each normalised one.
Shape statisticsShape(const Shape& x, int axis)
{
    Shape shape;
    for (int i = 0; i < x.rank(); ++i) {
        if (i < axis)
            shape.append(x.dim(i), x.symbol(static_cast<std::size_t>(i)));
        else
            shape.append(1);
    }
    return shape;
}

/// How statistics are stored: in fp32, whatever x is.
InferFunction inferLayerNorm()
{
    return [](InferContext& context) -> Status {
        const Shape& x = context.shape(0);
        context.setOutput(0, context.dtype(0), x);
        Shape statistics = Shape::unknownRank();
        if (x.hasRank()) {
            const auto axis = firstNormAxis(context.attrs(), x.rank());
            if (!axis.ok()) return at(context, axis.error());
            statistics = statisticsShape(x, axis.value());
        }
        context.setOutput(1, DataType::Float, statistics);
        context.setOutput(2, DataType::Float, statistics);
        return {};
    };
}

/// Scale and shift broadcast to the normalised dims (ONNX allows a smaller scale): one number for each element of a
/// row.
template <typename C>
Result<std::vector<C>> rowParameter(const KernelContext& context, int input, const Shape& row, double otherwise)
{
    const std::int64_t n = row.elementCount().value_or(0);
    const TensorView& view = context.input(input);
    if (!view.isPresent() || view.elementCount() == n) return parameter<C>(context, input, n, otherwise);
    GELENS_ASSIGN(const std::vector<double> values, context.doubles(input));
    const auto wide = broadcastShapes(row, view.shape);
    if (!wide.ok() || !(wide.value() == row))
        return context.error(fmt::format("input {} of shape {} does not fit {}", input, view.shape.text(), row.text()));
    std::vector<C> result(static_cast<std::size_t>(n));
    const BroadcastPlan plan(row, {&row, &view.shape});
    binaryLoop(plan, result.data(), result.data(), values.data(),
               [](C, double value) { return static_cast<C>(value); });
    return result;
}

Status layerNorm(KernelContext& context, double defaultEpsilon, bool givesInverse)
{
    const TensorView& x = context.input(0);
    const auto axis = firstNormAxis(context.attrs(), x.shape.rank());
    if (!axis.ok()) return context.error(axis.error().what);
    const double epsilon = attrFloat(context.attrs(), "epsilon", defaultEpsilon);
    std::int64_t rows = 1;
    Shape rowShape;
    for (int i = 0; i < x.shape.rank(); ++i) {
        if (i < axis.value())
            rows *= x.shape.dim(i);
        else
            rowShape.append(x.shape.dim(i));
    }
    const std::int64_t n = rowShape.elementCount().value_or(0);
    std::vector<double> means, spreads;
    Status status;
    const bool known = visitFloating(x.dtype, [&]<typename T>(TypeTag<T>) {
        using C = ComputeType<T>;
        auto gamma = rowParameter<C>(context, 1, rowShape, 1);
        auto beta = rowParameter<C>(context, 2, rowShape, 0);
        auto y = context.outputAs<T>(0, x.dtype, x.shape);
        if (!gamma.ok() || !beta.ok() || !y.ok()) {
            status = !gamma.ok() ? gamma.error() : !beta.ok() ? beta.error() : y.error();
            return;
        }
        const C* const g = gamma.value().data();
        const C* const b = beta.value().data();
        for (std::int64_t r = 0; r < rows; ++r) {
            const T* const from = reinterpret_cast<const T*>(x.data) + r * n;
            T* const to = y.value() + r * n;
            const Moments moments = momentsOf(from, n);
            const double inverse = 1 / std::sqrt(moments.variance + epsilon);
            means.push_back(moments.mean);
            spreads.push_back(givesInverse ? inverse : moments.variance);
            // The mean is subtracted before rounding: in a row far from 0 its own rounding would be all that is left. The
            // same order as AddLayerNorm's, so that joining the two changes no bit.
            for (std::int64_t i = 0; i < n; ++i)
                to[i] = store<T>(static_cast<C>((static_cast<double>(load(from[i])) - moments.mean) * inverse) * g[i] +
                                 b[i]);
        }
    });
    if (!known) return typeError(context, 0);
    if (!status.ok()) return status;
    const Shape statistics = statisticsShape(x.shape, axis.value());
    GELENS_TRY(setRows(context, 1, DataType::Float, statistics, means));
    return setRows(context, 2, DataType::Float, statistics, spreads);
}

OpDef layerNormOp(std::string type, const char* spread, float epsilon, bool givesInverse)
{
    OpDef def(std::move(type));
    def.doc(std::string(
                "y = (x - mean) / √(variance + epsilon) · gamma + beta over the dims from begin_norm_axis on; ") +
            (givesInverse ? "rstd = 1 / √(variance + epsilon)" : "mean and variance in fp32"))
        .source(canonical)
        .input("x")
        .input("gamma")
        .optionalInput("beta")
        .output("y")
        .output("mean")
        .output(spread)
        .attr("begin_norm_axis", 0)
        .attr("begin_params_axis", 0)
        .attr("epsilon", epsilon);
    def.unit(Unit::Vector).fusionClass(FusionClass::Other).arithmetic(Arithmetic::SumsInFp64);
    def.infer(inferLayerNorm()).cost(perInputElement(8));
    def.kernel([=](KernelContext& context) { return layerNorm(context, epsilon, givesInverse); });
    return def;
}

// --- RmsNorm ---

Status inferRmsNorm(InferContext& context)
{
    const Shape& x = context.shape(0);
    const Shape& gamma = context.shape(1);
    context.setOutput(0, context.dtype(0), x);
    if (!x.hasRank() || !gamma.hasRank()) {
        context.setOutput(1, DataType::Float, Shape::unknownRank());
        return {};
    }
    if (gamma.rank() > x.rank()) return context.error("gamma has a higher rank than x");
    context.setOutput(1, DataType::Float, statisticsShape(x, x.rank() - gamma.rank()));
    return {};
}

Status rmsNormKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    const TensorView& gamma = context.input(1);
    const int axis = x.shape.rank() - gamma.shape.rank();
    if (axis < 0) return context.error("gamma has a higher rank than x");
    std::int64_t rows = 1;
    Shape rowShape;
    for (int i = 0; i < x.shape.rank(); ++i) {
        if (i < axis)
            rows *= x.shape.dim(i);
        else
            rowShape.append(x.shape.dim(i));
    }
    const std::int64_t n = rowShape.elementCount().value_or(0);
    const double epsilon = attrFloat(context.attrs(), "epsilon", 1e-6);
    std::vector<double> inverses;
    Status status;
    const bool known = visitFloating(x.dtype, [&]<typename T>(TypeTag<T>) {
        using C = ComputeType<T>;
        auto scale = rowParameter<C>(context, 1, rowShape, 1);
        auto y = context.outputAs<T>(0, x.dtype, x.shape);
        if (!scale.ok() || !y.ok()) {
            status = !scale.ok() ? scale.error() : y.error();
            return;
        }
        for (std::int64_t r = 0; r < rows; ++r) {
            const T* const from = reinterpret_cast<const T*>(x.data) + r * n;
            T* const to = y.value() + r * n;
            double squares = 0;
            for (std::int64_t i = 0; i < n; ++i)
                squares += static_cast<double>(load(from[i])) * static_cast<double>(load(from[i]));
            inverses.push_back(1 / std::sqrt(squares / static_cast<double>(n) + epsilon));
            const C factor = static_cast<C>(inverses.back());
            for (std::int64_t i = 0; i < n; ++i)
                to[i] = store<T>(load(from[i]) * factor * scale.value()[static_cast<std::size_t>(i)]);
        }
    });
    if (!known) return typeError(context, 0);
    if (!status.ok()) return status;
    return setRows(context, 1, DataType::Float, statisticsShape(x.shape, axis), inverses);
}

// --- GroupNorm, InstanceNorm ---

/// Normalises each group of neighbouring channels of each sample. `gamma` and `beta` have one number for each channel,
/// or one for each group (ONNX GroupNormalization-18).
Status groupNorm(KernelContext& context, std::int64_t groups, double epsilon, Shape statistics)
{
    const TensorView& x = context.input(0);
    if (x.shape.rank() < 2) return context.error("x needs a rank of at least 2");
    const std::int64_t samples = x.shape.dim(0), channels = x.shape.dim(1);
    if (groups <= 0 || channels % groups != 0)
        return context.error(fmt::format("{} channels cannot be divided into {} groups", channels, groups));
    std::int64_t places = 1;
    for (int i = 2; i < x.shape.rank(); ++i) places *= x.shape.dim(i);
    const std::int64_t size = channels / groups;
    const bool byGroup = context.input(1).elementCount() == groups && groups != channels;
    const std::int64_t count = byGroup ? groups : channels;
    std::vector<double> means, variances;
    Status status;
    const bool known = visitFloating(x.dtype, [&]<typename T>(TypeTag<T>) {
        using C = ComputeType<T>;
        auto gamma = parameter<C>(context, 1, count, 1);
        auto beta = parameter<C>(context, 2, count, 0);
        auto y = context.outputAs<T>(0, x.dtype, x.shape);
        if (!gamma.ok() || !beta.ok() || !y.ok()) {
            status = !gamma.ok() ? gamma.error() : !beta.ok() ? beta.error() : y.error();
            return;
        }
        for (std::int64_t g = 0; g < samples * groups; ++g) {
            const std::int64_t begin = g * size * places;
            const T* const from = reinterpret_cast<const T*>(x.data) + begin;
            const Moments moments = momentsOf(from, size * places);
            means.push_back(moments.mean);
            variances.push_back(moments.variance);
            const C mean = static_cast<C>(moments.mean);
            const C inverse = static_cast<C>(1 / std::sqrt(moments.variance + epsilon));
            for (std::int64_t c = 0; c < size; ++c) {
                const std::int64_t channel = g % groups * size + c;
                const auto which = static_cast<std::size_t>(byGroup ? g % groups : channel);
                const C factor = inverse * gamma.value()[which], shift = beta.value()[which];
                unaryLoop(y.value() + begin + c * places, from + c * places, places,
                          [=](C value) { return (value - mean) * factor + shift; });
            }
        }
    });
    if (!known) return typeError(context, 0);
    if (!status.ok()) return status;
    GELENS_TRY(setRows(context, 1, DataType::Float, statistics, means));
    return setRows(context, 2, DataType::Float, statistics, variances);
}

Shape instanceStatistics(const Shape& x)
{
    Shape shape;
    for (int i = 0; i < x.rank(); ++i) {
        if (i < 2)
            shape.append(x.dim(i), x.symbol(static_cast<std::size_t>(i)));
        else
            shape.append(1);
    }
    return shape;
}

void registerGroups(OpRegistry& ops)
{
    OpDef instance("InstanceNorm");
    instance.arithmetic(Arithmetic::SumsInFp64);
    instance.doc("y = (x - mean) / √(variance + epsilon) · gamma + beta for each channel of each sample")
        .source(canonical)
        .input("x")
        .input("gamma")
        .input("beta")
        .output("y")
        .output("mean")
        .output("variance")
        .attr("data_format", "NCHW")
        .attr("epsilon", 1e-6f)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Other)
        .infer([](InferContext& context) -> Status {
            const Shape& x = context.shape(0);
            if (x.hasRank() && x.rank() < 2) return context.error("x needs a rank of at least 2");
            context.setOutput(0, context.dtype(0), x);
            const Shape statistics = x.hasRank() ? instanceStatistics(x) : Shape::unknownRank();
            context.setOutput(1, DataType::Float, statistics);
            context.setOutput(2, DataType::Float, statistics);
            return {};
        })
        .cost(perInputElement(8))
        .kernel([](KernelContext& context) -> Status {
            const Shape& x = context.input(0).shape;
            if (x.rank() < 2) return context.error("x needs a rank of at least 2");
            if (x.dim(1) == 0) return context.error("x has no channels");
            return groupNorm(context, x.dim(1), attrFloat(context.attrs(), "epsilon", 1e-6), instanceStatistics(x));
        });
    ops.add(std::move(instance));

    OpDef group("GroupNorm");
    group.arithmetic(Arithmetic::SumsInFp64);
    group
        .doc("y = (x - mean) / √(variance + eps) · gamma + beta for each group of channels of each sample; gamma and "
             "beta have one number for each channel or for each group")
        .source("CANN operator library; parameters by group from ONNX GroupNormalization-18")
        .input("x")
        .input("gamma")
        .input("beta")
        .output("y")
        .output("mean")
        .output("variance")
        .requiredAttr("num_groups")
        .attr("data_format", "NCHW")
        .attr("eps", 1e-5f)
        .attr("is_training", true)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Other)
        .infer([](InferContext& context) -> Status {
            const Shape& x = context.shape(0);
            const std::int64_t groups = attrInt(context.attrs(), "num_groups", 0);
            if (groups <= 0) return context.error("num_groups is not positive");
            context.setOutput(0, context.dtype(0), x);
            Shape statistics = Shape::unknownRank();
            if (x.hasRank()) {
                if (x.rank() < 2) return context.error("x needs a rank of at least 2");
                statistics = Shape{};
                statistics.append(x.dim(0), x.symbol(0));
                statistics.append(groups);
            }
            context.setOutput(1, DataType::Float, statistics);
            context.setOutput(2, DataType::Float, statistics);
            return {};
        })
        .cost(perInputElement(8))
        .kernel([](KernelContext& context) -> Status {
            const std::int64_t groups = attrInt(context.attrs(), "num_groups", 0);
            const Shape& x = context.input(0).shape;
            return groupNorm(context, groups, attrFloat(context.attrs(), "eps", 1e-5),
                             x.rank() > 0 ? Shape{x.dim(0), groups} : Shape{});
        });
    ops.add(std::move(group));
}

} // namespace

void registerNormalizationOps(OpRegistry& ops)
{
    ops.add(layerNormOp("LayerNorm", "variance", 1e-7f, false));
    ops.add(layerNormOp("LayerNormV3", "rstd", 1e-5f, true));
    OpDef rms("RmsNorm");
    rms.doc("y = x / √(mean of x² + epsilon) · gamma over the dims that gamma has; rstd is the factor, in fp32")
        .source(canonical)
        .input("x")
        .input("gamma")
        .output("y")
        .output("rstd")
        .attr("epsilon", 1e-6f)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Other)
        .formats(FormatSupport::Matrices)
        .infer(inferRmsNorm)
        .cost(perInputElement(5))
        .kernel(rmsNormKernel);
    ops.add(std::move(rms));
    registerGroups(ops);
    registerBatchNormOps(ops);
    registerNeighbourNormOps(ops);
}

} // namespace gelens
