#include "engine/formats/onnx/node_order.h"

#include "engine/formats/onnx/text.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <queue>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace gelens::onnx_import {
namespace {

std::string shown(const onnx::NodeProto& node) { return cleanText(node.name().empty() ? node.op_type() : node.name()); }

bool isConstant(const onnx::NodeProto& node)
{
    return node.op_type() == "Constant" && node.domain().empty() && node.output_size() == 1;
}

/// A sub-graph of a node, with the graph around it and the names that it gives itself.
struct InnerGraph {
    const onnx::GraphProto* graph;
    int outer; ///< index of the graph around it, -1 for the node's own graph
    std::unordered_set<std::string_view> own;
};

void addInnerGraphs(const onnx::NodeProto& node, int outer, std::vector<InnerGraph>& graphs)
{
    const auto add = [&](const onnx::GraphProto& graph) {
        InnerGraph inner{&graph, outer, {}};
        for (const auto& input : graph.input()) inner.own.insert(input.name());
        for (const auto& tensor : graph.initializer()) inner.own.insert(tensor.name());
        for (const auto& tensor : graph.sparse_initializer()) inner.own.insert(tensor.values().name());
        for (const auto& producer : graph.node()) inner.own.insert(producer.output().begin(), producer.output().end());
        graphs.push_back(std::move(inner));
    };
    for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) add(attribute.g());
        for (const auto& graph : attribute.graphs()) add(graph);
    }
}

/// Names that a node reads, those that its sub-graphs take from outside included.
std::vector<std::string_view> namesRead(const onnx::NodeProto& node)
{
    std::vector<std::string_view> names(node.input().begin(), node.input().end());
    std::vector<InnerGraph> graphs;
    addInnerGraphs(node, -1, graphs);
    const auto read = [&](std::string_view name, int graph) {
        for (; graph >= 0; graph = graphs[static_cast<std::size_t>(graph)].outer)
            if (graphs[static_cast<std::size_t>(graph)].own.contains(name)) return;
        names.push_back(name);
    };
    for (std::size_t i = 0; i < graphs.size(); ++i) { // the list grows meanwhile
        const onnx::GraphProto& graph = *graphs[i].graph;
        const int index = static_cast<int>(i);
        for (const auto& inner : graph.node()) {
            for (const std::string& input : inner.input()) read(input, index);
            addInnerGraphs(inner, index, graphs);
        }
        for (const auto& output : graph.output()) read(output.name(), index);
    }
    return names;
}

/// Walks backwards along waiting inputs until a node comes again: that is the cycle.
Error cycleError(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes,
                 const std::vector<std::vector<int>>& producersOf, const std::vector<int>& waiting)
{
    int current = 0;
    while (waiting[static_cast<std::size_t>(current)] == 0) ++current;
    std::vector<int> path;
    std::vector<int> seenAt(waiting.size(), -1);
    while (seenAt[static_cast<std::size_t>(current)] < 0) {
        seenAt[static_cast<std::size_t>(current)] = static_cast<int>(path.size());
        path.push_back(current);
        for (const int producer : producersOf[static_cast<std::size_t>(current)]) {
            if (waiting[static_cast<std::size_t>(producer)] == 0) continue;
            current = producer;
            break;
        }
    }
    path.erase(path.begin(), path.begin() + seenAt[static_cast<std::size_t>(current)]);
    std::string text = shown(nodes[path.front()]);
    constexpr std::size_t limit = 6;
    for (std::size_t i = path.size(); i-- > 0;) {
        if (path.size() - i > limit && i > 0) {
            text += " -> …";
            i = 0;
        }
        text += " -> " + shown(nodes[path[i]]);
    }
    return Error::invalid("the nodes form a cycle: " + text);
}

} // namespace

Result<NodeOrder> orderNodes(const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes)
{
    const auto count = static_cast<std::size_t>(nodes.size());
    NodeOrder order;
    std::unordered_map<std::string_view, int> producers;
    std::vector<bool> isLeftOut(count, false);
    for (int i = 0; i < nodes.size(); ++i)
        for (const std::string& output : nodes[i].output()) {
            if (output.empty()) continue;
            const auto [entry, isNew] = producers.emplace(output, i);
            if (isNew) continue;
            if (isConstant(nodes[i]) && isConstant(nodes[entry->second])) {
                isLeftOut[static_cast<std::size_t>(entry->second)] = true;
                order.repeatedConstants.push_back(output);
                entry->second = i;
                continue;
            }
            return Error::invalid(fmt::format("the value '{}' is produced twice (by {} and {})", cleanText(output),
                                              shown(nodes[entry->second]), shown(nodes[i])));
        }
    std::vector<std::vector<int>> producersOf(count), consumersOf(count);
    std::vector<int> waiting(count, 0);
    for (int i = 0; i < nodes.size(); ++i)
        for (const std::string_view name : namesRead(nodes[i])) {
            const auto producer = producers.find(name);
            if (producer == producers.end()) continue;
            producersOf[static_cast<std::size_t>(i)].push_back(producer->second);
            consumersOf[static_cast<std::size_t>(producer->second)].push_back(i);
            ++waiting[static_cast<std::size_t>(i)];
            if (producer->second >= i) order.wasSorted = false;
        }
    order.indices.reserve(count);
    if (order.wasSorted) {
        for (int i = 0; i < nodes.size(); ++i)
            if (!isLeftOut[static_cast<std::size_t>(i)]) order.indices.push_back(i);
        return order;
    }
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (int i = 0; i < nodes.size(); ++i)
        if (waiting[static_cast<std::size_t>(i)] == 0) ready.push(i);
    while (!ready.empty()) {
        const int index = ready.top();
        ready.pop();
        order.indices.push_back(index);
        for (const int consumer : consumersOf[static_cast<std::size_t>(index)])
            if (--waiting[static_cast<std::size_t>(consumer)] == 0) ready.push(consumer);
    }
    if (order.indices.size() != count) return cycleError(nodes, producersOf, waiting);
    std::erase_if(order.indices, [&](int index) { return isLeftOut[static_cast<std::size_t>(index)]; });
    return order;
}

} // namespace gelens::onnx_import
