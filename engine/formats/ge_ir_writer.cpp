// Graph → ModelDef.

#include "engine/formats/ge_fields_internal.h"
#include "engine/formats/ge_ir_convert.h"
#include "engine/formats/ge_ir_internal.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <limits>

namespace gelens {

using namespace ge::proto;

namespace {

/// GE places each constant of an OM at such a multiple.
constexpr std::size_t weightAlignment = 512;

template <typename List, typename Values>
void fill(List* list, const Values& values)
{
    for (const auto& value : values) *list->Add() = value;
}

void untypedList(AttrDefMap& attrs, const std::string& name, const StringList& values)
{
    auto& list = *attrs[name].mutable_list();
    for (const std::string& value : values) list.add_s(value);
}
void untypedList(AttrDefMap& attrs, const std::string& name, const IntList& values)
{
    auto& list = *attrs[name].mutable_list();
    for (const std::int64_t value : values) list.add_i(value);
}

class OpWriter {
public:
    OpWriter(const Graph& graph, const Node& node, std::int64_t position, const GeWriteOptions& options, OpDef& op)
        : m_graph(graph), m_node(node), m_fields(opFieldsOf(graph, node, position)), m_options(options), m_op(op)
    {
    }

    void write()
    {
        m_op.set_name(m_node.name);
        m_op.set_type(m_node.type);
        writeInputs();
        writeNames();
        writeAttrs();
        writeFields();
        for (std::size_t i = 0; i < static_cast<std::size_t>(m_fields.inputDescs); ++i)
            descToDef(m_node.inputs[i].desc, *m_op.add_input_desc());
        for (std::size_t i = 0; i < static_cast<std::size_t>(m_fields.outputDescs); ++i)
            descToDef(m_node.outputs[i].desc, *m_op.add_output_desc());
        for (const GraphId id : m_node.subgraphs) m_op.add_subgraph_name(m_graph.subgraph(id).name);
        if (m_options.weights && isConstantType(m_node.type)) moveWeights();
    }

private:
    void writeInputs()
    {
        IntList peers;
        for (std::size_t i = 0; i < static_cast<std::size_t>(m_fields.inputEntries); ++i) {
            const OutputRef source = m_node.inputs[i].source;
            if (!source.isValid()) {
                m_op.add_input();
                peers.push_back(-1);
                continue;
            }
            m_op.add_input(m_graph.node(source.node).name + ":" + std::to_string(source.index));
            const auto& readers = m_graph.consumers(source);
            const auto own = std::find(readers.begin(), readers.end(), InputRef{m_node.id, static_cast<int>(i)});
            peers.push_back(own - readers.begin());
        }
        for (const NodeId from : m_node.controlInputs) {
            m_op.add_input(m_graph.node(from).name + ":-1");
            const auto& readers = m_graph.node(from).controlOutputs;
            peers.push_back(std::find(readers.begin(), readers.end(), m_node.id) - readers.begin());
        }
        if (!m_options.withPeerOrder) return;
        auto& attrs = *m_op.mutable_attr();
        if (peers.empty())
            attrs["_src_out_peer_index_for_ge_txt_load"].Clear();
        else
            untypedList(attrs, "_src_out_peer_index_for_ge_txt_load", peers);
    }

    void writeNames()
    {
        auto& attrs = *m_op.mutable_attr();
        if (!m_fields.inputNames.empty()) {
            untypedList(attrs, "_input_name_key", m_fields.inputNames);
            untypedList(attrs, "_input_name_value", m_fields.inputSlots);
        }
        if (!m_fields.outputNames.empty()) {
            untypedList(attrs, "_output_name_key", m_fields.outputNames);
            untypedList(attrs, "_output_name_value", m_fields.outputSlots);
        }
        for (const auto& [name, value] : definitionAttrs(m_node)) {
            if (const auto* texts = value.as<StringList>())
                untypedList(attrs, name, *texts);
            else if (const auto* numbers = value.as<IntList>())
                untypedList(attrs, name, *numbers);
            else
                attrToDef(value, attrs[name]);
        }
    }

    void writeAttrs()
    {
        auto& attrs = *m_op.mutable_attr();
        const bool isFull = m_options.detail == DumpDetail::Full;
        for (const auto& [name, value] : m_node.attrs) {
            if (isHiddenAttr(name) || isDefinitionAttr(name)) continue;
            if (!isFull && (name == "node_def" || name == "op_def" || name == "func_def" ||
                            (name == "value" && (m_node.type == "Const" || m_node.type == "Constant"))))
                continue;
            if (name == groupsAttr)
                restoreGroups(value, m_op);
            else
                attrToDef(value, attrs[name]);
        }
    }

    void writeFields()
    {
        m_op.set_has_out_attr(m_fields.hasOutAttr);
        m_op.set_id(m_fields.id);
        m_op.set_stream_id(m_fields.streamId);
        fill(m_op.mutable_input_name(), m_fields.inputName);
        fill(m_op.mutable_src_name(), m_fields.srcName);
        fill(m_op.mutable_src_index(), m_fields.srcIndex);
        fill(m_op.mutable_dst_name(), m_fields.dstName);
        fill(m_op.mutable_dst_index(), m_fields.dstIndex);
        fill(m_op.mutable_input_i(), m_node.placement.inputOffsets);
        fill(m_op.mutable_output_i(), m_node.placement.outputOffsets);
        fill(m_op.mutable_workspace(), m_node.placement.workspaceOffsets);
        fill(m_op.mutable_workspace_bytes(), m_node.placement.workspaceBytes);
        fill(m_op.mutable_is_input_const(), m_fields.isInputConst);
    }

    void moveWeights()
    {
        const auto found = m_op.mutable_attr()->find("value");
        if (found == m_op.mutable_attr()->end() || !found->second.has_t() || found->second.t().data().empty()) return;
        std::string& weights = *m_options.weights;
        weights.resize((weights.size() + weightAlignment - 1) / weightAlignment * weightAlignment, '\0');
        TensorDef& tensor = *found->second.mutable_t();
        const auto place = [&](TensorDescriptor& desc) {
            desc.set_data_offset(static_cast<std::int64_t>(weights.size()));
            desc.set_weight_size(static_cast<std::int64_t>(tensor.data().size()));
        };
        place(*tensor.mutable_desc());
        if (m_op.output_desc_size() > 0) place(*m_op.mutable_output_desc(0));
        weights += tensor.data();
        tensor.clear_data();
    }

    const Graph& m_graph;
    const Node& m_node;
    OpFields m_fields;
    const GeWriteOptions& m_options;
    OpDef& m_op;
};

void writeGraph(const Graph& graph, GraphId id, const GeWriteOptions& options, GraphDef& def)
{
    const SubgraphInfo& info = graph.subgraph(id);
    def.set_name(info.name);
    for (std::string& input : graphInputsOf(graph, id)) def.add_input(std::move(input));
    for (const OutputRef& output : info.outputs)
        if (output.isValid()) def.add_output(graph.node(output.node).name + ":" + std::to_string(output.index));
    std::int64_t position = 0;
    graph.forEachNode(id, [&](const Node& node) { OpWriter(graph, node, position++, options, *def.add_op()).write(); });
    for (const auto& [name, value] : info.attrs) {
        if (name == groupsAttr)
            restoreGroups(value, def);
        else if (!isHiddenAttr(name))
            attrToDef(value, (*def.mutable_attr())[name]);
    }
}

} // namespace

void modelDefFromGraph(const Graph& graph, const GeWriteOptions& options, ModelDef& model)
{
    writeGraph(graph, options.graph, options, *model.add_graph());
    for (const GraphId id : graphsBelow(graph, options.graph)) writeGraph(graph, id, options, *model.add_graph());
}

void graphToDef(const Graph& graph, GraphDef& def) { writeGraph(graph, rootGraph, {}, def); }

void setModelAttr(ModelDef& model, const std::string& name, const AttrValue& value)
{
    attrToDef(value, (*model.mutable_attr())[name]);
}

std::string attrDebugText(const AttrValue& value)
{
    AttrDef def;
    attrToDef(value, def);
    std::string text;
    google::protobuf::TextFormat::Printer().PrintToString(def, &text);
    return text;
}

std::string modelDefBytes(const ModelDef& model)
{
    std::string bytes;
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream out(&stream);
    out.SetSerializationDeterministic(true);
    if (!model.SerializeToCodedStream(&out)) return {};
    out.Trim();
    return bytes;
}

} // namespace gelens
