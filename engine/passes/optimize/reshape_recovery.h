#pragma once
// Reshapes that are not in the graph: edges whose reader states other dims than the producer.

#include "engine/graph/graph_editor.h"

#include <map>
#include <vector>

namespace gelens {

/// Puts one Reshape on each edge whose two ends state other dims for the same elements, as GE's ReshapeRecoveryPass does.
class ReshapeRecovery {
public:
    explicit ReshapeRecovery(GraphEditor& edit) : m_edit(edit) {}

    /// Whether input i of the node states other known dims than what feeds it, both stored as the model means them.
    bool disagrees(const Node& node, int input) const;
    void insert(InputRef slot);
    /// Constants are shared within a graph.
    void beginGraph() { m_shapes.clear(); }

private:
    /// One constant for each target shape.
    OutputRef shapeConstant(const Shape& shape, GraphId graph);

    GraphEditor& m_edit;
    std::map<std::vector<std::int64_t>, OutputRef> m_shapes;
    int m_count = 0, m_constants = 0;
};

} // namespace gelens
