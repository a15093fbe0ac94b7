#include "engine/passes/pass_helpers.h"

#include "engine/ops/op_registry.h"

#include <algorithm>
#include <unordered_set>

namespace gelens {

void PassReport::count(const std::string& what, std::int64_t by)
{
    for (auto& [name, value] : counters)
        if (name == what) {
            value += by;
            return;
        }
    counters.emplace_back(what, by);
}

StringList originNames(const Node& node)
{
    StringList names = attrStrings(node.attrs, originNamesAttr);
    if (names.empty()) names.push_back(node.name);
    return names;
}

void inheritOrigins(GraphEditor& edit, NodeId created, const std::vector<NodeId>& sources)
{
    StringList names, types;
    std::unordered_set<std::string> seen;
    for (const NodeId source : sources) {
        const Node& node = edit.node(source);
        const StringList own = originNames(node);
        const StringList ownTypes = attrStrings(node.attrs, originTypesAttr);
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (!seen.insert(own[i]).second) continue;
            names.push_back(own[i]);
            types.push_back(i < ownTypes.size() ? ownTypes[i] : node.type);
        }
    }
    edit.setAttr(created, originNamesAttr, names);
    edit.setAttr(created, originTypesAttr, types);
}

bool hasReaders(const Node& node)
{
    if (!node.controlOutputs.empty()) return true;
    return std::any_of(node.outputs.begin(), node.outputs.end(),
                       [](const OutputSlot& slot) { return !slot.consumers.empty(); });
}

namespace {

/// Everything that had to run before `id` now has to run before whatever waited for it.
void handOnControl(GraphEditor& edit, NodeId id)
{
    const std::vector<NodeId> before = edit.node(id).controlInputs;
    std::vector<NodeId> after = edit.node(id).controlOutputs;
    for (const OutputSlot& slot : edit.node(id).outputs)
        for (const InputRef& reader : slot.consumers) after.push_back(reader.node);
    for (const NodeId from : before)
        for (const NodeId to : after)
            if (from != to && to != id) edit.connectControl(from, to);
    const std::vector<NodeId> waiting = edit.node(id).controlOutputs;
    for (const NodeId to : waiting) {
        // Whoever waited for the node now waits for what the node itself needed.
        for (const InputSlot& slot : edit.node(id).inputs)
            if (slot.source.isValid() && slot.source.node != to && !isConstantType(edit.node(slot.source.node).type))
                edit.connectControl(slot.source.node, to);
        edit.disconnectControl(id, to);
    }
}

} // namespace

void bypassNode(GraphEditor& edit, NodeId id, int input, DeadProducers dead)
{
    const OutputRef source = edit.node(id).source(input);
    GELENS_ASSERT(source.isValid());
    handOnControl(edit, id);
    edit.replaceUses(edit.node(id).output(0), source);
    removeWithDeadProducers(edit, id, dead);
}

void replaceByConstants(GraphEditor& edit, NodeId id, const std::vector<Tensor>& values)
{
    const std::string name = edit.node(id).name;
    const GraphId graph = edit.node(id).graph;
    handOnControl(edit, id);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const OutputRef old = edit.node(id).output(static_cast<int>(i));
        if (edit.graph().consumers(old).empty()) continue;
        Tensor value = values[i];
        if (const TensorDesc& replaced = edit.graph().outputDesc(old); isPrivateFormat(replaced.format.primary)) {
            // A folded TransData: the bytes are in the storage layout, the meaning is the descriptor's.
            value.desc.format = replaced.format;
            value.desc.originFormat = replaced.originFormat;
            value.desc.originShape = replaced.originShape;
        }
        const NodeId constant = edit.addConstant(
            values.size() == 1 ? name + "_folded" : name + "_folded_" + std::to_string(i), std::move(value), graph, id);
        edit.setAttr(constant, "_is_from_constant_folding", true);
        inheritOrigins(edit, constant, {id});
        edit.replaceUses(old, edit.node(constant).output(0));
    }
    removeWithDeadProducers(edit, id);
}

void removeIfUnread(GraphEditor& edit, NodeId id)
{
    const Node& node = edit.node(id);
    if (!node.isAlive || hasReaders(node)) return;
    if (node.type == "Data" || node.type == "Variable" || node.type == "RefData" || node.type == "NetOutput") return;
    removeWithDeadProducers(edit, id);
}

void removeWithDeadProducers(GraphEditor& edit, NodeId first, DeadProducers dead)
{
    std::vector<NodeId> pending{first};
    while (!pending.empty()) {
        const NodeId id = pending.back();
        pending.pop_back();
        if (!edit.graph().contains(id)) continue;
        const Node& node = edit.node(id);
        if (id != first) {
            if (hasReaders(node) || !node.controlInputs.empty()) continue;
            if (dead == DeadProducers::Keep || (dead == DeadProducers::RemoveConstants && !isConstantType(node.type)))
                continue;
            if (node.type == "Data" || node.type == "Variable" || node.type == "RefData" || node.type == "NetOutput")
                continue;
        }
        std::vector<NodeId> producers;
        for (const InputSlot& slot : node.inputs)
            if (slot.source.isValid()) producers.push_back(slot.source.node);
        const std::vector<GraphId> owned = node.subgraphs;
        for (const GraphId graph : owned) edit.removeSubgraph(graph);
        edit.removeNode(id);
        for (auto producer = producers.rbegin(); producer != producers.rend(); ++producer) pending.push_back(*producer);
    }
}

Status forEachNodeInOrder(GraphEditor& edit, PassContext& context, const std::function<Status(NodeId)>& f)
{
    for (const GraphId graph : edit.graph().liveSubgraphs()) {
        if (!edit.graph().subgraph(graph).isAlive) continue;
        int sinceCheck = 0;
        for (const NodeId id : edit.graph().topologicalOrder(graph)) {
            if (++sinceCheck % 256 == 0 && context.isCancelled()) return Error::cancelled();
            if (edit.graph().contains(id)) GELENS_TRY(f(id));
        }
    }
    return context.isCancelled() ? Status(Error::cancelled()) : Status::success();
}

IntList axisOrder(const Node& node, const Graph& graph)
{
    if (node.type == "TransposeD") return attrInts(node.attrs, "perm");
    if (node.type == "Permute") return attrInts(node.attrs, "order");
    if (node.type != "Transpose") return {};
    const Tensor* constant = graph.constantInput(node, 1);
    return constant == nullptr || !constant->isPresent() ? IntList() : constant->asInts().value_or(IntList());
}

bool tiesInputToOutput(const Graph& graph, OutputRef source, OutputRef result)
{
    if (!isBoundaryType(graph.node(source.node).type)) return false;
    for (const InputRef& reader : graph.consumers(result))
        if (graph.node(reader.node).type == "NetOutput") return true;
    return false;
}

} // namespace gelens
