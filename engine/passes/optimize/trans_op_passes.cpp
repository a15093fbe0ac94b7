// Clean-up of the nodes that only change how a tensor is stored: TransData and Cast.
#include "engine/passes/optimize/lossless_cast.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <map>
#include <tuple>

namespace gelens {
namespace {

bool isTransData(const Node& node) { return node.type == "TransData"; }

/// TransData A→B followed by B→A: the second one's readers read the first one's source.
class TransOpSymmetryEliminationPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const Node& second = edit.node(id);
            if (!isTransData(second) || !second.hasInput(0)) return Status::success();
            const Node& first = edit.node(second.source(0).node);
            if (!isTransData(first) || !first.hasInput(0) || !first.controlInputs.empty() ||
                !second.controlInputs.empty())
                return Status::success();
            const TensorDesc& from = edit.graph().outputDesc(first.source(0));
            const TensorDesc& to = second.outputs[0].desc;
            // Equal storage is not enough: [3, 5] and [5, 3] fill one 16×16 block each, differently.
            if (from.format != to.format || from.shape != to.shape || from.dtype != to.dtype ||
                from.originShape != to.originShape ||
                first.outputs[0].desc.originShape != second.inputs[0].desc.originShape)
                return Status::success();
            edit.replaceUses(second.output(0), first.source(0));
            removeWithDeadProducers(edit, id);
            report.count("pairs cancelled");
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }
};

/// Several equal TransData behind one output become one.
class SameTransdataBreadthFusionPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        std::map<std::tuple<OutputRef, std::int32_t, std::int32_t, std::int64_t>, NodeId> seen;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const Node& node = edit.node(id);
            if (!isTransData(node) || !node.hasInput(0) || !node.controlInputs.empty()) return Status::success();
            const auto key = std::make_tuple(node.source(0), node.inputs[0].desc.format.packed(),
                                             node.outputs[0].desc.format.packed(), attrInt(node.attrs, "groups", 1));
            const auto [entry, isNew] = seen.emplace(key, id);
            if (isNew || edit.node(entry->second).outputs[0].desc.shape != node.outputs[0].desc.shape)
                return Status::success();
            edit.replaceUses(node.output(0), {entry->second, 0});
            edit.moveControlEdges(id, entry->second);
            edit.removeNode(id);
            report.count("TransData merged");
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }
};

/// Casts to the same type go; a widening Cast that is undone at once goes with its partner.
class CastRemovePass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const Node& node = edit.node(id);
            if (node.type != "Cast" || !node.hasInput(0)) return Status::success();
            const OutputRef source = node.source(0);
            const DataType from = edit.graph().outputDesc(source).dtype;
            const DataType to = node.outputs[0].desc.dtype;
            const Node& before = edit.node(source.node);
            for (const InputRef& reader : node.outputs[0].consumers)
                if (edit.node(reader.node).type == "NetOutput" && isBoundaryType(before.type)) return Status::success();
            if (from == to && from != DataType::Undefined) {
                bypassNode(edit, id);
                report.count("casts removed");
                return Status::success();
            }
            if (before.type != "Cast" || !before.hasInput(0) || !before.controlInputs.empty()) return Status::success();
            const DataType origin = edit.graph().outputDesc(before.source(0)).dtype;
            if (origin != to || !castLosesNothing(origin, from)) return Status::success();
            if (isBoundaryType(edit.node(before.source(0).node).type)) {
                for (const InputRef& reader : node.outputs[0].consumers)
                    if (edit.node(reader.node).type == "NetOutput") return Status::success();
            }
            edit.replaceUses(node.output(0), before.source(0));
            removeWithDeadProducers(edit, id);
            report.count("cast pairs cancelled");
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }
};

} // namespace

PassEntry transOpSymmetryEliminationPass()
{
    return {.info = {.id = "TransOpSymmetryEliminationPass",
                     .phase = "OptimizeStage1_2",
                     .summary = "Cancels neighbouring TransData that undo each other."},
            .make = makePass<TransOpSymmetryEliminationPass>};
}

PassEntry sameTransdataBreadthFusionPass()
{
    return {.info = {.id = "SameTransdataBreadthFusionPass",
                     .phase = "OptimizeStage1_1",
                     .summary = "Merges equal TransData nodes that read the same output."},
            .make = makePass<SameTransdataBreadthFusionPass>};
}

PassEntry castRemovePass()
{
    return {.info = {.id = "CastRemovePass",
                     .phase = "OptimizeStage1_2",
                     .summary = "Removes Casts that change nothing, alone or as a pair."},
            .make = makePass<CastRemovePass>};
}

} // namespace gelens
