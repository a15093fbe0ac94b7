#include "engine/memory/neighbour_groups.h"

#include "engine/memory/sizes.h"

#include <algorithm>
#include <vector>

namespace gelens {

NeighbourGroups::NeighbourGroups(const Graph& graph, const ExecutionOrder& axis, TensorTable& tensors)
    : m_graph(graph), m_tensors(tensors)
{
    // Later nodes first, so that a group inside a group finds its place.
    const auto& order = axis.order();
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        const Node& node = m_graph.node(*at);
        if (node.attrs.empty()) continue;
        if (attrBool(node.attrs, "_no_padding_continuous_input") && attrBool(node.attrs, "_output_reuse_input") &&
            node.outputCount() == 1)
            groupInputs(node, false);
        else if (attrBool(node.attrs, "continuous_input"))
            groupInputs(node, true);
    }
}

void NeighbourGroups::groupInputs(const Node& node, bool isPadded)
{
    // The head is the whole; without padding that is the output, whose own group may hold it further in.
    OutputRef head = isPadded ? m_tensors.behindViews(m_graph, node.source(0)) : node.output(0);
    std::int64_t offset = 0;
    if (!isPadded)
        if (const auto found = m_places.find(head); found != m_places.end()) {
            offset = found->second.second;
            head = found->second.first;
        }
    std::vector<std::pair<OutputRef, std::int64_t>> places;
    for (int i = 0; i < node.inputCount(); ++i) {
        const OutputRef source = m_tensors.behindViews(m_graph, node.source(i));
        const TensorInfo* tensor = m_tensors.info(source);
        const bool isFixed = !tensor || !tensor->isKnown || isConstantType(m_graph.node(source.node).type) ||
                             isBoundaryType(m_graph.node(source.node).type) || m_places.contains(source);
        const bool isRepeated =
            std::any_of(places.begin(), places.end(), [&](const auto& place) { return place.first == source; });
        // One operand that must stay where it is, or is there twice, leaves the node as any other.
        if (isFixed || isRepeated) return;
        places.emplace_back(source, offset);
        offset += isPadded ? roundUp(tensor->reserved, memoryBlockBytes) : tensor->bytes;
    }
    for (const auto& [tensor, start] : places) m_places[tensor] = {head, start};
    if (!isPadded) m_places.emplace(node.output(0), std::pair{head, places.empty() ? 0 : places.front().second});
    if (isPadded) m_paddedHeads.insert(head);
}

} // namespace gelens
