#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

namespace gelens {
namespace {

class NetOutputPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext&) override
    {
        PassReport report;
        NodeId netOutput;
        std::vector<NodeId> leaves;
        edit.graph().forEachNode(rootGraph, [&](const Node& node) {
            if (node.type == "NetOutput")
                netOutput = node.id;
            else if (!hasReaders(node) && !isBoundaryType(node.type))
                leaves.push_back(node.id);
        });
        if (!netOutput.isValid()) {
            // A graph that names no output: everything that nobody reads is one.
            netOutput = edit.addNode({.name = "Node_Output", .type = "NetOutput"});
            std::vector<OutputRef> outputs;
            for (const NodeId leaf : leaves)
                for (int i = 0; i < edit.node(leaf).outputCount(); ++i) {
                    const int slot = edit.addInput(netOutput, "x" + std::to_string(i),
                                                   edit.node(leaf).outputs[static_cast<std::size_t>(i)].desc);
                    edit.connect({leaf, i}, {netOutput, slot});
                    outputs.push_back({leaf, i});
                }
            edit.setGraphOutputs(rootGraph, outputs);
            report.count("outputs added", static_cast<std::int64_t>(outputs.size()));
            // What gives nothing and is read by nobody (the End of a partition) is as needed as an output.
            std::erase_if(leaves, [&](NodeId leaf) { return edit.node(leaf).outputCount() > 0; });
        }
        for (const NodeId leaf : leaves) {
            // Side effects without a reader still have to happen before the model is done.
            edit.connectControl(leaf, netOutput);
            report.count("leaves tied to NetOutput");
        }
        return report;
    }
};

} // namespace

PassEntry netOutputPass()
{
    return {
        .info = {.id = "NetOutputPass",
                 .phase = "PreRunAfterNormalizeGraph",
                 .summary = "Creates or completes the single NetOutput node; nodes without readers are tied to it."},
        .make = makePass<NetOutputPass>};
}

} // namespace gelens
