#pragma once
// Names and values while a graph is imported; private to this folder.

#include "engine/formats/onnx/function_library.h"
#include "engine/graph/graph_editor.h"

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace gelens::onnx_import {

using OpsetMap = std::map<std::string, std::int64_t>;

/// The actual attributes of one call of a model-local function.
struct FunctionCall {
    std::unordered_map<std::string, const onnx::AttributeProto*> attributes;
};

/// One graph, sub-graph or function body on its way into the graph.
struct Scope {
    GraphId graph;
    Scope* parent = nullptr;            ///< where a sub-graph finds outer values; null for the main graph and functions
    NodeId owner;                       ///< of a sub-graph
    std::string prefix;                 ///< of the names of nodes
    const FunctionCall* call = nullptr; ///< the function that this is inside of
    const OpsetMap* opsets = nullptr;
    int depth = 0; ///< sub-graphs and calls around this one
    std::unordered_map<std::string, OutputRef> values;
    std::unordered_set<std::string> absent; ///< optional inputs that the caller of a function left out
    std::unordered_map<std::string, TensorDesc> declared;
    NodeId lastData;
    int dataCount = 0;
};

} // namespace gelens::onnx_import
