#include "engine/formats/ge_onnx_writer.h"

#include "engine/formats/ge_fields_internal.h"
#include "engine/formats/ge_ir_convert.h"
#include "engine/formats/text_proto_internal.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <unordered_map>
#include <vector>

namespace gelens {
namespace {

/// From this many descriptors on, GE packs each into one JSON text.
constexpr std::size_t jsonDescriptorsFrom = 20;

bool isUnconnectedDesc(const TensorDesc& desc)
{
    return desc.format.primary == Format::Reserved && desc.dtype == DataType::Undefined;
}

std::string_view dtypeText(const TensorDesc& desc)
{
    if (isUntouched(desc) && !isUnconnectedDesc(desc)) return "DT_FLOAT";
    return dataTypeName(desc.dtype);
}

IntList dimsText(const TensorDesc& desc, const Shape& shape)
{
    return isUntouched(desc) || isUnconnectedDesc(desc) ? IntList() : shape.dims();
}

/// One entry of a node's attribute list; printing is put off until all are sorted by name.
struct Entry {
    std::string name;
    std::function<void(TextProtoPrinter&)> print; ///< the value fields
    const char* type;
};

class NodePrinter {
public:
    NodePrinter(const Graph& graph, const Node& node, std::int64_t position, DumpDetail detail)
        : m_graph(graph), m_node(node), m_fields(opFieldsOf(graph, node, position)), m_detail(detail)
    {
    }

    void print(TextProtoPrinter& out)
    {
        out.open("node");
        for (std::size_t i = 0; i < static_cast<std::size_t>(m_fields.inputEntries); ++i) {
            const OutputRef source = m_node.inputs[i].source;
            out.string("input", source.isValid() ? edge(source.node, source.index) : std::string());
        }
        for (const NodeId from : m_node.controlInputs) out.string("input", edge(from, -1));
        for (int i = 0; i < m_node.outputCount(); ++i)
            if (!m_node.outputs[static_cast<std::size_t>(i)].consumers.empty())
                out.string("output", edge(m_node.id, i));
        if (!m_node.controlOutputs.empty()) out.string("output", edge(m_node.id, -1));
        out.string("name", m_node.name);
        out.string("op_type", "ge:" + m_node.type);
        if (m_detail != DumpDetail::Topology) printAttributes(out);
        out.close();
    }

private:
    std::string edge(NodeId node, int index) const { return m_graph.node(node).name + ":" + std::to_string(index); }
    bool isFull() const { return m_detail == DumpDetail::Full; }

    void printAttributes(TextProtoPrinter& out)
    {
        addFixed();
        addDescriptors("input_desc", static_cast<std::size_t>(m_fields.inputDescs),
                       [this](std::size_t i) -> const TensorDesc& { return m_node.inputs[i].desc; });
        addDescriptors("output_desc", static_cast<std::size_t>(m_fields.outputDescs),
                       [this](std::size_t i) -> const TensorDesc& { return m_node.outputs[i].desc; });
        for (const auto& [name, value] : m_node.attrs)
            if (!isHiddenAttr(name) && !isDefinitionAttr(name)) addAttr(name, value);
        std::stable_sort(m_entries.begin(), m_entries.end(),
                         [](const Entry& a, const Entry& b) { return a.name < b.name; });
        for (const Entry& entry : m_entries) {
            out.open("attribute");
            out.string("name", entry.name);
            entry.print(out);
            out.raw("type", entry.type);
            out.close();
        }
    }

    void addInt(std::string name, std::int64_t value)
    {
        m_entries.push_back({std::move(name),
                             [value](TextProtoPrinter& out) {
                                 if (value != 0) out.number("i", value);
                             },
                             "INT"});
    }
    void addInts(std::string name, IntList values)
    {
        m_entries.push_back({std::move(name),
                             [values = std::move(values)](TextProtoPrinter& out) {
                                 for (const std::int64_t v : values) out.number("ints", v);
                             },
                             "INTS"});
    }
    void addString(std::string name, std::string value)
    {
        m_entries.push_back({std::move(name),
                             [value = std::move(value)](TextProtoPrinter& out) {
                                 if (!value.empty()) out.string("s", value);
                             },
                             "STRING"});
    }
    void addStrings(std::string name, StringList values)
    {
        m_entries.push_back({std::move(name),
                             [values = std::move(values)](TextProtoPrinter& out) {
                                 for (const std::string& v : values) out.string("strings", v);
                             },
                             "STRINGS"});
    }

    /// Rows that every node has, whatever its attributes.
    void addFixed()
    {
        if (!m_fields.inputNames.empty()) {
            addStrings("_input_name_key", m_fields.inputNames);
            addInts("_input_name_value", m_fields.inputSlots);
        }
        addInt("input_desc_nums", m_fields.inputDescs);
        addInt("output_desc_nums", m_fields.outputDescs);
        addInt("id", m_fields.id);
        addInt("stream_id", m_fields.streamId);
        addStrings("input_name", m_fields.inputName);
        addStrings("src_name", m_fields.srcName);
        addStrings("dst_name", m_fields.dstName);
        addInts("src_index", m_fields.srcIndex);
        addInts("dst_index", m_fields.dstIndex);
        addInts("input_i", m_node.placement.inputOffsets);
        addInts("output_i", m_node.placement.outputOffsets);
        addInts("workspace", m_node.placement.workspaceOffsets);
        addInts("workspace_bytes", m_node.placement.workspaceBytes);
        // The field of the operator comes first; the attribute of the same name follows it.
        addInts("is_input_const", IntList(m_fields.isInputConst.begin(), m_fields.isInputConst.end()));
    }

    template <typename F>
    void addDescriptors(const std::string& side, std::size_t count, F descOf)
    {
        for (std::size_t i = 0; i < count; ++i) {
            if (count >= jsonDescriptorsFrom)
                addString(side + "_" + std::to_string(i), descriptorJson(descOf(i)));
            else
                addDescriptor(side, i, descOf(i));
        }
    }

    void addDescriptor(const std::string& side, std::size_t index, const TensorDesc& desc)
    {
        const std::string suffix = ":" + std::to_string(index);
        const auto name = [&](const char* field) { return side + "_" + field + suffix; };
        addString(name("dtype"), std::string(dtypeText(desc)));
        addString(name("origin_dtype"), originType(desc));
        addInts(name("shape"), dimsText(desc, desc.shape));
        addInts(name("origin_shape"), originDims(desc));
        addString(name("layout"), desc.format.text());
        addString(name("origin_layout"), originLayout(desc));
        addString(name("device_type"), attrString(desc.attrs, "device_type", "NPU"));
        addString(name("cmps_tab"), attrString(desc.attrs, "cmps_tab"));
        addInt(name("size"), desc.reservedBytes);
        for (const char* field : {"weight_size", "data_offset", "real_dim_cnt", "cmps_size", "cmps_tab_offset"})
            addInt(name(field), attrInt(desc.attrs, field));
        for (const char* field : {"reuse_input", "output_tensor", "input_tensor"})
            addInt(name(field), attrBool(desc.attrs, field) ? 1 : 0);
        for (const auto& [key, value] : desc.attrs)
            if (isOwnAttribute(key)) addAttr(side + "_attr_" + key, value, suffix);
    }

    /// Layout of the model's meaning; an unconnected slot keeps the default there.
    static std::string originLayout(const TensorDesc& desc)
    {
        return isUnconnectedDesc(desc) && desc.originFormat.primary == Format::Reserved ? "ND"
                                                                                        : desc.originFormat.text();
    }
    static IntList originDims(const TensorDesc& desc)
    {
        return isOriginShapeSet(desc) ? dimsText(desc, desc.originShape) : IntList();
    }
    static std::string originType(const TensorDesc& desc)
    {
        return attrString(desc.attrs, "origin_data_type", dataTypeName(DataType::Undefined));
    }

    /// Attributes that are neither a field of their own nor added only when ge_proto is written.
    static bool isOwnAttribute(std::string_view name)
    {
        static constexpr std::string_view fields[] = {"device_type",
                                                      "cmps_tab",
                                                      "weight_size",
                                                      "data_offset",
                                                      "real_dim_cnt",
                                                      "cmps_size",
                                                      "cmps_tab_offset",
                                                      "reuse_input",
                                                      "output_tensor",
                                                      "input_tensor",
                                                      "reuse_input_index",
                                                      "has_out_attr",
                                                      "format_for_int",
                                                      "origin_format",
                                                      "origin_format_for_int",
                                                      "origin_shape",
                                                      "origin_shape_initialized",
                                                      "origin_data_type",
                                                      "onnx_type"};
        return !isHiddenAttr(name) && std::find(std::begin(fields), std::end(fields), name) == std::end(fields);
    }

    std::string descriptorJson(const TensorDesc& desc) const
    {
        nlohmann::json json; // an ordered map: keys come out sorted
        json["dtype"] = dtypeText(desc);
        json["origin_dtype"] = originType(desc);
        json["shape"] = dimsText(desc, desc.shape);
        json["origin_shape"] = originDims(desc);
        json["layout"] = desc.format.text();
        json["origin_layout"] = originLayout(desc);
        json["device_type"] = attrString(desc.attrs, "device_type", "NPU");
        json["cmps_tab"] = attrString(desc.attrs, "cmps_tab");
        json["size"] = desc.reservedBytes;
        for (const char* field : {"weight_size", "data_offset", "real_dim_cnt", "cmps_size", "cmps_tab_offset"})
            json[field] = attrInt(desc.attrs, field);
        for (const char* field : {"reuse_input", "output_tensor", "input_tensor"})
            json[field] = attrBool(desc.attrs, field) ? 1 : 0;
        for (const auto& [key, value] : desc.attrs)
            if (isOwnAttribute(key)) json[key] = attrDebugText(value);
        return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }

    /// An attribute of the operator or of a descriptor, in the forms that this schema can hold; the rest is left out.
    void addAttr(const std::string& name, const AttrValue& value, const std::string& suffix = {})
    {
        if (const auto* i = value.as<std::int64_t>())
            addInt(name + suffix, *i);
        else if (const auto* b = value.as<bool>())
            addInt(name + suffix, *b ? 1 : 0);
        else if (const auto* f = value.as<float>())
            addFloats(name + suffix, {*f}, true);
        else if (const auto* s = value.as<std::string>()) {
            if (isFull()) addString(name + suffix, *s);
        } else if (const auto* list = value.as<IntList>()) {
            if (!list->empty()) addInts(name + suffix, *list);
        } else if (const auto* floats = value.as<FloatList>()) {
            if (!floats->empty()) addFloats(name + suffix, *floats, false);
        } else if (const auto* flags = value.as<std::vector<bool>>()) {
            if (!flags->empty()) addInts(name + suffix, IntList(flags->begin(), flags->end()));
        } else if (const auto* strings = value.as<StringList>()) {
            if (isFull() && !strings->empty()) addStrings(name + suffix, *strings);
        } else if (const auto* rows = value.as<std::vector<IntList>>()) {
            for (std::size_t row = 0; row < rows->size(); ++row)
                if (!(*rows)[row].empty()) addInts(name + suffix + "_" + std::to_string(row), (*rows)[row]);
        } else if (const auto* tensor = value.as<AttrValue::TensorPtr>()) {
            if (*tensor) addTensor(name, **tensor);
        }
    }

    void addFloats(std::string name, FloatList values, bool isSingle)
    {
        m_entries.push_back({std::move(name),
                             [values = std::move(values), isSingle](TextProtoPrinter& out) {
                                 for (const float value : values) {
                                     // Zero is the default and not printed; a negative zero is not the default.
                                     std::uint32_t bits;
                                     std::memcpy(&bits, &value, sizeof bits);
                                     if (!isSingle || bits != 0) out.real(isSingle ? "f" : "floats", value);
                                 }
                             },
                             isSingle ? "FLOAT" : "FLOATS"});
    }

    void addTensor(const std::string& name, const Tensor& tensor)
    {
        addString(name + "_desc_dtype", std::string(dataTypeProtoName(tensor.desc.dtype)));
        if (!tensor.desc.shape.isScalar() && tensor.desc.shape.hasRank())
            addInts(name + "_desc_shape", tensor.desc.shape.dims());
        addString(name + "_desc_layout", tensor.desc.format.text());
        addString(name + "_desc_device_type", attrString(tensor.desc.attrs, "device_type", "NPU"));
        if (isFull())
            addString(name + "_data",
                      std::string(reinterpret_cast<const char*>(tensor.data.data()), tensor.data.size()));
    }

    const Graph& m_graph;
    const Node& m_node;
    OpFields m_fields;
    DumpDetail m_detail;
    std::vector<Entry> m_entries;
};

void printValueInfo(TextProtoPrinter& out, const char* field, const Node& node)
{
    out.open(field);
    out.string("name", node.name);
    out.open("type");
    out.open("tensor_type");
    // GE writes the type of the last output and the dims of all of them, one after another.
    const int type = node.outputs.empty()                    ? 0
                     : isUntouched(node.outputs.back().desc) ? 1
                                                             : dataTypeGeOnnxElemType(node.outputs.back().desc.dtype);
    if (type != 0) out.number("elem_type", type);
    if (!node.outputs.empty()) {
        out.open("shape");
        for (const OutputSlot& slot : node.outputs)
            for (const std::int64_t dim : dimsText(slot.desc, slot.desc.shape)) {
                out.open("dim");
                out.number("dim_value", dim); // one of several kinds, so printed even when it is 0
                out.close();
            }
        out.close();
    }
    out.close();
    out.close();
    out.close();
}

/// Nodes, name, inputs and outputs of one graph; the graph that is dumped leaves its inputs out and, when it is the root
/// of the model, carries all sub-graphs as nodes.
void printGraph(TextProtoPrinter& out, const Graph& graph, GraphId id, bool isTop, DumpDetail detail)
{
    const SubgraphInfo& info = graph.subgraph(id);
    std::int64_t number = 0;
    std::unordered_map<std::string_view, const Node*> nodes;
    const StringList inputs = isTop ? StringList() : graphInputsOf(graph, id);
    graph.forEachNode(id, [&](const Node& node) {
        NodePrinter(graph, node, number++, detail).print(out);
        if (!inputs.empty()) nodes.emplace(node.name, &node);
    });
    if (isTop && id == rootGraph)
        for (const GraphId sub : graphsBelow(graph, rootGraph)) {
            out.open("node");
            out.string("name", graph.subgraph(sub).name);
            out.string("op_type", "subgraph");
            out.open("attribute");
            out.string("name", "graph");
            out.open("g");
            printGraph(out, graph, sub, false, detail);
            out.close();
            out.raw("type", "GRAPH");
            out.close();
            out.close();
        }
    out.string("name", info.name);
    for (const std::string& input : inputs)
        if (const auto node = nodes.find(std::string_view(input).substr(0, input.rfind(':'))); node != nodes.end())
            printValueInfo(out, "input", *node->second);
    for (const OutputRef& output : info.outputs)
        if (output.isValid()) printValueInfo(out, "output", graph.node(output.node));
}

} // namespace

std::string geOnnxText(const Graph& graph, DumpDetail detail, GraphId root)
{
    TextProtoPrinter out;
    out.number("ir_version", 6);
    out.string("producer_name", "GE");
    out.open("graph");
    printGraph(out, graph, root, true, detail);
    out.close();
    return out.take();
}

} // namespace gelens
