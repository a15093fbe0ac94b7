#include "engine/formats/ge_proto_writer.h"

#include "engine/formats/ge_ir_convert.h"

#include "formats/proto/ge_ir.pb.h"

#include <google/protobuf/text_format.h>

#include <array>

namespace gelens {
namespace {

constexpr std::array optionAttrs = {"GlobalOptions", "GraphOptions", "SessionOptions"};

/// A dump wraps the graph in a fresh model, whose own attributes are therefore empty.
void addModelAttrs(ge::proto::ModelDef& model)
{
    for (const char* name : {"event_num", "label_num", "memory_size", "p2p_memory_size", "stream_num", "weight_size"})
        setModelAttr(model, name, AttrValue(0));
    setModelAttr(model, "target_type", AttrValue("MINI"));
}

} // namespace

std::string geProtoText(const Graph& graph, DumpDetail detail, GraphId root)
{
    ge::proto::ModelDef model;
    GeWriteOptions options;
    options.detail = detail;
    options.withPeerOrder = true;
    options.graph = root;
    modelDefFromGraph(graph, options, model);
    // GE adds the options with which the model was compiled to the graph that it dumps, even when there are none.
    auto& attrs = *model.mutable_graph(0)->mutable_attr();
    for (const char* name : optionAttrs)
        if (detail == DumpDetail::Topology)
            attrs.erase(name);
        else if (!attrs.contains(name))
            attrs[name].mutable_func()->set_name(name);
    addModelAttrs(model);

    google::protobuf::TextFormat::Printer printer;
    std::string text;
    printer.PrintToString(model, &text);
    return text;
}

std::string airBytes(const Graph& graph)
{
    ge::proto::ModelDef model;
    model.set_name(graph.name());
    modelDefFromGraph(graph, {}, model);
    for (const char* name : optionAttrs) model.mutable_graph(0)->mutable_attr()->erase(name);
    addModelAttrs(model);
    return modelDefBytes(model);
}

} // namespace gelens
