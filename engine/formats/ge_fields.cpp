#include "engine/formats/ge_fields_internal.h"

#include "engine/ops/op_registry.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace gelens {
namespace {

constexpr std::array<std::string_view, 6> definitionNames = {"_ir_attr_names",  "_ir_inputs_key",    "_ir_inputs_value",
                                                             "_ir_outputs_key", "_ir_outputs_value", "_opt_input"};

std::string edgeText(const Graph& graph, OutputRef ref)
{
    return graph.node(ref.node).name + ":" + std::to_string(ref.index);
}

template <typename Slot>
void listNames(const std::vector<Slot>& slots, StringList& names, IntList& indices)
{
    std::vector<std::pair<std::string_view, std::int64_t>> sorted;
    for (std::size_t i = 0; i < slots.size(); ++i)
        if (!slots[i].name.empty()) sorted.emplace_back(slots[i].name, static_cast<std::int64_t>(i));
    std::sort(sorted.begin(), sorted.end());
    for (const auto& [name, index] : sorted) {
        names.emplace_back(name);
        indices.push_back(index);
    }
}

const AttrMap* hiddenFields(const AttrMap& attrs)
{
    const auto found = attrs.find(hiddenFieldsAttr);
    if (found == attrs.end()) return nullptr;
    const auto* bundle = found->second.as<NamedAttrs>();
    return bundle && bundle->attrs ? bundle->attrs.get() : nullptr;
}

template <typename T>
void overrideWith(const AttrMap& fields, std::string_view name, T& value)
{
    const auto found = fields.find(name);
    if (found == fields.end()) return;
    if (const auto* given = found->second.template as<T>()) value = *given;
}

} // namespace

bool isDefinitionAttr(std::string_view name)
{
    return name.size() > 3 && (name[1] == 'i' || name[1] == 'o') && // most names need no more of a look
           std::find(definitionNames.begin(), definitionNames.end(), name) != definitionNames.end();
}

OpFields derivedOpFields(const Graph& graph, const Node& node, std::int64_t position)
{
    OpFields fields;
    fields.id = position;
    fields.streamId = std::max<std::int64_t>(node.placement.streamId, 0);
    fields.inputEntries = fields.inputDescs = node.inputCount();
    fields.outputDescs = node.outputCount();
    listNames(node.inputs, fields.inputNames, fields.inputSlots);
    listNames(node.outputs, fields.outputNames, fields.outputSlots);
    if (const auto found = node.attrs.find("is_input_const"); found != node.attrs.end())
        if (const auto* flags = found->second.as<std::vector<bool>>()) fields.isInputConst = *flags;
    addNeighbours(graph, node, fields);
    return fields;
}

void addNeighbours(const Graph& graph, const Node& node, OpFields& fields)
{
    // GE records neighbours by name once memory is assigned; before that the lists are empty.
    if (node.placement.outputOffsets.empty() && node.placement.inputOffsets.empty()) return;
    for (const InputSlot& slot : node.inputs) {
        if (!slot.source.isValid()) continue;
        fields.inputName.push_back(edgeText(graph, slot.source));
        fields.srcName.push_back(graph.node(slot.source.node).name);
        fields.srcIndex.push_back(slot.source.index);
    }
    for (const OutputSlot& slot : node.outputs)
        for (const InputRef& reader : slot.consumers) {
            fields.dstName.push_back(graph.node(reader.node).name);
            fields.dstIndex.push_back(reader.index);
        }
}

OpFields opFieldsOf(const Graph& graph, const Node& node, std::int64_t position)
{
    OpFields fields = derivedOpFields(graph, node, position);
    const AttrMap* const hidden = hiddenFields(node.attrs);
    if (!hidden) return fields;
    overrideWith(*hidden, "id", fields.id);
    overrideWith(*hidden, "stream_id", fields.streamId);
    overrideWith(*hidden, "has_out_attr", fields.hasOutAttr);
    overrideWith(*hidden, "input_name", fields.inputName);
    overrideWith(*hidden, "src_name", fields.srcName);
    overrideWith(*hidden, "src_index", fields.srcIndex);
    overrideWith(*hidden, "dst_name", fields.dstName);
    overrideWith(*hidden, "dst_index", fields.dstIndex);
    overrideWith(*hidden, "is_input_const", fields.isInputConst);
    overrideWith(*hidden, "input_names", fields.inputNames);
    overrideWith(*hidden, "input_slots", fields.inputSlots);
    overrideWith(*hidden, "output_names", fields.outputNames);
    overrideWith(*hidden, "output_slots", fields.outputSlots);
    overrideWith(*hidden, "input_entries", fields.inputEntries);
    overrideWith(*hidden, "input_descs", fields.inputDescs);
    overrideWith(*hidden, "output_descs", fields.outputDescs);
    // A pass may have changed the slots since.
    fields.inputEntries = std::clamp<std::int64_t>(fields.inputEntries, 0, node.inputCount());
    fields.inputDescs = std::clamp<std::int64_t>(fields.inputDescs, 0, node.inputCount());
    fields.outputDescs = std::clamp<std::int64_t>(fields.outputDescs, 0, node.outputCount());
    for (std::size_t i = static_cast<std::size_t>(fields.inputEntries); i < node.inputs.size(); ++i)
        if (node.inputs[i].source.isValid()) fields.inputEntries = static_cast<std::int64_t>(i) + 1;
    return fields;
}

AttrValue hiddenOpFields(const OpFields& derived, const OpFields& actual, bool hasDefinition)
{
    AttrMap map;
    const auto keep = [&](const char* name, const auto& expected, const auto& given) {
        if (!(expected == given)) map.emplace(name, AttrValue(AttrValue::Variant(given)));
    };
    keep("id", derived.id, actual.id);
    keep("stream_id", derived.streamId, actual.streamId);
    keep("has_out_attr", derived.hasOutAttr, actual.hasOutAttr);
    keep("input_name", derived.inputName, actual.inputName);
    keep("src_name", derived.srcName, actual.srcName);
    keep("src_index", derived.srcIndex, actual.srcIndex);
    keep("dst_name", derived.dstName, actual.dstName);
    keep("dst_index", derived.dstIndex, actual.dstIndex);
    keep("is_input_const", derived.isInputConst, actual.isInputConst);
    keep("input_names", derived.inputNames, actual.inputNames);
    keep("input_slots", derived.inputSlots, actual.inputSlots);
    keep("output_names", derived.outputNames, actual.outputNames);
    keep("output_slots", derived.outputSlots, actual.outputSlots);
    keep("input_entries", derived.inputEntries, actual.inputEntries);
    keep("input_descs", derived.inputDescs, actual.inputDescs);
    keep("output_descs", derived.outputDescs, actual.outputDescs);
    if (!hasDefinition) map.emplace("has_definition", AttrValue(false));
    if (map.empty()) return {};
    return AttrValue(AttrValue::Variant(NamedAttrs{"OpDef", std::make_shared<const AttrMap>(std::move(map))}));
}

bool hasKnownDefinition(const Node& node)
{
    const OpDef* const def = OpRegistry::instance().find(node.type);
    return def && (!def->inputs().empty() || !def->outputs().empty() || !def->attrs().empty());
}

AttrMap definitionAttrs(const Node& node)
{
    AttrMap attrs;
    for (const std::string_view name : definitionNames)
        if (const auto found = node.attrs.find(name); found != node.attrs.end())
            attrs.emplace(found->first, found->second);
    if (!attrs.empty()) return attrs;
    if (const AttrMap* const hidden = hiddenFields(node.attrs); hidden && !attrBool(*hidden, "has_definition", true))
        return attrs;
    const OpDef* const def = OpRegistry::instance().find(node.type);
    if (!def) return attrs;
    StringList names, inputs, outputs, optional;
    IntList inputKinds, outputKinds;
    for (const auto& spec : def->attrs()) names.push_back(spec.name);
    for (const Port& port : def->inputs()) {
        inputs.push_back(port.name);
        inputKinds.push_back(port.kind == PortKind::Required ? 0 : port.kind == PortKind::Optional ? 1 : 2);
        if (port.kind == PortKind::Optional) optional.push_back(port.name);
    }
    for (const Port& port : def->outputs()) {
        outputs.push_back(port.name);
        outputKinds.push_back(port.kind == PortKind::Dynamic ? 1 : 0);
    }
    std::sort(optional.begin(), optional.end());
    const auto add = [&](const char* name, auto list) {
        if (!list.empty()) attrs.emplace(name, AttrValue(std::move(list)));
    };
    add("_ir_attr_names", std::move(names));
    add("_ir_inputs_key", std::move(inputs));
    add("_ir_inputs_value", std::move(inputKinds));
    add("_ir_outputs_key", std::move(outputs));
    add("_ir_outputs_value", std::move(outputKinds));
    add("_opt_input", std::move(optional));
    return attrs;
}

StringList derivedGraphInputs(const Graph& graph, GraphId id)
{
    StringList inputs;
    graph.forEachNode(id, [&](const Node& node) {
        if (node.type == "Data") inputs.push_back(node.name + ":0");
    });
    return inputs;
}

StringList graphInputsOf(const Graph& graph, GraphId id)
{
    StringList inputs = derivedGraphInputs(graph, id);
    if (const AttrMap* const hidden = hiddenFields(graph.subgraph(id).attrs)) overrideWith(*hidden, "input", inputs);
    return inputs;
}

std::vector<GraphId> graphsBelow(const Graph& graph, GraphId root)
{
    std::vector<GraphId> order;
    std::vector<GraphId> stack;
    std::unordered_set<GraphId> seen{root};
    const auto push = [&](GraphId id) {
        // The first node's graphs are to come off the stack first, each node's own last to first.
        std::vector<GraphId> below;
        graph.forEachNode(id, [&](const Node& node) {
            for (std::size_t i = node.subgraphs.size(); i-- > 0;) below.push_back(node.subgraphs[i]);
        });
        stack.insert(stack.end(), below.rbegin(), below.rend());
    };
    push(root);
    while (!stack.empty()) {
        const GraphId id = stack.back();
        stack.pop_back();
        if (!seen.insert(id).second || !graph.subgraph(id).isAlive) continue;
        order.push_back(id);
        push(id);
    }
    if (root != rootGraph) return order;
    for (const GraphId id : graph.liveSubgraphs()) // graphs that no node owns
        if (seen.insert(id).second) order.push_back(id);
    const AttrMap* const hidden = hiddenFields(graph.subgraph(rootGraph).attrs);
    if (!hidden) return order;
    const StringList names = attrStrings(*hidden, "graphs");
    std::unordered_map<std::string_view, std::size_t> places;
    for (std::size_t i = 0; i < names.size(); ++i) places.emplace(names[i], i);
    const auto place = [&](GraphId id) {
        const auto found = places.find(graph.subgraph(id).name);
        return found == places.end() ? names.size() : found->second;
    };
    std::stable_sort(order.begin(), order.end(), [&](GraphId a, GraphId b) { return place(a) < place(b); });
    return order;
}

bool isOriginShapeSet(const TensorDesc& desc)
{
    if (const auto found = desc.attrs.find("origin_shape_initialized"); found != desc.attrs.end())
        if (const auto* flag = found->second.as<bool>()) return *flag;
    return !isUntouched(desc) && desc.format.primary != Format::Reserved;
}

bool isDescField(std::string_view name)
{
    static constexpr std::array<std::string_view, 12> fields = {
        "device_type",     "cmps_tab",    "weight_size",   "data_offset",  "real_dim_cnt",      "cmps_size",
        "cmps_tab_offset", "reuse_input", "output_tensor", "input_tensor", "reuse_input_index", "has_out_attr"};
    return std::find(fields.begin(), fields.end(), name) != fields.end();
}

bool isDerivedDescAttr(std::string_view name)
{
    static constexpr std::array<std::string_view, 5> derived = {
        "format_for_int", "origin_format", "origin_format_for_int", "origin_shape", "origin_shape_initialized"};
    return std::find(derived.begin(), derived.end(), name) != derived.end();
}

} // namespace gelens
