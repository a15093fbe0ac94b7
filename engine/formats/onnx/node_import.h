#pragma once
// One operator on its way into the graph: what import functions see; private to this folder.

#include "engine/formats/onnx/graph_importer.h"

namespace gelens::onnx_import {

class NodeImport final : public ImportContext {
public:
    NodeImport(GraphImporter& importer, Scope& scope, const onnx::NodeProto& proto, OnnxNode node);

    const OnnxNode& onnx() const override { return m_node; }
    bool isInSubgraph() const override { return m_scope.owner.isValid(); }
    OutputRef input(int i) const override;
    const Tensor* constantInput(int i) const override;
    Shape declaredShape(int i) const override;
    DataType declaredType(int i) const override;
    NodeId make(std::string_view geType, const std::vector<OutputRef>& inputs, AttrMap attrs, int outputs,
                std::string_view suffix) override;
    OutputRef constant(Tensor value, std::string_view suffix) override;
    void setOutput(int i, OutputRef value) override;
    Result<GraphId> importSubgraph(std::string_view attribute, NodeId owner) override;

    /// Keeps the operator as it is: the operator stays visible, what must know it is blocked.
    NodeId makeOpaque();
    /// Takes back what has been made so far.
    void undo();
    /// Notes where expanded nodes come from and hands the outputs over.
    Status finish();

private:
    GraphImporter& m_importer;
    Scope& m_scope;
    const onnx::NodeProto& m_proto;
    OnnxNode m_node;
    std::vector<OutputRef> m_inputs;
    std::vector<OutputRef> m_outputs;
    std::vector<NodeId> m_made;
    bool m_hasNamed = false;
};

} // namespace gelens::onnx_import
