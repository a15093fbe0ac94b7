#pragma once
// Builds the graph of a parsed model; private to this folder.

#include "engine/formats/model_document.h"
#include "engine/formats/onnx/import_op.h"
#include "engine/formats/onnx/import_scope.h"
#include "engine/formats/onnx/tensor_reader.h"

#include <vector>

namespace gelens::onnx_import {

/// An initialiser of the main graph whose raw data was left in the mapped file.
struct MainInitializer {
    onnx::TensorProto proto;
    std::optional<RawWindow> window;
};

/// Walks scopes (main graph, sub-graphs, function bodies), keeps who produces which value, and leaves single operators
/// to the functions of ImportTable.
class GraphImporter {
public:
    GraphImporter(const ReadOptions& options, TensorReader& tensors, const FunctionLibrary& functions,
                  ModelDocument& document);

    Status importModel(const onnx::GraphProto& graph, const std::vector<MainInitializer>& initializers,
                       const OpsetMap& opsets);

    // For NodeImport:
    GraphEditor& editor() { return m_editor; }
    const Graph& graph() const { return m_document.graph; }
    /// The value of that name as seen from the scope; outer values are brought in. Invalid when there is none.
    OutputRef resolve(Scope& scope, const std::string& name);
    /// Type and shape that the file states for a value; unknown otherwise.
    TensorDesc declared(const Scope& scope, const std::string& name) const;
    Status define(Scope& scope, const std::string& name, OutputRef value, const std::string& by);
    Result<GraphId> importSubgraph(Scope& outer, const onnx::GraphProto& graph, const std::string& attribute,
                                   NodeId owner);
    /// The attribute, or what the caller of the enclosing function gave for it; null when that is absent.
    const onnx::AttributeProto* actual(const Scope& scope, const onnx::AttributeProto& attribute) const;
    void message(Severity severity, std::string id, std::string text, NodeId node = {});
    /// Infers a node's outputs as far as that goes, so that the import of what follows knows ranks and types. The
    /// graph of step 0 has none of it: everything inferred is taken out at the end.
    void inferForImport(NodeId id);
    NodeId addBoundary(Scope& scope, NodeSpec spec);

private:
    Status importInputs(Scope& scope, const onnx::GraphProto& graph, const std::unordered_set<std::string>& constants);
    Status addInput(Scope& scope, const onnx::ValueInfoProto& info, int index);
    Status applyOptions(const std::string& name, TensorDesc& desc);
    void declareValues(Scope& scope, const onnx::GraphProto& graph);
    Status importInitializers(Scope& scope, const onnx::GraphProto& graph, const std::vector<MainInitializer>& mapped);
    Status addInitializer(Scope& scope, const std::string& name, Tensor value, int index);
    Status importNodes(Scope& scope, const google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes);
    Status importNode(Scope& scope, const onnx::NodeProto& node);
    Status importConstant(Scope& scope, const onnx::NodeProto& node, const std::string& name);
    Status importCall(Scope& scope, const onnx::NodeProto& node, const std::string& name,
                      const LocalFunction& function);
    Status importOperator(Scope& scope, const onnx::NodeProto& node, const std::string& name);
    Status importOutputs(Scope& scope, const onnx::GraphProto& graph);
    Result<OnnxNode> plainNode(Scope& scope, const onnx::NodeProto& node, const std::string& name);
    Result<AttrMap> readAttributes(Scope& scope, const onnx::NodeProto& node);
    template <typename Nodes>
    void numberNodes(const Nodes& nodes);
    int opsetAssumed(const std::string& domain);
    std::string nodeName(const Scope& scope, const onnx::NodeProto& node);
    static bool isAbsent(const Scope& scope, const std::string& name);
    OutputRef captured(Scope& scope, const std::string& name, OutputRef outer);
    Status checkLimits() const;
    Status checkOptionsUsed() const;
    void orderConstantsFirst();
    void forgetInferred();

    const ReadOptions& m_options;
    TensorReader& m_tensors;
    const FunctionLibrary& m_functions;
    ModelDocument& m_document;
    GraphEditor m_editor;
    std::unordered_map<const onnx::NodeProto*, int> m_numbers;       ///< of nodes without a name
    std::unordered_map<NodeId, std::map<OutputRef, int>> m_captures; ///< input slots of owners, by outer value
    std::unordered_set<std::string> m_inputsSet, m_symbolsSet;
    std::unordered_set<std::string> m_names; ///< of nodes so far, to tell of repeated ones
    int m_repeatedNames = 0;
    std::string m_firstRepeatedName;
    std::map<std::string, int> m_opaqueTypes;
    bool m_saidBadName = false;
    bool m_saidNoOpset = false;
};

} // namespace gelens::onnx_import
