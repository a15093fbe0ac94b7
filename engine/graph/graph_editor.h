#pragma once
// The only way to change a graph.

#include "engine/graph/journal.h"

#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace gelens {

/// What a new node starts with. Slots are created unconnected.
struct NodeSpec {
    std::string name; ///< made unique by a suffix when it is taken
    std::string type;
    std::vector<std::pair<std::string, TensorDesc>> inputs; ///< argument name, descriptor
    std::vector<std::pair<std::string, TensorDesc>> outputs;
    AttrMap attrs;
    bool isOpaque = false;
};

/// Each call edits the graph and writes one or more records, stamped with the current step.
/// Calls with ids that do not exist are broken invariants (GELENS_ASSERT), not errors.
/// While an editor lives, nothing else may change its graph: it keeps the names in use.
class GraphEditor {
public:
    GraphEditor(Graph& graph, Journal& journal);
    /// For readers, which build a graph that has no history yet: nothing is recorded.
    explicit GraphEditor(Graph& graph);

    const Graph& graph() const { return m_graph; }
    const Node& node(NodeId id) const { return m_graph.node(id); }
    const Journal& journal() const { return m_journal; } ///< stays empty when nothing is recorded
    StepId step() const { return m_step; }
    void setStep(StepId step) { m_step = step; }
    std::size_t position() const { return m_journal.size(); }
    /// Called after every record: a run can be halted there. It must not change the graph.
    void watch(std::function<void()> afterRecord) { m_afterRecord = std::move(afterRecord); }

    // Nodes
    /// Appends to the order list of `graph`, or places right after `after`.
    NodeId addNode(NodeSpec spec, GraphId graph = rootGraph, NodeId after = {});
    /// Drops the node's own inputs, control edges, graph output records and the graphs it owns, then the node.
    /// Its outputs must have no data consumers.
    void removeNode(NodeId id);
    /// Removes nodes that nobody else reads; they may read each other. Linear also for the readers of a large hub
    /// when they come in the order in which they were linked.
    void removeNodes(const std::vector<NodeId>& ids);
    void rename(NodeId id, std::string name);
    void setType(NodeId id, std::string type);
    /// A name not in use in that graph: `wanted`, else wanted_1, wanted_2 …
    std::string uniqueName(std::string_view wanted, GraphId graph = rootGraph) const;

    // Edges
    /// Links an output to a slot; what fed the slot before is unlinked.
    void connect(OutputRef from, InputRef to);
    void disconnect(InputRef slot);
    void connectControl(NodeId from, NodeId to); ///< nothing when the edge exists
    void disconnectControl(NodeId from, NodeId to);
    /// Every consumer of `from` (and graph output records) now reads `to`, in the same order; only slots of `to`'s own
    /// node stay, so that a node put behind `from` can take over its readers.
    void replaceUses(OutputRef from, OutputRef to);
    /// Control edges of `from` move to `to`; edges between the two vanish.
    void moveControlEdges(NodeId from, NodeId to);

    // Slots
    void setInputDesc(InputRef slot, TensorDesc desc);   ///< nothing recorded when equal
    void setOutputDesc(OutputRef slot, TensorDesc desc); ///< nothing recorded when equal
    int insertInput(NodeId id, int index, std::string name, TensorDesc desc);
    int addInput(NodeId id, std::string name, TensorDesc desc); ///< at the end; returns its index
    void removeInput(InputRef slot);
    int addOutput(NodeId id, std::string name, TensorDesc desc);
    void removeLastOutput(NodeId id);

    // Attributes
    void setAttr(NodeId id, std::string_view name, AttrValue value); ///< nothing recorded when equal
    void removeAttr(NodeId id, std::string_view name);
    void setGraphAttr(GraphId graph, std::string_view name, AttrValue value);
    void setPlacement(NodeId id, Placement placement);

    // Order and sub-graphs
    void moveAfter(NodeId id, NodeId previous); ///< invalid `previous` = to the front
    void setOrder(GraphId graph, std::vector<NodeId> order);
    void setGraphOutputs(GraphId graph, std::vector<OutputRef> outputs);
    GraphId addSubgraph(std::string name, NodeId owner);
    /// For readers, whose files may give a graph's name and owner last: not recorded, so never once a run has begun.
    void nameImportedGraph(GraphId graph, std::string name);
    /// For readers likewise: takes away what a conversion left on a graph.
    void dropImportedGraphAttr(GraphId graph, std::string_view name);
    void adoptImportedGraph(GraphId graph, NodeId owner); ///< appended to the owner's list; it had no owner before
    /// Removes a sub-graph with all its nodes, and the graphs those own (without recursion).
    void removeSubgraph(GraphId graph);

    /// Makes a Const node holding `value`.
    NodeId addConstant(std::string name, Tensor value, GraphId graph = rootGraph, NodeId after = {});

private:
    void record(Edit edit);
    void dropInputs(NodeId id);
    void dropNode(NodeId id);                        // a node without edges
    void dropGraph(GraphId graph);                   // a graph whose nodes own no graphs
    const OutputSlot& outputAt(OutputRef ref) const; // these check that the slot exists
    const InputSlot& inputAt(InputRef ref) const;

    Graph& m_graph;
    Journal m_none; ///< stands in where nothing is recorded
    Journal& m_journal;
    bool m_isRecording = true;
    StepId m_step{0};
    std::function<void()> m_afterRecord;
    // Names in use for each graph, kept up to date so that a unique name costs O(1).
    std::vector<std::unordered_set<std::string>> m_names;
    mutable std::unordered_map<std::string, int> m_nextSuffix;
    // Nodes that are or were recorded as graph outputs, so that the others need no look at the lists.
    std::unordered_set<NodeId> m_outputNodes;
};

} // namespace gelens
