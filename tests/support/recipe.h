#pragma once
// A model as a list of nodes that can be cut down, and the search for the smallest part of one that still shows a fault.

#include "engine/graph/graph.h"
#include "engine/ops/tensor_view.h"

#include <functional>
#include <string>
#include <vector>

namespace gelens::test {

/// A model as a list that can be cut down: nodes in order, each reading values of earlier ones.
struct Recipe {
    struct Value {
        int node = -1, output = 0;
        bool operator==(const Value&) const = default;
    };
    struct Node {
        std::string type; ///< GE operator, or "Data", or "Const"
        std::vector<Value> inputs;
        AttrMap attrs;
        std::vector<TensorDesc> outputs; ///< types and shapes, as inferred when the node was added
        HostTensor constant;             ///< of a Const
    };
    std::vector<Node> nodes;
    std::vector<Value> outputs;

    int operatorCount() const; ///< without Data and Const
    const TensorDesc& desc(Value value) const
    {
        return nodes[static_cast<std::size_t>(value.node)].outputs[static_cast<std::size_t>(value.output)];
    }
    Graph build() const;
    /// One line a node, with shapes and attributes: enough to write the case down as a test.
    std::string text() const;
};

/// The recipe with only the nodes that its outputs need.
Recipe pruned(const Recipe& recipe);

/// The smallest recipe found for which `fails` still holds: outputs dropped, nodes replaced by inputs of their shape or
/// passed by. `fails` is called at most `budget` times. `fails(recipe)` must be true at the start.
Recipe shrink(Recipe recipe, const std::function<bool(const Recipe&)>& fails, int budget = 400);

} // namespace gelens::test
