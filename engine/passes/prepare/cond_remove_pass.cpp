#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <unordered_map>

namespace gelens {
namespace {

/// An If whose condition is known becomes its chosen branch, inlined in its place.
class CondRemovePass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const Node& node = edit.node(id);
            if (node.type != "If" || node.subgraphs.size() != 2) return Status::success();
            const Tensor* condition = edit.graph().constantInput(node, 0);
            if (condition == nullptr || !condition->isPresent()) return Status::success();
            const auto value = condition->asDoubles();
            if (!value || value->empty()) return Status::success();
            if (inlineBranch(edit, id, node.subgraphs[(*value)[0] != 0 ? 0 : 1])) report.count("branches inlined");
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }

private:
    static bool inlineBranch(GraphEditor& edit, NodeId owner, GraphId branch)
    {
        const std::vector<NodeId> order = edit.graph().topologicalOrder(branch);
        const GraphId target = edit.node(owner).graph;
        for (const NodeId id : order)
            if (!edit.node(id).subgraphs.empty()) return false; // its bodies would have to move too
        std::unordered_map<OutputRef, OutputRef> moved;
        std::vector<OutputRef> results;
        NodeId after = owner;
        for (const NodeId id : order) {
            const Node& node = edit.node(id);
            if (node.type == "Data") {
                moved[{id, 0}] =
                    edit.node(owner).source(static_cast<int>(attrInt(node.attrs, "_parent_node_index", -1)));
                continue;
            }
            if (node.type == "NetOutput") {
                for (const InputSlot& slot : node.inputs) results.push_back(moved[slot.source]);
                continue;
            }
            NodeSpec spec{.name = edit.node(owner).name + "/" + node.name,
                          .type = node.type,
                          .attrs = node.attrs,
                          .isOpaque = node.isOpaque};
            for (const InputSlot& slot : node.inputs) spec.inputs.emplace_back(slot.name, slot.desc);
            for (const OutputSlot& slot : node.outputs) spec.outputs.emplace_back(slot.name, slot.desc);
            const NodeId copy = edit.addNode(std::move(spec), target, after);
            after = copy;
            inheritOrigins(edit, copy, {id});
            for (int i = 0; i < node.inputCount(); ++i)
                if (node.hasInput(i) && moved[node.source(i)].isValid()) edit.connect(moved[node.source(i)], {copy, i});
            for (int i = 0; i < node.outputCount(); ++i) moved[{id, i}] = {copy, i};
        }
        for (int i = 0; i < edit.node(owner).outputCount(); ++i)
            if (static_cast<std::size_t>(i) < results.size() && results[static_cast<std::size_t>(i)].isValid())
                edit.replaceUses({owner, i}, results[static_cast<std::size_t>(i)]);
        for (const OutputSlot& slot : edit.node(owner).outputs)
            if (!slot.consumers.empty()) return true; // an output the branch does not give: leave the node in place
        removeWithDeadProducers(edit, owner);
        return true;
    }
};

} // namespace

PassEntry condRemovePass()
{
    return {.info = {.id = "CondRemovePass",
                     .phase = "AfterInfershape",
                     .summary = "Replaces an If of known condition by the branch it takes."},
            .make = makePass<CondRemovePass>};
}

} // namespace gelens
