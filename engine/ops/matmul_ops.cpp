#include "engine/ops/cost_helpers.h"
#include "engine/ops/element_types.h"
#include "engine/ops/infer_helpers.h"
#include "engine/ops/kernel_helpers.h"
#include "engine/ops/matmul_core.h"
#include "engine/ops/matmul_private.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {
namespace {

const char* const productDoc =
    "y = op(x1)·op(x2) + bias, NumPy rules for batch dims and 1-D operands; op exchanges the last two axes. "
    "The cube accumulates fp16, bf16 and fp32 in fp32 and adds the bias before the one rounding into the storage type; "
    "fp64 accumulates in fp64, int8/uint8/int4 in int32 (the result's type), other integers in their own type, "
    "wrapping.";

/// Storage type of a product: narrow integers widen to the cube's accumulator.
DataType productType(DataType a)
{
    switch (a) {
    case DataType::Int4:
    case DataType::UInt4:
    case DataType::Int8:
    case DataType::UInt8: return DataType::Int32;
    default: return a;
    }
}

Status inferMatMul(InferContext& context)
{
    auto plan = planMatMul(context.shape(0), context.shape(1), transposesFirst(context.attrs()),
                           transposesSecond(context.attrs()));
    if (!plan.ok()) return context.error(plan.error().what);
    if (context.hasInput(2) && plan->out.hasRank() && context.shape(2).hasRank()) {
        const auto sum = broadcastShapes(plan->out, context.shape(2));
        if (!sum.ok() || sum->rank() != plan->out.rank())
            return context.error(
                fmt::format("bias of shape {} does not fit the result {}", context.shape(2).text(), plan->out.text()));
    }
    context.setOutput(0, productType(context.dtype(0)), plan->out);
    return {};
}

template <typename T, typename Acc>
Status runExact(KernelContext& context, const MatMulPlan& plan, DataType outType)
{
    const TensorView &a = context.input(0), &b = context.input(1);
    const bool ta = transposesFirst(context.attrs()) && !plan.dropM;
    const bool tb = transposesSecond(context.attrs()) && !plan.dropN;
    GELENS_ASSIGN(Acc* const y, context.outputAs<Acc>(0, outType, plan.out));
    matMulExact<T, Acc>(plan, batchOffsets(a.shape, plan.batch), batchOffsets(b.shape, plan.batch), ta, tb,
                        reinterpret_cast<const T*>(a.data), reinterpret_cast<const T*>(b.data), y);
    if (!context.hasInput(2)) return {};
    GELENS_ASSIGN(const std::vector<double> bias, context.doubles(2));
    const std::vector<std::int64_t> strides = broadcastStrides(context.input(2).shape, plan.out);
    const std::int64_t count = plan.out.elementCount().value_or(0);
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t rest = i, at = 0;
        for (int axis = plan.out.rank() - 1; axis >= 0; --axis) {
            at += rest % plan.out.dim(axis) * strides[static_cast<std::size_t>(axis)];
            rest /= plan.out.dim(axis);
        }
        y[i] += static_cast<Acc>(bias[static_cast<std::size_t>(at)]);
    }
    return {};
}

Status matMulKernel(KernelContext& context)
{
    const TensorView &a = context.input(0), &b = context.input(1);
    const bool ta = transposesFirst(context.attrs()), tb = transposesSecond(context.attrs());
    auto plan = planMatMul(a.shape, b.shape, ta, tb);
    if (!plan.ok()) return context.error(plan.error().what);
    if (a.dtype != b.dtype)
        return context.error(fmt::format("operands have different types: {} and {}", dataTypeShortName(a.dtype),
                                         dataTypeShortName(b.dtype)));
    if (context.hasInput(2) && !broadcastsTo(context.input(2).shape, plan->out))
        return context.error(fmt::format("bias of shape {} does not fit the result {}", context.input(2).shape.text(),
                                         plan->out.text()));
    switch (a.dtype) {
    case DataType::Double: return runExact<double, double>(context, *plan, a.dtype);
    case DataType::Int8: return runExact<std::int8_t, std::int32_t>(context, *plan, DataType::Int32);
    case DataType::UInt8: return runExact<std::uint8_t, std::int32_t>(context, *plan, DataType::Int32);
    case DataType::Int16: return runExact<std::int16_t, std::int16_t>(context, *plan, a.dtype);
    case DataType::UInt16: return runExact<std::uint16_t, std::uint16_t>(context, *plan, a.dtype);
    // Signed accumulators wrap as unsigned ones do, without undefined behaviour.
    case DataType::Int32:
    case DataType::UInt32: return runExact<std::uint32_t, std::uint32_t>(context, *plan, a.dtype);
    case DataType::Int64:
    case DataType::UInt64: return runExact<std::uint64_t, std::uint64_t>(context, *plan, a.dtype);
    default: break;
    }
    const DataType outType = outputTypeOr(context, 0, productType(a.dtype));
    GELENS_ASSIGN(const FloatOperand left, FloatOperand::of(context, 0));
    GELENS_ASSIGN(const FloatOperand right, FloatOperand::of(context, 1));
    GELENS_ASSIGN(FloatResult y, FloatResult::make(context, 0, outType, plan->out));
    matMulFloat(*plan, a.shape, b.shape, ta, tb, left.data(), right.data(), y.data());
    if (context.hasInput(2)) {
        GELENS_ASSIGN(const FloatOperand bias, FloatOperand::of(context, 2));
        addBroadcast(y.data(), plan->out, bias.data(), context.input(2).shape);
    }
    return y.finish(context);
}

OpDef matMulDef(const char* type, const char* flag1, const char* flag2, bool hasBias)
{
    OpDef def(type);
    def.doc(productDoc).source("CANN operator library").input("x1").input("x2");
    if (hasBias) def.optionalInput("bias").optionalInput("offset_w");
    def.output("y").attr(flag1, false).attr(flag2, false);
    if (hasBias) def.attr("offset_x", 0);
    def.unit(Unit::Cube).fusionClass(FusionClass::MatMul).formats(FormatSupport::CubeMatrix).infer(inferMatMul);
    def.cost([](const Node& node, const Graph& graph) { return matMulCost(node, graph, 0, 1); }).kernel(matMulKernel);
    return def;
}

// ---- GEMM (GE): y = alpha·op(a)·op(b) + beta·c, scalars as inputs ----

Status inferGemm(InferContext& context)
{
    auto plan = planMatMul(context.shape(0), context.shape(1), transposesFirst(context.attrs()),
                           transposesSecond(context.attrs()));
    if (!plan.ok()) return context.error(plan.error().what);
    context.setOutput(0, context.dtype(2), plan->out);
    return {};
}

Status gemmKernel(KernelContext& context)
{
    const bool ta = transposesFirst(context.attrs()), tb = transposesSecond(context.attrs());
    const Shape &sa = context.input(0).shape, &sb = context.input(1).shape, &sc = context.input(2).shape;
    auto plan = planMatMul(sa, sb, ta, tb);
    if (!plan.ok()) return context.error(plan.error().what);
    if (!broadcastsTo(sc, plan->out))
        return context.error(fmt::format("c of shape {} does not fit the result {}", sc.text(), plan->out.text()));
    GELENS_ASSIGN(const std::vector<float> alpha, context.floats(3));
    GELENS_ASSIGN(const std::vector<float> beta, context.floats(4));
    if (alpha.empty() || beta.empty()) return context.error("alpha and beta need one element each");
    GELENS_ASSIGN(const FloatOperand a, FloatOperand::of(context, 0));
    GELENS_ASSIGN(const FloatOperand b, FloatOperand::of(context, 1));
    GELENS_ASSIGN(const FloatOperand c, FloatOperand::of(context, 2));
    GELENS_ASSIGN(FloatResult y, FloatResult::make(context, 0, context.input(2).dtype, plan->out));
    matMulFloat(*plan, sa, sb, ta, tb, a.data(), b.data(), y.data());
    for (std::size_t i = 0; i < y.size(); ++i) y.data()[i] *= alpha[0];
    addBroadcast(y.data(), plan->out, c.data(), sc, beta[0]);
    return y.finish(context);
}

// ---- FullyConnection: axes from `axis` on are flattened, w is [num_output, K] (or [K, num_output] when transposed)
// ----

Result<MatMulPlan> planFullyConnection(const AttrMap& attrs, const Shape& x, const Shape& w, Shape& flat, Shape& weight)
{
    const auto axis = normalizeAxis(attrInt(attrs, "axis", 1), x.rank());
    if (!axis || *axis == 0) return Error::invalid("axis must lie between 1 and the rank of x");
    std::int64_t k = 1;
    flat = Shape();
    for (int i = 0; i < *axis; ++i) appendDim(flat, x, i);
    for (int i = *axis; i < x.rank(); ++i) k = k < 0 || x.dim(i) < 0 ? unknownDim : k * x.dim(i);
    flat.append(k);
    if (w.rank() < 2) return Error::invalid("w needs at least two axes");
    const bool isTransposed = attrBool(attrs, "transpose");
    std::int64_t rest = 1;
    for (int i = 1; i < w.rank(); ++i) rest = rest < 0 || w.dim(i) < 0 ? unknownDim : rest * w.dim(i);
    weight = Shape{w.dim(0), rest};
    return planMatMul(flat, weight, false, !isTransposed);
}

Status inferFullyConnection(InferContext& context)
{
    if (!context.shape(0).hasRank() || !context.shape(1).hasRank()) {
        context.setOutput(0, productType(context.dtype(0)), Shape::unknownRank());
        return {};
    }
    Shape flat, weight;
    auto plan = planFullyConnection(context.attrs(), context.shape(0), context.shape(1), flat, weight);
    if (!plan.ok()) return context.error(plan.error().what);
    context.setOutput(0, productType(context.dtype(0)), plan->out);
    return {};
}

Status fullyConnectionKernel(KernelContext& context)
{
    Shape flat, weight;
    auto plan = planFullyConnection(context.attrs(), context.input(0).shape, context.input(1).shape, flat, weight);
    if (!plan.ok()) return context.error(plan.error().what);
    if (context.hasInput(2) && !broadcastsTo(context.input(2).shape, plan->out))
        return context.error(fmt::format("b of shape {} does not fit the result", context.input(2).shape.text()));
    GELENS_ASSIGN(const FloatOperand x, FloatOperand::of(context, 0));
    GELENS_ASSIGN(const FloatOperand w, FloatOperand::of(context, 1));
    GELENS_ASSIGN(FloatResult y,
                  FloatResult::make(context, 0, outputTypeOr(context, 0, context.input(0).dtype), plan->out));
    matMulFloat(*plan, flat, weight, false, !attrBool(context.attrs(), "transpose"), x.data(), w.data(), y.data());
    if (context.hasInput(2)) {
        GELENS_ASSIGN(const FloatOperand bias, FloatOperand::of(context, 2));
        addBroadcast(y.data(), plan->out, bias.data(), context.input(2).shape);
    }
    return y.finish(context);
}

Cost fullyConnectionCost(const Node& node, const Graph& graph)
{
    Cost cost = bytesOnly(node, graph);
    Shape flat, weight;
    const Shape &x = inputDesc(node, graph, 0).originShape, &w = inputDesc(node, graph, 1).originShape;
    if (!x.hasRank() || !w.hasRank()) return cost;
    const auto plan = planFullyConnection(node.attrs, x, w, flat, weight);
    if (!plan.ok()) return cost;
    cost.m = 1;
    for (int i = 0; i + 1 < flat.rank(); ++i) cost.m *= std::max<std::int64_t>(flat.dim(i), 1);
    cost.k = std::max<std::int64_t>(plan->k, 1);
    cost.n = std::max<std::int64_t>(plan->n, 1);
    cost.cubeMacs = static_cast<double>(cost.m) * static_cast<double>(cost.k) * static_cast<double>(cost.n);
    return cost;
}

} // namespace

void registerMatMulOps(OpRegistry& registry)
{
    registry.add(matMulDef("MatMul", "transpose_x1", "transpose_x2", true));
    registry.add(matMulDef("MatMulV2", "transpose_x1", "transpose_x2", true));
    registry.add(matMulDef("MatMulV3", "transpose_x1", "transpose_x2", true).attr("enable_hf32", false));
    registry.add(matMulDef("BatchMatMul", "adj_x1", "adj_x2", false));
    registry.add(matMulDef("BatchMatMulV2", "adj_x1", "adj_x2", true));
    registry.add(matMulDef("BatchMatMulV3", "adj_x1", "adj_x2", true).attr("enable_hf32", false));

    registry.add(OpDef("GEMM")
                     .doc("y = alpha·op(a)·op(b) + beta·c; alpha and beta are one-element inputs. fp32 accumulation, "
                          "one rounding into c's type")
                     .source("CANN operator library")
                     .input("a")
                     .input("b")
                     .input("c")
                     .input("alpha")
                     .input("beta")
                     .output("y")
                     .attr("transpose_a", false)
                     .attr("transpose_b", false)
                     .unit(Unit::Cube)
                     .fusionClass(FusionClass::MatMul)
                     .formats(FormatSupport::CubeMatrix)
                     .infer(inferGemm)
                     .cost([](const Node& node, const Graph& graph) { return matMulCost(node, graph, 0, 1); })
                     .kernel(gemmKernel));
    registry.add(OpDef("FullyConnection")
                     .doc("y = flatten(x)·wᵀ + b: axes of x from `axis` on are flattened, w is [num_output, …]; with "
                          "`transpose` w is [K, num_output]. fp32 accumulation, one rounding on storage")
                     .source("CANN operator library")
                     .input("x")
                     .input("w")
                     .optionalInput("b")
                     .optionalInput("offset_w")
                     .output("y")
                     .requiredAttr("num_output")
                     .attr("transpose", false)
                     .attr("axis", 1)
                     .attr("offset_x", 0)
                     .unit(Unit::Cube)
                     .fusionClass(FusionClass::MatMul)
                     .formats(FormatSupport::CubeMatrix)
                     .infer(inferFullyConnection)
                     .cost(fullyConnectionCost)
                     .kernel(fullyConnectionKernel));
    registerEinsumOps(registry);
}

} // namespace gelens
