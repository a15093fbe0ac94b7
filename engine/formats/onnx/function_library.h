#pragma once
// The functions that a model defines; private to this folder.

#include "engine/formats/onnx/onnx_proto_internal.h"
#include "engine/graph/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace gelens::onnx_import {

/// "" and "ai.onnx" are the same domain.
std::string normalDomain(const std::string& domain);
/// Fields newer than the installed schema.
std::string overloadOf(const onnx::NodeProto& node);

struct LocalFunction {
    const onnx::FunctionProto* proto = nullptr;
    std::string shownName; ///< "domain.name"
    /// Attributes with a default value (FunctionProto.attribute_proto).
    std::vector<std::shared_ptr<onnx::AttributeProto>> defaults;
    std::uint64_t nodes = 0; ///< what one call expands to, calls inside included; saturates
    int depth = 0;           ///< levels of calls below it
};

class FunctionLibrary {
public:
    /// Refuses a function that is defined twice or calls itself, through others too.
    Status build(const onnx::ModelProto& model);
    const LocalFunction* find(const onnx::NodeProto& node) const;
    /// Nodes of a graph with its sub-graphs when all calls are expanded; saturates.
    std::uint64_t expandedNodes(const onnx::GraphProto& graph) const;
    const std::vector<LocalFunction>& all() const { return m_functions; }
    bool isEmpty() const { return m_functions.empty(); }
    int size() const { return static_cast<int>(m_functions.size()); }

private:
    Status resolve();

    std::vector<LocalFunction> m_functions;
    std::unordered_map<std::string, int> m_byKey;
};

} // namespace gelens::onnx_import
