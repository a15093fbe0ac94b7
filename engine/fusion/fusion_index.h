#pragma once
// Where nodes of a type are and in which order they stand, shared by all rules of a pass so that a rule costs only its
// candidates.

#include "engine/graph/graph_editor.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gelens {

class FusionIndex {
public:
    /// Brings the index up to date: nothing when the graph stands where the index last saw it, else O(nodes).
    void sync(const GraphEditor& editor);
    /// The index has followed all edits made since sync.
    void markSynced(const GraphEditor& editor) { m_journal = editor.position(); }

    /// Live nodes of those types in graph order, or from the last to the first.
    std::vector<NodeId> candidates(const Graph& graph, const std::vector<std::string>& types, bool isBackwards) const;

    /// Topological position: every edge leads to a larger one.
    std::int64_t position(NodeId id) const
    {
        const auto i = static_cast<std::size_t>(id.value);
        return i < m_positions.size() ? m_positions[i] : 0;
    }
    void setPosition(NodeId id, std::int64_t position);
    /// A node that a rewrite made.
    void add(const Node& node, std::int64_t position);

    bool isGraphOutput(OutputRef ref) const { return m_outputs.contains(ref); }

    static constexpr std::int64_t gap = std::int64_t{1} << 20; ///< between neighbours when built

private:
    void rebuild(const GraphEditor& editor);

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };
    std::unordered_map<std::string, std::vector<NodeId>, Hash, std::equal_to<>> m_byType;
    std::vector<std::int64_t> m_positions;
    std::unordered_set<OutputRef> m_outputs;
    std::size_t m_journal = static_cast<std::size_t>(-1);
};

} // namespace gelens
