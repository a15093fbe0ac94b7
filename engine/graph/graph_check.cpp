// Graph::findInconsistency: an independent check of what the edits must keep true. Linear in nodes and edges
// (control edges are sorted).

#include "engine/graph/graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace gelens {
namespace {

struct Checker {
    const Graph& graph;

    bool hasOutput(OutputRef ref) const
    {
        return graph.contains(ref.node) && ref.index >= 0 && ref.index < graph.node(ref.node).outputCount();
    }

    std::string checkList(GraphId id) const
    {
        const SubgraphInfo& info = graph.subgraph(id);
        std::unordered_set<std::string_view> names;
        NodeId previous;
        int count = 0;
        for (NodeId at = info.first; at.isValid(); at = graph.node(at).next) {
            if (!graph.contains(at))
                return fmt::format("graph '{}' lists node {}, which is not alive", info.name, at.value);
            const Node& node = graph.node(at);
            if (++count > info.nodeCount)
                return fmt::format("graph '{}' counts {} nodes but lists more", info.name, info.nodeCount);
            if (node.id != at) return fmt::format("node {} bears id {}", at.value, node.id.value);
            if (node.graph != id)
                return fmt::format("node '{}' is listed by graph '{}' but belongs to another", node.name, info.name);
            if (node.previous != previous)
                return fmt::format("node '{}' does not point back in the order list", node.name);
            if (!names.insert(node.name).second)
                return fmt::format("graph '{}' has two nodes named '{}'", info.name, node.name);
            previous = at;
        }
        if (count != info.nodeCount)
            return fmt::format("graph '{}' counts {} nodes but lists {}", info.name, info.nodeCount, count);
        if (info.last != previous) return fmt::format("graph '{}' has a wrong end of its node list", info.name);
        for (const OutputRef ref : info.outputs)
            if (!graph.contains(ref.node) || graph.node(ref.node).graph != id)
                return fmt::format("graph '{}' records an output of node {}, which it does not have", info.name,
                                   ref.node.value);
        return {};
    }

    std::string checkOwner(GraphId id) const
    {
        const SubgraphInfo& info = graph.subgraph(id);
        if (info.id != id) return fmt::format("graph {} bears id {}", id.value, info.id.value);
        if (!info.parentNode.isValid()) return {};
        if (!graph.contains(info.parentNode))
            return fmt::format("graph '{}' belongs to a node that is not alive", info.name);
        const auto& owned = graph.node(info.parentNode).subgraphs;
        if (std::count(owned.begin(), owned.end(), id) != 1)
            return fmt::format("graph '{}' is not listed once by its owner '{}'", info.name,
                               graph.node(info.parentNode).name);
        return {};
    }

    /// Every consumer entry is a slot that names this output, no slot is entered twice, and there are as many entries
    /// as connected slots: then both ends of all data edges agree.
    std::string checkDataEdges(const std::vector<NodeId>& all) const
    {
        std::vector<std::size_t> firstSlot(static_cast<std::size_t>(graph.nodeIdBound()), 0);
        std::size_t slots = 0;
        std::size_t connected = 0;
        for (const NodeId id : all) {
            firstSlot[static_cast<std::size_t>(id.value)] = slots;
            const Node& node = graph.node(id);
            slots += node.inputs.size();
            for (const InputSlot& slot : node.inputs) {
                if (!slot.source.isValid()) continue;
                ++connected;
                if (!hasOutput(slot.source))
                    return fmt::format("an input of node '{}' reads an output that does not exist", node.name);
                if (graph.node(slot.source.node).graph != node.graph)
                    return fmt::format("an input of node '{}' reads a node of another graph", node.name);
            }
        }
        std::vector<char> isEntered(slots, 0);
        std::size_t entered = 0;
        for (const NodeId id : all) {
            const Node& node = graph.node(id);
            for (int i = 0; i < node.outputCount(); ++i) {
                for (const InputRef to : node.outputs[static_cast<std::size_t>(i)].consumers) {
                    if (!graph.contains(to.node) || graph.node(to.node).source(to.index) != node.output(i))
                        return fmt::format("output {} of node '{}' has a consumer that does not read it", i, node.name);
                    char& mark = isEntered[firstSlot[static_cast<std::size_t>(to.node.value)] +
                                           static_cast<std::size_t>(to.index)];
                    if (mark) return fmt::format("output {} of node '{}' lists a consumer twice", i, node.name);
                    mark = 1;
                    ++entered;
                }
            }
        }
        if (entered != connected) return "an input reads an output that does not list it as a consumer";
        return {};
    }

    std::string checkControlEdges(const std::vector<NodeId>& all) const
    {
        std::vector<std::pair<NodeId, NodeId>> out, in;
        for (const NodeId id : all) {
            const Node& node = graph.node(id);
            for (const NodeId to : node.controlOutputs) out.emplace_back(id, to);
            for (const NodeId from : node.controlInputs) {
                if (!graph.contains(from))
                    return fmt::format("node '{}' waits for a node that is not alive", node.name);
                if (graph.node(from).graph != node.graph)
                    return fmt::format("node '{}' waits for a node of another graph", node.name);
                in.emplace_back(from, id);
            }
        }
        std::sort(out.begin(), out.end());
        std::sort(in.begin(), in.end());
        if (out != in) return "the two ends of a control edge do not agree";
        if (std::adjacent_find(in.begin(), in.end()) != in.end())
            return fmt::format("node '{}' has a control edge twice",
                               graph.node(std::adjacent_find(in.begin(), in.end())->second).name);
        return {};
    }

    std::string checkOwned(const std::vector<NodeId>& all) const
    {
        for (const NodeId id : all) {
            for (const GraphId owned : graph.node(id).subgraphs) {
                if (owned.value < 0 || owned.value >= graph.subgraphCount() || !graph.subgraph(owned).isAlive ||
                    graph.subgraph(owned).parentNode != id)
                    return fmt::format("node '{}' lists a graph that is not its own", graph.node(id).name);
            }
        }
        return {};
    }
};

} // namespace

std::string Graph::findInconsistency() const
{
    const Checker checker{*this};
    if (m_subgraphs.empty() || !m_subgraphs[0]->isAlive) return "there is no root graph";
    int listed = 0;
    int alive = 0;
    for (const GraphId id : liveSubgraphs()) {
        if (std::string problem = checker.checkOwner(id); !problem.empty()) return problem;
        if (std::string problem = checker.checkList(id); !problem.empty()) return problem;
        listed += subgraph(id).nodeCount;
    }
    for (const auto& node : m_nodes) alive += node->isAlive ? 1 : 0;
    if (listed != m_liveNodes || alive != m_liveNodes)
        return fmt::format("{} nodes are counted, {} listed and {} alive", m_liveNodes, listed, alive);
    const std::vector<NodeId> all = allNodes();
    if (std::string problem = checker.checkDataEdges(all); !problem.empty()) return problem;
    if (std::string problem = checker.checkControlEdges(all); !problem.empty()) return problem;
    return checker.checkOwned(all);
}

} // namespace gelens
