// Normalisation with one mean and variance for each channel.

#include "engine/ops/cube_common.h"
#include "engine/ops/family_helpers.h"

#include <fmt/format.h>

#include <cmath>

namespace gelens {
namespace {

using namespace families;

/// Where the channels lie: NCHW, NCDHW, ND … have them at axis 1, NHWC and NDHWC last.
int channelAxis(const AttrMap& attrs, Format declared, int rank)
{
    return rank < 2 || isChannelsLast(attrs, declared) ? rank - 1 : 1;
}

/// Scale, offset, mean and variance as doubles, checked against the number of channels.
struct Parameters {
    std::vector<double> scale, offset, mean, variance;
};

Status readParameter(const KernelContext& context, int input, std::int64_t channels, std::vector<double>& values)
{
    if (!context.hasInput(input)) return {};
    auto read = context.doubles(input);
    if (!read.ok()) return read.error();
    values = std::move(read).value();
    if (static_cast<std::int64_t>(values.size()) != channels)
        return context.error(fmt::format("input {} has {} numbers for {} channels", input, values.size(), channels));
    return {};
}

Result<Parameters> readParameters(const KernelContext& context, std::int64_t channels)
{
    Parameters parameters;
    GELENS_TRY(readParameter(context, 1, channels, parameters.scale));
    GELENS_TRY(readParameter(context, 2, channels, parameters.offset));
    GELENS_TRY(readParameter(context, 3, channels, parameters.mean));
    GELENS_TRY(readParameter(context, 4, channels, parameters.variance));
    if (parameters.scale.empty() && channels > 0) return context.error("the scale is missing");
    parameters.offset.resize(static_cast<std::size_t>(channels));
    return parameters;
}

/// y = x · factor[c] + shift[c]; factors in the compute type, as the vector unit applies them.
template <typename T>
void applyByChannel(const T* x, T* y, const AxisSplit& split, const std::vector<double>& factor,
                    const std::vector<double>& shift)
{
    using C = ComputeType<T>;
    if (split.inner == 1) { // channels last
        std::vector<C> factors(factor.begin(), factor.end()), shifts(shift.begin(), shift.end());
        for (std::int64_t o = 0; o < split.outer; ++o)
            for (std::int64_t c = 0; c < split.length; ++c) {
                const auto at = static_cast<std::size_t>(c);
                y[o * split.length + c] = store<T>(load(x[o * split.length + c]) * factors[at] + shifts[at]);
            }
        return;
    }
    for (std::int64_t o = 0; o < split.outer; ++o) {
        for (std::int64_t c = 0; c < split.length; ++c) {
            const C f = static_cast<C>(factor[static_cast<std::size_t>(c)]);
            const C s = static_cast<C>(shift[static_cast<std::size_t>(c)]);
            const std::int64_t at = (o * split.length + c) * split.inner;
            unaryLoop(y + at, x + at, split.inner, [f, s](C value) { return value * f + s; });
        }
    }
}

/// Mean and (population) variance of each channel, in two passes over fp64 sums.
template <typename T>
void channelMoments(const T* x, const AxisSplit& split, std::vector<double>& mean, std::vector<double>& variance)
{
    const auto channels = static_cast<std::size_t>(split.length);
    mean.assign(channels, 0.0);
    variance.assign(channels, 0.0);
    const auto count = static_cast<double>(split.outer * split.inner);
    const auto forEach = [&](auto&& f) {
        for (std::int64_t o = 0; o < split.outer; ++o)
            for (std::int64_t c = 0; c < split.length; ++c)
                for (std::int64_t i = 0; i < split.inner; ++i)
                    f(static_cast<std::size_t>(c),
                      static_cast<double>(load(x[(o * split.length + c) * split.inner + i])));
    };
    forEach([&](std::size_t c, double value) { mean[c] += value; });
    for (double& value : mean) value /= count;
    forEach([&](std::size_t c, double value) { variance[c] += (value - mean[c]) * (value - mean[c]); });
    for (double& value : variance) value /= count;
}

Result<AxisSplit> channelSplit(const KernelContext& context)
{
    const Shape& shape = context.input(0).shape;
    if (shape.rank() == 0) return context.error("x is a scalar");
    return AxisSplit(shape, channelAxis(context.attrs(), context.input(0).originFormat, shape.rank()));
}

/// Factor and shift that normalise with these moments.
void foldMoments(const Parameters& p, const std::vector<double>& mean, const std::vector<double>& variance,
                 double epsilon, std::vector<double>& factor, std::vector<double>& shift)
{
    factor.resize(mean.size());
    shift.resize(mean.size());
    for (std::size_t c = 0; c < mean.size(); ++c) {
        factor[c] = p.scale[c] / std::sqrt(variance[c] + epsilon);
        shift[c] = p.offset[c] - mean[c] * factor[c];
    }
}

DataType parameterType(const KernelContext& context) { return context.input(1).dtype; }

Status setVector(KernelContext& context, int output, const std::vector<double>& values)
{
    if (output >= context.outputCount()) return {};
    const DataType dtype = parameterType(context);
    Status status;
    const bool known = visitFloating(dtype, [&]<typename T>(TypeTag<T>) {
        auto y = context.outputAs<T>(output, dtype, Shape{static_cast<std::int64_t>(values.size())});
        if (!y.ok())
            status = y.error();
        else
            unaryLoop(y.value(), values.data(), static_cast<std::int64_t>(values.size()),
                      [](double value) { return static_cast<ComputeType<T>>(value); });
    });
    return known ? status : Status(typeError(context, 1));
}

/// The running moments that training hands on: old ones by 1 - factor, this batch's by factor.
std::vector<double> blend(const std::vector<double>& old, const std::vector<double>& batch, double factor)
{
    if (old.empty()) return batch;
    std::vector<double> result(batch.size());
    for (std::size_t c = 0; c < batch.size(); ++c) result[c] = old[c] * (1 - factor) + batch[c] * factor;
    return result;
}

Status normalize(KernelContext& context, bool isTraining)
{
    const TensorView& x = context.input(0);
    GELENS_ASSIGN(const AxisSplit split, channelSplit(context));
    GELENS_ASSIGN(const Parameters parameters, readParameters(context, split.length));
    if (!isTraining && split.length > 0 && (parameters.mean.empty() || parameters.variance.empty()))
        return context.error("mean or variance is missing");
    const double epsilon = attrFloat(context.attrs(), "epsilon", 1e-5);
    std::vector<double> mean = parameters.mean, variance = parameters.variance, factor, shift;
    Status status;
    const bool known = visitFloating(x.dtype, [&]<typename T>(TypeTag<T>) {
        auto y = context.outputAs<T>(0, x.dtype, x.shape);
        if (!y.ok()) {
            status = y.error();
            return;
        }
        const T* const from = reinterpret_cast<const T*>(x.data);
        if (isTraining) channelMoments(from, split, mean, variance);
        foldMoments(parameters, mean, variance, epsilon, factor, shift);
        applyByChannel(from, y.value(), split, factor, shift);
    });
    if (!known) return typeError(context, 0);
    if (!status.ok()) return status;
    const double share = attrFloat(context.attrs(), "exponential_avg_factor", 1);
    GELENS_TRY(setVector(context, 1, isTraining ? blend(parameters.mean, mean, share) : mean));
    GELENS_TRY(setVector(context, 2, isTraining ? blend(parameters.variance, variance, share) : variance));
    GELENS_TRY(setVector(context, 3, mean));
    GELENS_TRY(setVector(context, 4, variance));
    return setVector(context, 5, {});
}

Status inferBatchNorm(InferContext& context)
{
    const Shape& x = context.shape(0);
    Shape channels{unknownDim};
    if (x.hasRank()) {
        if (x.rank() == 0) return context.error("x is a scalar");
        const int axis = channelAxis(context.attrs(), declaredFormat(context.node(), 0), x.rank());
        channels = Shape{x.dim(axis)};
        const Shape& scale = context.shape(1);
        if (scale.hasRank() &&
            (scale.rank() != 1 || (scale.dim(0) >= 0 && x.dim(axis) >= 0 && scale.dim(0) != x.dim(axis))))
            return context.error(fmt::format("scale of shape {} does not fit {} channels", scale.text(), x.dim(axis)));
        if (channels.dim(0) < 0 && scale.hasRank()) channels = scale;
    }
    context.setOutput(0, context.dtype(0), x);
    for (int i = 1; i < 5; ++i) context.setOutput(i, context.dtype(1), channels);
    context.setOutput(5, context.dtype(1), Shape{0});
    return {};
}

} // namespace

void registerBatchNormOps(OpRegistry& ops)
{
    OpDef batchNorm("BatchNorm");
    batchNorm.arithmetic(Arithmetic::SumsInFp64);
    batchNorm
        .doc("y = (x - mean) / √(variance + epsilon) · scale + offset for each channel. In training the batch's own "
             "moments are used and the blended ones handed on. reserve_space_1 and 2 are the moments used; "
             "reserve_space_3 is empty.")
        .source(canonical)
        .input("x")
        .input("scale")
        .input("offset")
        .optionalInput("mean")
        .optionalInput("variance")
        .output("y")
        .output("batch_mean")
        .output("batch_variance")
        .output("reserve_space_1")
        .output("reserve_space_2")
        .output("reserve_space_3")
        .attr("epsilon", 1e-4f)
        .attr("data_format", "NHWC")
        .attr("is_training", true)
        .attr("exponential_avg_factor", 1.0f)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Other)
        .formats(FormatSupport::FiveHd)
        .infer(inferBatchNorm)
        .cost(elementwise(2))
        .kernel(
            [](KernelContext& context) { return normalize(context, attrBool(context.attrs(), "is_training", true)); });
    ops.add(std::move(batchNorm));

    OpDef infer("BNInfer");
    infer.doc("BatchNorm in inference: y = (x - mean) / √(variance + epsilon) · scale + offset for each channel")
        .source(canonical)
        .input("x")
        .input("scale")
        .input("offset")
        .input("mean")
        .input("variance")
        .output("y")
        .requiredAttr("epsilon")
        .unit(Unit::Vector)
        .fusionClass(FusionClass::ElementWise)
        .formats(FormatSupport::FiveHd)
        .mayRunInPlace()
        .infer(sameAsInput)
        .cost(elementwise(2))
        .kernel([](KernelContext& context) { return normalize(context, false); });
    ops.add(std::move(infer));
}

} // namespace gelens
