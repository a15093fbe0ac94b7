#include "engine/graph/graph_editor.h"

#include "engine/graph/result.h"

#include <algorithm>

namespace gelens {
namespace {

/// Position of a value that is in the list. Passes walk a graph from one end, so the entry they want is mostly near an
/// end; looking from both keeps the removal of all consumers of a large hub cheap.
template <typename T>
int positionOf(const std::vector<T>& list, const T& value)
{
    std::size_t low = 0;
    std::size_t high = list.size();
    while (low < high) {
        if (list[high - 1] == value) return static_cast<int>(high - 1);
        if (list[low] == value) return static_cast<int>(low);
        ++low;
        --high;
    }
    GELENS_ASSERT(!"the entry is in the list");
    return -1;
}

template <typename T>
std::shared_ptr<const T> shared(T value)
{
    return std::make_shared<const T>(std::move(value));
}

} // namespace

GraphEditor::GraphEditor(Graph& graph, Journal& journal) : m_graph(graph), m_journal(journal)
{
    m_names.resize(static_cast<std::size_t>(graph.subgraphCount()));
    for (const GraphId id : graph.liveSubgraphs()) {
        auto& names = m_names[static_cast<std::size_t>(id.value)];
        names.reserve(static_cast<std::size_t>(graph.subgraph(id).nodeCount));
        graph.forEachNode(id, [&names](const Node& node) { names.insert(node.name); });
        for (const OutputRef ref : graph.subgraph(id).outputs) m_outputNodes.insert(ref.node);
    }
}

GraphEditor::GraphEditor(Graph& graph) : GraphEditor(graph, m_none) { m_isRecording = false; }

void GraphEditor::record(Edit edit)
{
    Journal::apply(m_graph, edit);
    if (!m_isRecording) return;
    m_journal.append({m_step, std::move(edit)});
    if (m_afterRecord) m_afterRecord();
}

// Nodes

std::string GraphEditor::uniqueName(std::string_view wanted, GraphId graph) const
{
    const auto& names = m_names[static_cast<std::size_t>(graph.value)];
    std::string name(wanted);
    if (!names.contains(name)) return name;
    // Suffixes below the remembered one are taken, or were: starting there keeps the search short.
    int& next = m_nextSuffix.try_emplace(std::to_string(graph.value) + ':' + name, 1).first->second;
    for (;; ++next) {
        std::string candidate = name + '_' + std::to_string(next);
        if (!names.contains(candidate)) return candidate;
    }
}

NodeId GraphEditor::addNode(NodeSpec spec, GraphId graph, NodeId after)
{
    GELENS_ASSERT(graph.value >= 0 && graph.value < m_graph.subgraphCount() && m_graph.subgraph(graph).isAlive);
    Node node;
    node.id = NodeId(m_graph.nodeIdBound());
    node.graph = graph;
    node.name = uniqueName(spec.name.empty() ? spec.type : spec.name, graph);
    node.type = std::move(spec.type);
    node.attrs = std::move(spec.attrs);
    node.isOpaque = spec.isOpaque;
    node.inputs.reserve(spec.inputs.size());
    for (auto& [name, desc] : spec.inputs) node.inputs.push_back({std::move(desc), {}, std::move(name)});
    node.outputs.reserve(spec.outputs.size());
    for (auto& [name, desc] : spec.outputs) node.outputs.push_back({std::move(desc), {}, std::move(name)});

    const NodeId id = node.id;
    m_names[static_cast<std::size_t>(graph.value)].insert(node.name);
    const NodeId previous = after.isValid() ? after : m_graph.subgraph(graph).last;
    record(edit::AddNode{id, shared(std::move(node)), previous});
    return id;
}

NodeId GraphEditor::addConstant(std::string name, Tensor value, GraphId graph, NodeId after)
{
    NodeSpec spec;
    spec.name = std::move(name);
    spec.type = "Const";
    spec.outputs.emplace_back("y", value.desc);
    spec.attrs.emplace("value", AttrValue(std::move(value)));
    return addNode(std::move(spec), graph, after);
}

void GraphEditor::dropNode(NodeId id)
{
    const Node& node = m_graph.node(id);
    m_names[static_cast<std::size_t>(node.graph.value)].erase(node.name);
    record(edit::RemoveNode{id, node.previous});
}

void GraphEditor::removeNode(NodeId id)
{
    GELENS_ASSERT(m_graph.contains(id));
    for (const OutputSlot& output : m_graph.node(id).outputs)
        for (const InputRef consumer : output.consumers)
            GELENS_ASSERT(consumer.node == id); // a loop onto itself goes with the node

    while (!m_graph.node(id).subgraphs.empty()) removeSubgraph(m_graph.node(id).subgraphs.back());
    if (m_outputNodes.contains(id)) {
        const GraphId graph = m_graph.node(id).graph;
        std::vector<OutputRef> outputs = m_graph.subgraph(graph).outputs;
        std::erase_if(outputs, [id](OutputRef ref) { return ref.node == id; });
        setGraphOutputs(graph, std::move(outputs));
    }
    dropInputs(id);
    while (!m_graph.node(id).controlOutputs.empty()) disconnectControl(id, m_graph.node(id).controlOutputs.back());
    dropNode(id);
}

void GraphEditor::removeNodes(const std::vector<NodeId>& ids)
{
    // From the back: the entries of a hub's readers then come off the end of its list.
    for (std::size_t i = ids.size(); i-- > 0;) dropInputs(ids[i]);
    for (std::size_t i = ids.size(); i-- > 0;) removeNode(ids[i]);
}

void GraphEditor::dropInputs(NodeId id)
{
    GELENS_ASSERT(m_graph.contains(id));
    for (int i = m_graph.node(id).inputCount() - 1; i >= 0; --i) disconnect({id, i});
    while (!m_graph.node(id).controlInputs.empty()) disconnectControl(m_graph.node(id).controlInputs.back(), id);
}

void GraphEditor::rename(NodeId id, std::string name)
{
    GELENS_ASSERT(m_graph.contains(id));
    const Node& node = m_graph.node(id);
    if (node.name == name) return;
    std::string unique = uniqueName(name, node.graph);
    auto& names = m_names[static_cast<std::size_t>(node.graph.value)];
    names.erase(node.name);
    names.insert(unique);
    record(edit::SetName{id, node.name, std::move(unique)});
}

void GraphEditor::setType(NodeId id, std::string type)
{
    GELENS_ASSERT(m_graph.contains(id));
    if (m_graph.node(id).type == type) return;
    record(edit::SetType{id, m_graph.node(id).type, std::move(type)});
}

void GraphEditor::setPlacement(NodeId id, Placement placement)
{
    GELENS_ASSERT(m_graph.contains(id));
    const Placement& before = m_graph.node(id).placement;
    if (before == placement) return;
    record(edit::SetPlacement{id, shared(before), shared(std::move(placement))});
}

// Edges

const OutputSlot& GraphEditor::outputAt(OutputRef ref) const
{
    GELENS_ASSERT(m_graph.contains(ref.node) && ref.index >= 0 && ref.index < m_graph.node(ref.node).outputCount());
    return m_graph.node(ref.node).outputs[static_cast<std::size_t>(ref.index)];
}

const InputSlot& GraphEditor::inputAt(InputRef ref) const
{
    GELENS_ASSERT(m_graph.contains(ref.node) && ref.index >= 0 && ref.index < m_graph.node(ref.node).inputCount());
    return m_graph.node(ref.node).inputs[static_cast<std::size_t>(ref.index)];
}

void GraphEditor::connect(OutputRef from, InputRef to)
{
    outputAt(from); // checks that it exists
    if (inputAt(to).source == from) return;
    GELENS_ASSERT(m_graph.node(from.node).graph == m_graph.node(to.node).graph);
    disconnect(to);
    record(edit::Connect{from, to});
}

void GraphEditor::disconnect(InputRef slot)
{
    const OutputRef from = inputAt(slot).source;
    if (!from.isValid()) return;
    record(edit::Disconnect{from, slot, positionOf(outputAt(from).consumers, slot)});
}

void GraphEditor::connectControl(NodeId from, NodeId to)
{
    GELENS_ASSERT(m_graph.contains(from) && m_graph.contains(to));
    const Node& source = m_graph.node(from);
    const Node& target = m_graph.node(to);
    GELENS_ASSERT(source.graph == target.graph);
    const bool lookAtSource = source.controlOutputs.size() < target.controlInputs.size();
    const auto& list = lookAtSource ? source.controlOutputs : target.controlInputs;
    if (std::find(list.begin(), list.end(), lookAtSource ? to : from) != list.end()) return;
    record(edit::ConnectControl{from, to});
}

void GraphEditor::disconnectControl(NodeId from, NodeId to)
{
    GELENS_ASSERT(m_graph.contains(from) && m_graph.contains(to));
    record(edit::DisconnectControl{from, to, positionOf(m_graph.node(from).controlOutputs, to),
                                   positionOf(m_graph.node(to).controlInputs, from)});
}

void GraphEditor::replaceUses(OutputRef from, OutputRef to)
{
    if (from == to) return;
    outputAt(to);
    // Taken from the back, and linked again in their order: linear for a hub of any size.
    std::vector<InputRef> moved = outputAt(from).consumers;
    for (std::size_t i = moved.size(); i-- > 0;)
        if (moved[i].node != to.node) record(edit::Disconnect{from, moved[i], static_cast<int>(i)});
    for (const InputRef slot : moved)
        if (slot.node != to.node) connect(to, slot);

    if (!m_outputNodes.contains(from.node)) return;
    const GraphId graph = m_graph.node(from.node).graph;
    std::vector<OutputRef> outputs = m_graph.subgraph(graph).outputs;
    std::replace(outputs.begin(), outputs.end(), from, to);
    setGraphOutputs(graph, std::move(outputs));
}

void GraphEditor::moveControlEdges(NodeId from, NodeId to)
{
    GELENS_ASSERT(m_graph.contains(from) && m_graph.contains(to));
    if (from == to) return;
    const std::vector<NodeId> sources = m_graph.node(from).controlInputs;
    const std::vector<NodeId> targets = m_graph.node(from).controlOutputs;
    for (std::size_t i = sources.size(); i-- > 0;) disconnectControl(sources[i], from);
    for (std::size_t i = targets.size(); i-- > 0;)
        if (targets[i] != from) disconnectControl(from, targets[i]); // a loop onto itself is gone already
    for (const NodeId source : sources)
        if (source != to && source != from) connectControl(source, to);
    for (const NodeId target : targets)
        if (target != to && target != from) connectControl(to, target);
}

// Slots

void GraphEditor::setInputDesc(InputRef slot, TensorDesc desc)
{
    const TensorDesc& before = inputAt(slot).desc;
    if (before == desc) return;
    record(edit::SetInputDesc{slot, shared(before), shared(std::move(desc))});
}

void GraphEditor::setOutputDesc(OutputRef slot, TensorDesc desc)
{
    const TensorDesc& before = outputAt(slot).desc;
    if (before == desc) return;
    record(edit::SetOutputDesc{slot, shared(before), shared(std::move(desc))});
}

int GraphEditor::insertInput(NodeId id, int index, std::string name, TensorDesc desc)
{
    GELENS_ASSERT(m_graph.contains(id) && index >= 0 && index <= m_graph.node(id).inputCount());
    record(edit::InsertInput{{id, index}, shared(InputSlot{std::move(desc), {}, std::move(name)})});
    return index;
}

int GraphEditor::addInput(NodeId id, std::string name, TensorDesc desc)
{
    GELENS_ASSERT(m_graph.contains(id));
    return insertInput(id, m_graph.node(id).inputCount(), std::move(name), std::move(desc));
}

void GraphEditor::removeInput(InputRef slot)
{
    disconnect(slot);
    record(edit::RemoveInput{slot, shared(inputAt(slot))});
}

int GraphEditor::addOutput(NodeId id, std::string name, TensorDesc desc)
{
    GELENS_ASSERT(m_graph.contains(id));
    const int index = m_graph.node(id).outputCount();
    record(edit::AddOutput{{id, index}, shared(OutputSlot{std::move(desc), {}, std::move(name)})});
    return index;
}

void GraphEditor::removeLastOutput(NodeId id)
{
    const OutputRef slot{id, m_graph.contains(id) ? m_graph.node(id).outputCount() - 1 : -1};
    GELENS_ASSERT(outputAt(slot).consumers.empty());
    record(edit::RemoveOutput{slot, shared(outputAt(slot))});
}

// Attributes

void GraphEditor::setAttr(NodeId id, std::string_view name, AttrValue value)
{
    GELENS_ASSERT(m_graph.contains(id));
    const AttrMap& attrs = m_graph.node(id).attrs;
    std::optional<AttrValue> before;
    if (const auto found = attrs.find(name); found != attrs.end()) before = found->second;
    if (before && *before == value) return;
    record(edit::SetAttr{id, std::string(name), std::move(before), std::move(value)});
}

void GraphEditor::removeAttr(NodeId id, std::string_view name)
{
    GELENS_ASSERT(m_graph.contains(id));
    const AttrMap& attrs = m_graph.node(id).attrs;
    const auto found = attrs.find(name);
    if (found == attrs.end()) return;
    record(edit::SetAttr{id, std::string(name), found->second, std::nullopt});
}

void GraphEditor::setGraphAttr(GraphId graph, std::string_view name, AttrValue value)
{
    const AttrMap& attrs = m_graph.subgraph(graph).attrs;
    std::optional<AttrValue> before;
    if (const auto found = attrs.find(name); found != attrs.end()) before = found->second;
    if (before && *before == value) return;
    record(edit::SetGraphAttr{graph, std::string(name), std::move(before), std::move(value)});
}

// Order and sub-graphs

void GraphEditor::moveAfter(NodeId id, NodeId previous)
{
    GELENS_ASSERT(m_graph.contains(id) && id != previous);
    const NodeId before = m_graph.node(id).previous;
    if (before == previous) return;
    record(edit::MoveNode{id, before, previous});
}

void GraphEditor::setOrder(GraphId graph, std::vector<NodeId> order)
{
    std::vector<NodeId> before = m_graph.nodes(graph);
    if (before == order) return;
    std::vector<NodeId> sortedBefore = before;
    std::vector<NodeId> sortedAfter = order;
    std::sort(sortedBefore.begin(), sortedBefore.end());
    std::sort(sortedAfter.begin(), sortedAfter.end());
    GELENS_ASSERT(sortedBefore == sortedAfter);
    record(edit::SetOrder{graph, shared(std::move(before)), shared(std::move(order))});
}

void GraphEditor::setGraphOutputs(GraphId graph, std::vector<OutputRef> outputs)
{
    const std::vector<OutputRef>& before = m_graph.subgraph(graph).outputs;
    if (before == outputs) return;
    for (const OutputRef ref : outputs) {
        GELENS_ASSERT(m_graph.contains(ref.node) && m_graph.node(ref.node).graph == graph);
        m_outputNodes.insert(ref.node);
    }
    record(edit::SetGraphOutputs{graph, shared(before), shared(std::move(outputs))});
}

GraphId GraphEditor::addSubgraph(std::string name, NodeId owner)
{
    GELENS_ASSERT(!owner.isValid() || m_graph.contains(owner));
    const GraphId id(m_graph.subgraphCount());
    record(edit::AddSubgraph{id, std::move(name), owner});
    m_names.resize(static_cast<std::size_t>(m_graph.subgraphCount()));
    return id;
}

void GraphEditor::dropImportedGraphAttr(GraphId graph, std::string_view name)
{
    AttrMap& attrs = m_graph.mutableSubgraph(graph).attrs;
    if (const auto found = attrs.find(name); found != attrs.end()) attrs.erase(found);
}

void GraphEditor::nameImportedGraph(GraphId graph, std::string name)
{
    GELENS_ASSERT(graph.value >= 0 && graph.value < m_graph.subgraphCount());
    m_graph.mutableSubgraph(graph).name = std::move(name);
}

void GraphEditor::adoptImportedGraph(GraphId graph, NodeId owner)
{
    GELENS_ASSERT(graph.value > 0 && graph.value < m_graph.subgraphCount() && m_graph.contains(owner));
    GELENS_ASSERT(!m_graph.subgraph(graph).parentNode.isValid());
    m_graph.mutableSubgraph(graph).parentNode = owner;
    m_graph.mutableNode(owner).subgraphs.push_back(graph);
}

void GraphEditor::removeSubgraph(GraphId graph)
{
    GELENS_ASSERT(graph != rootGraph && graph.value > 0 && graph.value < m_graph.subgraphCount());
    GELENS_ASSERT(m_graph.subgraph(graph).isAlive);
    std::vector<GraphId> doomed{graph}; // owners before what they own
    for (std::size_t i = 0; i < doomed.size(); ++i)
        for (NodeId id = m_graph.subgraph(doomed[i]).first; id.isValid(); id = m_graph.node(id).next)
            doomed.insert(doomed.end(), m_graph.node(id).subgraphs.begin(), m_graph.node(id).subgraphs.end());
    for (std::size_t i = doomed.size(); i-- > 0;) dropGraph(doomed[i]);
}

void GraphEditor::dropGraph(GraphId graph)
{
    setGraphOutputs(graph, {});
    const std::vector<NodeId> ids = m_graph.nodes(graph);
    for (std::size_t k = ids.size(); k-- > 0;) { // edges first: nodes on a cycle have no order in which they could go
        const NodeId id = ids[k];
        for (int i = m_graph.node(id).outputCount() - 1; i >= 0; --i)
            while (!m_graph.consumers({id, i}).empty()) disconnect(m_graph.consumers({id, i}).back());
        while (!m_graph.node(id).controlOutputs.empty()) disconnectControl(id, m_graph.node(id).controlOutputs.back());
    }
    for (std::size_t k = ids.size(); k-- > 0;) dropNode(ids[k]);
    const NodeId owner = m_graph.subgraph(graph).parentNode;
    const int position = owner.isValid() ? positionOf(m_graph.node(owner).subgraphs, graph) : 0;
    record(edit::RemoveSubgraph{graph, owner, position});
}

} // namespace gelens
