#pragma once
// Random edits through GraphEditor, and a text of a graph that leaves nothing out, for the property tests of the
// journal.

#include "engine/graph/graph_editor.h"

#include <random>
#include <string>
#include <vector>

namespace gelens::test {

/// Every field of every live node and graph, ids and the order of consumers included: stricter than the fingerprint.
inline std::string strictText(const Graph& graph)
{
    std::string text;
    const auto add = [&text](const auto&... parts) {
        ((text += parts, text += ' '), ...);
        text += '\n';
    };
    const auto number = [](auto value) { return std::to_string(value); };
    const auto desc = [&](const TensorDesc& d) {
        std::string s = number(static_cast<int>(d.dtype)) + d.format.text() + d.shape.text() + d.originShape.text() +
                        d.originFormat.text() + number(d.reservedBytes) + d.name;
        for (const auto& [name, value] : d.attrs) s += name + "=" + value.text();
        return s;
    };
    for (const GraphId id : graph.liveSubgraphs()) {
        const SubgraphInfo& info = graph.subgraph(id);
        add("graph", number(id.value), info.name, number(info.parentNode.value), number(info.nodeCount),
            number(info.first.value), number(info.last.value));
        for (const auto& [name, value] : info.attrs) add(" attr", name, value.text());
        for (const OutputRef ref : info.outputs) add(" output", number(ref.node.value), number(ref.index));
        graph.forEachNode(id, [&](const Node& n) {
            add("node", number(n.id.value), number(n.graph.value), n.name, n.type, number(n.previous.value),
                number(n.next.value), number(n.placement.streamId), n.placement.engine,
                number(n.placement.outputOffsets.size()));
            for (const InputSlot& slot : n.inputs)
                add(" in", slot.name, desc(slot.desc), number(slot.source.node.value), number(slot.source.index));
            for (const OutputSlot& slot : n.outputs) {
                add(" out", slot.name, desc(slot.desc));
                for (const InputRef to : slot.consumers) add("  to", number(to.node.value), number(to.index));
            }
            for (const NodeId from : n.controlInputs) add(" waits", number(from.value));
            for (const NodeId to : n.controlOutputs) add(" holds", number(to.value));
            for (const GraphId owned : n.subgraphs) add(" owns", number(owned.value));
            for (const auto& [name, value] : n.attrs) add(" attr", name, value.text());
        });
    }
    return text;
}

class RandomEdits {
public:
    RandomEdits(GraphEditor& editor, unsigned seed) : m_edit(editor), m_random(seed) {}

    static constexpr int kinds = 25;

    /// One random call that suits the graph as it is; may turn out to be none when nothing fits.
    void once() { run(pick(kinds)); }

private:
    int pick(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }
    std::string letter(const char* prefix) { return prefix + std::to_string(pick(6)); }

    GraphId anyGraph()
    {
        const auto live = m_edit.graph().liveSubgraphs();
        return live[static_cast<std::size_t>(pick(static_cast<int>(live.size())))];
    }
    NodeId anyNode(GraphId graph)
    {
        const auto ids = m_edit.graph().nodes(graph);
        return ids.empty() ? NodeId{} : ids[static_cast<std::size_t>(pick(static_cast<int>(ids.size())))];
    }
    TensorDesc anyDesc()
    {
        TensorDesc desc(pick(2) ? DataType::Float : DataType::Float16, Shape{pick(4), pick(3) - 1});
        if (pick(4) == 0) desc.attrs["flag"] = pick(3);
        desc.reservedBytes = pick(2) * 32;
        return desc;
    }
    AttrValue anyValue()
    {
        switch (pick(6)) {
        case 0: return pick(5);
        case 1: return static_cast<float>(pick(5)) / 2;
        case 2: return letter("text");
        case 3: return IntList{pick(3), pick(3)};
        case 4: return Tensor::fromInts({pick(9)}, Shape{});
        default: return pick(2) == 0;
        }
    }
    OutputRef anyOutput(NodeId id)
    {
        const int count = m_edit.node(id).outputCount();
        return count > 0 ? OutputRef{id, pick(count)} : OutputRef{};
    }

    void addNode(GraphId graph)
    {
        NodeSpec spec;
        spec.name = letter("n");
        spec.type = letter("Type");
        for (int i = pick(4); i > 0; --i) spec.inputs.emplace_back("x", anyDesc());
        for (int i = pick(3); i > 0; --i) spec.outputs.emplace_back("y", anyDesc());
        if (pick(2)) spec.attrs["a"] = anyValue();
        m_edit.addNode(std::move(spec), graph, pick(2) ? anyNode(graph) : NodeId{});
    }

    void removeNode(NodeId id)
    {
        for (int i = 0; i < m_edit.node(id).outputCount(); ++i)
            while (!m_edit.graph().consumers({id, i}).empty())
                m_edit.disconnect(m_edit.graph().consumers({id, i}).front());
        m_edit.removeNode(id);
    }

    void run(int kind)
    {
        const GraphId graph = anyGraph();
        if (kind <= 2) return addNode(graph);
        if (kind == 3) {
            m_edit.addConstant(letter("const"), Tensor::fromInts({pick(9), 1}, Shape{2}), graph);
            return;
        }
        const NodeId a = anyNode(graph);
        if (!a.isValid()) return;
        const NodeId b = anyNode(graph);
        const int inputs = m_edit.node(a).inputCount();
        switch (kind) {
        case 4: return removeNode(a);
        case 5:
        case 6:
        case 7:
            if (inputs > 0)
                if (const OutputRef from = anyOutput(b); from.isValid()) m_edit.connect(from, {a, pick(inputs)});
            return;
        case 8:
            if (inputs > 0) m_edit.disconnect({a, pick(inputs)});
            return;
        case 9: return m_edit.connectControl(a, b);
        case 10:
            if (const auto& targets = m_edit.node(a).controlOutputs; !targets.empty())
                m_edit.disconnectControl(a, targets[static_cast<std::size_t>(pick(static_cast<int>(targets.size())))]);
            return;
        case 11: {
            const OutputRef from = anyOutput(a);
            const OutputRef to = anyOutput(b);
            if (from.isValid() && to.isValid()) m_edit.replaceUses(from, to);
            return;
        }
        case 12: return m_edit.moveControlEdges(a, b);
        case 13:
            if (inputs > 0) m_edit.setInputDesc({a, pick(inputs)}, anyDesc());
            return;
        case 14:
            if (const OutputRef ref = anyOutput(a); ref.isValid()) m_edit.setOutputDesc(ref, anyDesc());
            return;
        case 15: m_edit.insertInput(a, pick(inputs + 1), letter("x"), anyDesc()); return;
        case 16:
            if (inputs > 0) m_edit.removeInput({a, pick(inputs)});
            return;
        case 17: m_edit.addOutput(a, letter("y"), anyDesc()); return;
        case 18: {
            const auto& outputs = m_edit.node(a).outputs;
            if (!outputs.empty() && outputs.back().consumers.empty() && m_edit.graph().subgraph(graph).outputs.empty())
                m_edit.removeLastOutput(a);
            return;
        }
        case 19: return pick(3) ? m_edit.setAttr(a, letter("a"), anyValue()) : m_edit.removeAttr(a, letter("a"));
        case 20:
            return pick(2) ? m_edit.setGraphAttr(graph, letter("g"), anyValue()) : m_edit.setType(a, letter("Type"));
        case 21: {
            if (pick(2)) return m_edit.rename(a, letter("n"));
            Placement placement;
            placement.streamId = pick(3);
            placement.engine = letter("engine");
            return m_edit.setPlacement(a, placement);
        }
        case 22:
            if (a != b) m_edit.moveAfter(a, pick(4) ? b : NodeId{});
            return;
        case 23: {
            std::vector<NodeId> order = m_edit.graph().topologicalOrder(graph);
            if (pick(2)) std::shuffle(order.begin(), order.end(), m_random);
            m_edit.setOrder(graph, std::move(order));
            if (const OutputRef ref = anyOutput(b); ref.isValid()) m_edit.setGraphOutputs(graph, {ref});
            return;
        }
        default:
            if (pick(3) && graph != rootGraph)
                m_edit.removeSubgraph(graph);
            else
                m_edit.addSubgraph(letter("sub"), a);
        }
    }

    GraphEditor& m_edit;
    std::mt19937 m_random;
};

} // namespace gelens::test
