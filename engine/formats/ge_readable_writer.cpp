#include "engine/formats/ge_readable_writer.h"

#include "engine/formats/ge_fields_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

namespace gelens {
namespace {

/// Names of the graphs that an operator owns; `isDynamic` when the one name is numbered.
struct GraphNames {
    std::string_view type;
    std::array<std::string_view, 2> names;
    bool isDynamic;
};
constexpr std::array graphNames = {
    GraphNames{"If", {"then_branch", "else_branch"}, false},
    GraphNames{"StatelessIf", {"then_branch", "else_branch"}, false},
    GraphNames{"_If", {"then_branch", "else_branch"}, false},
    GraphNames{"Case", {"branches", ""}, true},
    GraphNames{"StatelessCase", {"branches", ""}, true},
    GraphNames{"While", {"cond", "body"}, false},
    GraphNames{"StatelessWhile", {"cond", "body"}, false},
    GraphNames{"_While", {"cond", "body"}, false},
    GraphNames{"For", {"body", ""}, false},
    GraphNames{"PartitionedCall", {"f", ""}, false},
    GraphNames{"StatefulPartitionedCall", {"f", ""}, false},
};

constexpr std::size_t shownElements = 6;

template <typename T>
T elementAt(const Tensor& tensor, std::size_t index)
{
    T value;
    std::memcpy(&value, tensor.data.data() + index * sizeof(T), sizeof(T));
    return value;
}

std::string elementText(const Tensor& tensor, std::size_t i)
{
    switch (tensor.desc.dtype) {
    case DataType::Float: return fmt::format("{:f}", elementAt<float>(tensor, i));
    case DataType::Double: return fmt::format("{:f}", elementAt<double>(tensor, i));
    case DataType::Float16: return fmt::format("{:f}", halfToFloat(elementAt<std::uint16_t>(tensor, i)));
    case DataType::Int8: return std::to_string(elementAt<std::int8_t>(tensor, i));
    case DataType::UInt8: return std::to_string(elementAt<std::uint8_t>(tensor, i));
    case DataType::Int16: return std::to_string(elementAt<std::int16_t>(tensor, i));
    case DataType::UInt16: return std::to_string(elementAt<std::uint16_t>(tensor, i));
    case DataType::Int32: return std::to_string(elementAt<std::int32_t>(tensor, i));
    case DataType::UInt32: return std::to_string(elementAt<std::uint32_t>(tensor, i));
    case DataType::Int64: return std::to_string(elementAt<std::int64_t>(tensor, i));
    case DataType::UInt64: return std::to_string(elementAt<std::uint64_t>(tensor, i));
    case DataType::Bool: return elementAt<std::uint8_t>(tensor, i) != 0 ? "true" : "false";
    default: return {};
    }
}

bool isShownType(DataType type)
{
    switch (type) {
    case DataType::Float:
    case DataType::Double:
    case DataType::Float16:
    case DataType::Int8:
    case DataType::UInt8:
    case DataType::Int16:
    case DataType::UInt16:
    case DataType::Int32:
    case DataType::UInt32:
    case DataType::Int64:
    case DataType::UInt64:
    case DataType::Bool: return true;
    default: return false;
    }
}

std::string tensorText(const Tensor& tensor)
{
    if (tensor.data.isEmpty()) return "<empty>";
    if (!isShownType(tensor.desc.dtype)) return "<not_supported>";
    const std::size_t width = static_cast<std::size_t>(dataTypeBits(tensor.desc.dtype)) / 8;
    if (tensor.data.size() % width != 0) return "<invalid>";
    const std::size_t count = tensor.data.size() / width;
    std::string text = "[";
    for (std::size_t i = 0; i < count; ++i) {
        if (count > shownElements && i == shownElements / 2) {
            text += "... ";
            i = count - shownElements / 2;
        }
        text += elementText(tensor, i) + (i + 1 < count ? " " : "");
    }
    return text + "]";
}

template <typename List, typename F>
std::string listText(const List& list, F&& itemText)
{
    std::string text = "{";
    bool isFirst = true;
    for (const auto& item : list) {
        if (!isFirst) text += ", ";
        isFirst = false;
        text += itemText(item);
    }
    return text + "}";
}

std::string quoted(const std::string& text) { return "\"" + text + "\""; }

/// Empty for what GE leaves out.
std::string valueText(const AttrValue& value)
{
    const auto number = [](std::int64_t v) { return std::to_string(v); };
    const auto real = [](float v) { return fmt::format("{:f}", v); };
    if (const auto* i = value.as<std::int64_t>()) return number(*i);
    if (const auto* b = value.as<bool>()) return *b ? "true" : "false";
    if (const auto* f = value.as<float>()) return real(*f);
    if (const auto* s = value.as<std::string>()) return s->empty() ? std::string() : quoted(*s);
    if (const auto* type = value.as<DataType>()) return std::string(dataTypeName(*type));
    if (const auto* raw = value.as<Expression>()) return raw->text; // as a listing showed it
    if (const auto* tensor = value.as<AttrValue::TensorPtr>()) return *tensor ? tensorText(**tensor) : std::string();
    if (const auto* list = value.as<IntList>()) return list->empty() ? std::string() : listText(*list, number);
    if (const auto* list = value.as<FloatList>()) return list->empty() ? std::string() : listText(*list, real);
    if (const auto* list = value.as<StringList>()) return list->empty() ? std::string() : listText(*list, quoted);
    if (const auto* list = value.as<std::vector<bool>>())
        return list->empty() ? std::string()
                             : listText(*list, [](bool v) { return std::string(v ? "true" : "false"); });
    if (const auto* list = value.as<std::vector<DataType>>())
        return list->empty() ? std::string() : listText(*list, [](DataType v) { return std::string(dataTypeName(v)); });
    if (const auto* rows = value.as<std::vector<IntList>>())
        return rows->empty() ? std::string()
                             : listText(*rows, [&](const IntList& row) { return listText(row, number); });
    if (const auto* rows = value.as<std::vector<FloatList>>())
        return rows->empty() ? std::string()
                             : listText(*rows, [&](const FloatList& row) { return listText(row, real); });
    return {};
}

class GraphListing {
public:
    GraphListing(const Graph& graph, GraphId id, std::string& out) : m_graph(graph), m_id(id), m_out(out) {}

    void write()
    {
        nameResults();
        m_out += "graph(\"" + m_graph.subgraph(m_id).name + "\"):\n";
        std::string results;
        m_graph.forEachNode(m_id, [&](const Node& node) {
            if (node.type == "NetOutput")
                results += returnText(node);
            else
                writeNode(node);
        });
        if (!results.empty()) m_out += "\n  " + results + "\n";
    }

private:
    void nameResults()
    {
        int number = 0;
        m_graph.forEachNode(m_id, [&](const Node& node) {
            if (node.outputCount() < 2 || node.type == "NetOutput") return;
            for (int i = 0; i < node.outputCount(); ++i, ++number)
                m_names.emplace(OutputRef{node.id, i}, number == 0 ? "ret" : "ret_" + std::to_string(number));
        });
    }

    std::string valueName(OutputRef ref) const
    {
        const auto found = m_names.find(ref);
        return "%" + (found == m_names.end() ? m_graph.node(ref.node).name : found->second);
    }

    /// Argument name of a slot by the operator's definition; dynamic inputs "x0", "x1" show as "x_0", "x_1".
    static std::string argumentName(const InputSlot& slot, std::size_t index, const StringList& names,
                                    const IntList& kinds)
    {
        for (std::size_t i = 0; i < names.size(); ++i) {
            const bool isDynamic = i < kinds.size() && kinds[i] == 2;
            if (!isDynamic && names[i] == slot.name) return slot.name;
            if (isDynamic && slot.name.size() > names[i].size() && slot.name.starts_with(names[i]) &&
                slot.name.find_first_not_of("0123456789", names[i].size()) == std::string::npos)
                return names[i] + "_" + slot.name.substr(names[i].size());
        }
        return "_input_" + std::to_string(index);
    }

    std::string inputsText(const Node& node, const AttrMap& definition) const
    {
        const StringList names = attrStrings(definition, "_ir_inputs_key");
        const IntList kinds = attrInts(definition, "_ir_inputs_value");
        std::string text;
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const InputSlot& slot = node.inputs[i];
            if (!slot.source.isValid()) continue;
            text += (text.empty() ? "" : ", ") + argumentName(slot, i, names, kinds) + "=" + valueName(slot.source);
        }
        return text.empty() ? text : "inputs = (" + text + ")";
    }

    std::string graphName(const Node& node, std::size_t index) const
    {
        for (const GraphNames& known : graphNames)
            if (known.type == node.type) {
                if (known.isDynamic) return std::string(known.names[0]) + std::to_string(index);
                if (index < known.names.size() && !known.names[index].empty()) return std::string(known.names[index]);
            }
        return "_graph_" + std::to_string(index);
    }

    std::string attrsText(const Node& node, const AttrMap& definition) const
    {
        std::string text;
        const auto add = [&](const std::string& key, const std::string& value) {
            text += (text.empty() ? "" : ", ") + key + ": " + value;
        };
        for (std::size_t i = 0; i < node.subgraphs.size(); ++i)
            add(graphName(node, i), "%" + m_graph.subgraph(node.subgraphs[i]).name);
        for (const std::string& name : attrStrings(definition, "_ir_attr_names"))
            if (const auto found = node.attrs.find(name); found != node.attrs.end())
                if (const std::string value = valueText(found->second); !value.empty()) add(name, value);
        return text.empty() ? text : "attrs = {" + text + "}";
    }

    void writeNode(const Node& node)
    {
        const AttrMap definition = definitionAttrs(node);
        const std::string inputs = inputsText(node, definition), attrs = attrsText(node, definition);
        m_out += fmt::format("  %{} : [#users={}] = Node[type={}] ({}{}{})\n", node.name, node.outputCount(), node.type,
                             inputs, inputs.empty() || attrs.empty() ? "" : ", ", attrs);
        if (node.outputCount() < 2) return;
        for (int i = 0; i < node.outputCount(); ++i)
            m_out += fmt::format("  {} : [#users={}] = get_element[node=%{}]({})\n", valueName({node.id, i}),
                                 m_graph.consumers({node.id, i}).size(), node.name, i);
    }

    /// A graph with two NetOutputs has two of these on one line.
    std::string returnText(const Node& end) const
    {
        std::vector<std::string> values;
        for (const InputSlot& slot : end.inputs)
            if (slot.source.isValid()) values.push_back(valueName(slot.source));
        if (values.empty()) return {};
        std::string text = "return (";
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (values.size() > 1) text += fmt::format("{}output_{}=", i > 0 ? ", " : "", i);
            text += values[i];
        }
        return text + ")";
    }

    const Graph& m_graph;
    GraphId m_id;
    std::string& m_out;
    std::unordered_map<OutputRef, std::string> m_names;
};

} // namespace

std::string geReadableText(const Graph& graph, GraphId root)
{
    std::string out;
    std::vector<GraphId> stack{root};
    std::unordered_set<GraphId> seen;
    while (!stack.empty()) { // depth first in node order, each graph once
        const GraphId id = stack.back();
        stack.pop_back();
        if (!seen.insert(id).second) continue;
        if (!out.empty()) out += "\n";
        GraphListing(graph, id, out).write();
        std::vector<GraphId> below;
        graph.forEachNode(
            id, [&](const Node& node) { below.insert(below.end(), node.subgraphs.begin(), node.subgraphs.end()); });
        stack.insert(stack.end(), below.rbegin(), below.rend());
    }
    return out;
}

} // namespace gelens
