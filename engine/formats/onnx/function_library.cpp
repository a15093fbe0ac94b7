#include "engine/formats/onnx/function_library.h"

#include "engine/formats/onnx/text.h"
#include "engine/formats/onnx/wire_scan.h"

#include <fmt/core.h>

#include <limits>

namespace gelens::onnx_import {
namespace {

// Deeper calls than any real exporter makes; the expansion recurses once a level.
constexpr int maxCallDepth = 100;

constexpr std::uint64_t countLimit = std::uint64_t{1} << 62;

std::uint64_t saturatingAdd(std::uint64_t a, std::uint64_t b) { return std::min(countLimit, a + b); }

std::string key(const std::string& domain, const std::string& name, const std::string& overload)
{
    return normalDomain(domain) + '\n' + name + '\n' + overload;
}

std::span<const std::byte> unknownBytes(const google::protobuf::UnknownFieldSet& fields, std::string& storage)
{
    fields.SerializeToString(&storage);
    return std::as_bytes(std::span(storage.data(), storage.size()));
}

std::string textOf(const WireField& field)
{
    return {reinterpret_cast<const char*>(field.payload.data()), field.payload.size()};
}

/// Calls f(node) for the nodes of a list and of all sub-graphs inside, without recursion.
template <typename Nodes, typename F>
void forEachNodeInside(const Nodes& nodes, F&& f)
{
    std::vector<const onnx::GraphProto*> graphs;
    const auto visit = [&](const onnx::NodeProto& node) {
        f(node);
        for (const auto& attribute : node.attribute()) {
            if (attribute.has_g()) graphs.push_back(&attribute.g());
            for (const auto& graph : attribute.graphs()) graphs.push_back(&graph);
        }
    };
    for (const auto& node : nodes) visit(node);
    while (!graphs.empty()) {
        const onnx::GraphProto* const graph = graphs.back();
        graphs.pop_back();
        for (const auto& node : graph->node()) visit(node);
    }
}

} // namespace

std::string normalDomain(const std::string& domain) { return domain == "ai.onnx" ? std::string() : domain; }

std::string overloadOf(const onnx::NodeProto& node)
{
    constexpr std::uint32_t overloadField = 8;
    if (node.unknown_fields().empty()) return {};
    std::string storage;
    for (const WireField& field : splitFields(unknownBytes(node.unknown_fields(), storage)))
        if (field.number == overloadField) return textOf(field);
    return {};
}

Status FunctionLibrary::build(const onnx::ModelProto& model)
{
    constexpr std::uint32_t attributeField = 11, overloadField = 13;
    m_functions.reserve(static_cast<std::size_t>(model.functions_size()));
    for (const auto& proto : model.functions()) {
        LocalFunction function;
        function.proto = &proto;
        function.shownName = cleanText(proto.domain().empty() ? proto.name() : proto.domain() + "." + proto.name());
        std::string overload, storage;
        for (const WireField& field : splitFields(unknownBytes(proto.unknown_fields(), storage))) {
            if (field.number == overloadField) overload = textOf(field);
            if (field.number != attributeField) continue;
            auto attribute = std::make_shared<onnx::AttributeProto>();
            if (!attribute->ParseFromArray(field.payload.data(), static_cast<int>(field.payload.size())))
                return Error::invalid(
                    fmt::format("function {} has a default attribute that cannot be decoded", function.shownName));
            function.defaults.push_back(std::move(attribute));
        }
        if (!m_byKey.emplace(key(proto.domain(), proto.name(), overload), size()).second)
            return Error::invalid(fmt::format("function {} is defined twice", function.shownName));
        m_functions.push_back(std::move(function));
    }
    return resolve();
}

const LocalFunction* FunctionLibrary::find(const onnx::NodeProto& node) const
{
    if (m_functions.empty()) return nullptr;
    const auto entry = m_byKey.find(key(node.domain(), node.op_type(), overloadOf(node)));
    return entry == m_byKey.end() ? nullptr : &m_functions[static_cast<std::size_t>(entry->second)];
}

/// Sizes of all functions, callees before callers, with a stack of our own.
Status FunctionLibrary::resolve()
{
    struct Visit {
        std::size_t function;
        std::vector<std::size_t> callees; // one entry for each call
        std::uint64_t ownNodes = 0;
        std::size_t next = 0;
    };
    enum class State : std::uint8_t { New, Open, Done };
    std::vector<State> states(m_functions.size(), State::New);
    const auto open = [&](std::size_t index) {
        Visit visit{index, {}, 0, 0};
        forEachNodeInside(m_functions[index].proto->node(), [&](const onnx::NodeProto& node) {
            if (const LocalFunction* callee = find(node))
                visit.callees.push_back(static_cast<std::size_t>(callee - m_functions.data()));
            else
                ++visit.ownNodes;
        });
        states[index] = State::Open;
        return visit;
    };
    for (std::size_t root = 0; root < m_functions.size(); ++root) {
        if (states[root] != State::New) continue;
        std::vector<Visit> stack{open(root)};
        while (!stack.empty()) {
            Visit& top = stack.back();
            if (top.next < top.callees.size()) {
                const std::size_t callee = top.callees[top.next];
                if (states[callee] == State::Open)
                    return Error::invalid(fmt::format("function {} calls itself", m_functions[callee].shownName));
                ++top.next;
                if (states[callee] == State::New) stack.push_back(open(callee));
                continue;
            }
            LocalFunction& function = m_functions[top.function];
            function.nodes = top.ownNodes;
            for (const std::size_t callee : top.callees) {
                function.nodes = saturatingAdd(function.nodes, m_functions[callee].nodes);
                function.depth = std::max(function.depth, m_functions[callee].depth + 1);
            }
            if (function.depth > maxCallDepth)
                return Error::limit(
                    fmt::format("function {} calls others more than {} levels deep", function.shownName, maxCallDepth));
            states[top.function] = State::Done;
            stack.pop_back();
        }
    }
    return Status::success();
}

std::uint64_t FunctionLibrary::expandedNodes(const onnx::GraphProto& graph) const
{
    std::uint64_t count = 0;
    forEachNodeInside(graph.node(), [&](const onnx::NodeProto& node) {
        const LocalFunction* function = find(node);
        count = saturatingAdd(count, function ? function->nodes : 1);
    });
    return count;
}

} // namespace gelens::onnx_import
