#include "engine/report/graph_json.h"

#include "engine/report/json_internal.h"

#include <fmt/format.h>

#include <cmath>
#include <type_traits>

namespace gelens {
namespace {

using report::Json;

template <typename T>
constexpr bool isPlain = std::is_same_v<T, std::int64_t> || std::is_same_v<T, bool> || std::is_same_v<T, std::string> ||
                         std::is_same_v<T, IntList> || std::is_same_v<T, std::vector<bool>> ||
                         std::is_same_v<T, StringList> || std::is_same_v<T, std::vector<IntList>>;

Json realToJson(float value) { return std::isfinite(value) ? Json(value) : Json(fmt::format("{}", value)); }

Json valueToJson(const AttrValue& value)
{
    return std::visit(
        [&](const auto& held) -> Json {
            using T = std::decay_t<decltype(held)>;
            if constexpr (isPlain<T>) {
                return held;
            } else if constexpr (std::is_same_v<T, float>) {
                return realToJson(held);
            } else if constexpr (std::is_same_v<T, FloatList>) {
                Json list = Json::array();
                for (const float one : held) list.push_back(realToJson(one));
                return list;
            } else if constexpr (std::is_same_v<T, UntypedList>) {
                return Json::array();
            } else {
                return value.text();
            }
        },
        value.variant());
}

Json descToJson(const TensorDesc& desc, const std::string& name)
{
    Json json = {{"name", name}, {"dtype", dataTypeShortName(desc.dtype)}};
    json["shape"] = desc.shape.hasRank() ? Json(desc.shape.dims()) : Json(nullptr);
    json["format"] = desc.format.text();
    if (!(desc.originShape == desc.shape) && desc.originShape.hasRank()) json["origin_shape"] = desc.originShape.dims();
    if (!(desc.originFormat == desc.format)) json["origin_format"] = desc.originFormat.text();
    return json;
}

Json nodeToJson(const Graph& graph, const Node& node)
{
    Json json = {{"id", node.id.value}, {"name", node.name}, {"type", node.type}};
    json["inputs"] = Json::array();
    for (const InputSlot& slot : node.inputs) {
        Json input = descToJson(slot.desc, slot.name);
        input["from"] = slot.source.isValid()
                            ? Json(fmt::format("{}:{}", graph.node(slot.source.node).name, slot.source.index))
                            : Json(nullptr);
        json["inputs"].push_back(std::move(input));
    }
    json["outputs"] = Json::array();
    for (const OutputSlot& slot : node.outputs) json["outputs"].push_back(descToJson(slot.desc, slot.name));
    for (const NodeId before : node.controlInputs) json["control"].push_back(graph.node(before).name);
    json["attrs"] = Json::object();
    for (const auto& [name, value] : node.attrs)
        if (!name.starts_with("gelens.")) json["attrs"][name] = valueToJson(value);
    const Placement& place = node.placement;
    if (place.streamId >= 0) json["stream"] = place.streamId;
    if (!place.engine.empty()) json["engine"] = place.engine;
    if (!place.outputOffsets.empty()) json["output_offsets"] = place.outputOffsets;
    for (const GraphId below : node.subgraphs) json["subgraphs"].push_back(graph.subgraph(below).name);
    return json;
}

} // namespace

std::string graphToJson(const Graph& graph)
{
    Json json = {{"name", graph.name()}};
    json["graphs"] = Json::array();
    for (const GraphId id : graph.liveSubgraphs()) {
        const auto& part = graph.subgraph(id);
        Json one = {{"name", part.name}};
        one["owner"] = part.parentNode.isValid() ? Json(graph.node(part.parentNode).name) : Json(nullptr);
        one["nodes"] = Json::array();
        graph.forEachNode(id, [&](const Node& node) { one["nodes"].push_back(nodeToJson(graph, node)); });
        json["graphs"].push_back(std::move(one));
    }
    json["outputs"] = Json::array();
    for (const OutputRef output : graph.subgraph(rootGraph).outputs)
        json["outputs"].push_back(fmt::format("{}:{}", graph.node(output.node).name, output.index));
    return report::dumped(json);
}

} // namespace gelens
