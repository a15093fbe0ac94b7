#pragma once
// When the nodes of a graph run: their order, their streams, and what is ordered before what.

#include "engine/graph/graph.h"
#include "engine/graph/result.h"

#include <span>
#include <string>
#include <vector>

namespace gelens {

/// What a node does on its stream once tasks are made.
enum class StreamRole {
    Runs,   ///< it has a task: what waits for it, and what comes after it on its stream, is ordered after it
    Silent, ///< it has none (views, constants, inputs, what GE marks so): nothing waits at it, and it touches no memory
    Unsure, ///< a Split whose outputs may be slices: it may touch memory, and nothing may rely on its place in the stream
};
StreamRole streamRoleOf(const Graph& graph, const Node& node);

/// Order, streams and the happens-before relation that data edges, control edges and stream order make.
class ExecutionOrder {
public:
    /// `order` empty: the graph's topological order; `streams` by node id, empty: one stream. Errors: a cycle, an order that is not one.
    static Result<ExecutionOrder> make(const Graph& graph, std::span<const NodeId> order,
                                       std::span<const std::int64_t> streams);

    const std::vector<NodeId>& order() const { return m_order; }
    std::int64_t size() const { return static_cast<std::int64_t>(m_order.size()); }
    std::int64_t position(NodeId id) const { return m_position[static_cast<std::size_t>(id.value)]; }
    std::int64_t stream(NodeId id) const
    {
        const std::int64_t at = position(id);
        return at < 0 ? 0 : m_stream[static_cast<std::size_t>(at)];
    }
    /// First position from which on every node is ordered after the node at `position`.
    std::int64_t endAfter(std::int64_t position) const
    {
        return m_ends.empty() ? position + 1 : m_ends[static_cast<std::size_t>(position)];
    }

    /// With one stream the order alone says all, and no node counts as silent.
    bool isSilent(std::int64_t position) const
    {
        return !m_roles.empty() && m_roles[static_cast<std::size_t>(position)] == StreamRole::Silent;
    }
    /// Streams in use; 1 when order alone decides.
    std::size_t laneCount() const { return m_laneCount; }
    std::size_t lane(std::int64_t position) const { return m_lanes[static_cast<std::size_t>(position)]; }
    /// First node of each lane that is ordered after the node at `position`; the number of nodes where none is.
    std::span<const std::int32_t> firstAfter(std::int64_t position) const
    {
        return {m_first.data() + static_cast<std::size_t>(position) * m_laneCount, m_laneCount};
    }

private:
    std::string findReversedEdge(const Graph& graph) const;
    void computeEnds(const Graph& graph);

    std::vector<NodeId> m_order;
    std::vector<std::int64_t> m_position; // by node id
    std::vector<std::int64_t> m_stream;   // by position
    std::vector<std::int64_t> m_ends;     // by position; empty with one stream
    std::vector<std::int32_t> m_first;    // by position and lane; empty with one stream
    std::vector<StreamRole> m_roles;      // by position; empty with one stream
    std::vector<std::size_t> m_lanes;     // by position; empty with one stream
    std::size_t m_laneCount = 1;
};

} // namespace gelens
