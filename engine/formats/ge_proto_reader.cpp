#include "engine/formats/ge_proto_reader.h"

#include "engine/formats/ge_document_internal.h"
#include "engine/formats/ge_ir_convert.h"
#include "engine/formats/ge_lazy_op_internal.h"
#include "engine/formats/json_proto_reader_internal.h"

namespace gelens {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

/// Takes operators off the text one by one. `graphDepth` is 1 where the graphs are members of a model, 0 for a bare graph.
class ProtoSink final : public TextMessageSink {
public:
    ProtoSink(GeGraphBuilder& builder, int graphDepth, std::shared_ptr<const DumpText> dump)
        : m_builder(builder), m_graphDepth(graphDepth), m_dump(std::move(dump))
    {
    }

    Message* open(const FieldDescriptor& field, int depth) override
    {
        if (m_graphDepth == 1 && depth == 0 && field.name() == "graph") {
            m_graph.Clear();
            m_isGraphOpen = true;
            return &m_graph;
        }
        if (depth == m_graphDepth && field.name() == "op") {
            m_op.Clear();
            return &m_op;
        }
        return nullptr;
    }

    /// Operators of a text that stays in memory are sketched; what a sketch cannot do is read as a whole.
    std::size_t takeText(const FieldDescriptor& field, int depth, const Message& parent, std::string_view text,
                         Status& status) override
    {
        if (!m_dump || depth != m_graphDepth || field.name() != "op") return 0;
        const auto length = sketchOp(text, m_dump, m_sketch, m_source);
        if (!length) return 0;
        begin(static_cast<const ge::proto::GraphDef&>(parent));
        status = m_builder.addSketch(m_sketch, std::move(m_source));
        if (const std::int64_t all = m_forecast.next(*m_dump, text.data() + *length); all > 0)
            m_builder.expectNodes(all);
        return *length;
    }

    Status close(const FieldDescriptor&, Message& parent, Message& done) override
    {
        if (&done == &m_graph) {
            endGraph(m_graph);
            return {};
        }
        begin(static_cast<ge::proto::GraphDef&>(parent));
        return m_builder.addOp(m_op);
    }

    /// Closes what a text that broke off left open.
    void finish(const ge::proto::GraphDef* bare)
    {
        if (bare)
            endGraph(*bare);
        else if (m_isGraphOpen)
            endGraph(m_graph);
    }

private:
    void begin(const ge::proto::GraphDef& graph)
    {
        if (!m_hasBegun) m_builder.beginGraph(graph.name());
        m_hasBegun = true;
    }
    void endGraph(const ge::proto::GraphDef& graph)
    {
        begin(graph);
        m_builder.endGraph(graph);
        m_hasBegun = m_isGraphOpen = false;
    }

    GeGraphBuilder& m_builder;
    int m_graphDepth;
    std::shared_ptr<const DumpText> m_dump;
    OpSketch m_sketch;
    OpForecast m_forecast;
    std::shared_ptr<GeLazyOp> m_source;
    ge::proto::GraphDef m_graph;
    ge::proto::OpDef m_op;
    bool m_hasBegun = false;
    bool m_isGraphOpen = false;
};

/// The model whose operators went through the sink; `root` holds what the file says beside its graphs.
Result<GeModel> streamedModel(GeGraphBuilder& builder, ProtoSink& sink, const TextProblem& problem,
                              const ge::proto::ModelDef& root, const ge::proto::GraphDef* bare)
{
    std::vector<gelens::Message> messages;
    GELENS_TRY(judgeProblem(problem, builder.nodeCount(), messages));
    sink.finish(bare);
    GELENS_ASSIGN(GeModel model, builder.finish());
    takeModelFields(root, model);
    model.messages.insert(model.messages.begin(), messages.begin(), messages.end());
    return model;
}

Result<ModelDocument> finished(GeModel model, std::string format, std::size_t size, const ReadOptions& options)
{
    ModelDocument document = documentOf(std::move(model), std::move(format), size);
    GELENS_TRY(applyInputShapes(document.graph, options));
    return document;
}

} // namespace

Result<ModelDocument> readGeProto(std::string_view text, const ReadOptions& options, std::shared_ptr<const void> owner)
{
    const std::string first = firstMessageField(text);
    const bool isBare = first == "op" || first == "attr";
    GeGraphBuilder builder(geOptionsOf(options));
    std::shared_ptr<const DumpText> dump;
    if (owner) dump = std::make_shared<const DumpText>(DumpText{std::move(owner), text});
    ProtoSink sink(builder, isBare ? 0 : 1, std::move(dump));
    ge::proto::ModelDef root;
    ge::proto::GraphDef bare;
    const TextProblem problem = isBare ? parseProtoText(text, bare, sink) : parseProtoText(text, root, sink);
    GELENS_ASSIGN(GeModel model, streamedModel(builder, sink, problem, root, isBare ? &bare : nullptr));
    return finished(std::move(model), "ge_proto dump", text.size(), options);
}

Result<ModelDocument> readGeJson(std::string_view text, const ReadOptions& options)
{
    GeGraphBuilder builder(geOptionsOf(options));
    ProtoSink sink(builder, 1, nullptr);
    ge::proto::ModelDef root;
    const TextProblem problem = parseProtoJson(text, root, sink);
    GELENS_ASSIGN(GeModel model, streamedModel(builder, sink, problem, root, nullptr));
    return finished(std::move(model), "GE model as JSON", text.size(), options);
}

Result<ModelDocument> readAir(std::span<const std::byte> bytes, const ReadOptions& options,
                              std::shared_ptr<const void> owner)
{
    GELENS_ASSIGN(GeModel model, graphFromModelDefBytes(bytes, geOptionsOf(options), std::move(owner)));
    return finished(std::move(model), "GE IR (.air)", bytes.size(), options);
}

} // namespace gelens
