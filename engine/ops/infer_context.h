#pragma once
// What shape and type inference of one node sees and sets.

#include "engine/graph/graph.h"
#include "engine/graph/result.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gelens {

/// Inference reads the node's attributes, the descriptors of what feeds it and the values of constant inputs, and
/// fills the output descriptors. Dims that cannot be known stay -1 (with the symbol's name where it carries over),
/// an unknown rank stays unknown; neither is an error. Inputs that contradict the operator are one.
class InferContext {
public:
    /// `constants(i)` gives the value of input i when it is known, else null (it may come from a Const, or from the
    /// value of a small integer tensor that folding tracks).
    InferContext(const Graph& graph, const Node& node, std::function<const Tensor*(int)> constants = {});

    const Node& node() const { return m_node; }
    const Graph& graph() const { return m_graph; }
    const AttrMap& attrs() const { return m_node.attrs; }
    int inputCount() const { return m_node.inputCount(); }
    bool hasInput(int i) const { return m_node.hasInput(i); }
    /// Descriptor of what feeds input i (the producer's output); the slot's own descriptor when unconnected.
    const TensorDesc& input(int i) const;
    const Shape& shape(int i) const { return input(i).originShape; }
    DataType dtype(int i) const { return input(i).dtype; }
    const Tensor* constant(int i) const;
    std::optional<std::vector<std::int64_t>> constantInts(int i) const;

    int outputCount() const { return m_node.outputCount(); }
    void setOutput(int i, DataType dtype, Shape shape);
    /// The whole descriptor, for what type and shape do not say (the elements of a sequence).
    void setOutputDesc(int i, TensorDesc desc)
    {
        if (i >= 0 && i < outputCount()) m_outputs[static_cast<std::size_t>(i)] = std::move(desc);
    }
    const std::vector<std::optional<TensorDesc>>& outputs() const { return m_outputs; }

    /// "node 'x' (Type): text".
    Error error(const std::string& text) const;

private:
    const Graph& m_graph;
    const Node& m_node;
    std::function<const Tensor*(int)> m_constants;
    std::vector<std::optional<TensorDesc>> m_outputs;
};

/// NumPy broadcasting of two shapes, symbols kept; an error text when they contradict each other.
Result<Shape> broadcastShapes(const Shape& a, const Shape& b);
/// Turns a negative axis into a positive one; nothing when it lies outside [-rank, rank).
std::optional<int> normalizeAxis(std::int64_t axis, int rank);

} // namespace gelens
