// What records say: for the inspector's history, diffs and breakpoints.

#include "engine/graph/journal.h"

#include <fmt/format.h>

namespace gelens {
namespace {

template <typename... F>
struct Overload : F... {
    using F::operator()...;
};
// Clang 14 does not deduce aggregates by itself.
template <typename... F>
Overload(F...) -> Overload<F...>;

std::string quoted(const Graph& graph, NodeId id)
{
    if (id.value < 0 || id.value >= graph.nodeIdBound() || graph.node(id).name.empty())
        return fmt::format("node {}", id.value);
    return fmt::format("'{}'", graph.node(id).name);
}

std::string quoted(const Graph& graph, OutputRef ref)
{
    return fmt::format("{}:{}", quoted(graph, ref.node), ref.index);
}

std::string graphName(const Graph& graph, GraphId id)
{
    return id.value >= 0 && id.value < graph.subgraphCount() ? fmt::format("'{}'", graph.subgraph(id).name)
                                                             : fmt::format("graph {}", id.value);
}

std::string after(const Graph& graph, NodeId previous)
{
    return previous.isValid() ? "after " + quoted(graph, previous) : std::string("to the front");
}

std::string descText(const TensorDesc& desc)
{
    return fmt::format("{} {} {}", dataTypeShortName(desc.dtype), desc.format.text(), desc.shape.text());
}

/// "fp32 ND [2] → fp16 ND [2]"; when those agree, names what differs.
std::string descChange(const TensorDesc& before, const TensorDesc& after)
{
    const std::string from = descText(before);
    const std::string to = descText(after);
    if (from != to) return from + " → " + to;
    if (before.reservedBytes != after.reservedBytes)
        return fmt::format("{} → {} bytes reserved", before.reservedBytes, after.reservedBytes);
    if (!(before.originShape == after.originShape) || !(before.originFormat == after.originFormat))
        return fmt::format("origin {} {} → {} {}", before.originFormat.text(), before.originShape.text(),
                           after.originFormat.text(), after.originShape.text());
    return before.name != after.name ? fmt::format("named '{}'", after.name) : std::string("descriptor attributes");
}

std::string attrChange(const std::string& name, const std::optional<AttrValue>& before,
                       const std::optional<AttrValue>& after)
{
    constexpr std::size_t limit = 80;
    if (!after) return fmt::format("attribute {} removed", name);
    if (!before) return fmt::format("attribute {} = {}", name, after->text(limit));
    return fmt::format("attribute {}: {} → {}", name, before->text(limit), after->text(limit));
}

} // namespace

NodeId editedNode(const Edit& edit)
{
    return std::visit(Overload{
                          [](const edit::Connect& e) { return e.to.node; },
                          [](const edit::Disconnect& e) { return e.to.node; },
                          [](const edit::ConnectControl& e) { return e.to; },
                          [](const edit::DisconnectControl& e) { return e.to; },
                          [](const edit::SetGraphAttr&) { return NodeId{}; },
                          [](const edit::SetOrder&) { return NodeId{}; },
                          [](const edit::SetGraphOutputs&) { return NodeId{}; },
                          [](const edit::AddSubgraph& e) { return e.owner; },
                          [](const edit::RemoveSubgraph& e) { return e.owner; },
                          [](const auto& e) {
                              if constexpr (requires { e.slot; })
                                  return e.slot.node;
                              else
                                  return e.node;
                          },
                      },
                      edit);
}

std::vector<NodeId> touchedNodes(const Edit& edit)
{
    std::vector<NodeId> nodes;
    const NodeId main = editedNode(edit);
    if (main.isValid()) nodes.push_back(main);
    const NodeId other = std::visit(
        [](const auto& e) {
            if constexpr (requires { e.from.node; })
                return e.from.node;
            else if constexpr (requires { e.from; })
                return e.from;
            else
                return NodeId{};
        },
        edit);
    if (other.isValid() && other != main) nodes.push_back(other);
    return nodes;
}

std::string describeEdit(const Edit& edit, const Graph& graph)
{
    return std::visit(
        Overload{
            [&](const edit::AddNode& e) { return fmt::format("added {} '{}'", e.content->type, e.content->name); },
            [&](const edit::RemoveNode& e) { return fmt::format("removed {}", quoted(graph, e.node)); },
            [&](const edit::Connect& e) { return fmt::format("input {} ← {}", e.to.index, quoted(graph, e.from)); },
            [&](const edit::Disconnect& e) {
                return fmt::format("input {} no longer reads {}", e.to.index, quoted(graph, e.from));
            },
            [&](const edit::ConnectControl& e) { return fmt::format("waits for {}", quoted(graph, e.from)); },
            [&](const edit::DisconnectControl& e) {
                return fmt::format("no longer waits for {}", quoted(graph, e.from));
            },
            [&](const edit::SetInputDesc& e) {
                return fmt::format("input {}: {}", e.slot.index, descChange(*e.before, *e.after));
            },
            [&](const edit::SetOutputDesc& e) {
                return fmt::format("output {}: {}", e.slot.index, descChange(*e.before, *e.after));
            },
            [&](const edit::InsertInput& e) {
                return fmt::format("new input {} '{}' {}", e.slot.index, e.content->name, descText(e.content->desc));
            },
            [&](const edit::RemoveInput& e) {
                return fmt::format("input {} '{}' removed", e.slot.index, e.content->name);
            },
            [&](const edit::AddOutput& e) {
                return fmt::format("new output {} '{}' {}", e.slot.index, e.content->name, descText(e.content->desc));
            },
            [&](const edit::RemoveOutput& e) {
                return fmt::format("output {} '{}' removed", e.slot.index, e.content->name);
            },
            [&](const edit::SetAttr& e) { return attrChange(e.name, e.before, e.after); },
            [&](const edit::SetGraphAttr& e) {
                return fmt::format("graph {}: {}", graphName(graph, e.graph), attrChange(e.name, e.before, e.after));
            },
            [&](const edit::SetName& e) { return fmt::format("renamed '{}' → '{}'", e.before, e.after); },
            [&](const edit::SetType& e) { return fmt::format("type {} → {}", e.before, e.after); },
            [&](const edit::SetPlacement& e) {
                if (e.before->engine != e.after->engine) return fmt::format("placed on {}", e.after->engine);
                if (e.before->streamId != e.after->streamId) return fmt::format("stream {}", e.after->streamId);
                return std::string("memory offsets assigned");
            },
            [&](const edit::MoveNode& e) { return fmt::format("moved {}", after(graph, e.previousAfter)); },
            [&](const edit::SetOrder& e) {
                return fmt::format("graph {}: {} nodes in a new order", graphName(graph, e.graph), e.after->size());
            },
            [&](const edit::SetGraphOutputs& e) {
                return fmt::format("graph {}: outputs {} → {}", graphName(graph, e.graph), e.before->size(),
                                   e.after->size());
            },
            [&](const edit::AddSubgraph& e) { return fmt::format("added graph '{}'", e.name); },
            [&](const edit::RemoveSubgraph& e) { return fmt::format("removed graph {}", graphName(graph, e.graph)); },
        },
        edit);
}

} // namespace gelens
