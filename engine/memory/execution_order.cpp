#include "engine/memory/execution_order.h"

#include "engine/memory/lifetimes.h"
#include "engine/ops/op_registry.h"

#include <algorithm>
#include <fmt/format.h>

namespace gelens {

StreamRole streamRoleOf(const Graph& graph, const Node& node)
{
    if (!isOperator(node) || attrBool(node.attrs, "_no_task")) return StreamRole::Silent;
    const OpDef* def = OpRegistry::instance().find(node.type);
    if (def && (def->view() || def->unitOf() == Unit::None)) return StreamRole::Silent;
    // What GE handles itself runs nothing on the device, unless it makes values.
    if (def && def->unitOf() == Unit::GeLocal && (node.outputs.empty() || !def->kernelFunction()))
        return StreamRole::Silent;
    return isVirtualSplit(graph, node) ? StreamRole::Unsure : StreamRole::Runs;
}

Result<ExecutionOrder> ExecutionOrder::make(const Graph& graph, std::span<const NodeId> order,
                                            std::span<const std::int64_t> streams)
{
    ExecutionOrder made;
    bool hasCycle = false;
    made.m_order =
        order.empty() ? graph.topologicalOrder(rootGraph, &hasCycle) : std::vector<NodeId>(order.begin(), order.end());
    if (hasCycle) return Error::invalid("the graph has a cycle, so no order of execution exists", graph.name());
    const auto bound = static_cast<std::size_t>(graph.nodeIdBound());
    made.m_position.assign(bound, -1);
    for (std::size_t i = 0; i < made.m_order.size(); ++i) {
        const NodeId id = made.m_order[i];
        if (!graph.contains(id) || made.m_position[static_cast<std::size_t>(id.value)] >= 0)
            return Error::invalid("the order names a node twice, or one that does not exist", graph.name());
        made.m_position[static_cast<std::size_t>(id.value)] = static_cast<std::int64_t>(i);
    }
    made.m_stream.assign(made.m_order.size(), 0);
    for (std::size_t i = 0; i < made.m_order.size(); ++i)
        if (const auto id = static_cast<std::size_t>(made.m_order[i].value); id < streams.size())
            made.m_stream[i] = std::max<std::int64_t>(0, streams[id]);
    if (const std::string fault = made.findReversedEdge(graph); !fault.empty()) return Error::invalid(fault);
    made.computeEnds(graph);
    return made;
}

std::string ExecutionOrder::findReversedEdge(const Graph& graph) const
{
    for (const NodeId id : m_order) {
        const Node& node = graph.node(id);
        const auto isLate = [&](NodeId before) { return before.isValid() && position(before) >= position(id); };
        for (const InputSlot& slot : node.inputs)
            if (isLate(slot.source.node)) return fmt::format("the order runs '{}' before its input", node.name);
        for (const NodeId before : node.controlInputs)
            if (isLate(before)) return fmt::format("the order runs '{}' before what it must follow", node.name);
    }
    return {};
}

void ExecutionOrder::computeEnds(const Graph& graph)
{
    std::vector<std::int64_t> ids = m_stream;
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    const std::size_t streams = ids.size();
    if (streams <= 1) return;
    const std::int64_t count = size();
    const auto lane = [&](std::int64_t at) {
        const auto found = std::lower_bound(ids.begin(), ids.end(), m_stream[static_cast<std::size_t>(at)]);
        return static_cast<std::size_t>(found - ids.begin());
    };
    for (std::int64_t at = 0; at < count; ++at)
        m_roles.push_back(streamRoleOf(graph, graph.node(m_order[static_cast<std::size_t>(at)])));
    const auto role = [&](std::int64_t at) { return m_roles[static_cast<std::size_t>(at)]; };
    // previous[at]: position of the last node before it on its stream that may have a task; last[s]: that of stream s.
    std::vector<std::int64_t> previous(static_cast<std::size_t>(count), -1), last(streams, -1);
    for (std::int64_t at = 0; at < count; ++at) {
        previous[static_cast<std::size_t>(at)] = last[lane(at)];
        if (role(at) != StreamRole::Silent) last[lane(at)] = at;
    }
    // first[at * streams + s]: the first node of stream s that is ordered after the node at `at`.
    std::vector<std::int32_t> first(static_cast<std::size_t>(count) * streams, static_cast<std::int32_t>(count));
    std::vector<std::int64_t> next(streams, -1);
    m_ends.assign(static_cast<std::size_t>(count), 0);
    for (std::int64_t at = count - 1; at >= 0; --at) {
        std::int32_t* row = &first[static_cast<std::size_t>(at) * streams];
        const auto follow = [&](std::int64_t successor) {
            if (successor < 0) return;
            const std::int32_t* other = &first[static_cast<std::size_t>(successor) * streams];
            for (std::size_t s = 0; s < streams; ++s) row[s] = std::min(row[s], other[s]);
            // No event is waited for at a node without a task, so its stream knows nothing by it.
            if (role(successor) != StreamRole::Runs) return;
            row[lane(successor)] = std::min(row[lane(successor)], static_cast<std::int32_t>(successor));
        };
        const Node& node = graph.node(m_order[static_cast<std::size_t>(at)]);
        if (role(at) == StreamRole::Runs) follow(next[lane(at)]);
        for (const OutputSlot& slot : node.outputs)
            for (const InputRef& reader : slot.consumers) follow(position(reader.node));
        for (const NodeId after : node.controlOutputs) follow(position(after));
        std::int64_t end = at + 1;
        for (std::size_t s = 0; s < streams; ++s) {
            const std::int64_t unordered = row[s] < count ? previous[static_cast<std::size_t>(row[s])] : last[s];
            end = std::max(end, unordered + 1);
        }
        m_ends[static_cast<std::size_t>(at)] = end;
        if (role(at) == StreamRole::Runs) next[lane(at)] = at;
    }
    m_first = std::move(first);
    m_lanes.resize(static_cast<std::size_t>(count));
    for (std::int64_t at = 0; at < count; ++at) m_lanes[static_cast<std::size_t>(at)] = lane(at);
    m_laneCount = streams;
}

} // namespace gelens
