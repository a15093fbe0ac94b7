#pragma once
// The edit journal: every change of a graph as a small reversible record.

#include "engine/graph/graph.h"

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace gelens {

namespace edit {
/// The content a node is born with; kept so that redo needs no second copy.
struct AddNode {
    NodeId node;
    std::shared_ptr<const Node> content; ///< no edges
    NodeId previous;                     ///< neighbour in the order list
};
struct RemoveNode {
    NodeId node;
    NodeId previous;
};
struct Connect { ///< input slot `to` gets source `from`
    OutputRef from;
    InputRef to;
};
struct Disconnect {
    OutputRef from;
    InputRef to;
    int position; ///< index among the consumers of `from`, so that undo restores their order
};
struct ConnectControl {
    NodeId from;
    NodeId to;
};
struct DisconnectControl {
    NodeId from;
    NodeId to;
    int outPosition;
    int inPosition;
};
struct SetInputDesc {
    InputRef slot;
    std::shared_ptr<const TensorDesc> before, after;
};
struct SetOutputDesc {
    OutputRef slot;
    std::shared_ptr<const TensorDesc> before, after;
};
struct InsertInput { ///< a new, unconnected slot at slot.index
    InputRef slot;
    std::shared_ptr<const InputSlot> content;
};
struct RemoveInput { ///< an unconnected slot; later slots move down
    InputRef slot;
    std::shared_ptr<const InputSlot> content;
};
struct AddOutput { ///< at the end
    OutputRef slot;
    std::shared_ptr<const OutputSlot> content;
};
struct RemoveOutput { ///< the last one, without consumers
    OutputRef slot;
    std::shared_ptr<const OutputSlot> content;
};
struct SetAttr {
    NodeId node;
    std::string name;
    std::optional<AttrValue> before, after;
};
struct SetGraphAttr {
    GraphId graph;
    std::string name;
    std::optional<AttrValue> before, after;
};
struct SetName {
    NodeId node;
    std::string before, after;
};
struct SetType {
    NodeId node;
    std::string before, after;
};
struct SetPlacement {
    NodeId node;
    std::shared_ptr<const Placement> before, after;
};
struct MoveNode { ///< within the order list of its graph
    NodeId node;
    NodeId previousBefore, previousAfter;
};
struct SetOrder { ///< a whole order list at once, after a topological sort
    GraphId graph;
    std::shared_ptr<const std::vector<NodeId>> before, after;
};
struct SetGraphOutputs {
    GraphId graph;
    std::shared_ptr<const std::vector<OutputRef>> before, after;
};
struct AddSubgraph { ///< appended to the owner's list when there is an owner
    GraphId graph;
    std::string name;
    NodeId owner;
};
struct RemoveSubgraph { ///< empty of nodes
    GraphId graph;
    NodeId owner;
    int position; ///< in the owner's list
};
} // namespace edit

using Edit = std::variant<edit::AddNode, edit::RemoveNode, edit::Connect, edit::Disconnect, edit::ConnectControl,
                          edit::DisconnectControl, edit::SetInputDesc, edit::SetOutputDesc, edit::InsertInput,
                          edit::RemoveInput, edit::AddOutput, edit::RemoveOutput, edit::SetAttr, edit::SetGraphAttr,
                          edit::SetName, edit::SetType, edit::SetPlacement, edit::MoveNode, edit::SetOrder,
                          edit::SetGraphOutputs, edit::AddSubgraph, edit::RemoveSubgraph>;

/// The node a record speaks of (the consumer for an edge); invalid for graph-level records.
NodeId editedNode(const Edit& edit);
/// Every node whose picture the record changes: both ends of an edge.
std::vector<NodeId> touchedNodes(const Edit& edit);
/// One line for people: "input 1 ← 'scale':0". Names are looked up in `graph`, which may be at any step.
std::string describeEdit(const Edit& edit, const Graph& graph);

struct EditRecord {
    StepId step;
    Edit edit;
};

/// Append-only list of records. Positions are indices; the records of a step are contiguous.
class Journal {
public:
    std::size_t size() const { return m_records.size(); }
    const EditRecord& operator[](std::size_t i) const { return m_records[i]; }
    void append(EditRecord record) { m_records.push_back(std::move(record)); }

    /// Brings a graph that stands at position `from` to position `to`, by applying or reverting records.
    void move(Graph& graph, std::size_t from, std::size_t to) const;

    static void apply(Graph& graph, const Edit& edit);
    /// Puts a node that has its id at the end of its graph, as an import does; there is no way back.
    static void addUnrecorded(Graph& graph, std::shared_ptr<Node> node);
    static void revert(Graph& graph, const Edit& edit);

private:
    std::vector<EditRecord> m_records;
};

} // namespace gelens
