#include "engine/formats/graph_checks_internal.h"

#include <fmt/format.h>

#include <unordered_map>

namespace gelens {
namespace {

/// Walks back along inputs from a node that lies on a cycle or behind one until a node comes up again.
std::string cycleText(const Graph& graph, NodeId start, const std::unordered_map<NodeId, bool>& isOnCycle)
{
    std::vector<NodeId> path;
    std::unordered_map<NodeId, std::size_t> places;
    NodeId at = start;
    while (at.isValid() && !places.contains(at)) {
        places.emplace(at, path.size());
        path.push_back(at);
        NodeId next;
        const auto consider = [&](NodeId candidate) {
            if (!next.isValid() && candidate.isValid() && isOnCycle.contains(candidate)) next = candidate;
        };
        for (const InputSlot& slot : graph.node(at).inputs) consider(slot.source.node);
        for (const NodeId control : graph.node(at).controlInputs) consider(control);
        at = next;
    }
    if (!at.isValid()) return graph.node(start).name;
    std::string text;
    std::size_t shown = 0;
    for (std::size_t i = path.size(); i-- > places[at] && shown < 8; ++shown) text += graph.node(path[i]).name + " -> ";
    return text + (shown == 8 ? "…" : graph.node(path.back()).name);
}

} // namespace

Status checkAcyclic(const Graph& graph)
{
    for (const GraphId id : graph.liveSubgraphs()) {
        bool hasCycle = false;
        const std::vector<NodeId> order = graph.topologicalOrder(id, &hasCycle);
        if (!hasCycle) continue;
        bool isLoop = false;
        graph.forEachNode(id, [&](const Node& node) {
            isLoop = isLoop || node.type == "NextIteration" || node.type == "RefNextIteration";
        });
        if (isLoop) continue;
        // Nodes that never become ready: on a cycle or behind one.
        std::unordered_map<NodeId, int> waits;
        std::vector<NodeId> ready;
        graph.forEachNode(id, [&](const Node& node) {
            int count = static_cast<int>(node.controlInputs.size());
            for (const InputSlot& slot : node.inputs) count += slot.source.isValid() ? 1 : 0;
            waits[node.id] = count;
            if (count == 0) ready.push_back(node.id);
        });
        while (!ready.empty()) {
            const NodeId at = ready.back();
            ready.pop_back();
            const auto release = [&](NodeId reader) {
                if (--waits[reader] == 0) ready.push_back(reader);
            };
            for (const OutputSlot& slot : graph.node(at).outputs)
                for (const InputRef& reader : slot.consumers) release(reader.node);
            for (const NodeId reader : graph.node(at).controlOutputs) release(reader);
        }
        std::unordered_map<NodeId, bool> left;
        for (const auto& [node, count] : waits)
            if (count > 0) left.emplace(node, true);
        for (const NodeId node : order)
            if (left.contains(node))
                return Error::invalid(fmt::format("the graph '{}' has a cycle: {}", graph.subgraph(id).name,
                                                  cycleText(graph, node, left)));
    }
    return Status::success();
}

} // namespace gelens
