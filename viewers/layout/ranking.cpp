#include "viewers/layout/ranking.h"

#include <algorithm>
#include <limits>

namespace gelens {
namespace {

constexpr std::size_t kStopInterval = 4096; ///< nodes between two looks at the stop token
constexpr int kTightenPasses = 4;           ///< later passes hardly move anything
constexpr std::size_t kClimbsPerItem = 16;  ///< bounds a search in a tree for each node and edge

/// Adjacency lists in two arrays.
struct Adjacency {
    std::vector<uint32_t> start;
    std::vector<int32_t> target;
    std::span<const int32_t> of(std::size_t node) const
    {
        return {target.data() + start[node], start[node + 1] - start[node]};
    }
};

class Ranker {
public:
    Ranker(const LayoutGraph& graph, std::span<const uint8_t> skip, const std::stop_token& stop)
        : m_graph(graph), m_skip(skip), m_stop(stop), m_count(graph.nodes.size())
    {
        m_result.rank.assign(m_count, 0);
        m_result.reversed.assign(graph.edges.size(), 0);
    }

    Ranking run(bool tighten)
    {
        breakCycles();
        if (m_result.cancelled) return std::move(m_result);
        m_out = build(true);
        m_in = build(false);
        sortTopologically();
        longestPath();
        if (tighten) this->tighten();
        return std::move(m_result);
    }

private:
    bool taken(std::size_t edge) const
    {
        return (m_skip.empty() || !m_skip[edge]) && isLayoutEdge(m_graph, m_graph.edges[edge]);
    }

    /// Edges as they are laid out (reversed ones turned), by source or by target.
    Adjacency build(bool bySource) const
    {
        Adjacency result;
        result.start.assign(m_count + 1, 0);
        const auto ends = [&](std::size_t edge) {
            const LayoutEdge& e = m_graph.edges[edge];
            const bool forward = bySource != (m_result.reversed[edge] != 0);
            return forward ? std::pair(e.from, e.to) : std::pair(e.to, e.from);
        };
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i)
            if (taken(i)) ++result.start[static_cast<std::size_t>(ends(i).first) + 1];
        for (std::size_t n = 0; n < m_count; ++n) result.start[n + 1] += result.start[n];
        result.target.resize(result.start[m_count]);
        std::vector<uint32_t> next(result.start.begin(), result.start.end() - 1);
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i)
            if (taken(i)) {
                const auto [a, b] = ends(i);
                result.target[next[static_cast<std::size_t>(a)]++] = b;
            }
        return result;
    }

    /// Depth-first search with its own stack; an edge to a node that is still open is turned round. The search starts
    /// at nodes without producers, so that the turned edges are those that a reader would call "back".
    void breakCycles()
    {
        std::vector<uint32_t> start(m_count + 1, 0);
        std::vector<uint8_t> hasProducer(m_count, 0);
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i)
            if (taken(i)) {
                ++start[static_cast<std::size_t>(m_graph.edges[i].from) + 1];
                hasProducer[static_cast<std::size_t>(m_graph.edges[i].to)] = 1;
            }
        for (std::size_t n = 0; n < m_count; ++n) start[n + 1] += start[n];
        std::vector<uint32_t> edges(start[m_count]);
        std::vector<uint32_t> next(start.begin(), start.end() - 1);
        for (std::size_t i = 0; i < m_graph.edges.size(); ++i)
            if (taken(i)) edges[next[static_cast<std::size_t>(m_graph.edges[i].from)]++] = static_cast<uint32_t>(i);

        std::copy(start.begin(), start.end() - 1, next.begin());
        enum : uint8_t { Unseen, Open, Done };
        std::vector<uint8_t> state(m_count, Unseen);
        std::vector<uint32_t> stack;
        std::size_t steps = 0;
        const auto search = [&](std::size_t root) {
            stack.push_back(static_cast<uint32_t>(root));
            state[root] = Open;
            while (!stack.empty()) {
                if (++steps % kStopInterval == 0 && m_stop.stop_requested()) {
                    m_result.cancelled = true;
                    return;
                }
                const uint32_t node = stack.back();
                if (next[node] == start[node + 1]) {
                    state[node] = Done;
                    stack.pop_back();
                    continue;
                }
                const uint32_t edge = edges[next[node]++];
                const auto to = static_cast<uint32_t>(m_graph.edges[edge].to);
                if (state[to] == Open) {
                    m_result.reversed[edge] = 1;
                } else if (state[to] == Unseen) {
                    state[to] = Open;
                    stack.push_back(to);
                }
            }
        };
        for (const bool sources : {true, false})
            for (std::size_t n = 0; n < m_count && !m_result.cancelled; ++n)
                if (state[n] == Unseen && (hasProducer[n] == 0) == sources) search(n);
    }

    void sortTopologically()
    {
        std::vector<uint32_t> open(m_count);
        m_order.reserve(m_count);
        for (std::size_t n = 0; n < m_count; ++n) {
            open[n] = static_cast<uint32_t>(m_in.of(n).size());
            if (open[n] == 0) m_order.push_back(static_cast<int32_t>(n));
        }
        for (std::size_t i = 0; i < m_order.size(); ++i)
            for (const int32_t to : m_out.of(static_cast<std::size_t>(m_order[i])))
                if (--open[static_cast<std::size_t>(to)] == 0) m_order.push_back(to);
    }

    int32_t highest(std::size_t node) const
    {
        int32_t rank = 0;
        for (const int32_t from : m_in.of(node))
            rank = std::max(rank, m_result.rank[static_cast<std::size_t>(from)] + 1);
        return rank;
    }

    int32_t lowest(std::size_t node) const
    {
        int32_t rank = std::numeric_limits<int32_t>::max();
        for (const int32_t to : m_out.of(node)) rank = std::min(rank, m_result.rank[static_cast<std::size_t>(to)] - 1);
        return rank;
    }

    void longestPath()
    {
        for (const int32_t node : m_order)
            m_result.rank[static_cast<std::size_t>(node)] = highest(static_cast<std::size_t>(node));
    }

    /// Nodes through which everything leaves that comes from their ancestors: these serve nothing else. A constant and
    /// its casts, or a shape that is worked out from constants on several ways and joined again.
    ///
    /// In the tree of post-dominators (a node hangs under the next node that all its paths come through) what dominates
    /// a producer also dominates or is its consumer. So all that dominates the ancestors of a node lies on one path to
    /// the root, and the highest of it is found by depth alone.
    std::vector<uint8_t> findClosed() const
    {
        const std::size_t root = m_count;
        std::vector<uint32_t> above(m_count + 1, static_cast<uint32_t>(root));
        std::vector<uint32_t> depth(m_count + 1, 0);
        // Steps up the tree; past that (never seen in a model) the root stands for what was not found: nothing moves.
        std::size_t steps = kClimbsPerItem * (m_count + m_out.target.size());
        for (auto it = m_order.rbegin(); it != m_order.rend(); ++it) {
            const auto n = static_cast<std::size_t>(*it);
            const auto readers = m_out.of(n);
            auto common = readers.empty() ? root : static_cast<std::size_t>(readers.front());
            for (const int32_t reader : readers.subspan(std::min<std::size_t>(1, readers.size()))) {
                auto other = static_cast<std::size_t>(reader);
                while (common != other && steps > 0) {
                    --steps;
                    std::size_t& deeper = depth[common] >= depth[other] ? common : other;
                    deeper = above[deeper];
                }
                if (common != other) common = root;
            }
            above[n] = static_cast<uint32_t>(common);
            depth[n] = depth[common] + 1;
        }
        std::vector<uint8_t> closed(m_count, 0);
        std::vector<uint32_t> highest(m_count, 0); // depth of what dominates the node and all its ancestors
        for (const int32_t node : m_order) {
            const auto n = static_cast<std::size_t>(node);
            highest[n] = depth[n];
            for (const int32_t from : m_in.of(n)) {
                const auto f = static_cast<std::size_t>(from);
                highest[n] = std::min(highest[n], closed[f] ? depth[above[f]] : highest[f]);
            }
            closed[n] = highest[n] == depth[n];
        }
        return closed;
    }

    /// The sum of edge lengths falls when a node with more consumers than producers moves down, and the reverse. A
    /// node whose ancestors serve nothing else takes them along, so producers do not count.
    /// Nodes with as many of one as of the other cost nothing to move: they make way downwards for those above them,
    /// and come back up with the second half of a pass.
    void tighten()
    {
        const std::vector<uint8_t> tree = findClosed();
        for (int pass = 0; pass < kTightenPasses && !m_stop.stop_requested(); ++pass) {
            bool isShorter = false;
            for (auto it = m_order.rbegin(); it != m_order.rend(); ++it) {
                const auto n = static_cast<std::size_t>(*it);
                const std::size_t out = m_out.of(n).size();
                const std::size_t in = tree[n] ? 0 : m_in.of(n).size();
                if (out > 0 && out >= in) isShorter |= moveTo(n, lowest(n)) && out > in;
            }
            for (const int32_t node : m_order) {
                const auto n = static_cast<std::size_t>(node);
                const std::size_t out = m_out.of(n).size();
                const std::size_t in = m_in.of(n).size();
                if (in > 0 && in >= out && !tree[n]) isShorter |= moveTo(n, highest(n)) && in > out;
            }
            if (!isShorter) break;
        }
        m_result.cancelled = m_stop.stop_requested();
    }

    bool moveTo(std::size_t node, int32_t rank)
    {
        const bool moved = m_result.rank[node] != rank;
        m_result.rank[node] = rank;
        return moved;
    }

    const LayoutGraph& m_graph;
    std::span<const uint8_t> m_skip;
    const std::stop_token& m_stop;
    std::size_t m_count;
    Ranking m_result;
    Adjacency m_out;
    Adjacency m_in;
    std::vector<int32_t> m_order;
};

} // namespace

Ranking rankNodes(const LayoutGraph& graph, std::span<const uint8_t> skip, bool tighten, const std::stop_token& stop)
{
    return Ranker(graph, skip, stop).run(tighten);
}

} // namespace gelens
