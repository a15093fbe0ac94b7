// The nodes of a graph under construction: from a message or from the sketch of a text.

#include "engine/formats/ge_ir_builder_internal.h"
#include "engine/formats/ge_lazy_op_internal.h"
#include "engine/formats/ge_payloads_internal.h"
#include "engine/ops/op_registry.h"

#include "formats/proto/ge_ir.pb.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <utility>

namespace gelens {

using ge::proto::AttrDef;
using ProtoOp = ge::proto::OpDef;

std::optional<std::pair<std::string_view, int>> splitEdge(std::string_view text)
{
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    int index = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data() + colon + 1, end, index);
    if (code != std::errc() || stop != end || index < -1) return std::nullopt;
    return std::pair(text.substr(0, colon), index);
}

bool isControlEdge(std::string_view text)
{
    const auto split = splitEdge(text);
    return split && split->second == -1;
}

namespace {

bool isSlotNameAttr(std::string_view name)
{
    return name == "_input_name_key" || name == "_input_name_value" || name == "_output_name_key" ||
           name == "_output_name_value" || name == "_input_name_idx_key" || name == "_input_name_idx_value" ||
           name == "_output_name_idx_key" || name == "_output_name_idx_value";
}

template <typename T, typename List>
std::vector<T> listFrom(const List& list)
{
    return std::vector<T>(list.begin(), list.end());
}

} // namespace

Status GeGraphBuilder::State::countNode()
{
    if (++nodes > options.maxNodes) return Error::limit(fmt::format("more than {} nodes", options.maxNodes));
    if ((nodes & 1023) == 0 && options.stop.stop_requested()) return Error::cancelled();
    return Status::success();
}

SlotNames SlotNames::of(const ProtoOp& op, bool isInput)
{
    // Of each side the names and the slots, in today's spelling and in that of about 2020.
    static const std::string keys[2][2] = {{"_output_name_key", "_output_name_idx_key"},
                                           {"_input_name_key", "_input_name_idx_key"}};
    static const std::string values[2][2] = {{"_output_name_value", "_output_name_idx_value"},
                                             {"_input_name_value", "_input_name_idx_value"}};
    SlotNames result;
    for (int spelling = 0; spelling < 2; ++spelling) {
        const auto names = op.attr().find(keys[isInput][spelling]);
        if (names == op.attr().end()) continue;
        result.names.assign(names->second.list().s().begin(), names->second.list().s().end());
        if (const auto slots = op.attr().find(values[isInput][spelling]); slots != op.attr().end())
            result.slots.assign(slots->second.list().i().begin(), slots->second.list().i().end());
        break;
    }
    return result;
}

void OpValues::take(const std::string& name, const AttrValue& value)
{
    if (!name.starts_with('_') || !(isSlotNameAttr(name) || name == peerOrderAttr)) {
        attrs.insert_or_assign(attrs.end(), name, value);
        return;
    }
    if (name == peerOrderAttr) {
        if (const auto* list = value.as<IntList>()) peers = *list;
        return;
    }
    SlotNames& side = name.starts_with("_input") ? inputNames : outputNames;
    const bool isOld = name.find("_idx_") != std::string::npos; // counts where today's spelling does not occur
    if (const auto* names = value.as<StringList>(); names && name.ends_with("_key") && (!isOld || side.names.empty()))
        side.names = *names;
    if (const auto* slots = value.as<IntList>(); slots && name.ends_with("_value") && (!isOld || side.slots.empty()))
        side.slots = *slots;
}

StringList SlotNames::bySlot(int count, const std::string& type, bool isInput) const
{
    StringList result(static_cast<std::size_t>(count));
    for (std::size_t i = std::min(names.size(), slots.size()); i-- > 0;) // the first that names a slot counts
        if (slots[i] >= 0 && slots[i] < count) result[static_cast<std::size_t>(slots[i])] = names[i];
    if (!names.empty()) return result;
    if (const gelens::OpDef* const def = OpRegistry::instance().find(type))
        for (int i = 0; i < count; ++i)
            result[static_cast<std::size_t>(i)] = isInput ? def->inputName(i, count) : def->outputName(i, count);
    return result;
}

namespace {

/// The value of a constant; its bytes may lie in the weights partition, found by the value's or the output's numbers.
Tensor constantValue(const ProtoOp& op, const AttrDef& def, const GeReadOptions& options)
{
    const Bytes& weights = options.weights;
    if (auto mapped = options.payloads ? options.payloads->find(def.t().data()) : std::nullopt) {
        Tensor tensor;
        tensor.desc = descFromDef(def.t().desc(), DescUse::Value);
        tensor.data = std::move(*mapped);
        return tensor;
    }
    if (!def.t().data().empty() || def.t().desc().weight_size() > 0 || op.output_desc_size() == 0)
        return tensorFromDef(def.t(), weights);
    ge::proto::TensorDef moved = def.t();
    moved.mutable_desc()->set_weight_size(op.output_desc(0).weight_size());
    moved.mutable_desc()->set_data_offset(op.output_desc(0).data_offset());
    Tensor tensor = tensorFromDef(moved, weights);
    tensor.desc = descFromDef(def.t().desc(), DescUse::Value);
    return tensor;
}

} // namespace

AttrMap::Map nodeAttrs(const ProtoOp& op, const GeReadOptions& options, bool& hasDefinition)
{
    AttrMap::Map attrs;
    for (const auto& [name, value] : op.attr()) {
        if (name.starts_with('_') && (isSlotNameAttr(name) || name == peerOrderAttr)) continue;
        hasDefinition = hasDefinition || isDefinitionAttr(name);
        attrs.emplace(name, value.has_t() ? AttrValue(constantValue(op, value, options)) : attrFromDef(value));
    }
    keepGroups(op, attrs);
    return attrs;
}

Status GeGraphBuilder::State::addOp(const ProtoOp& op)
{
    OpValues values;
    values.inputs.reserve(static_cast<std::size_t>(op.input_desc_size()));
    values.outputs.reserve(static_cast<std::size_t>(op.output_desc_size()));
    for (const auto& desc : op.input_desc()) values.inputs.push_back(descFromDef(desc));
    for (const auto& desc : op.output_desc()) values.outputs.push_back(descFromDef(desc));
    values.inputNames = SlotNames::of(op, true);
    values.outputNames = SlotNames::of(op, false);
    if (const auto order = op.attr().find(std::string(peerOrderAttr)); order != op.attr().end())
        values.peers = listFrom<std::int64_t>(order->second.list().i());
    bool hasDefinition = false; // is asked again where it matters
    values.attrs = nodeAttrs(op, options, hasDefinition);
    GELENS_TRY(addOp(op, std::move(values)));
    return Status::success();
}

Result<NodeId> GeGraphBuilder::State::addOp(const ProtoOp& op, OpValues values)
{
    GELENS_TRY(countNode());
    return placeOp(op, std::move(values));
}

OpFields statedOpFields(const ProtoOp& op, int entries)
{
    return statedOpFields(op, entries, SlotNames::of(op, true), SlotNames::of(op, false));
}

OpFields statedOpFields(const ProtoOp& op, int entries, SlotNames inputs, SlotNames outputs)
{
    OpFields fields;
    fields.id = op.id();
    fields.streamId = op.stream_id();
    fields.hasOutAttr = op.has_out_attr();
    fields.inputName = listFrom<std::string>(op.input_name());
    fields.srcName = listFrom<std::string>(op.src_name());
    fields.srcIndex = listFrom<std::int64_t>(op.src_index());
    fields.dstName = listFrom<std::string>(op.dst_name());
    fields.dstIndex = listFrom<std::int64_t>(op.dst_index());
    fields.isInputConst = listFrom<bool>(op.is_input_const());
    fields.inputNames = std::move(inputs.names);
    fields.inputSlots = std::move(inputs.slots);
    fields.outputNames = std::move(outputs.names);
    fields.outputSlots = std::move(outputs.slots);
    fields.inputEntries = entries;
    fields.inputDescs = op.input_desc_size();
    fields.outputDescs = op.output_desc_size();
    return fields;
}

template <typename Inputs, typename Peer>
int GeGraphBuilder::State::readEdges(const std::string& name, const Inputs& inputs, Peer&& peer)
{
    ownEdges.clear();
    int entries = 0;
    for (int i = 0; i < static_cast<int>(inputs.size()); ++i) {
        const std::string_view text = inputs[i];
        const auto split = splitEdge(text);
        const bool isControl = split && split->second == -1;
        const int slot = isControl ? -1 : entries++;
        if (text.empty()) continue;
        if (!split) {
            warn("ge.bad-edge", fmt::format("node '{}': the input '{}' is no 'node:index'", name, text));
            continue;
        }
        ownEdges.push_back({split->first, split->second, {}, slot, peer(i), {}});
    }
    return entries;
}

namespace {

std::uint32_t tagOf(std::string_view name)
{
    const std::size_t hash = std::hash<std::string_view>{}(name);
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

} // namespace

void NodeNames::clear()
{
    m_slots.clear();
    m_count = 0;
    m_others.clear();
}

std::size_t NodeNames::placeOf(std::string_view name, std::uint32_t tag) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = tag & mask;
    while (m_slots[at].id.isValid() && (m_slots[at].tag != tag || m_graph.node(m_slots[at].id).name != name))
        at = (at + 1) & mask;
    return at;
}

NodeId NodeNames::find(std::string_view name) const
{
    if (!m_slots.empty())
        if (const NodeId id = m_slots[placeOf(name, tagOf(name))].id; id.isValid()) return id;
    if (m_others.empty()) return {};
    const auto other = m_others.find(name);
    return other == m_others.end() ? NodeId() : other->second;
}

NodeId NodeNames::findOrAdd(std::string_view name, NodeId id)
{
    if (!m_others.empty())
        if (const auto other = m_others.find(name); other != m_others.end()) return other->second;
    if (2 * (m_count + 1) > m_slots.size()) grow(std::max<std::size_t>(64, 4 * m_slots.size()));
    const std::uint32_t tag = tagOf(name);
    Slot& slot = m_slots[placeOf(name, tag)];
    if (slot.id.isValid()) return slot.id;
    slot = {tag, id};
    ++m_count;
    return id;
}

void NodeNames::reserve(std::size_t names)
{
    if (const std::size_t slots = std::bit_ceil(2 * names + 2); slots > m_slots.size()) grow(slots);
}

void NodeNames::grow(std::size_t slots)
{
    const std::vector<Slot> before = std::exchange(m_slots, std::vector<Slot>(slots));
    const std::size_t mask = m_slots.size() - 1;
    for (const Slot& slot : before) {
        if (!slot.id.isValid()) continue;
        std::size_t at = slot.tag & mask;
        while (m_slots[at].id.isValid()) at = (at + 1) & mask;
        m_slots[at] = slot;
    }
}

std::string GeGraphBuilder::State::freeName(const std::string& wanted)
{
    const auto isFree = [&](const std::string& name) {
        return !names.find(name).isValid() && !madeUpNames.contains(name);
    };
    if (isFree(wanted)) return wanted;
    for (int& next = nextSuffix.try_emplace(wanted, 1).first->second;; ++next)
        if (std::string candidate = fmt::format("{}_{}", wanted, next); isFree(candidate)) return candidate;
}

NodeId GeGraphBuilder::State::addNode(Node node)
{
    const NodeId id(model.graph.nodeIdBound());
    node.id = id;
    node.graph = graph;
    node.isOpaque = !OpRegistry::instance().find(node.type) && !isBoundaryType(node.type);
    const bool isUnnamed = node.name.empty();
    if (isUnnamed) warn("ge.unnamed-node", fmt::format("a node of type '{}' has no name", node.type));
    const bool isMadeUp = !madeUpNames.empty() && madeUpNames.contains(node.name);
    const NodeId known = isUnnamed || isMadeUp ? names.find(node.name) : names.findOrAdd(node.name, id);
    if (known == id) {
        Journal::addUnrecorded(model.graph, std::make_shared<Node>(std::move(node)));
    } else {
        const std::string stated = std::move(node.name), shown = freeName(!isUnnamed          ? stated
                                                                          : node.type.empty() ? "node"
                                                                                              : node.type);
        madeUpNames.insert(shown);
        node.name = shown;
        Journal::addUnrecorded(model.graph, std::make_shared<Node>(std::move(node)));
        if (known.isValid())
            warn("ge.duplicate-name",
                 fmt::format("two operators are named '{}'; the second is shown as '{}'", stated, shown), id);
        else
            names.setOther(stated, id);
    }
    for (GeEdge& edge : ownEdges) {
        edge.to = id;
        edge.from = producer(edge.producer); // most producers come first, and are still at hand
        edges.push_back(edge);
    }
    return id;
}

namespace {

/// `count` slots: those with a descriptor, and one more for each further entry.
template <typename Slot>
void fillSlots(std::vector<Slot>& slots, std::size_t count, std::vector<TensorDesc>& descs, StringList& names)
{
    slots.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        slots.push_back({i < descs.size() ? std::move(descs[i]) : TensorDesc(), {}, std::move(names[i])});
}

} // namespace

NodeId GeGraphBuilder::State::placeOp(const ProtoOp& op, OpValues values)
{
    const IntList& peers = values.peers;
    std::vector<std::string_view> inputs(op.input().begin(), op.input().end());
    const int entries = readEdges(op.name(), inputs, [&](int i) -> std::int64_t {
        return i < static_cast<int>(peers.size()) ? peers[static_cast<std::size_t>(i)] : -1;
    });
    Node node;
    node.name = op.name();
    node.type = op.type();
    const int inputDescs = static_cast<int>(values.inputs.size());
    const int outputDescs = static_cast<int>(values.outputs.size());
    StringList inputNames = values.inputNames.bySlot(std::max(entries, inputDescs), op.type(), true);
    StringList outputNames = values.outputNames.bySlot(outputDescs, op.type(), false);
    fillSlots(node.inputs, inputNames.size(), values.inputs, inputNames);
    fillSlots(node.outputs, outputNames.size(), values.outputs, outputNames);
    placeNode(op, values.attrs, node.placement);
    const bool hasDefinition =
        options.keepsOpFields && std::any_of(values.attrs.begin(), values.attrs.end(),
                                             [](const auto& entry) { return isDefinitionAttr(entry.first); });
    keepGroups(op, values.attrs);
    node.attrs = AttrMap(std::move(values.attrs));
    const std::size_t firstEdge = edges.size();
    const NodeId id = addNode(std::move(node));
    for (std::size_t i = firstEdge; i < edges.size(); ++i) // the message's texts do not outlive it
        edges[i].producer = edges[i].from.isValid()
                                ? std::string_view()
                                : *edgeTexts.emplace_back(std::make_unique<const std::string>(edges[i].producer));
    if (op.subgraph_name_size() > 0) owners.emplace_back(id, listFrom<std::string>(op.subgraph_name()));
    if (!options.keepsOpFields) return id;
    OpFields stated = statedOpFields(op, entries, std::move(values.inputNames), std::move(values.outputNames));
    stated.inputDescs = inputDescs;
    stated.outputDescs = outputDescs;
    actuals.push_back(
        {id, std::move(stated), hasDefinition || options.lacksDefinitions || !hasKnownDefinition(editor.node(id))});
    return id;
}

/// Stream, engine and addresses.
void GeGraphBuilder::State::placeNode(const ProtoOp& op, AttrMap::Map& attrs, Placement& placement) const
{
    const auto engine = [&](std::string_view name) -> std::string {
        const auto found = attrs.find(name);
        if (found == attrs.end()) return {};
        const auto* const stated = found->second.as<std::string>();
        std::string text = stated ? *stated : std::string();
        if (!options.keepsEngines) attrs.erase(found);
        return text;
    };
    placement.streamId = op.stream_id();
    placement.engine = engine("_ge_attr_engine_name");
    placement.kernelLib = engine("_ge_attr_op_kernel_lib_name");
    placement.inputOffsets = listFrom<std::int64_t>(op.input_i());
    placement.outputOffsets = listFrom<std::int64_t>(op.output_i());
    placement.workspaceOffsets = listFrom<std::int64_t>(op.workspace());
    placement.workspaceBytes = listFrom<std::int64_t>(op.workspace_bytes());
}

void GeGraphBuilder::State::expectNodes(std::int64_t count)
{
    const auto expected = static_cast<std::size_t>(std::clamp<std::int64_t>(count, 0, options.maxNodes));
    if (nodes <= 0 || expected <= static_cast<std::size_t>(nodes)) return;
    names.reserve(expected);
    lazyOps.reserve(expected);
    edges.reserve(expected * std::min<std::size_t>(edges.size() / static_cast<std::size_t>(nodes) + 1, 8));
}

namespace {

/// As SlotNames::bySlot() has it, without a list in between.
template <typename Slot>
void nameSlots(std::vector<Slot>& slots, SlotNames& given, const std::string& type, bool isInput)
{
    if (given.names.empty()) {
        StringList names = given.bySlot(static_cast<int>(slots.size()), type, isInput);
        for (std::size_t i = 0; i < names.size(); ++i) slots[i].name = std::move(names[i]);
        return;
    }
    for (std::size_t i = std::min(given.names.size(), given.slots.size()); i-- > 0;)
        if (const std::int64_t slot = given.slots[i]; slot >= 0 && slot < static_cast<std::int64_t>(slots.size()))
            slots[static_cast<std::size_t>(slot)].name = std::move(given.names[i]);
}

} // namespace

/// The same from a text, whose attributes stay there.
Status GeGraphBuilder::State::addSketch(OpSketch& sketch, std::shared_ptr<GeLazyOp> source)
{
    GELENS_TRY(countNode());
    Node& node = sketch.node;
    for (auto& text : sketch.texts) edgeTexts.push_back(std::move(text));
    const int entries = readEdges(node.name, sketch.inputs, [&](int i) -> std::int64_t {
        return i < static_cast<int>(sketch.peers.size()) ? sketch.peers[static_cast<std::size_t>(i)] : -1;
    });
    while (node.inputCount() < entries) node.inputs.push_back({});
    nameSlots(node.inputs, sketch.inputNames, node.type, true);
    nameSlots(node.outputs, sketch.outputNames, node.type, false);
    node.attrs = AttrMap(source, 0);
    const NodeId id = addNode(std::move(node));
    if (sketch.constant) model.constants.emplace_back(id, *sketch.constant);
    if (!sketch.subgraphs.empty()) owners.emplace_back(id, std::move(sketch.subgraphs));
    lazyOps.emplace_back(id, std::move(source));
    return Status::success();
}

} // namespace gelens
