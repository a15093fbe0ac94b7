#include "viewers/scene/block_finder.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace gelens {
namespace {

/// A value that is read over more than one in so many parts of the graph carries no single block: a table, a mask, a
/// shape. Models of few and of many blocks need different limits; the one under which most is covered is taken.
constexpr std::size_t longLivedShares[] = {3, 8, 24};
constexpr int minInstances = 3;
constexpr int minBlockNodes = 3;
constexpr std::size_t maxPeriods = 24; ///< candidate periods tried

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value)
{
    hash ^= value + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
    return hash * 0xff51afd7ed558ccdu;
}

std::uint64_t textHash(std::string_view text)
{
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return hash;
}

std::uint64_t descHash(const TensorDesc& desc)
{
    std::uint64_t hash = static_cast<std::uint64_t>(desc.dtype);
    hash = mixed(hash, static_cast<std::uint64_t>(desc.format.packed()));
    for (const std::int64_t dim : desc.shape.dims()) hash = mixed(hash, static_cast<std::uint64_t>(dim));
    return hash;
}

std::uint64_t ownHash(const Node& node)
{
    std::uint64_t hash = textHash(node.type);
    for (const OutputSlot& slot : node.outputs) hash = mixed(hash, descHash(slot.desc));
    return mixed(hash, node.inputs.size());
}

/// Hash of the nodes in their order; `local` gives the place of a node in the list, -1 for others.
template <typename Local>
std::uint64_t hashInOrder(const Graph& graph, const std::vector<NodeId>& nodes, const Local& local)
{
    std::uint64_t hash = nodes.size();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node& node = graph.node(nodes[i]);
        hash = mixed(hash, ownHash(node));
        for (const InputSlot& slot : node.inputs) {
            const std::int64_t at = slot.source.isValid() ? local(slot.source.node) : -2;
            hash = mixed(hash, at < 0 ? 0x51u + static_cast<std::uint64_t>(-at)
                                      : (i - static_cast<std::uint64_t>(at)) * 8 +
                                            static_cast<std::uint64_t>(slot.source.index));
            if (at == -1 && isConstantType(graph.node(slot.source.node).type)) hash = mixed(hash, descHash(slot.desc));
        }
    }
    return hash;
}

/// The nodes in an order in which every node stands right before its first reader, so that a side chain stands in the
/// block that needs it.
class BlockFinder {
public:
    BlockFinder(const Graph& graph, const std::vector<NodeId>& nodes, std::stop_token stop)
        : m_graph(graph), m_nodes(nodes), m_stop(std::move(stop)),
          m_at(static_cast<std::size_t>(graph.nodeIdBound()), -1)
    {
    }

    std::vector<RepeatedBlock> run()
    {
        sortByNeed();
        if (m_stop.stop_requested() || m_order.size() < minInstances * minBlockNodes) return {};
        std::vector<RepeatedBlock> best;
        std::size_t most = 0;
        for (const std::size_t share : longLivedShares) {
            cutSegments(m_order.size() / share);
            std::vector<RepeatedBlock> blocks = tandemRepeats();
            std::size_t covered = 0;
            for (const RepeatedBlock& block : blocks)
                covered += block.instances.size() * block.instances.front().size();
            if (covered <= most) continue;
            most = covered;
            best = std::move(blocks);
        }
        return best;
    }

private:
    std::int32_t at(NodeId id) const { return m_at[static_cast<std::size_t>(id.value)]; }

    static bool takesPart(const Node& node) { return !isBoundaryType(node.type); }

    void sortByNeed()
    {
        enum : std::int32_t { Outside = -1, Unseen = -2, Open = -3 };
        for (const NodeId id : m_nodes)
            if (takesPart(m_graph.node(id))) m_at[static_cast<std::size_t>(id.value)] = Unseen;
        std::vector<std::pair<NodeId, std::size_t>> stack;
        const auto visit = [&](NodeId root) {
            if (at(root) != Unseen) return;
            stack.emplace_back(root, 0);
            m_at[static_cast<std::size_t>(root.value)] = Open;
            while (!stack.empty()) {
                auto& [id, next] = stack.back();
                const Node& node = m_graph.node(id);
                if (next < node.inputs.size()) {
                    const OutputRef source = node.inputs[next++].source;
                    if (source.isValid() && at(source.node) == Unseen) {
                        m_at[static_cast<std::size_t>(source.node.value)] = Open;
                        stack.emplace_back(source.node, 0);
                    }
                    continue;
                }
                m_at[static_cast<std::size_t>(id.value)] = static_cast<std::int32_t>(m_order.size());
                m_order.push_back(id);
                stack.pop_back();
            }
        };
        for (const NodeId id : m_nodes) { // what the graph's outputs need, in their order, then the rest
            const Node& node = m_graph.node(id);
            if (node.type != "NetOutput") continue;
            for (const InputSlot& slot : node.inputs)
                if (slot.source.isValid()) visit(slot.source.node);
        }
        for (auto id = m_nodes.rbegin(); id != m_nodes.rend(); ++id) visit(*id);
    }

    /// Place of the last reader.
    std::int32_t lastReader(const Node& node) const
    {
        std::int32_t last = at(node.id);
        for (const OutputSlot& slot : node.outputs)
            for (const InputRef to : slot.consumers)
                if (takesPart(m_graph.node(to.node))) last = std::max(last, at(to.node));
        return last;
    }

    /// Cuts the order behind every node that no edge passes; edges of long-lived values aside.
    void cutSegments(std::size_t longest)
    {
        m_segments.clear();
        m_hashes.clear();
        std::vector<std::int32_t> passing(m_order.size() + 1, 0);
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            const std::int32_t last = lastReader(m_graph.node(m_order[i])), self = static_cast<std::int32_t>(i);
            if (last <= self + 1 || static_cast<std::size_t>(last - self) > longest) continue;
            ++passing[i + 1];
            --passing[static_cast<std::size_t>(last)];
        }
        std::size_t begin = 0;
        std::int32_t open = 0;
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            open += passing[i];
            if (open != 0) continue;
            addSegment(begin, i);
            begin = i + 1;
        }
    }

    /// A segment is what lies between two carriers: the nodes that depend on the first, and those that only they read.
    void addSegment(std::size_t begin, std::size_t end)
    {
        std::vector<std::uint8_t> belongs(end - begin + 1, 0);
        const auto isInside = [&](NodeId id) {
            const std::int32_t p = at(id);
            return p >= static_cast<std::int32_t>(begin) && p <= static_cast<std::int32_t>(end);
        };
        for (std::size_t i = begin; i <= end; ++i)
            for (const InputSlot& slot : m_graph.node(m_order[i]).inputs) {
                if (!slot.source.isValid()) continue;
                const std::int32_t p = at(slot.source.node);
                const bool isCarrier = begin > 0 && p == static_cast<std::int32_t>(begin) - 1;
                if (isCarrier || (isInside(slot.source.node) && belongs[static_cast<std::size_t>(p) - begin])) {
                    belongs[i - begin] = 1;
                    break;
                }
            }
        for (std::size_t i = end + 1; i-- > begin;) {
            if (belongs[i - begin]) continue;
            bool hasReader = false, onlyHere = true;
            for (const OutputSlot& slot : m_graph.node(m_order[i]).outputs)
                for (const InputRef to : slot.consumers) {
                    hasReader = true;
                    onlyHere = onlyHere && isInside(to.node) && belongs[static_cast<std::size_t>(at(to.node)) - begin];
                }
            if (hasReader && onlyHere) belongs[i - begin] = 1;
        }
        std::vector<NodeId> members;
        for (std::size_t i = begin; i <= end; ++i)
            if (belongs[i - begin]) members.push_back(m_order[i]);
        // Places among the members, so that nodes left out (a table made where it is first used) make no difference.
        std::vector<std::int32_t> place(end - begin + 1, -1);
        std::int32_t next = 0;
        for (std::size_t i = begin; i <= end; ++i)
            if (belongs[i - begin]) place[i - begin] = next++;
        m_hashes.push_back(hashInOrder(m_graph, members, [&](NodeId id) -> std::int64_t {
            if (isInside(id)) return place[static_cast<std::size_t>(at(id)) - begin];
            return begin > 0 && at(id) == static_cast<std::int32_t>(begin) - 1 ? -3 : -1;
        }));
        m_segments.push_back(std::move(members));
    }

    /// Distances at which hashes come again, the rarest hashes first: they come once in each block.
    std::vector<std::size_t> candidatePeriods() const
    {
        std::unordered_map<std::uint64_t, std::pair<std::size_t, std::size_t>> seen; // hash → last place, count
        std::unordered_map<std::uint64_t, std::size_t> total;
        for (const std::uint64_t hash : m_hashes) ++total[hash];
        std::map<std::size_t, double> weight;
        for (std::size_t i = 0; i < m_hashes.size(); ++i) {
            const auto [entry, isNew] = seen.try_emplace(m_hashes[i], i, 1);
            if (isNew) continue;
            const std::size_t gap = i - entry->second.first;
            weight[gap] += 1.0 + static_cast<double>(gap) / static_cast<double>(total[m_hashes[i]]);
            entry->second.first = i;
        }
        std::vector<std::pair<double, std::size_t>> ranked;
        for (const auto& [gap, w] : weight) ranked.emplace_back(-w, gap);
        std::sort(ranked.begin(), ranked.end());
        std::vector<std::size_t> periods;
        for (std::size_t i = 0; i < ranked.size() && i < maxPeriods; ++i) periods.push_back(ranked[i].second);
        return periods;
    }

    struct Run {
        std::size_t first, period, count, nodes;
    };

    std::vector<Run> runsOf(std::size_t period, const std::vector<std::size_t>& nodesBefore) const
    {
        std::vector<Run> runs;
        std::size_t length = 0;
        for (std::size_t i = 0; i + period <= m_hashes.size(); ++i) {
            const bool isEqual = i + period < m_hashes.size() && m_hashes[i] == m_hashes[i + period];
            if (isEqual) {
                ++length;
                continue;
            }
            const std::size_t first = i - length, count = length / period + 1;
            const std::size_t block = nodesBefore[std::min(first + period, m_hashes.size())] - nodesBefore[first];
            if (count >= minInstances && block >= minBlockNodes) runs.push_back({first, period, count, block * count});
            length = 0;
        }
        return runs;
    }

    std::vector<RepeatedBlock> tandemRepeats()
    {
        std::vector<std::size_t> nodesBefore{0};
        for (const auto& segment : m_segments) nodesBefore.push_back(nodesBefore.back() + segment.size());
        std::vector<Run> runs;
        for (const std::size_t period : candidatePeriods()) {
            if (m_stop.stop_requested()) return {};
            const std::vector<Run> found = runsOf(period, nodesBefore);
            runs.insert(runs.end(), found.begin(), found.end());
        }
        // The run that covers most wins; of equal ones that with the smaller block.
        std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
            return std::tie(b.nodes, a.period, a.first) < std::tie(a.nodes, b.period, b.first);
        });
        std::vector<std::uint8_t> taken(m_segments.size(), 0);
        std::vector<std::pair<std::size_t, RepeatedBlock>> blocks;
        for (const Run& run : runs) {
            const auto begin = taken.begin() + static_cast<std::ptrdiff_t>(run.first);
            const auto end = begin + static_cast<std::ptrdiff_t>(run.period * run.count);
            if (std::any_of(begin, end, [](std::uint8_t t) { return t != 0; })) continue;
            std::fill(begin, end, 1);
            RepeatedBlock block;
            for (std::size_t k = 0; k < run.count; ++k) {
                auto& members = block.instances.emplace_back();
                for (std::size_t s = 0; s < run.period; ++s) {
                    const auto& segment = m_segments[run.first + k * run.period + s];
                    members.insert(members.end(), segment.begin(), segment.end());
                }
            }
            blocks.emplace_back(run.first, std::move(block));
        }
        std::sort(blocks.begin(), blocks.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<RepeatedBlock> result;
        for (auto& [first, block] : blocks) result.push_back(std::move(block));
        return result;
    }

    const Graph& m_graph;
    const std::vector<NodeId>& m_nodes;
    std::stop_token m_stop;
    std::vector<std::int32_t> m_at; ///< node → place in m_order
    std::vector<NodeId> m_order;
    std::vector<std::vector<NodeId>> m_segments;
    std::vector<std::uint64_t> m_hashes;
};

} // namespace

std::vector<RepeatedBlock> findRepeatedBlocks(const Graph& graph, const std::vector<NodeId>& nodes,
                                              std::stop_token stop)
{
    return BlockFinder(graph, nodes, std::move(stop)).run();
}

std::uint64_t structureHash(const Graph& graph, const std::vector<NodeId>& nodes)
{
    std::unordered_map<NodeId, std::int64_t> places;
    places.reserve(nodes.size());
    for (const NodeId id : nodes) places.emplace(id, static_cast<std::int64_t>(places.size()));
    return hashInOrder(graph, nodes, [&](NodeId id) -> std::int64_t {
        const auto found = places.find(id);
        return found == places.end() ? -1 : found->second;
    });
}

} // namespace gelens
