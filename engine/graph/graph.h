#pragma once
// The graph of one model: nodes, edges by anchors, and all its sub-graphs in one id space.

#include "engine/graph/node.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gelens {

/// One (sub-)graph: the root, a branch of an If, a loop body, a partition.
struct SubgraphInfo {
    GraphId id;
    std::string name;
    NodeId parentNode; ///< the node that owns it; invalid for the root
    AttrMap attrs;
    /// Recorded outputs in order, as `output` of GraphDef: what the graph computes.
    std::vector<OutputRef> outputs;
    NodeId first; ///< ends of the node list
    NodeId last;
    int nodeCount = 0;
    bool isAlive = true;
};

class GraphEditor;
class Journal;

/// Nodes keep their id for the whole run and ids are not reused; dead nodes stay addressable for undo.
/// Copying a Graph shares all nodes (copy on write), so a snapshot costs one pointer for each node.
/// A const Graph may be read from several threads at once.
class Graph {
public:
    Graph();
    explicit Graph(std::string name);

    const std::string& name() const { return subgraph(rootGraph).name; }

    /// All graphs ever made, dead ones included; index = GraphId.
    int subgraphCount() const { return static_cast<int>(m_subgraphs.size()); }
    const SubgraphInfo& subgraph(GraphId id) const { return *m_subgraphs[static_cast<std::size_t>(id.value)]; }
    std::vector<GraphId> liveSubgraphs() const;

    /// Exclusive upper bound of the ids in use, for arrays indexed by NodeId.
    int nodeIdBound() const { return static_cast<int>(m_nodes.size()); }
    bool contains(NodeId id) const { return id.value >= 0 && id.value < nodeIdBound() && node(id).isAlive; }
    const Node& node(NodeId id) const { return *m_nodes[static_cast<std::size_t>(id.value)]; }
    /// Live nodes of all graphs.
    int nodeCount() const { return m_liveNodes; }

    /// Nodes of one graph in its current order.
    std::vector<NodeId> nodes(GraphId graph = rootGraph) const;
    /// Nodes of all live graphs: the root's, then each sub-graph's.
    std::vector<NodeId> allNodes() const;
    /// Calls f(const Node&) over one graph in order, without building a list.
    template <typename F>
    void forEachNode(GraphId graph, F&& f) const
    {
        for (NodeId id = subgraph(graph).first; id.isValid(); id = node(id).next) f(node(id));
    }
    /// A topological order of one graph that keeps the current order where it can (GE's StableRDFS).
    /// Nodes on a cycle come last in current order; `hasCycle` is set then.
    std::vector<NodeId> topologicalOrder(GraphId graph = rootGraph, bool* hasCycle = nullptr) const;

    /// First live node of that name in any graph (root first); invalid when there is none. O(nodes).
    NodeId findNode(std::string_view name) const;

    const TensorDesc& outputDesc(OutputRef ref) const
    {
        return node(ref.node).outputs[static_cast<std::size_t>(ref.index)].desc;
    }
    const std::vector<InputRef>& consumers(OutputRef ref) const
    {
        return node(ref.node).outputs[static_cast<std::size_t>(ref.index)].consumers;
    }
    /// The constant behind an output, when its node is a Const with a value; null otherwise.
    const Tensor* constantOf(OutputRef ref) const;
    /// The constant that feeds an input slot; null when the slot is unconnected or fed by something else.
    const Tensor* constantInput(const Node& node, int index) const;

    /// Hash of everything a dump would show, independent of ids of dead nodes. Equal graphs, equal fingerprints.
    std::uint64_t fingerprint() const;

    /// Checks that both ends of every edge agree, lists are consistent, names unique; empty when sound.
    std::string findInconsistency() const;

private:
    friend class GraphEditor;
    friend class Journal;
    friend struct GraphMutation;
    friend Graph renumbered(const Graph& graph, const std::vector<NodeId>& ids, int bound); // renumber.h

    Node& mutableNode(NodeId id);
    SubgraphInfo& mutableSubgraph(GraphId id);

    std::vector<std::shared_ptr<Node>> m_nodes;
    std::vector<std::shared_ptr<SubgraphInfo>> m_subgraphs;
    int m_liveNodes = 0;
};

/// Data, Const, FileConstant, Variable, NetOutput … : not operators when counting what a model computes.
bool isBoundaryType(std::string_view type);
bool isConstantType(std::string_view type);
/// Reshape, Squeeze, Unsqueeze, Flatten, Identity …: their output is the input's memory under another shape.
bool isViewType(std::string_view type);
/// What design and statistics count: neither boundary nor view.
bool isOperator(const Node& node);

} // namespace gelens
