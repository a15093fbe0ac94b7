#include "engine/fusion/fusion_index.h"

#include <algorithm>

namespace gelens {

void FusionIndex::sync(const GraphEditor& editor)
{
    if (m_journal == editor.position()) return;
    rebuild(editor);
    markSynced(editor);
}

void FusionIndex::rebuild(const GraphEditor& editor)
{
    const Graph& graph = editor.graph();
    m_byType.clear();
    m_outputs.clear();
    m_positions.assign(static_cast<std::size_t>(graph.nodeIdBound()), 0);
    std::int64_t next = gap;
    for (const GraphId id : graph.liveSubgraphs()) {
        for (const OutputRef& output : graph.subgraph(id).outputs) m_outputs.insert(output);
        std::vector<NodeId> order = graph.nodes(id);
        for (std::size_t i = 0; i < order.size(); ++i) setPosition(order[i], static_cast<std::int64_t>(i));
        const auto isBehindItsInputs = [&](NodeId node) {
            const Node& at = graph.node(node);
            const auto precedes = [&](NodeId source) { return position(source) < position(node); };
            return std::all_of(
                       at.inputs.begin(), at.inputs.end(),
                       [&](const InputSlot& slot) { return !slot.source.isValid() || precedes(slot.source.node); }) &&
                   std::all_of(at.controlInputs.begin(), at.controlInputs.end(), precedes);
        };
        if (!std::all_of(order.begin(), order.end(), isBehindItsInputs)) order = graph.topologicalOrder(id);
        for (const NodeId node : order) {
            setPosition(node, next);
            next += gap;
            m_byType[graph.node(node).type].push_back(node);
        }
    }
}

std::vector<NodeId> FusionIndex::candidates(const Graph& graph, const std::vector<std::string>& types,
                                            bool isBackwards) const
{
    std::vector<NodeId> found;
    for (const std::string& type : types) {
        const auto nodes = m_byType.find(type);
        if (nodes == m_byType.end()) continue;
        for (const NodeId id : nodes->second)
            if (graph.contains(id) && graph.node(id).type == type) found.push_back(id);
    }
    const auto precedes = [&](NodeId a, NodeId b) {
        const std::int64_t x = position(a), y = position(b);
        return x != y ? x < y : a < b;
    };
    // Lists stay in order until rewrites append to them.
    if (!std::is_sorted(found.begin(), found.end(), precedes)) std::sort(found.begin(), found.end(), precedes);
    if (isBackwards) std::reverse(found.begin(), found.end());
    return found;
}

void FusionIndex::setPosition(NodeId id, std::int64_t position)
{
    const auto i = static_cast<std::size_t>(id.value);
    if (i >= m_positions.size()) m_positions.resize(i + 1, 0);
    m_positions[i] = position;
}

void FusionIndex::add(const Node& node, std::int64_t position)
{
    setPosition(node.id, position);
    m_byType[node.type].push_back(node.id);
}

} // namespace gelens
