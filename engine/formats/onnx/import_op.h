#pragma once
// How one ONNX operator becomes GE operators. A family of operators is one file import_<family>.cpp in this folder.

#include "engine/graph/graph_editor.h"
#include "engine/graph/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gelens::onnx_import {

/// An ONNX node, freed of protobuf. Attributes keep their ONNX names; tensors are AttrValue tensors,
/// sub-graph attributes are not here (see ImportContext::importSubgraph).
struct OnnxNode {
    std::string name; ///< never empty: the reader invents one where the file has none
    std::string opType;
    std::string domain;               ///< "" for the standard domain
    std::vector<std::string> inputs;  ///< "" = absent
    std::vector<std::string> outputs; ///< "" = not used
    AttrMap attrs;
    int opset = 17; ///< version of the node's domain in this model
};

/// What an import function works with. Values are outputs of nodes that already exist in the graph.
class ImportContext {
public:
    virtual ~ImportContext() = default;

    virtual const OnnxNode& onnx() const = 0;
    int opset() const { return onnx().opset; }
    int inputCount() const { return static_cast<int>(onnx().inputs.size()); }
    bool hasInput(int i) const { return i < inputCount() && !onnx().inputs[static_cast<std::size_t>(i)].empty(); }
    int outputCount() const { return static_cast<int>(onnx().outputs.size()); }
    bool hasOutput(int i) const { return i < outputCount() && !onnx().outputs[static_cast<std::size_t>(i)].empty(); }

    /// Whether this is inside a sub-graph that may never run: what only fails there is no fault of the model.
    virtual bool isInSubgraph() const = 0;
    virtual OutputRef input(int i) const = 0;             ///< invalid when absent
    virtual const Tensor* constantInput(int i) const = 0; ///< value when it is a constant, else null
    /// Rank or shape of an input where the file states it (value_info, initialiser, graph input); unknown otherwise.
    virtual Shape declaredShape(int i) const = 0;
    virtual DataType declaredType(int i) const = 0;

    /// Makes a GE node. Slot names come from the operator's definition; an invalid OutputRef leaves an optional slot
    /// unconnected. The first node made by an import carries the ONNX node's name, later ones name + "_" + suffix.
    virtual NodeId make(std::string_view geType, const std::vector<OutputRef>& inputs, AttrMap attrs = {},
                        int outputs = 1, std::string_view suffix = {}) = 0;
    /// A constant made by the import, named <node>_<suffix>.
    virtual OutputRef constant(Tensor value, std::string_view suffix) = 0;
    /// Declares that ONNX output i is this value.
    virtual void setOutput(int i, OutputRef value) = 0;
    /// Imports a sub-graph attribute ("then_branch", "body") as a graph owned by `owner`. Outer values that the body
    /// reads become inputs: they are appended to `owner`'s inputs and to the body's Data nodes. Several calls for one
    /// owner share the captured inputs.
    virtual Result<GraphId> importSubgraph(std::string_view attribute, NodeId owner) = 0;

    Error error(const std::string& text) const; ///< "node 'x' (Type): text"
};

using ImportFunction = std::function<Status(ImportContext&)>;

/// Import functions by "domain:type" ("" domain for the standard one).
class ImportTable {
public:
    static const ImportTable& instance();
    const ImportFunction* find(std::string_view domain, std::string_view opType) const;
    void add(std::string_view opType, ImportFunction function, std::string_view domain = {});
    std::vector<std::string> names() const; ///< sorted

private:
    std::unordered_map<std::string, ImportFunction> m_functions;
};

// Families, one file each.
void importArithmetic(ImportTable&);     ///< arithmetic, logic, comparison, activation, reduction, normalisation
void importMovement(ImportTable&);       ///< shape, gather, scatter, top-k, slice, pad …
void importCube(ImportTable&);           ///< matmul, gemm, einsum, convolution, pooling, resize, image
void importSequence(ImportTable&);       ///< recurrent, control flow, sequences, random, quantisation
void importQuantRecurrent(ImportTable&); ///< quantisation, recurrent
void importContrib(ImportTable&);        ///< com.microsoft and other custom domains

} // namespace gelens::onnx_import
