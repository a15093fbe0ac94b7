// Branches, loops of GE, and calls of sub-graphs. Inference reads the recorded outputs of the sub-graphs: infer these
// first.

#include "engine/ops/control_helpers.h"
#include "engine/ops/control_ops_private.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {
namespace {

using namespace control;

/// What output k is when any of the sub-graphs [first, first + count) may give it.
TensorDesc anyOf(const InferContext& context, int first, int count, int k)
{
    TensorDesc result = bodyOutput(context, first, k);
    for (int i = 1; i < count; ++i) {
        const TensorDesc other = bodyOutput(context, first + i, k);
        if (other.dtype != result.dtype)
            result.dtype = result.dtype == DataType::Undefined ? other.dtype : result.dtype;
        result.setShape(commonShape(result.originShape, other.originShape));
        result.format = result.originFormat;
    }
    return result;
}

Status inferBranches(InferContext& context)
{
    const int branches = static_cast<int>(context.node().subgraphs.size());
    if (branches == 0) return context.error("has no branches");
    for (int k = 0; k < context.outputCount(); ++k) context.setOutputDesc(k, anyOf(context, 0, branches, k));
    return {};
}

Status runBranch(KernelContext& context, int branch)
{
    GELENS_TRY(checkStop(context));
    GELENS_ASSIGN(const auto results, runBody(context, branch, inputTensors(context), context.outputCount()));
    for (int k = 0; k < context.outputCount(); ++k)
        GELENS_TRY(movement::writeOutput(context, k, results[static_cast<std::size_t>(k)]));
    return {};
}

Status runIf(KernelContext& context)
{
    GELENS_ASSIGN(const bool condition, truth(context, movement::windowOf(context.input(0))));
    return runBranch(context, condition ? 0 : 1);
}

Status runCase(KernelContext& context)
{
    GELENS_ASSIGN(const std::int64_t wanted, movement::scalarInt(context, 0));
    const std::int64_t branches = attrInt(context.attrs(), "_branch_count", 0);
    // An index out of range takes the last branch. The number of branches is not visible here unless it was recorded.
    if (branches > 0)
        return runBranch(context, static_cast<int>(wanted < 0 || wanted >= branches ? branches - 1 : wanted));
    if (wanted < 0 || wanted > (1 << 20)) return context.error(fmt::format("there is no branch {}", wanted));
    return runBranch(context, static_cast<int>(wanted));
}

// While: sub-graph 0 is the condition, 1 the body; both take all values, the body gives them anew.

Status inferWhile(InferContext& context)
{
    for (int k = 0; k < context.outputCount(); ++k) {
        TensorDesc desc = context.input(k);
        const TensorDesc next = bodyOutput(context, 1, k);
        if (next.dtype != DataType::Undefined) desc.setShape(commonShape(desc.originShape, next.originShape));
        context.setOutputDesc(k, std::move(desc));
    }
    return {};
}

Status runWhile(KernelContext& context)
{
    std::vector<HostTensor> values = inputTensors(context);
    for (long long iteration = 0;; ++iteration) {
        GELENS_TRY(checkStop(context));
        if (iteration == maxLoopIterations)
            return context.error(fmt::format("still loops after {} iterations", maxLoopIterations));
        GELENS_ASSIGN(const auto condition, runBody(context, 0, values, 1));
        GELENS_ASSIGN(const bool goesOn, truth(context, condition[0]));
        if (!goesOn) break;
        GELENS_ASSIGN(auto next, runBody(context, 1, values, context.outputCount()));
        for (std::size_t k = 0; k < values.size() && k < next.size(); ++k)
            values[k] = movement::ownedCopy(std::move(next[k]));
    }
    for (int k = 0; k < context.outputCount(); ++k)
        GELENS_TRY(movement::writeOutput(context, k, values[static_cast<std::size_t>(k)]));
    return {};
}

OpDef base(const char* type, const char* doc)
{
    OpDef def(type);
    def.doc(doc)
        .source("CANN operator library")
        .unit(Unit::GeLocal)
        .fusionClass(FusionClass::Opaque)
        .formats(FormatSupport::NdOnly)
        .isStateful()
        .cost([](const Node&, const Graph&) { return Cost{}; });
    return def;
}

} // namespace

void registerBranchOps(OpRegistry& ops)
{
    ops.add(base("If", "Runs sub-graph 0 (then) when the condition holds, else sub-graph 1")
                .input("cond")
                .dynamicInput("input")
                .dynamicOutput("output")
                .infer(inferBranches)
                .kernel(runIf));
    ops.add(base("StatelessIf", "Runs sub-graph 0 (then) when the condition holds, else sub-graph 1")
                .input("cond")
                .dynamicInput("input")
                .dynamicOutput("output")
                .infer(inferBranches)
                .kernel(runIf));
    ops.add(base("Case", "Runs the sub-graph whose number the first input gives")
                .input("branch_index")
                .dynamicInput("input")
                .dynamicOutput("output")
                .infer(inferBranches)
                .kernel(runCase));
    for (const char* const type : {"While", "StatelessWhile"})
        ops.add(base(type, "Runs sub-graph 1 (body) on its values while sub-graph 0 (cond) holds")
                    .dynamicInput("input")
                    .dynamicOutput("output")
                    .attr("parallel_iterations", 10)
                    .infer(inferWhile)
                    .kernel(runWhile));
    for (const char* const type : {"PartitionedCall", "StatefulPartitionedCall"})
        ops.add(base(type, "Runs its sub-graph")
                    .dynamicInput("args")
                    .dynamicOutput("output")
                    .attr("config", "")
                    .attr("config_proto", "")
                    .attr("executor_type", "")
                    .infer(inferBranches)
                    .kernel([](KernelContext& context) { return runBranch(context, 0); }));
}

void registerControlOps(OpRegistry& ops)
{
    registerBranchOps(ops);
    registerLoopOps(ops);
    registerSequenceOps(ops);
}

} // namespace gelens
