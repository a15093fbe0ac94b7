#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

namespace gelens {
namespace {

class PrunePass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        for (const GraphId graph : edit.graph().liveSubgraphs()) {
            if (context.isCancelled()) return Error::cancelled();
            if (edit.graph().subgraph(graph).isAlive) prune(edit, graph, report);
        }
        return report;
    }

private:
    static void prune(GraphEditor& edit, GraphId graph, PassReport& report)
    {
        std::vector<char> isNeeded(static_cast<std::size_t>(edit.graph().nodeIdBound()), 0);
        std::vector<NodeId> pending;
        const auto need = [&](NodeId id) {
            char& mark = isNeeded[static_cast<std::size_t>(id.value)];
            if (mark == 0) {
                mark = 1;
                pending.push_back(id);
            }
        };
        const std::vector<NodeId> nodes = edit.graph().nodes(graph);
        NodeId netOutput;
        for (const NodeId id : nodes)
            if (edit.node(id).type == "NetOutput") {
                need(id);
                netOutput = id;
            }
        for (const OutputRef& output : edit.graph().subgraph(graph).outputs) need(output.node);
        if (pending.empty()) return; // no output at all: nothing says what is needed
        while (!pending.empty()) {
            const Node& node = edit.node(pending.back());
            pending.pop_back();
            for (const InputSlot& slot : node.inputs)
                if (slot.source.isValid()) need(slot.source.node);
            for (const NodeId id : node.controlInputs) need(id);
        }
        // Readers before producers, so that each node is unread when its turn comes.
        const std::vector<NodeId> order = edit.graph().topologicalOrder(graph);
        for (auto id = order.rbegin(); id != order.rend(); ++id) {
            if (isNeeded[static_cast<std::size_t>(id->value)]) continue;
            if (edit.node(*id).type == "Data") {
                // The model keeps the inputs it was declared with; order alone ties them in.
                if (netOutput.isValid()) edit.connectControl(*id, netOutput);
                continue;
            }
            for (const GraphId owned : std::vector<GraphId>(edit.node(*id).subgraphs)) edit.removeSubgraph(owned);
            edit.removeNode(*id);
            report.count("nodes removed");
        }
    }
};

} // namespace

PassEntry prunePass()
{
    return {.info = {.id = "PrunePass",
                     .phase = "PreRunAfterPrepare",
                     .summary = "Deletes everything that no output depends on; unused inputs stay, by a control edge."},
            .make = makePass<PrunePass>};
}

PassEntry stageOnePrunePass()
{
    return {.info = {.id = "PrunePass",
                     .phase = "PreRunAfterOptimize1",
                     .summary = "Deletes what stage 1 left without use."},
            .make = makePass<PrunePass>};
}

} // namespace gelens
