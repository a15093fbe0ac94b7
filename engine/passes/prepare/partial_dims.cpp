#include "engine/passes/prepare/partial_dims.h"

#include <algorithm>
#include <string_view>

namespace gelens {
namespace {

/// Shapes are short; longer lists are data.
constexpr std::size_t maxLength = 16;

bool isOneOf(const std::string& type, std::initializer_list<std::string_view> types)
{
    return std::find(types.begin(), types.end(), type) != types.end();
}

std::optional<PartialInts> dimsOf(const Node& node, const Graph& graph)
{
    if (!node.hasInput(0)) return std::nullopt;
    const Shape& shape = graph.outputDesc(node.source(0)).originShape;
    if (!shape.hasRank()) return std::nullopt;
    PartialInts dims;
    for (const std::int64_t dim : shape.dims()) dims.push_back(dim < 0 ? -1 : dim);
    return dims;
}

/// Elements of a list by constant places along its only axis.
std::optional<PartialInts> picked(const Node& node, const Graph& graph, const PartialInts& list)
{
    const Tensor* const constant = graph.constantInput(node, 1);
    const auto places = constant == nullptr || !constant->isPresent() ? std::nullopt : constant->asInts(maxLength);
    if (!places || graph.outputDesc(node.source(0)).originShape.rank() != 1) return std::nullopt;
    PartialInts found;
    for (std::int64_t place : *places) {
        if (place < 0) place += static_cast<std::int64_t>(list.size());
        if (place < 0 || place >= static_cast<std::int64_t>(list.size())) return std::nullopt;
        found.push_back(list[static_cast<std::size_t>(place)]);
    }
    return found;
}

} // namespace

std::optional<PartialInts> partialValue(const Node& node, const Graph& graph,
                                        const std::function<std::optional<PartialInts>(int)>& operand)
{
    if (node.outputs.size() != 1 || node.outputs[0].desc.originShape.rank() > 1) return std::nullopt;
    std::optional<PartialInts> value;
    if (node.type == "Shape") {
        value = dimsOf(node, graph);
    } else if (isOneOf(node.type, {"Cast", "Identity", "Squeeze", "SqueezeV2", "SqueezeV3", "Unsqueeze", "UnsqueezeV2",
                                   "UnsqueezeV3", "ExpandDims", "Reshape"})) {
        value = operand(0);
    } else if (node.type == "GatherV2" || node.type == "Gather") {
        if (const auto list = operand(0)) value = picked(node, graph, *list);
    } else if (node.type == "ConcatD") {
        value.emplace();
        for (int i = 0; value && i < node.inputCount(); ++i) {
            const auto part = operand(i);
            if (part)
                value->insert(value->end(), part->begin(), part->end());
            else
                value.reset();
        }
    } else if (const auto count = node.outputs[0].desc.originShape.elementCount();
               node.outputs[0].desc.originShape.hasRank() && isInteger(node.outputs[0].desc.dtype) && count &&
               *count >= 0 && static_cast<std::size_t>(*count) <= maxLength) {
        value = PartialInts(static_cast<std::size_t>(*count), -1); // computed: as many as its dims say, none known
    }
    // A list whose length contradicts the descriptor is none.
    const auto count = node.outputs[0].desc.originShape.elementCount();
    if (!value || value->size() > maxLength ||
        (count && *count >= 0 && static_cast<std::size_t>(*count) != value->size()))
        return std::nullopt;
    return value;
}

Shape reshapedDims(const Shape& inferred, const PartialInts& wanted)
{
    if (wanted.empty() || (inferred.hasRank() && inferred.rank() != static_cast<int>(wanted.size()))) return inferred;
    Shape dims;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const bool isKnown = inferred.hasRank() && inferred.dim(static_cast<int>(i)) >= 0;
        if (isKnown)
            dims.append(inferred.dim(static_cast<int>(i)), inferred.symbol(i));
        else
            dims.append(wanted[i] > 0 ? wanted[i] : -1,
                        inferred.hasRank() && wanted[i] <= 0 ? inferred.symbol(i) : std::string_view());
    }
    return dims;
}

} // namespace gelens
