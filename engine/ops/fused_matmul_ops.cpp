// Matrix products with an epilogue on the vector unit. Part of the fused family.

#include "engine/ops/cost_helpers.h"
#include "engine/ops/fused_private.h"
#include "engine/ops/matmul_core.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

namespace gelens {
namespace {

Status inferEpilogue(InferContext& context)
{
    auto plan = planMatMul(context.shape(0), context.shape(1), transposesFirst(context.attrs()),
                           transposesSecond(context.attrs()));
    if (!plan.ok()) return context.error(plan.error().what);
    for (const int slot : {2, 3}) {
        if (!context.hasInput(slot) || !context.shape(slot).hasRank() || !plan->out.hasRank()) continue;
        const auto sum = broadcastShapes(plan->out, context.shape(slot));
        if (!sum.ok() || sum->rank() != plan->out.rank())
            return context.error(fmt::format("input {} of shape {} does not fit the result {}", slot,
                                             context.shape(slot).text(), plan->out.text()));
    }
    if (!findActivation(attrString(context.attrs(), "activation")))
        return context.error(fmt::format("no activation is called '{}'", attrString(context.attrs(), "activation")));
    context.setOutput(0, context.dtype(0), plan->out);
    return {};
}

Status epilogueKernel(KernelContext& context)
{
    const Shape &sa = context.input(0).shape, &sb = context.input(1).shape;
    const bool ta = transposesFirst(context.attrs()), tb = transposesSecond(context.attrs());
    const auto plan = planMatMul(sa, sb, ta, tb);
    if (!plan.ok()) return context.error(plan.error().what);
    const ScalarActivation activation = findActivation(attrString(context.attrs(), "activation"));
    if (!activation) return context.error("unknown activation");
    GELENS_ASSIGN(const FloatOperand a, FloatOperand::of(context, 0));
    GELENS_ASSIGN(const FloatOperand b, FloatOperand::of(context, 1));
    GELENS_ASSIGN(FloatResult y,
                  FloatResult::make(context, 0, outputTypeOr(context, 0, context.input(0).dtype), plan->out));
    matMulFloat(*plan, sa, sb, ta, tb, a.data(), b.data(), y.data());
    const auto scale = static_cast<float>(attrFloat(context.attrs(), "alpha", 1));
    if (scale != 1.0f)
        for (std::size_t i = 0; i < y.size(); ++i) y.data()[i] *= scale;
    for (const int slot : {2, 3}) {
        if (!context.hasInput(slot)) continue;
        if (!broadcastsTo(context.input(slot).shape, plan->out))
            return context.error(fmt::format("input {} does not fit the result", slot));
        GELENS_ASSIGN(const FloatOperand added, FloatOperand::of(context, slot));
        addBroadcast(y.data(), plan->out, added.data(), context.input(slot).shape);
    }
    const auto alpha = static_cast<float>(attrFloat(context.attrs(), "activation_alpha", 1));
    const auto beta = static_cast<float>(attrFloat(context.attrs(), "activation_beta"));
    for (std::size_t i = 0; i < y.size(); ++i) y.data()[i] = activation(y.data()[i], alpha, beta);
    return y.finish(context);
}

Cost epilogueCost(const Node& node, const Graph& graph)
{
    Cost cost = matMulCost(node, graph, 0, 1);
    const bool isPlain = attrString(node.attrs, "activation").empty();
    cost.vectorOps = elementsOf(outputDesc(node, 0)) * (isPlain ? 1 : 5);
    return cost;
}

// ---- MatmulSwiGlu ----

Status inferMatmulSwiGlu(InferContext& context)
{
    const bool isTransposed = attrBool(context.attrs(), "transpose_weight");
    auto gate = planMatMul(context.shape(0), context.shape(1), false, isTransposed);
    if (!gate.ok()) return context.error(gate.error().what);
    const auto up = planMatMul(context.shape(0), context.shape(2), false, isTransposed);
    if (!up.ok()) return context.error(up.error().what);
    if (dimsContradict(gate->n, up->n))
        return context.error(fmt::format("w_gate has {} columns, w_up {}", gate->n, up->n));
    context.setOutput(0, context.dtype(0), gate->out);
    return {};
}

Status matmulSwiGluKernel(KernelContext& context)
{
    const bool isTransposed = attrBool(context.attrs(), "transpose_weight");
    const Shape &sx = context.input(0).shape, &sg = context.input(1).shape, &su = context.input(2).shape;
    const auto gatePlan = planMatMul(sx, sg, false, isTransposed);
    if (!gatePlan.ok()) return context.error(gatePlan.error().what);
    const auto upPlan = planMatMul(sx, su, false, isTransposed);
    if (!upPlan.ok()) return context.error(upPlan.error().what);
    if (gatePlan->out.dims() != upPlan->out.dims()) return context.error("w_gate and w_up give different shapes");
    GELENS_ASSIGN(const FloatOperand x, FloatOperand::of(context, 0));
    GELENS_ASSIGN(const FloatOperand gate, FloatOperand::of(context, 1));
    GELENS_ASSIGN(const FloatOperand up, FloatOperand::of(context, 2));
    GELENS_ASSIGN(FloatResult y,
                  FloatResult::make(context, 0, outputTypeOr(context, 0, context.input(0).dtype), gatePlan->out));
    std::vector<float> right(y.size());
    matMulFloat(*gatePlan, sx, sg, false, isTransposed, x.data(), gate.data(), y.data());
    matMulFloat(*upPlan, sx, su, false, isTransposed, x.data(), up.data(), right.data());
    const ScalarActivation swish = findActivation("Swish");
    for (std::size_t i = 0; i < y.size(); ++i) y.data()[i] = swish(y.data()[i], 1, 0) * right[i];
    return y.finish(context);
}

Cost matmulSwiGluCost(const Node& node, const Graph& graph)
{
    Cost cost = bytesOnly(node, graph);
    const auto plan = planMatMul(inputDesc(node, graph, 0).originShape, inputDesc(node, graph, 1).originShape, false,
                                 attrBool(node.attrs, "transpose_weight"));
    if (!plan.ok() || !plan->out.hasRank()) return cost;
    cost.m = 1;
    for (int i = 0; i + 1 < plan->out.rank(); ++i) cost.m *= std::max<std::int64_t>(plan->out.dim(i), 1);
    cost.k = std::max<std::int64_t>(plan->k, 1);
    cost.n = 2 * std::max<std::int64_t>(plan->n, 1);
    cost.cubeMacs = static_cast<double>(cost.m) * static_cast<double>(cost.k) * static_cast<double>(cost.n);
    cost.vectorOps = 8 * elementsOf(outputDesc(node, 0));
    return cost;
}

// ---- GroupedMatmul ----

Status inferGroupedMatmul(InferContext& context)
{
    for (int group = 0; group < 2; ++group) {
        const auto plan = planMatMul(context.shape(0), context.shape(1 + group), false,
                                     attrBool(context.attrs(), "transpose_weight"));
        if (!plan.ok()) return context.error(plan.error().what);
        context.setOutput(group, context.dtype(0), plan->out);
    }
    return {};
}

Status groupedMatmulKernel(KernelContext& context)
{
    const bool isTransposed = attrBool(context.attrs(), "transpose_weight");
    const Shape& sx = context.input(0).shape;
    GELENS_ASSIGN(const FloatOperand x, FloatOperand::of(context, 0));
    for (int group = 0; group < 2; ++group) {
        const Shape& sw = context.input(1 + group).shape;
        const auto plan = planMatMul(sx, sw, false, isTransposed);
        if (!plan.ok()) return context.error(plan.error().what);
        GELENS_ASSIGN(const FloatOperand weight, FloatOperand::of(context, 1 + group));
        GELENS_ASSIGN(
            FloatResult y,
            FloatResult::make(context, group, outputTypeOr(context, group, context.input(0).dtype), plan->out));
        matMulFloat(*plan, sx, sw, false, isTransposed, x.data(), weight.data(), y.data());
        GELENS_TRY(y.finish(context));
    }
    return {};
}

Cost groupedMatmulCost(const Node& node, const Graph& graph)
{
    Cost cost = bytesOnly(node, graph);
    for (int group = 0; group < 2; ++group) {
        const auto plan =
            planMatMul(inputDesc(node, graph, 0).originShape, inputDesc(node, graph, 1 + group).originShape, false,
                       attrBool(node.attrs, "transpose_weight"));
        if (!plan.ok() || !plan->out.hasRank()) return cost;
        cost.m = 1;
        for (int i = 0; i + 1 < plan->out.rank(); ++i) cost.m *= std::max<std::int64_t>(plan->out.dim(i), 1);
        cost.k = std::max<std::int64_t>(plan->k, 1);
        cost.n = (group == 0 ? 0 : cost.n) + std::max<std::int64_t>(plan->n, 1);
    }
    cost.cubeMacs = static_cast<double>(cost.m) * static_cast<double>(cost.k) * static_cast<double>(cost.n);
    return cost;
}

} // namespace

void registerFusedMatMulOps(OpRegistry& registry)
{
    registry.add(
        OpDef("MatmulEpilogue")
            .doc("Simulator form of a matrix product whose epilogue runs before the result leaves the chip: "
                 "y = activation(alpha · op(x1)·op(x2) + bias + x3), activation a name as in FusedConv2D or empty. "
                 "All of it in fp32, one rounding on storage")
            .source("simulator")
            .input("x1")
            .input("x2")
            .optionalInput("bias")
            .optionalInput("x3")
            .output("y")
            .attr("transpose_x1", false)
            .attr("transpose_x2", false)
            .attr("alpha", 1.0f)
            .attr("activation", "")
            .attr("activation_alpha", 1.0f)
            .attr("activation_beta", 0.0f)
            .unit(Unit::Mix)
            .fusionClass(FusionClass::MatMul)
            .formats(FormatSupport::CubeMatrix)
            .infer(inferEpilogue)
            .cost(epilogueCost)
            .kernel(epilogueKernel));
    registry.add(
        OpDef("MatmulSwiGlu")
            .doc("Simulator form of the gated feed-forward half: y = swish(x·w_gate) · (x·w_up), both products on "
                 "the cube with fp32 accumulation, the gate on the vector unit in fp32, one rounding on storage. "
                 "transpose_weight: the weights are stored [N, K]")
            .source("simulator")
            .input("x")
            .input("w_gate")
            .input("w_up")
            .output("y")
            .attr("transpose_weight", false)
            .unit(Unit::Mix)
            .fusionClass(FusionClass::MatMul)
            .formats(FormatSupport::CubeMatrix)
            .infer(inferMatmulSwiGlu)
            .cost(matmulSwiGluCost)
            .kernel(matmulSwiGluKernel));
    registry.add(
        OpDef("GroupedMatmul")
            .doc(
                "Two matrix products of one x in one kernel, each with a result of its own: y0 = x·weight0, "
                "y1 = x·weight1, fp32 accumulation on the cube, one rounding on storage. transpose_weight: the weights "
                "are stored [N, K]")
            .source("CANN operator library, with one x for two groups")
            .input("x")
            .input("weight0")
            .input("weight1")
            .output("y0")
            .output("y1")
            .attr("transpose_weight", false)
            .unit(Unit::Cube)
            .fusionClass(FusionClass::MatMul)
            .infer(inferGroupedMatmul)
            .cost(groupedMatmulCost)
            .kernel(groupedMatmulKernel));
}

} // namespace gelens
