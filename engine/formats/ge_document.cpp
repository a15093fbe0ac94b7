#include "engine/formats/ge_document_internal.h"

#include "engine/graph/graph_editor.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {

GeReadOptions geOptionsOf(const ReadOptions& options)
{
    GeReadOptions ge;
    ge.maxNodes = options.maxNodes;
    ge.stop = options.stop;
    return ge;
}

Status judgeProblem(const TextProblem& problem, int nodes, std::vector<Message>& messages)
{
    if (!problem.any()) return {};
    if (problem.isStopped) return problem.error;
    const std::string text = fmt::format("{} ({})", problem.text, problem.place);
    if (nodes == 0) return Error::invalid(text);
    messages.push_back({Severity::Warning,
                        "dump.cut",
                        fmt::format("the file is damaged: {}; the {} nodes before that are shown", text, nodes),
                        {},
                        {}});
    return {};
}

namespace {

/// Size and descriptor of a constant's value, without decoding one that still lies in a text.
LazyConstant constantOf(const GeModel& model, const Node& node)
{
    const auto found = std::lower_bound(model.constants.begin(), model.constants.end(), node.id,
                                        [](const auto& known, NodeId id) { return known.first < id; });
    if (found != model.constants.end() && found->first == node.id) return found->second;
    const Tensor* const value = attrTensor(node.attrs, "value");
    return value ? LazyConstant{true, static_cast<std::int64_t>(value->data.size()),
                                storageBytes(value->desc.dtype, value->desc.shape).value_or(0)}
                 : LazyConstant{};
}

} // namespace

ModelDocument documentOf(GeModel model, std::string format, std::size_t fileBytes)
{
    ModelDocument document;
    document.format = std::move(format);
    document.producer = model.customVersion.empty() ? "GE" : "GE " + model.customVersion;
    document.modelVersion = model.version;
    document.fileBytes = static_cast<std::int64_t>(fileBytes);
    document.messages = std::move(model.messages);
    document.graph = std::move(model.graph);
    for (const auto& [name, value] : model.attrs) document.metadata.emplace(name, value.text());
    int noValue = 0;
    for (const NodeId id : document.graph.allNodes()) {
        const Node& node = document.graph.node(id);
        ++document.operatorHistogram[node.type];
        if (!isConstantType(node.type)) continue;
        ++document.weightCount;
        const LazyConstant known = constantOf(model, node);
        std::int64_t bytes = known.bytes > 0 ? known.bytes : known.declaredBytes;
        if (!known.hasValue && !node.outputs.empty())
            bytes = storageBytes(node.outputs[0].desc.dtype, node.outputs[0].desc.shape).value_or(0);
        document.weightBytes += bytes;
        if (!known.hasValue || (known.bytes == 0 && bytes > 0)) {
            ++noValue;
            ++document.absentWeightCount;
            document.absentWeightBytes += bytes;
        }
    }
    if (noValue > 0)
        document.messages.push_back({Severity::Info,
                                     "dump.no-values",
                                     fmt::format("{} constants have no values in this file", noValue),
                                     {},
                                     {}});
    return document;
}

Status applyInputShapes(Graph& graph, const ReadOptions& options)
{
    if (options.inputShapes.empty()) return {};
    GraphEditor editor(graph);
    for (const auto& [name, dims] : options.inputShapes) {
        const NodeId id = graph.findNode(name);
        if (!id.isValid() || graph.node(id).type != "Data" || graph.node(id).outputs.empty())
            return Error::invalid(fmt::format("the model has no input '{}'", name));
        TensorDesc desc = graph.node(id).outputs[0].desc;
        if (desc.shape.hasRank() && desc.shape.dims().size() != dims.size())
            return Error::invalid(fmt::format("the input '{}' has {} dimensions {}, not {}", name, desc.shape.rank(),
                                              desc.shape.text(), dims.size()));
        std::vector<std::int64_t> wanted = dims;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const std::int64_t before = desc.shape.hasRank() ? desc.shape[i] : unknownDim;
            if (wanted[i] == unknownDim)
                wanted[i] = before;
            else if (wanted[i] < 0 || (before >= 0 && before != wanted[i]))
                return Error::invalid(fmt::format("the input '{}' has the shape {}: dimension {} cannot be {}", name,
                                                  desc.shape.text(), i, wanted[i]));
        }
        desc.setShape(Shape(std::move(wanted)));
        editor.setOutputDesc({id, 0}, desc);
        if (graph.node(id).inputCount() > 0) editor.setInputDesc({id, 0}, desc);
    }
    return {};
}

} // namespace gelens
