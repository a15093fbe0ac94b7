#include "engine/formats/ge_onnx_reader.h"

#include "engine/formats/ge_document_internal.h"
#include "engine/formats/ge_lazy_op_internal.h"
#include "engine/formats/ge_onnx_op_internal.h"

namespace gelens {
namespace {

using google::protobuf::FieldDescriptor;
using ProtoMessage = google::protobuf::Message;

/// ValueInfo of a recorded input or output: the only place where a level-3 dump states a type.
void describeOutput(GeGraphBuilder& builder, const onnx::ValueInfoProto& info)
{
    const auto& tensor = info.type().tensor_type();
    if (!tensor.has_shape()) return;
    // GE's default descriptor: nothing was known of the tensor. A scalar of fp32 looks the same.
    if (tensor.shape().dim_size() == 0 && tensor.elem_type() == dataTypeGeOnnxElemType(DataType::Float)) return;
    ge::proto::TensorDescriptor desc;
    for (const DataType type : {DataType::Float, DataType::Float16, DataType::Int8, DataType::Int32, DataType::UInt8,
                                DataType::Int16, DataType::UInt16, DataType::UInt32, DataType::Int64, DataType::UInt64,
                                DataType::Double, DataType::Bool, DataType::Float8E5M2, DataType::Float8E4M3FN})
        if (dataTypeGeOnnxElemType(type) == tensor.elem_type() && tensor.elem_type() != 0)
            desc.set_dtype(static_cast<ge::proto::DataType>(dataTypeProtoNumber(type)));
    for (const auto& dim : tensor.shape().dim()) desc.mutable_shape()->add_dim(dim.dim_value());
    desc.set_layout("ND");
    desc.set_device_type("NPU");
    builder.setOutputDesc(info.name(), desc);
}

class OnnxSink final : public TextMessageSink {
public:
    OnnxSink(GeGraphBuilder& builder, std::shared_ptr<const DumpText> dump)
        : m_builder(builder), m_dump(std::move(dump))
    {
    }

    ProtoMessage* open(const FieldDescriptor& field, int depth) override
    {
        if (depth == 0 && field.name() == "graph") {
            m_graph.Clear();
            m_isOpen = true;
            return &m_graph;
        }
        if (depth == 1 && m_isOpen && field.name() == "node") {
            m_node.Clear();
            return &m_node;
        }
        return nullptr;
    }

    /// Nodes of a text that stays in memory are sketched; what a sketch cannot do is read as a whole.
    std::size_t takeText(const FieldDescriptor& field, int depth, const ProtoMessage&, std::string_view text,
                         Status& status) override
    {
        if (!m_dump || depth != 1 || !m_isOpen || field.name() != "node") return 0;
        const auto length = sketchOnnxNode(text, m_dump, m_sketch, m_source);
        if (!length) return 0;
        if (!m_hasBegun) m_builder.beginGraph({});
        m_hasBegun = true;
        m_hasDescriptors = true;
        ++m_position;
        status = m_builder.addSketch(m_sketch, std::move(m_source));
        if (const std::int64_t all = m_forecast.next(*m_dump, text.data() + *length); all > 0)
            m_builder.expectNodes(all);
        return *length;
    }

    Status close(const FieldDescriptor&, ProtoMessage&, ProtoMessage& done) override
    {
        if (&done == &m_graph) return finish();
        if (!m_hasBegun) m_builder.beginGraph({});
        m_hasBegun = true;
        return addNode(m_node);
    }

    /// Ends the graph, also one that the text broke off in, and adds the sub-graphs that came with it.
    Status finish()
    {
        if (!m_isOpen) return m_status;
        m_isOpen = false;
        if (!m_hasBegun) m_builder.beginGraph({});
        endGraph(m_graph);
        for (std::size_t i = 0; i < m_subgraphs.size() && m_status.ok(); ++i) {
            const onnx::GraphProto graph = std::move(m_subgraphs[i]);
            m_builder.beginGraph(graph.name());
            for (const auto& node : graph.node())
                if (m_status.ok()) m_status = addNode(node);
            endGraph(graph);
        }
        return m_status;
    }

private:
    Status addNode(const onnx::NodeProto& node)
    {
        if (node.op_type() == "subgraph" || node.op_type() == "ge:subgraph") {
            for (const auto& attribute : node.attribute())
                if (attribute.has_g()) {
                    m_subgraphs.push_back(attribute.g());
                    if (m_subgraphs.back().name().empty()) m_subgraphs.back().set_name(node.name());
                }
            return {};
        }
        m_hasDescriptors = m_hasDescriptors || node.attribute_size() > 0;
        opFromGeOnnxNode(node, m_op);
        if (m_op.id() == 0 && node.attribute_size() == 0) m_op.set_id(m_position);
        ++m_position;
        return m_builder.addOp(m_op);
    }

    void endGraph(const onnx::GraphProto& graph)
    {
        ge::proto::GraphDef rest;
        rest.set_name(graph.name());
        for (const auto& info : graph.input()) {
            rest.add_input(info.name() + ":0");
            if (!m_hasDescriptors) describeOutput(m_builder, info);
        }
        for (const auto& info : graph.output()) {
            rest.add_output(info.name() + ":0");
            if (!m_hasDescriptors) describeOutput(m_builder, info);
        }
        m_builder.endGraph(rest);
        m_position = 0;
        m_hasDescriptors = false;
    }

    GeGraphBuilder& m_builder;
    std::shared_ptr<const DumpText> m_dump;
    OpSketch m_sketch;
    OpForecast m_forecast;
    std::shared_ptr<GeLazyOp> m_source;
    onnx::GraphProto m_graph;
    onnx::NodeProto m_node;
    ge::proto::OpDef m_op;
    std::vector<onnx::GraphProto> m_subgraphs;
    Status m_status;
    std::int64_t m_position = 0;
    bool m_hasBegun = false;
    bool m_isOpen = false;
    bool m_hasDescriptors = false;
};

} // namespace

Result<ModelDocument> readGeOnnx(std::string_view text, const ReadOptions& options, std::shared_ptr<const void> owner)
{
    GeReadOptions ge = geOptionsOf(options);
    ge.lacksDefinitions = true;
    ge.guessOwners = true;
    GeGraphBuilder builder(ge);
    std::shared_ptr<const DumpText> dump;
    if (owner) dump = std::make_shared<const DumpText>(DumpText{std::move(owner), text});
    OnnxSink sink(builder, std::move(dump));
    onnx::ModelProto root;
    const TextProblem problem = parseProtoText(text, root, sink);
    std::vector<Message> messages;
    GELENS_TRY(judgeProblem(problem, builder.nodeCount(), messages));
    GELENS_TRY(sink.finish());
    GELENS_ASSIGN(GeModel model, builder.finish());
    model.messages.insert(model.messages.begin(), messages.begin(), messages.end());
    ModelDocument document = documentOf(std::move(model), "ge_onnx dump", text.size());
    document.irVersion = root.ir_version();
    GELENS_TRY(applyInputShapes(document.graph, options));
    return document;
}

} // namespace gelens
