#include "engine/graph/journal.h"

#include "engine/graph/result.h"

#include <algorithm>

namespace gelens {

/// Applies and reverts single records. Undo is strictly last in, first out, so each revert finds the graph exactly as
/// its apply left it and positions can be trusted; the assertions check that.
struct GraphMutation {
    Graph& graph;

    Node& node(NodeId id) const { return graph.mutableNode(id); }
    SubgraphInfo& info(GraphId id) const { return graph.mutableSubgraph(id); }

    InputSlot& input(InputRef ref) const
    {
        Node& n = node(ref.node);
        GELENS_ASSERT(ref.index >= 0 && ref.index < n.inputCount());
        return n.inputs[static_cast<std::size_t>(ref.index)];
    }
    OutputSlot& output(OutputRef ref) const
    {
        Node& n = node(ref.node);
        GELENS_ASSERT(ref.index >= 0 && ref.index < n.outputCount());
        return n.outputs[static_cast<std::size_t>(ref.index)];
    }

    template <typename T>
    static void insertAt(std::vector<T>& list, int position, T value)
    {
        GELENS_ASSERT(position >= 0 && position <= static_cast<int>(list.size()));
        list.insert(list.begin() + position, std::move(value));
    }
    template <typename T>
    static void eraseAt(std::vector<T>& list, int position, const T& expected)
    {
        GELENS_ASSERT(position >= 0 && position < static_cast<int>(list.size()));
        GELENS_ASSERT(list[static_cast<std::size_t>(position)] == expected);
        list.erase(list.begin() + position);
    }

    // The order list

    void link(NodeId id, NodeId previous) const
    {
        Node& n = node(id);
        SubgraphInfo& list = info(n.graph);
        GELENS_ASSERT(!previous.isValid() || (graph.contains(previous) && graph.node(previous).graph == n.graph));
        n.previous = previous;
        n.next = previous.isValid() ? graph.node(previous).next : list.first;
        (previous.isValid() ? node(previous).next : list.first) = id;
        (n.next.isValid() ? node(n.next).previous : list.last) = id;
    }
    void unlink(NodeId id) const
    {
        Node& n = node(id);
        SubgraphInfo& list = info(n.graph);
        (n.previous.isValid() ? node(n.previous).next : list.first) = n.next;
        (n.next.isValid() ? node(n.next).previous : list.last) = n.previous;
        n.previous = {};
        n.next = {};
    }
    void setAlive(NodeId id, bool isAlive) const
    {
        Node& n = node(id);
        GELENS_ASSERT(n.isAlive != isAlive);
        n.isAlive = isAlive;
        const int change = isAlive ? 1 : -1;
        info(n.graph).nodeCount += change;
        graph.m_liveNodes += change;
    }
    void setOrder(GraphId id, const std::vector<NodeId>& order) const
    {
        SubgraphInfo& list = info(id);
        GELENS_ASSERT(static_cast<int>(order.size()) == list.nodeCount);
        for (std::size_t i = 0; i < order.size(); ++i) {
            const NodeId previous = i > 0 ? order[i - 1] : NodeId{};
            const NodeId next = i + 1 < order.size() ? order[i + 1] : NodeId{};
            const Node& current = graph.node(order[i]);
            GELENS_ASSERT(current.isAlive && current.graph == id);
            if (current.previous == previous && current.next == next) continue; // stays shared with snapshots
            Node& n = node(order[i]);
            n.previous = previous;
            n.next = next;
        }
        list.first = order.empty() ? NodeId{} : order.front();
        list.last = order.empty() ? NodeId{} : order.back();
    }

    // Nodes

    void place(NodeId id, std::shared_ptr<Node> fresh, NodeId previous) const
    {
        static const std::shared_ptr<Node> hole = [] {
            auto node = std::make_shared<Node>();
            node->isAlive = false;
            return node;
        }();
        const auto index = static_cast<std::size_t>(id.value);
        // Ids skipped here were used up by records that another copy of the graph has seen and taken back.
        while (graph.m_nodes.size() <= index) graph.m_nodes.push_back(hole);
        GELENS_ASSERT(!graph.m_nodes[index]->isAlive);
        fresh->isAlive = false;
        graph.m_nodes[index] = std::move(fresh);
        setAlive(id, true);
        link(id, previous);
    }
    void apply(const edit::AddNode& e) const { place(e.node, std::make_shared<Node>(*e.content), e.previous); }
    void revert(const edit::AddNode& e) const
    {
        unlink(e.node);
        setAlive(e.node, false);
    }
    void apply(const edit::RemoveNode& e) const
    {
        const Node& n = graph.node(e.node);
        GELENS_ASSERT(n.isAlive && n.previous == e.previous);
        GELENS_ASSERT(n.controlInputs.empty() && n.controlOutputs.empty() && n.subgraphs.empty());
        unlink(e.node);
        setAlive(e.node, false);
    }
    void revert(const edit::RemoveNode& e) const
    {
        setAlive(e.node, true);
        link(e.node, e.previous);
    }
    void apply(const edit::SetName& e) const { node(e.node).name = e.after; }
    void revert(const edit::SetName& e) const { node(e.node).name = e.before; }
    void apply(const edit::SetType& e) const { node(e.node).type = e.after; }
    void revert(const edit::SetType& e) const { node(e.node).type = e.before; }
    void apply(const edit::SetPlacement& e) const { node(e.node).placement = *e.after; }
    void revert(const edit::SetPlacement& e) const { node(e.node).placement = *e.before; }
    void apply(const edit::MoveNode& e) const
    {
        unlink(e.node);
        link(e.node, e.previousAfter);
    }
    void revert(const edit::MoveNode& e) const
    {
        unlink(e.node);
        link(e.node, e.previousBefore);
    }
    void apply(const edit::SetOrder& e) const { setOrder(e.graph, *e.after); }
    void revert(const edit::SetOrder& e) const { setOrder(e.graph, *e.before); }

    // Edges

    void apply(const edit::Connect& e) const
    {
        InputSlot& slot = input(e.to);
        GELENS_ASSERT(!slot.source.isValid());
        output(e.from).consumers.push_back(e.to);
        slot.source = e.from;
    }
    void revert(const edit::Connect& e) const
    {
        auto& consumers = output(e.from).consumers;
        GELENS_ASSERT(!consumers.empty() && consumers.back() == e.to);
        consumers.pop_back();
        input(e.to).source = {};
    }
    void apply(const edit::Disconnect& e) const
    {
        InputSlot& slot = input(e.to);
        GELENS_ASSERT(slot.source == e.from);
        eraseAt(output(e.from).consumers, e.position, e.to);
        slot.source = {};
    }
    void revert(const edit::Disconnect& e) const
    {
        insertAt(output(e.from).consumers, e.position, e.to);
        input(e.to).source = e.from;
    }
    void apply(const edit::ConnectControl& e) const
    {
        node(e.from).controlOutputs.push_back(e.to);
        node(e.to).controlInputs.push_back(e.from);
    }
    void revert(const edit::ConnectControl& e) const
    {
        auto& outputs = node(e.from).controlOutputs;
        auto& inputs = node(e.to).controlInputs;
        GELENS_ASSERT(!outputs.empty() && outputs.back() == e.to && !inputs.empty() && inputs.back() == e.from);
        outputs.pop_back();
        inputs.pop_back();
    }
    void apply(const edit::DisconnectControl& e) const
    {
        eraseAt(node(e.from).controlOutputs, e.outPosition, e.to);
        eraseAt(node(e.to).controlInputs, e.inPosition, e.from);
    }
    void revert(const edit::DisconnectControl& e) const
    {
        insertAt(node(e.from).controlOutputs, e.outPosition, e.to);
        insertAt(node(e.to).controlInputs, e.inPosition, e.from);
    }

    // Slots

    /// The source of slot `index` lists it as `listedIndex`; tells it the new number.
    void renumber(NodeId id, int index, int listedIndex) const
    {
        const OutputRef source = graph.node(id).source(index);
        if (!source.isValid()) return;
        auto& consumers = output(source).consumers;
        const auto entry = std::find(consumers.rbegin(), consumers.rend(), InputRef{id, listedIndex});
        GELENS_ASSERT(entry != consumers.rend());
        entry->index = index;
    }
    void insertSlot(InputRef ref, const InputSlot& content) const
    {
        Node& n = node(ref.node);
        insertAt(n.inputs, ref.index, content);
        for (int i = n.inputCount() - 1; i > ref.index; --i) // downwards, so that a number is free before it is taken
            renumber(ref.node, i, i - 1);
    }
    void eraseSlot(InputRef ref) const
    {
        GELENS_ASSERT(!input(ref).source.isValid());
        Node& n = node(ref.node);
        n.inputs.erase(n.inputs.begin() + ref.index);
        for (int i = ref.index; i < n.inputCount(); ++i) renumber(ref.node, i, i + 1);
    }
    void pushOutput(OutputRef ref, const OutputSlot& content) const
    {
        Node& n = node(ref.node);
        GELENS_ASSERT(ref.index == n.outputCount());
        n.outputs.push_back(content);
    }
    void popOutput(OutputRef ref) const
    {
        GELENS_ASSERT(output(ref).consumers.empty());
        Node& n = node(ref.node);
        GELENS_ASSERT(ref.index == n.outputCount() - 1);
        n.outputs.pop_back();
    }
    void apply(const edit::SetInputDesc& e) const { input(e.slot).desc = *e.after; }
    void revert(const edit::SetInputDesc& e) const { input(e.slot).desc = *e.before; }
    void apply(const edit::SetOutputDesc& e) const { output(e.slot).desc = *e.after; }
    void revert(const edit::SetOutputDesc& e) const { output(e.slot).desc = *e.before; }
    void apply(const edit::InsertInput& e) const { insertSlot(e.slot, *e.content); }
    void revert(const edit::InsertInput& e) const { eraseSlot(e.slot); }
    void apply(const edit::RemoveInput& e) const { eraseSlot(e.slot); }
    void revert(const edit::RemoveInput& e) const { insertSlot(e.slot, *e.content); }
    void apply(const edit::AddOutput& e) const { pushOutput(e.slot, *e.content); }
    void revert(const edit::AddOutput& e) const { popOutput(e.slot); }
    void apply(const edit::RemoveOutput& e) const { popOutput(e.slot); }
    void revert(const edit::RemoveOutput& e) const { pushOutput(e.slot, *e.content); }

    // Attributes and graphs

    static void setAttr(AttrMap& attrs, const std::string& name, const std::optional<AttrValue>& value)
    {
        if (value)
            attrs.insert_or_assign(name, *value);
        else
            attrs.erase(name);
    }
    void apply(const edit::SetAttr& e) const { setAttr(node(e.node).attrs, e.name, e.after); }
    void revert(const edit::SetAttr& e) const { setAttr(node(e.node).attrs, e.name, e.before); }
    void apply(const edit::SetGraphAttr& e) const { setAttr(info(e.graph).attrs, e.name, e.after); }
    void revert(const edit::SetGraphAttr& e) const { setAttr(info(e.graph).attrs, e.name, e.before); }
    void apply(const edit::SetGraphOutputs& e) const { info(e.graph).outputs = *e.after; }
    void revert(const edit::SetGraphOutputs& e) const { info(e.graph).outputs = *e.before; }

    void apply(const edit::AddSubgraph& e) const
    {
        static const auto hole = [] {
            auto info = std::make_shared<SubgraphInfo>();
            info->isAlive = false;
            return info;
        }();
        const auto index = static_cast<std::size_t>(e.graph.value);
        while (graph.m_subgraphs.size() <= index) graph.m_subgraphs.push_back(hole);
        GELENS_ASSERT(!graph.m_subgraphs[index]->isAlive);
        auto fresh = std::make_shared<SubgraphInfo>();
        fresh->id = e.graph;
        fresh->name = e.name;
        fresh->parentNode = e.owner;
        graph.m_subgraphs[index] = std::move(fresh);
        if (e.owner.isValid()) node(e.owner).subgraphs.push_back(e.graph);
    }
    void revert(const edit::AddSubgraph& e) const
    {
        GELENS_ASSERT(graph.subgraph(e.graph).nodeCount == 0);
        info(e.graph).isAlive = false;
        if (!e.owner.isValid()) return;
        auto& owned = node(e.owner).subgraphs;
        GELENS_ASSERT(!owned.empty() && owned.back() == e.graph);
        owned.pop_back();
    }
    void apply(const edit::RemoveSubgraph& e) const
    {
        GELENS_ASSERT(graph.subgraph(e.graph).isAlive && graph.subgraph(e.graph).nodeCount == 0);
        info(e.graph).isAlive = false;
        if (e.owner.isValid()) eraseAt(node(e.owner).subgraphs, e.position, e.graph);
    }
    void revert(const edit::RemoveSubgraph& e) const
    {
        info(e.graph).isAlive = true;
        if (e.owner.isValid()) insertAt(node(e.owner).subgraphs, e.position, e.graph);
    }
};

void Journal::apply(Graph& graph, const Edit& edit)
{
    std::visit([mutation = GraphMutation{graph}](const auto& e) { mutation.apply(e); }, edit);
}

void Journal::revert(Graph& graph, const Edit& edit)
{
    std::visit([mutation = GraphMutation{graph}](const auto& e) { mutation.revert(e); }, edit);
}

void Journal::addUnrecorded(Graph& graph, std::shared_ptr<Node> node)
{
    const NodeId id = node->id, previous = graph.subgraph(node->graph).last;
    GraphMutation{graph}.place(id, std::move(node), previous);
}

void Journal::move(Graph& graph, std::size_t from, std::size_t to) const
{
    GELENS_ASSERT(from <= size() && to <= size());
    for (; from < to; ++from) apply(graph, m_records[from].edit);
    for (; from > to; --from) revert(graph, m_records[from - 1].edit);
}

} // namespace gelens
