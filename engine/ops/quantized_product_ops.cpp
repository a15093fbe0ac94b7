// Products and convolutions of quantised tensors. Part of the quantisation family.

#include "engine/ops/convolution_core.h"
#include "engine/ops/cost_helpers.h"
#include "engine/ops/matmul_core.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/quantization_private.h"

#include <fmt/format.h>

#include <cmath>

namespace gelens {
namespace {

bool isQuantizedType(DataType type)
{
    return type == DataType::Int8 || type == DataType::UInt8 || type == DataType::Int4 || type == DataType::UInt4;
}

/// A quantised operand as int32 with its zero point taken off. The zero point is one number, one for each row (of the
/// left operand) or column (of the right), or a tensor that broadcasts.
Result<std::vector<std::int32_t>> centred(const KernelContext& context, int slot, int zeroSlot, bool isLeft)
{
    const TensorView& x = context.input(slot);
    if (!isQuantizedType(x.dtype))
        return context.error(fmt::format("input {} is {}, not a quantised type", slot, dataTypeShortName(x.dtype)));
    GELENS_ASSIGN(const std::vector<std::int64_t> wide, context.ints(slot));
    std::vector<std::int32_t> values(wide.begin(), wide.end());
    if (zeroSlot < 0 || !context.hasInput(zeroSlot)) return values;
    GELENS_ASSIGN(const std::vector<std::int64_t> zeros, context.ints(zeroSlot));
    if (zeros.size() == 1) {
        for (std::int32_t& value : values) value -= static_cast<std::int32_t>(zeros[0]);
        return values;
    }
    Shape shape = context.input(zeroSlot).shape;
    if (shape.rank() == 1 && isLeft) shape.append(1); // rows
    if (!broadcastsTo(shape, x.shape))
        return context.error(fmt::format("zero point of shape {} does not fit {}", context.input(zeroSlot).shape.text(),
                                         x.shape.text()));
    const auto strides = broadcastStrides(shape, x.shape);
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto rest = static_cast<std::int64_t>(i);
        std::int64_t at = 0;
        for (int axis = x.shape.rank() - 1; axis >= 0; --axis) {
            at += rest % x.shape.dim(axis) * strides[static_cast<std::size_t>(axis)];
            rest /= x.shape.dim(axis);
        }
        values[i] -= static_cast<std::int32_t>(zeros[static_cast<std::size_t>(at)]);
    }
    return values;
}

Result<std::vector<std::int32_t>> integerProduct(const KernelContext& context, int a, int aZero, int b, int bZero,
                                                 MatMulPlan& plan)
{
    auto planned = planMatMul(context.input(a).shape, context.input(b).shape, false, false);
    if (!planned.ok()) return context.error(planned.error().what);
    plan = *planned;
    GELENS_ASSIGN(const std::vector<std::int32_t> left, centred(context, a, aZero, true));
    GELENS_ASSIGN(const std::vector<std::int32_t> right, centred(context, b, bZero, false));
    std::vector<std::int32_t> y(static_cast<std::size_t>(plan.out.elementCount().value_or(0)));
    matMulExact<std::int32_t, std::int32_t>(plan, batchOffsets(context.input(a).shape, plan.batch),
                                            batchOffsets(context.input(b).shape, plan.batch), false, false, left.data(),
                                            right.data(), y.data());
    return y;
}

Status inferIntegerProduct(InferContext& context)
{
    auto plan = planMatMul(context.shape(0), context.shape(1), false, false);
    if (!plan.ok()) return context.error(plan.error().what);
    context.setOutput(0, DataType::Int32, plan->out);
    return {};
}

Status integerProductKernel(KernelContext& context)
{
    MatMulPlan plan;
    GELENS_ASSIGN(const std::vector<std::int32_t> sums, integerProduct(context, 0, 2, 1, 3, plan));
    GELENS_ASSIGN(std::int32_t* const y, context.outputAs<std::int32_t>(0, DataType::Int32, plan.out));
    std::copy(sums.begin(), sums.end(), y);
    return {};
}

// ---- QLinearMatMul: a, a_scale, a_zero_point, b, b_scale, b_zero_point, y_scale, y_zero_point ----

Status inferQLinearMatMul(InferContext& context)
{
    auto plan = planMatMul(context.shape(0), context.shape(3), false, false);
    if (!plan.ok()) return context.error(plan.error().what);
    context.setOutput(0, context.dtype(7), plan->out);
    return {};
}

/// Scale of a row (left) or column (right) of the result; one scale serves all.
Result<std::vector<float>> axisScales(const KernelContext& context, int slot, std::int64_t length)
{
    GELENS_ASSIGN(std::vector<float> scales, context.floats(slot));
    if (scales.size() == 1) scales.assign(static_cast<std::size_t>(std::max<std::int64_t>(length, 1)), scales[0]);
    if (static_cast<std::int64_t>(scales.size()) != std::max<std::int64_t>(length, 1))
        return context.error(fmt::format("input {} has {} scales for {}", slot, scales.size(), length));
    return scales;
}

Status qLinearMatMulKernel(KernelContext& context)
{
    MatMulPlan plan;
    GELENS_ASSIGN(const std::vector<std::int32_t> sums, integerProduct(context, 0, 2, 3, 5, plan));
    GELENS_ASSIGN(const std::vector<float> left, axisScales(context, 1, plan.m));
    GELENS_ASSIGN(const std::vector<float> right, axisScales(context, 4, plan.n));
    GELENS_ASSIGN(const std::vector<float> yScale, context.floats(6));
    GELENS_ASSIGN(const std::vector<double> zero, context.doubles(7));
    if (yScale.size() != 1 || zero.size() != 1) return context.error("y_scale and y_zero_point need one element each");
    const DataType type = context.input(7).dtype;
    const auto range = quantRange(type);
    if (!range.ok()) return context.error(range.error().what);
    std::vector<double> y(sums.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
        const auto column = static_cast<std::int64_t>(i) % plan.n, row = static_cast<std::int64_t>(i) / plan.n % plan.m;
        const float factor = left[static_cast<std::size_t>(row)] * right[static_cast<std::size_t>(column)] / yScale[0];
        y[i] = std::nearbyint(static_cast<float>(sums[i]) * factor) + zero[0];
    }
    storeQuantized(y, type, *range, true);
    return writeDoubles(context, 0, type, plan.out, y);
}

// ---- convolutions ----

/// Slots of the operands; -1 where an operator has none.
struct ConvSlots {
    int x, xZero, filter, filterZero, bias;
};

struct IntegerConvolution {
    ConvProblem problem;
    std::vector<std::int32_t> sums;
};

Result<IntegerConvolution> convolveIntegers(const KernelContext& context, const ConvSlots& slots)
{
    IntegerConvolution result;
    const Shape &x = context.input(slots.x).shape, &filter = context.input(slots.filter).shape;
    auto problem =
        readConvolution(context.attrs(), isChannelsLast(context.attrs(), context.input(slots.x).originFormat), x,
                        filter, std::clamp(x.rank() - 2, 1, 3), false, attrInt(context.attrs(), "groups", 1));
    if (!problem.ok()) return context.error(problem.error().what);
    result.problem = *problem;
    if (problem->channelsLast) return context.error("channels-last order is not supported");
    GELENS_ASSIGN(const std::vector<std::int32_t> data, centred(context, slots.x, slots.xZero, false));
    GELENS_ASSIGN(const std::vector<std::int32_t> weights, centred(context, slots.filter, -1, false));
    std::vector<std::int32_t> zeros, bias;
    if (slots.filterZero >= 0 && context.hasInput(slots.filterZero)) {
        GELENS_ASSIGN(const std::vector<std::int64_t> wide, context.ints(slots.filterZero));
        zeros.assign(wide.begin(), wide.end());
        if (zeros.size() != 1 && static_cast<std::int64_t>(zeros.size()) != problem->spec.outChannels)
            return context.error(
                fmt::format("{} filter zero points for {} channels", zeros.size(), problem->spec.outChannels));
    }
    if (slots.bias >= 0 && context.hasInput(slots.bias)) {
        GELENS_ASSIGN(const std::vector<std::int64_t> wide, context.ints(slots.bias));
        bias.assign(wide.begin(), wide.end());
        if (static_cast<std::int64_t>(bias.size()) != problem->spec.outChannels)
            return context.error(
                fmt::format("bias of {} elements for {} channels", bias.size(), problem->spec.outChannels));
    }
    const auto count = problem->out.elementCount();
    if (!count) return context.error("the result is too large");
    result.sums.resize(static_cast<std::size_t>(*count));
    // Padding stands for the zero point, which is zero once it is taken off: it simply does not take part.
    convolve<std::int32_t, std::int32_t, std::int32_t>(problem->spec, data.data(), weights.data(),
                                                       bias.empty() ? nullptr : bias.data(), result.sums.data(), 0,
                                                       zeros.empty() ? nullptr : zeros.data(), zeros.size() > 1);
    return result;
}

InferFunction inferQuantizedConvolution(int filterSlot, int typeSlot)
{
    return [=](InferContext& context) -> Status {
        const DataType type = typeSlot < 0 ? DataType::Int32 : context.dtype(typeSlot);
        const Shape &x = context.shape(0), &filter = context.shape(filterSlot);
        if (!x.hasRank() || !filter.hasRank()) {
            context.setOutput(0, type, Shape::unknownRank());
            return {};
        }
        auto problem =
            readConvolution(context.attrs(), isChannelsLast(context.attrs(), declaredFormat(context.node(), 0)), x,
                            filter, std::clamp(x.rank() - 2, 1, 3), false, attrInt(context.attrs(), "groups", 1));
        if (!problem.ok()) return context.error(problem.error().what);
        context.setOutput(0, type, problem->out);
        return {};
    };
}

Status convIntegerKernel(KernelContext& context)
{
    GELENS_ASSIGN(const IntegerConvolution result, convolveIntegers(context, {0, 2, 1, 3, -1}));
    GELENS_ASSIGN(std::int32_t* const y, context.outputAs<std::int32_t>(0, DataType::Int32, result.problem.out));
    std::copy(result.sums.begin(), result.sums.end(), y);
    return {};
}

/// x, x_scale, x_zero_point, w, w_scale, w_zero_point, y_scale, y_zero_point, bias.
Status qLinearConvKernel(KernelContext& context)
{
    GELENS_ASSIGN(const IntegerConvolution result, convolveIntegers(context, {0, 2, 3, 5, 8}));
    const std::int64_t channels = result.problem.spec.outChannels;
    GELENS_ASSIGN(const std::vector<float> xScale, context.floats(1));
    GELENS_ASSIGN(const std::vector<float> wScale, axisScales(context, 4, channels));
    GELENS_ASSIGN(const std::vector<float> yScale, context.floats(6));
    GELENS_ASSIGN(const std::vector<double> zero, context.doubles(7));
    if (xScale.size() != 1 || yScale.size() != 1 || zero.size() != 1)
        return context.error("x_scale, y_scale and y_zero_point need one element each");
    const DataType type = context.input(7).dtype;
    const auto range = quantRange(type);
    if (!range.ok()) return context.error(range.error().what);
    std::int64_t plane = 1;
    for (const std::int64_t size : result.problem.spec.out) plane *= size;
    std::vector<double> y(result.sums.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
        const auto channel = static_cast<std::size_t>(static_cast<std::int64_t>(i) / plane % channels);
        const float factor = xScale[0] * wScale[channel] / yScale[0];
        y[i] = std::nearbyint(static_cast<float>(result.sums[i]) * factor) + zero[0];
    }
    storeQuantized(y, type, *range, true);
    return writeDoubles(context, 0, type, result.problem.out, y);
}

CostFunction quantizedConvolutionCost(int filterSlot)
{
    return [filterSlot](const Node& node, const Graph& graph) {
        const Shape &x = inputDesc(node, graph, 0).originShape,
                    &filter = inputDesc(node, graph, filterSlot).originShape;
        if (!x.hasRank() || !filter.hasRank()) return bytesOnly(node, graph);
        const auto problem = readConvolution(node.attrs, isChannelsLast(node.attrs, declaredFormat(node, 0)), x, filter,
                                             std::clamp(x.rank() - 2, 1, 3), false, attrInt(node.attrs, "groups", 1));
        return problem.ok() ? convolutionCost(node, graph, *problem, false) : bytesOnly(node, graph);
    };
}

// ---- MatMulNBits: weights of 2, 4 or 8 bits in blocks along K, [N, K/block, block·bits/8] ----

struct NBits {
    std::int64_t k, n, block, bits, blocks;
};

Result<NBits> readNBits(const AttrMap& attrs)
{
    NBits p{attrInt(attrs, "K"), attrInt(attrs, "N"), attrInt(attrs, "block_size"), attrInt(attrs, "bits", 4), 0};
    if (p.k < 1 || p.n < 1 || p.block < 1 || (p.bits != 2 && p.bits != 4 && p.bits != 8))
        return Error::invalid("K, N, block_size and bits (2, 4 or 8) must be positive");
    p.blocks = (p.k + p.block - 1) / p.block;
    return p;
}

Status inferNBits(InferContext& context)
{
    const auto p = readNBits(context.attrs());
    if (!p.ok()) return context.error(p.error().what);
    Shape out = context.shape(0);
    if (out.hasRank()) {
        if (out.rank() < 1 || dimsContradict(out.dim(-1), p->k))
            return context.error(fmt::format("A of shape {} has not {} columns", out.text(), p->k));
        Shape product;
        for (int i = 0; i + 1 < out.rank(); ++i) appendDim(product, out, i);
        product.append(p->n);
        out = product;
    }
    context.setOutput(0, context.dtype(0), out);
    return {};
}

unsigned packedAt(const std::byte* data, std::int64_t index, std::int64_t bits)
{
    const std::int64_t perByte = 8 / bits;
    return (std::to_integer<unsigned>(data[index / perByte]) >> (index % perByte * bits)) & ((1u << bits) - 1);
}

/// The weights as fp32, [N, K].
Result<std::vector<float>> unpackWeights(const KernelContext& context, const NBits& p)
{
    const TensorView &b = context.input(1), &zeros = context.input(3);
    const std::int64_t rowBytes = (p.block * p.bits + 7) / 8;
    if (dataTypeBits(b.dtype) != 8 || b.elementCount() != p.n * p.blocks * rowBytes)
        return context.error(
            fmt::format("B of shape {} does not hold {} x {} weights of {} bits", b.shape.text(), p.n, p.k, p.bits));
    GELENS_ASSIGN(const std::vector<float> scales, context.floats(2));
    if (static_cast<std::int64_t>(scales.size()) != p.n * p.blocks)
        return context.error("scales do not fit the blocks");
    std::vector<float> zeroValues;
    const bool isPacked = zeros.isPresent() && zeros.dtype == DataType::UInt8;
    const std::int64_t zeroBytes = (p.blocks * p.bits + 7) / 8;
    if (isPacked && zeros.elementCount() != p.n * zeroBytes) return context.error("zero_points do not fit the blocks");
    if (zeros.isPresent() && !isPacked) {
        GELENS_ASSIGN(zeroValues, context.floats(3));
        if (zeroValues.size() != scales.size()) return context.error("zero_points do not fit the blocks");
    }
    std::vector<float> weights(static_cast<std::size_t>(p.n * p.k));
    for (std::int64_t n = 0; n < p.n; ++n) {
        for (std::int64_t k = 0; k < p.k; ++k) {
            const std::int64_t block = k / p.block, at = n * p.blocks + block;
            float zero = static_cast<float>(1u << (p.bits - 1));
            if (isPacked)
                zero = static_cast<float>(packedAt(zeros.data + n * zeroBytes, block, p.bits));
            else if (!zeroValues.empty())
                zero = zeroValues[static_cast<std::size_t>(at)];
            const auto value = static_cast<float>(packedAt(b.data + at * rowBytes, k % p.block, p.bits));
            weights[static_cast<std::size_t>(n * p.k + k)] = (value - zero) * scales[static_cast<std::size_t>(at)];
        }
    }
    return weights;
}

Status nBitsKernel(KernelContext& context)
{
    const auto p = readNBits(context.attrs());
    if (!p.ok()) return context.error(p.error().what);
    const Shape& shape = context.input(0).shape;
    if (shape.rank() < 1 || shape.dim(-1) != p->k)
        return context.error(fmt::format("A of shape {} has not {} columns", shape.text(), p->k));
    if (context.hasInput(4)) return context.error("g_idx is not supported");
    GELENS_ASSIGN(const FloatOperand a, FloatOperand::of(context, 0));
    GELENS_ASSIGN(const std::vector<float> weights, unpackWeights(context, *p));
    Shape out;
    for (int i = 0; i + 1 < shape.rank(); ++i) out.append(shape.dim(i));
    out.append(p->n);
    GELENS_ASSIGN(FloatResult y, FloatResult::make(context, 0, context.input(0).dtype, out));
    gemmFloat(false, true, context.input(0).elementCount() / p->k, p->n, p->k, a.data(), weights.data(), y.data());
    if (context.hasInput(5)) {
        if (!broadcastsTo(context.input(5).shape, out)) return context.error("bias does not fit the result");
        GELENS_ASSIGN(const FloatOperand bias, FloatOperand::of(context, 5));
        addBroadcast(y.data(), out, bias.data(), context.input(5).shape);
    }
    return y.finish(context);
}

OpDef quantizedConvolution(const char* type)
{
    OpDef def(type);
    def.requiredAttr("strides")
        .requiredAttr("pads")
        .attr("dilations", IntList{})
        .attr("groups", 1)
        .attr("data_format", "NCHW")
        .attr("auto_pad", "NOTSET");
    def.unit(Unit::Cube).fusionClass(FusionClass::Convolution);
    return def;
}

} // namespace

void registerQuantizedProductOps(OpRegistry& registry)
{
    registry.add(OpDef("MatMulInteger")
                     .doc("Product of 8-bit matrices with their zero points taken off, summed in int32")
                     .source("simulator (ONNX MatMulInteger-10)")
                     .input("a")
                     .input("b")
                     .optionalInput("a_zero_point")
                     .optionalInput("b_zero_point")
                     .output("y")
                     .unit(Unit::Cube)
                     .fusionClass(FusionClass::MatMul)
                     .infer(inferIntegerProduct)
                     .cost([](const Node& node, const Graph& graph) { return matMulCost(node, graph, 0, 1); })
                     .kernel(integerProductKernel));
    registry.add(
        OpDef("QLinearMatMul")
            .doc("Product of 8-bit matrices in int32, scaled by a_scale · b_scale / y_scale in fp32, rounded half to "
                 "even and saturated")
            .source("simulator (ONNX QLinearMatMul-21)")
            .input("a")
            .input("a_scale")
            .input("a_zero_point")
            .input("b")
            .input("b_scale")
            .input("b_zero_point")
            .input("y_scale")
            .input("y_zero_point")
            .output("y")
            .unit(Unit::Cube)
            .fusionClass(FusionClass::MatMul)
            .infer(inferQLinearMatMul)
            .cost([](const Node& node, const Graph& graph) { return matMulCost(node, graph, 0, 3); })
            .kernel(qLinearMatMulKernel));
    registry.add(
        quantizedConvolution("ConvInteger")
            .doc("Convolution of 8-bit tensors with their zero points taken off, summed in int32; 1 to 3 spatial axes")
            .source("simulator (ONNX ConvInteger-10)")
            .input("x")
            .input("filter")
            .optionalInput("x_zero_point")
            .optionalInput("filter_zero_point")
            .output("y")
            .infer(inferQuantizedConvolution(1, -1))
            .cost(quantizedConvolutionCost(1))
            .kernel(convIntegerKernel));
    registry.add(
        quantizedConvolution("QLinearConv")
            .doc("Convolution of 8-bit tensors in int32 with an int32 bias, scaled by x_scale · w_scale / y_scale in "
                 "fp32, rounded half to even and saturated; w_scale may differ by output channel")
            .source("simulator (ONNX QLinearConv-10)")
            .input("x")
            .input("x_scale")
            .input("x_zero_point")
            .input("w")
            .input("w_scale")
            .input("w_zero_point")
            .input("y_scale")
            .input("y_zero_point")
            .optionalInput("bias")
            .output("y")
            .infer(inferQuantizedConvolution(3, 7))
            .cost(quantizedConvolutionCost(3))
            .kernel(qLinearConvKernel));
    registry.add(
        OpDef("MatMulNBits")
            .doc("y = a · wᵀ + bias with weights of 2, 4 or 8 bits, one scale (and zero point) for each block along K. "
                 "Weights become fp32, the product accumulates in fp32, one rounding on storage")
            .source("simulator (com.microsoft MatMulNBits-1)")
            .input("a")
            .input("b")
            .input("scales")
            .optionalInput("zero_points")
            .optionalInput("g_idx")
            .optionalInput("bias")
            .output("y")
            .requiredAttr("K")
            .requiredAttr("N")
            .attr("bits", 4)
            .requiredAttr("block_size")
            .unit(Unit::Mix)
            .fusionClass(FusionClass::MatMul)
            .infer(inferNBits)
            .cost([](const Node& node, const Graph& graph) {
                Cost cost = bytesOnly(node, graph);
                const auto p = readNBits(node.attrs);
                if (!p.ok()) return cost;
                cost.k = p->k;
                cost.n = p->n;
                cost.m =
                    std::max<std::int64_t>(1, static_cast<std::int64_t>(elementsOf(inputDesc(node, graph, 0))) / p->k);
                cost.cubeMacs = static_cast<double>(cost.m) * static_cast<double>(cost.k) * static_cast<double>(cost.n);
                cost.vectorOps = static_cast<double>(p->k) * static_cast<double>(p->n);
                return cost;
            })
            .kernel(nBitsKernel));
}

} // namespace gelens
