// Normalisations joined with the residual add before them. Part of the fused family.

#include "engine/ops/cost_helpers.h"
#include "engine/ops/cube_common.h"
#include "engine/ops/fused_private.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <cmath>

namespace gelens {
namespace {

/// How a tensor splits into rows that are normalised: gamma covers the last axes.
struct Rows {
    std::int64_t count = 1, length = 1;
    Shape statistics; ///< shape of rstd and mean: normalised axes are 1
};

Result<Rows> readRows(const Shape& x, const Shape& gamma)
{
    Rows rows;
    if (gamma.rank() < 1 || gamma.rank() > x.rank())
        return Error::invalid(fmt::format("gamma of shape {} does not fit x of shape {}", gamma.text(), x.text()));
    const int first = x.rank() - gamma.rank();
    for (int i = 0; i < x.rank(); ++i) {
        const std::int64_t dim = x.dim(i);
        if (i < first) {
            appendDim(rows.statistics, x, i);
            rows.count = rows.count < 0 || dim < 0 ? unknownDim : rows.count * dim;
            continue;
        }
        if (dimsContradict(dim, gamma.dim(i - first)))
            return Error::invalid(fmt::format("gamma of shape {} does not fit x of shape {}", gamma.text(), x.text()));
        rows.statistics.append(1);
        rows.length = rows.length < 0 || dim < 0 ? unknownDim : rows.length * dim;
    }
    return rows;
}

Status checkOperands(const InferContext& context)
{
    if (context.dtype(0) != context.dtype(1)) return context.error("x1 and x2 have different types");
    const Shape &a = context.shape(0), &b = context.shape(1);
    if (!a.hasRank() || !b.hasRank()) return {};
    // x2 may repeat along leading axes of x1 (exporters share one position table over the batch).
    bool fits = a.rank() >= b.rank();
    for (int i = 1; fits && i <= b.rank(); ++i) fits = b.dim(-i) == 1 || !dimsContradict(a.dim(-i), b.dim(-i));
    if (!fits) return context.error(fmt::format("x2 of shape {} does not fit x1 of shape {}", b.text(), a.text()));
    return {};
}

/// Outputs: y like x1, `statistics` of fp32, then the sum like x1.
InferFunction inferAddNorm(int statistics)
{
    return [statistics](InferContext& context) -> Status {
        GELENS_TRY(checkOperands(context));
        const Shape& x = context.shape(0);
        Shape rows = Shape::unknownRank();
        if (x.hasRank() && context.shape(2).hasRank()) {
            auto read = readRows(x, context.shape(2));
            if (!read.ok()) return context.error(read.error().what);
            rows = read->statistics;
        }
        context.setOutput(0, context.dtype(0), x);
        for (int i = 1; i <= statistics; ++i) context.setOutput(i, DataType::Float, rows);
        context.setOutput(statistics + 1, context.dtype(0), x);
        return {};
    };
}

/// x1 + x2 (+ bias), rounded into the storage type as the separate Add would.
Result<std::vector<float>> roundedSum(const KernelContext& context, int biasSlot)
{
    GELENS_ASSIGN(std::vector<float> sum, context.floats(0));
    GELENS_ASSIGN(const FloatOperand second, FloatOperand::of(context, 1));
    if (!broadcastsTo(context.input(1).shape, context.input(0).shape)) return context.error("x2 does not fit x1");
    addBroadcast(sum.data(), context.input(0).shape, second.data(), context.input(1).shape);
    if (biasSlot >= 0 && context.hasInput(biasSlot)) {
        if (!broadcastsTo(context.input(biasSlot).shape, context.input(0).shape))
            return context.error("bias does not fit x1");
        GELENS_ASSIGN(const FloatOperand bias, FloatOperand::of(context, biasSlot));
        addBroadcast(sum.data(), context.input(0).shape, bias.data(), context.input(biasSlot).shape);
    }
    if (context.input(0).dtype == DataType::Float16)
        for (float& value : sum) value = halfToFloat(floatToHalf(value));
    else if (context.input(0).dtype == DataType::BFloat16)
        for (float& value : sum) value = bFloat16ToFloat(floatToBFloat16(value));
    return sum;
}

Status writeIfMade(KernelContext& context, int i, DataType dtype, const Shape& shape, std::span<const float> values)
{
    return i < context.outputCount() ? context.setFloats(i, dtype, shape, values) : Status();
}

Status addRmsNormKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    const auto rows = readRows(x.shape, context.input(2).shape);
    if (!rows.ok()) return context.error(rows.error().what);
    GELENS_ASSIGN(const std::vector<float> sum, roundedSum(context, -1));
    GELENS_ASSIGN(const FloatOperand gamma, FloatOperand::of(context, 2));
    const double epsilon = attrFloat(context.attrs(), "epsilon", 1e-6);
    std::vector<float> y(sum.size()), rstd(static_cast<std::size_t>(rows->count));
    for (std::int64_t r = 0; r < rows->count; ++r) {
        const float* const from = sum.data() + r * rows->length;
        double squares = 0;
        for (std::int64_t i = 0; i < rows->length; ++i) squares += static_cast<double>(from[i]) * from[i];
        const auto scale = static_cast<float>(1 / std::sqrt(squares / static_cast<double>(rows->length) + epsilon));
        rstd[static_cast<std::size_t>(r)] = scale;
        for (std::int64_t i = 0; i < rows->length; ++i)
            y[static_cast<std::size_t>(r * rows->length + i)] = from[i] * scale * gamma[static_cast<std::size_t>(i)];
    }
    // Inputs are read by now: outputs may lie over them (the in-place form).
    GELENS_TRY(context.setFloats(0, x.dtype, x.shape, y));
    GELENS_TRY(writeIfMade(context, 1, DataType::Float, rows->statistics, rstd));
    return writeIfMade(context, 2, x.dtype, x.shape, sum);
}

Status addLayerNormKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    const auto rows = readRows(x.shape, context.input(2).shape);
    if (!rows.ok()) return context.error(rows.error().what);
    GELENS_ASSIGN(const std::vector<float> sum, roundedSum(context, 4));
    GELENS_ASSIGN(const FloatOperand gamma, FloatOperand::of(context, 2));
    FloatOperand beta;
    const bool hasBeta = context.hasInput(3);
    if (hasBeta) {
        if (context.input(3).elementCount() != rows->length) return context.error("beta does not fit gamma");
        GELENS_ASSIGN(beta, FloatOperand::of(context, 3));
    }
    const double epsilon = attrFloat(context.attrs(), "epsilon", 1e-5);
    std::vector<float> y(sum.size()), mean(static_cast<std::size_t>(rows->count)), rstd(mean.size());
    for (std::int64_t r = 0; r < rows->count; ++r) {
        const float* const from = sum.data() + r * rows->length;
        const auto length = static_cast<double>(rows->length);
        double total = 0, squares = 0;
        for (std::int64_t i = 0; i < rows->length; ++i) total += from[i];
        const double middle = total / length;
        for (std::int64_t i = 0; i < rows->length; ++i) squares += (from[i] - middle) * (from[i] - middle);
        const double scale = 1 / std::sqrt(squares / length + epsilon);
        mean[static_cast<std::size_t>(r)] = static_cast<float>(middle);
        rstd[static_cast<std::size_t>(r)] = static_cast<float>(scale);
        for (std::int64_t i = 0; i < rows->length; ++i)
            y[static_cast<std::size_t>(r * rows->length + i)] =
                static_cast<float>((from[i] - middle) * scale) * gamma[static_cast<std::size_t>(i)] +
                (hasBeta ? beta[static_cast<std::size_t>(i)] : 0.0f);
    }
    GELENS_TRY(context.setFloats(0, x.dtype, x.shape, y));
    GELENS_TRY(writeIfMade(context, 1, DataType::Float, rows->statistics, mean));
    GELENS_TRY(writeIfMade(context, 2, DataType::Float, rows->statistics, rstd));
    return writeIfMade(context, 3, x.dtype, x.shape, sum);
}

} // namespace

void registerFusedNormOps(OpRegistry& registry)
{
    const char* const doc =
        "x = x1 + x2, rounded into the storage type; rstd = 1 / sqrt(mean(x²) + epsilon) over gamma's axes; "
        "y = x · rstd · gamma, the mean in fp64, the rest in fp32, rounded once. ";
    registry.add(OpDef("AddRmsNorm")
                     .doc(doc)
                     .source("CANN operator library")
                     .input("x1")
                     .input("x2")
                     .input("gamma")
                     .output("y")
                     .output("rstd")
                     .output("x")
                     .attr("epsilon", 1e-6f)
                     .unit(Unit::Vector)
                     .formats(FormatSupport::Matrices)
                     .fusionClass(FusionClass::Reduce)
                     .infer(inferAddNorm(1))
                     .cost(perInputElement(5))
                     .kernel(addRmsNormKernel));
    registry.add(OpDef("InplaceAddRmsNorm")
                     .doc(std::string(doc) + "y lies over x1 and x over x2")
                     .source("CANN operator library")
                     .input("x1")
                     .input("x2")
                     .input("gamma")
                     .output("x1")
                     .output("rstd")
                     .output("x2")
                     .attr("epsilon", 1e-6f)
                     .unit(Unit::Vector)
                     .formats(FormatSupport::Matrices)
                     .fusionClass(FusionClass::Reduce)
                     .mayRunInPlace(0, 0)
                     .mayRunInPlace(2, 1)
                     .infer(inferAddNorm(1))
                     .cost(perInputElement(5))
                     .kernel(addRmsNormKernel));
    registry.add(
        OpDef("AddLayerNorm")
            .doc("x = x1 + x2 (+ bias), rounded into the storage type; y = (x − mean) · rstd · gamma + beta over "
                 "gamma's axes; the two means in fp64, the rest in fp32, rounded once")
            .source("CANN operator library")
            .input("x1")
            .input("x2")
            .input("gamma")
            .optionalInput("beta")
            .optionalInput("bias")
            .output("y")
            .output("mean")
            .output("rstd")
            .output("x")
            .attr("epsilon", 1e-5f)
            .attr("additional_output", false)
            .unit(Unit::Vector)
            .fusionClass(FusionClass::Reduce)
            .formats(FormatSupport::Matrices)
            .infer(inferAddNorm(2))
            .cost(perInputElement(8))
            .kernel(addLayerNormKernel));
}

} // namespace gelens
