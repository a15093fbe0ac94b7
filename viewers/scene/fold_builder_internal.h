#pragma once
// Working state while the fold model of a graph is built; private to viewers/scene.

#include "viewers/scene/fold_model.h"

#include <functional>
#include <span>

namespace gelens {

/// The name that tells a node's scope: a fused node may be named after its pass, but keeps the names it came from; it
/// belongs to the innermost scope that holds them all.
std::string scopeNameOf(const Node& node);

/// Groups by index, as the two functions below see them.
struct GroupTree {
    std::vector<int>& groupOf;              ///< by node
    std::function<int(int group)> parentOf; ///< -1 for the root
};

/// Nodes that passes insert (TransData, Cast …) carry names of their own; they belong to the blocks they stand between.
void adoptByNeighbours(const Graph& graph, GroupTree tree, int top, const std::vector<NodeId>& nodes);

/// Groups are made, merged and dissolved in any order here; `finish` renumbers them from the outside in.
class FoldBuilder {
public:
    FoldBuilder(const Graph& graph, const FoldOptions& options, std::stop_token stop);
    std::shared_ptr<const FoldModel> run();

private:
    struct Draft {
        FoldGroup group;
        std::vector<int> children;
        int subtreeNodes = 0;
        bool isAlive = true;
        int mergedInto = -1; ///< dissolved or joined: the group that has its content now
    };

    void readNodes();
    std::span<const NodeId> nodesOf(GraphId graph) const
    {
        const auto g = static_cast<std::size_t>(graph.value);
        return {m_order.data() + m_graphStart[g], m_graphCount[g]};
    }
    bool isConstant(NodeId id) const { return m_isConstant[static_cast<std::size_t>(id.value)] != 0; }

    // fold_scopes.cpp
    void addGraphs();
    void addScopes(GraphId graph, int top);
    int scopeFor(int top, std::string_view name);
    void dissolveSmall();
    void dissolveAllEmbracing();
    void dissolve(const std::vector<std::uint8_t>& goes);
    std::vector<int> innerEdges() const;
    bool hasNumberedChildren(int group) const; // fold_repeats.cpp
    void joinSingleChains();
    // fold_model.cpp
    void placeConstants();
    void countNodes();
    std::vector<int> outsideIn() const;
    // fold_repeats.cpp
    void foldNumberedSiblings();
    void wrapSiblings(int parent, const std::string& pattern, const std::vector<int>& siblings, int variants);
    std::vector<std::uint64_t> structureHashes() const;
    void foldBlocks();

    int add(FoldGroup::Kind kind, int parent, std::string key, std::string title);
    Draft& at(int index) { return m_drafts[static_cast<std::size_t>(index)]; }
    const Draft& at(int index) const { return m_drafts[static_cast<std::size_t>(index)]; }
    int& groupOf(NodeId id) { return m_groupOf[static_cast<std::size_t>(id.value)]; }
    int groupOf(NodeId id) const { return m_groupOf[static_cast<std::size_t>(id.value)]; }
    std::shared_ptr<const FoldModel> finish();

    const Graph& m_graph;
    FoldOptions m_options;
    std::stop_token m_stop;
    std::vector<Draft> m_drafts;
    std::vector<int> m_groupOf;                          ///< by node
    std::vector<NodeId> m_order;                         ///< all live nodes, graph by graph
    std::vector<std::size_t> m_graphStart, m_graphCount; ///< by graph: in `m_order`
    std::vector<std::uint8_t> m_isConstant;              ///< by node
    std::vector<NodeId> m_owners;                        ///< nodes with graphs of their own
    std::unordered_map<std::string, int> m_byKey;
    std::unordered_map<int, int> m_topOfGraph; ///< graph → its group
};

} // namespace gelens
