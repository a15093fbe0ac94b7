// Small clean-up passes of optimisation stage 1.
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

namespace gelens {
namespace {

/// The sum of one tensor is that tensor.
class AddNPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const Node& node = edit.node(id);
            if (node.type != "AddN" || node.inputs.size() != 1 || !node.hasInput(0) ||
                tiesInputToOutput(node, edit.graph()))
                return Status::success();
            bypassNode(edit, id);
            report.count("AddN removed");
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }
};

/// A constant that waits for nothing delays nobody: control edges out of it order nothing. Without readers it goes.
class UselessControlOutRemovePass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const Node& node = edit.node(id);
            if (!isConstantType(node.type) || !node.controlInputs.empty()) return Status::success();
            for (const NodeId to : std::vector<NodeId>(node.controlOutputs)) {
                edit.disconnectControl(id, to);
                report.count("control edges removed");
            }
            if (!hasReaders(edit.node(id)) && !isOutput(edit.graph(), edit.node(id))) {
                edit.removeNode(id);
                report.count("constants removed");
            }
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }

private:
    static bool isOutput(const Graph& graph, const Node& node)
    {
        for (const OutputRef& output : graph.subgraph(node.graph).outputs)
            if (output.node == node.id) return true;
        return false;
    }
};

} // namespace

PassEntry addNPass()
{
    return {.info = {.id = "AddNPass", .phase = "OptimizeStage1_2", .summary = "Removes an AddN of one input."},
            .make = makePass<AddNPass>};
}

PassEntry uselessControlOutRemovePass()
{
    return {.info = {.id = "UselessControlOutRemovePass",
                     .phase = "OptimizeStage1_2",
                     .summary = "Removes control edges that start at constants, and constants that nobody reads."},
            .make = makePass<UselessControlOutRemovePass>};
}

} // namespace gelens
