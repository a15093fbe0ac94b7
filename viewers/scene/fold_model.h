#pragma once
// The blocks of a graph, from the names' scopes and from repeated structure. No widgets, no Qt, no geometry.

#include "engine/graph/graph.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gelens {

struct FoldOptions {
    bool byScopes = true;
    bool byBlocks = true; ///< repeated blocks become one
    bool operator==(const FoldOptions&) const = default;
};

/// One block. Group 0 is the root graph itself.
struct FoldGroup {
    enum class Kind : std::uint8_t { Root, Scope, Repeat, Instance, Subgraph };
    Kind kind = Kind::Root;
    int parent = -1;
    std::string key;           ///< the same from step to step; unique
    std::string title;         ///< "self_attn", "layers"
    std::vector<int> groups;   ///< blocks inside, in the graph's order
    std::vector<NodeId> nodes; ///< nodes directly inside, in the graph's order; constants included
    int nodeCount = 0;         ///< nodes inside at any depth, without constants
    int repeats = 0;           ///< Repeat: instances
    int variants = 0;          ///< Repeat: instances of different structure (1: all equal)
    NodeId owner;              ///< Subgraph: the node that owns the graph
    GraphId graph;             ///< the graph that its nodes are in
};

/// Built once for each graph, read-only then. Time is linear in nodes, edges and the length of names.
class FoldModel {
public:
    static std::shared_ptr<const FoldModel> build(const Graph& graph, const FoldOptions& options,
                                                  std::stop_token stop = {});
    /// The blocks of another step of the same run, for its graph: what was in a block stays in it, new nodes join the
    /// block that their name or their neighbours belong to, and no block is made or dissolved. So nothing jumps while
    /// stepping. Builds anew when the graph has sub-graphs that `previous` does not know.
    static std::shared_ptr<const FoldModel> follow(const Graph& graph, const FoldModel& previous,
                                                   const FoldOptions& options, std::stop_token stop = {});

    /// Parents stand before their children.
    const std::vector<FoldGroup>& groups() const { return m_groups; }
    const FoldGroup& group(int index) const { return m_groups[static_cast<std::size_t>(index)]; }
    /// The innermost group of a node; -1 for ids that are not in the graph.
    int groupOf(NodeId node) const
    {
        return node.isValid() && static_cast<std::size_t>(node.value) < m_groupOf.size()
                   ? m_groupOf[static_cast<std::size_t>(node.value)]
                   : -1;
    }
    /// -1 when there is none.
    int findKey(std::string_view key) const;
    /// Groups from the outermost (below the root) to the innermost that hold the node.
    std::vector<int> pathOf(NodeId node) const;

    /// Keys of the blocks to open at first: from the outside in, while at most `budget` boxes are visible. Repeated
    /// blocks stay folded.
    std::vector<std::string> initiallyOpen(int budget = 48) const;

private:
    friend class FoldBuilder;
    std::vector<FoldGroup> m_groups;
    std::vector<int> m_groupOf;
    std::unordered_map<std::string, int> m_byKey;
    std::unordered_map<std::string, int> m_scopes; ///< every scope's key, also of dissolved and joined ones → its group
    std::unordered_map<int, int> m_topOfGraph;     ///< graph → its group
};

/// The components of a node's name: "/model/layers.0/mlp/Mul" → model, layers.0, mlp, Mul; names without slashes are
/// split at dots. At most 32 components; the rest stays in the last one.
std::vector<std::string_view> nameComponents(std::string_view name);

} // namespace gelens
