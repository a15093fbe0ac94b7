// Pass-through nodes that leave the graph while it is prepared: one GE pass each, all of the same shape.
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <string_view>

namespace gelens {
namespace {

/// Bypasses every node for which `applies` holds.
template <bool (*applies)(const Node&, const Graph&)>
class BypassPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const Node& node = edit.node(id);
            if (!node.hasInput(0) || node.outputs.empty() || !applies(node, edit.graph())) return Status::success();
            // Outputs other than the first (a dropout mask) would be left without a producer.
            for (std::size_t i = 1; i < node.outputs.size(); ++i)
                if (!node.outputs[i].consumers.empty()) return Status::success();
            report.count(node.type + " removed");
            bypassNode(edit, id);
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }
};

bool isUselessReshape(const Node& node, const Graph& graph)
{
    if (node.type != "Reshape" && node.type != "ReFormat") return false;
    const Shape& from = graph.outputDesc(node.source(0)).originShape;
    const Shape& to = node.outputs[0].desc.originShape;
    return from.isStatic() && from == to && !tiesInputToOutput(node, graph);
}

/// A model exported for training says so; then elements really are dropped.
bool mayDrop(const Node& node, const Graph& graph)
{
    if (attrBool(node.attrs, "training_mode", false)) return true;
    if (node.inputCount() < 3 || !node.hasInput(2)) return false;
    const Tensor* training = graph.constantInput(node, 2);
    const auto value = training == nullptr ? std::nullopt : training->asInts(1);
    return !value || value->empty() || value->front() != 0;
}

bool isPassThrough(const Node& node, const Graph& graph)
{
    if (node.type == "Dropout" && mayDrop(node, graph)) return false;
    static constexpr std::string_view types[] = {"Dropout",         "DropoutV2", "StopGradient",
                                                 "PreventGradient", "Snapshot",  "PlaceholderWithDefault",
                                                 "GuaranteeConst"};
    for (const std::string_view type : types)
        if (node.type == type) return !tiesInputToOutput(node, graph);
    return false;
}

bool isUnchangedTranspose(const Node& node, const Graph& graph)
{
    const IntList perm = axisOrder(node, graph);
    const Shape& shape = graph.outputDesc(node.source(0)).originShape;
    if (perm.empty() || !shape.hasRank() || perm.size() != static_cast<std::size_t>(shape.rank())) return false;
    // Nothing moves when the axes that are longer than one keep their order; a Reshape would still be needed where
    // the dims themselves change places, so all dims must agree too.
    if (node.outputs[0].desc.originShape != shape || !shape.isStatic()) {
        for (std::size_t i = 0; i < perm.size(); ++i)
            if (perm[i] != static_cast<std::int64_t>(i)) return false;
        return !tiesInputToOutput(node, graph);
    }
    std::int64_t last = -1;
    for (const std::int64_t axis : perm) {
        if (axis < 0 || axis >= shape.rank()) return false;
        if (shape.dim(static_cast<int>(axis)) == 1) continue;
        if (axis < last) return false;
        last = axis;
    }
    return !tiesInputToOutput(node, graph);
}

bool isRemovableIdentity(const Node& node, const Graph& graph)
{
    if (node.type != "Identity" && node.type != "IdentityN" && node.type != "ReadVariableOp") return false;
    if (node.inputs.size() != 1 || attrBool(node.attrs, "no_need_constant_folding") ||
        attrBool(node.attrs, "_cannot_be_deleted"))
        return false;
    const Node& source = graph.node(node.source(0).node);
    if (source.type == "Switch" || source.type == "Merge") return false;
    // A body's result must not be its own input: the border needs the copy.
    return !tiesInputToOutput(node, graph);
}

} // namespace

PassEntry noUseReshapeRemovePass()
{
    return {.info = {.id = "NoUseReshapeRemovePass",
                     .phase = "PreRunAfterPrepare",
                     .summary = "Removes a Reshape whose input already has the wanted dims."},
            .make = makePass<BypassPass<isUselessReshape>>};
}

PassEntry dropOutPass()
{
    return {.info = {.id = "DropOutPass",
                     .phase = "PreRunAfterPrepare",
                     .summary = "Removes Dropout and other single-input nodes that pass their input on in inference."},
            .make = makePass<BypassPass<isPassThrough>>};
}

PassEntry unchangedTransposeRemovePass()
{
    return {.info = {.id = "UnchangedTransposeRemovePass",
                     .phase = "PreRunAfterPrepare",
                     .summary = "Removes a Transpose that moves nothing: the identity, or only axes of length one."},
            .make = makePass<BypassPass<isUnchangedTranspose>>};
}

PassEntry identityPass()
{
    return {.info = {.id = "IdentityPass",
                     .phase = "PreRunAfterPrepare",
                     .summary = "Reconnects the readers of an Identity to what it copies."},
            .make = makePass<BypassPass<isRemovableIdentity>>};
}

PassEntry stageOneIdentityPass()
{
    PassEntry entry = identityPass();
    entry.info.phase = "PreRunAfterOptimize1";
    return entry;
}

} // namespace gelens
