#include "engine/passes/fusion/autofuse_solver.h"

#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace gelens {
namespace {

constexpr int maxRounds = 10;
/// The cycle test gives up after so many nodes and takes the pair for a cycle: safe, and no large graph is walked again
/// and again.
constexpr int maxCycleVisits = 4096;

class Solver {
public:
    Solver(const Graph& graph, GraphId id, const AutofuseFlags& flags, std::stop_token stop)
        : m_graph(graph), m_flags(flags), m_stop(stop), m_order(graph.topologicalOrder(id)),
          m_place(static_cast<std::size_t>(graph.nodeIdBound()), -1), m_boxOf(m_place.size(), -1)
    {
    }

    AutofuseResult run()
    {
        lowerAll();
        inlineSingleReaders();
        bool isDone = false;
        while (!isDone && m_result.rounds < maxRounds && !m_stop.stop_requested()) isDone = !round();
        m_result.wasCancelled = m_stop.stop_requested();
        finish();
        return std::move(m_result);
    }

private:
    int boxOf(NodeId id) const { return m_boxOf[static_cast<std::size_t>(id.value)]; }
    int placeOf(NodeId id) const { return m_place[static_cast<std::size_t>(id.value)]; }

    void lowerAll()
    {
        for (std::size_t i = 0; i < m_order.size(); ++i)
            m_place[static_cast<std::size_t>(m_order[i].value)] = static_cast<int>(i);
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            Lowering lowering = lower(m_graph, m_graph.node(m_order[i]), static_cast<int>(i), m_flags);
            if (!lowering.box) {
                if (lowering.reason != Reason::None) m_notLowered[m_order[i]] = std::move(lowering);
                continue;
            }
            m_boxOf[static_cast<std::size_t>(m_order[i].value)] = static_cast<int>(m_boxes.size());
            m_boxes.push_back(std::move(*lowering.box));
            m_saved.push_back(0);
        }
    }

    /// A value that one operator reads is computed where it is read.
    void inlineSingleReaders()
    {
        for (const NodeId id : m_order) {
            const int own = boxOf(id);
            if (own < 0 || !m_boxes[static_cast<std::size_t>(own)].isPointwise()) continue;
            const Node& node = m_graph.node(id);
            const auto& readers = node.outputs[0].consumers;
            // Exp is dear: GE computes it once, in a kernel of its own to begin with.
            if (node.type == "Exp" || readers.empty() ||
                static_cast<int>(readers.size()) > std::min(1, m_flags.recomputationThreshold))
                continue;
            const int reader = boxOf(readers[0].node);
            if (reader < 0 || reader == own || m_graph.node(readers[0].node).graph != node.graph) continue;
            const BoxPair pair =
                relate(m_graph, m_boxes[static_cast<std::size_t>(own)], m_boxes[static_cast<std::size_t>(reader)]);
            if (!refusalOf(m_graph, pair, m_flags)) merge(own, reader, pair);
        }
    }

    void merge(int a, int b, const BoxPair& pair)
    {
        Box box = merged(pair);
        const std::int64_t saved =
            m_saved[static_cast<std::size_t>(a)] + m_saved[static_cast<std::size_t>(b)] + pair.savedBytes;
        for (const NodeId id : m_boxes[static_cast<std::size_t>(a)].nodes)
            m_boxOf[static_cast<std::size_t>(id.value)] = b;
        std::stable_sort(box.nodes.begin(), box.nodes.end(),
                         [this](NodeId x, NodeId y) { return placeOf(x) < placeOf(y); });
        m_boxes[static_cast<std::size_t>(b)] = std::move(box);
        m_boxes[static_cast<std::size_t>(a)] = {};
        m_saved[static_cast<std::size_t>(b)] = saved;
    }

    struct Candidate {
        int a, b;
        NodeId first, second; ///< operators that name the pair
        std::int64_t saved;
        int distance;
    };

    /// Pairs of boxes that touch one tensor: producer and reader, and readers that follow each other.
    std::vector<Candidate> candidates() const
    {
        std::map<std::pair<int, int>, std::pair<NodeId, NodeId>> pairs;
        std::unordered_map<OutputRef, std::pair<int, NodeId>> lastReader;
        for (const NodeId id : m_order) {
            const int own = boxOf(id);
            if (own < 0) continue;
            const Node& node = m_graph.node(id);
            for (int i = 0; i < node.inputCount(); ++i) {
                if (!isLoad(m_graph, node, i)) continue;
                const OutputRef source = node.source(i);
                if (const int producer = boxOf(source.node); producer >= 0 && producer != own)
                    pairs.insert_or_assign({producer, own}, std::pair(source.node, id));
                const auto [reader, isFirst] = lastReader.try_emplace(source, own, id);
                if (!isFirst && reader->second.first != own)
                    pairs.try_emplace(inOrder(reader->second.first, own), reader->second.second, id);
                reader->second = {own, id};
            }
        }
        std::vector<Candidate> list;
        for (const auto& [boxes, nodes] : pairs) {
            const bool isReversed = pairs.contains({boxes.second, boxes.first}) &&
                                    !relate(m_graph, m_boxes[static_cast<std::size_t>(boxes.first)],
                                            m_boxes[static_cast<std::size_t>(boxes.second)])
                                         .isVertical;
            if (isReversed) continue; // one reads from the other: that pair is the other way round
            const Box &a = m_boxes[static_cast<std::size_t>(boxes.first)],
                      &b = m_boxes[static_cast<std::size_t>(boxes.second)];
            list.push_back({boxes.first, boxes.second, nodes.first, nodes.second, relate(m_graph, a, b).savedBytes,
                            std::max(0, b.first - a.last)});
        }
        std::sort(list.begin(), list.end(), [this](const Candidate& x, const Candidate& y) {
            return std::tuple(-x.saved, x.distance, placeOf(x.first), placeOf(x.second)) <
                   std::tuple(-y.saved, y.distance, placeOf(y.first), placeOf(y.second));
        });
        return list;
    }

    /// The box that the other one can read from comes first.
    std::pair<int, int> inOrder(int a, int b) const
    {
        const Box &x = m_boxes[static_cast<std::size_t>(a)], &y = m_boxes[static_cast<std::size_t>(b)];
        return std::pair(x.first, x.last) <= std::pair(y.first, y.last) ? std::pair(a, b) : std::pair(b, a);
    }

    bool round()
    {
        ++m_result.rounds;
        std::vector<char> isTaken(m_boxes.size(), 0);
        bool hasMerged = false;
        for (const Candidate& candidate : candidates()) {
            if (m_stop.stop_requested()) return false;
            char &takenA = isTaken[static_cast<std::size_t>(candidate.a)],
                 &takenB = isTaken[static_cast<std::size_t>(candidate.b)];
            if (takenA || takenB) continue; // looked at again in the next round, as what it has become
            const BoxPair pair = relate(m_graph, m_boxes[static_cast<std::size_t>(candidate.a)],
                                        m_boxes[static_cast<std::size_t>(candidate.b)]);
            std::optional<Check> refusal = refusalOf(m_graph, pair, m_flags);
            if (!refusal) refusal = splitRefusal(*pair.a);
            if (!refusal) refusal = cycle(candidate.a, candidate.b);
            if (refusal) {
                m_refusals[{candidate.first, candidate.second}] = {candidate.first, candidate.second,
                                                                   std::move(*refusal)};
                continue;
            }
            merge(candidate.a, candidate.b, pair);
            takenA = takenB = 1;
            hasMerged = true;
        }
        return hasMerged;
    }

    /// Worked out once for each Split, on its readers as they are in the graph.
    std::optional<Check> splitRefusal(const Box& box)
    {
        if (!box.has(FusionClass::Split)) return std::nullopt;
        for (const NodeId id : box.nodes) {
            if (fusionClassOf(m_graph.node(id)) != FusionClass::Split) continue;
            const auto [known, isNew] = m_splitRefusals.try_emplace(id);
            if (isNew) known->second = splitRefusalOf(m_graph, id, m_flags);
            if (known->second) return known->second;
        }
        return std::nullopt;
    }

    std::optional<Check> cycle(int a, int b) const
    {
        NodeId via;
        if (!reaches(a, b, via) && !reaches(b, a, via)) return std::nullopt;
        Check check;
        check.reason = Reason::Cycle;
        check.held = false;
        check.code = "NF1002";
        check.evidence = 'S';
        const Node& between = m_graph.node(via);
        check.what = fmt::format("'{}' ({}) lies between the two: it would have to run before and after the one kernel",
                                 between.name, between.type);
        check.nodes = {via};
        return check;
    }

    /// A way from one box to another through something outside both; `via` is the first node on it.
    bool reaches(int from, int to, NodeId& via) const
    {
        const Box &source = m_boxes[static_cast<std::size_t>(from)], &target = m_boxes[static_cast<std::size_t>(to)];
        std::vector<std::pair<NodeId, NodeId>> open; // node, first node of its way
        std::set<int> seenBoxes{from};
        std::set<NodeId> seen;
        const auto expand = [&](NodeId id, NodeId first) {
            const Node& node = m_graph.node(id);
            const auto visit = [&](NodeId next) {
                if (boxOf(next) == from || placeOf(next) < 0) return;
                // A direct edge into the target is what the kernel would swallow.
                if (boxOf(next) == to && !first.isValid()) return;
                if (seen.insert(next).second) open.emplace_back(next, first.isValid() ? first : next);
            };
            for (const OutputSlot& slot : node.outputs)
                for (const InputRef& reader : slot.consumers) visit(reader.node);
            for (const NodeId next : node.controlOutputs) visit(next);
        };
        for (const NodeId id : source.nodes) expand(id, {});
        for (std::size_t i = 0; i < open.size(); ++i) {
            const auto [id, first] = open[i];
            const int box = boxOf(id);
            if (box == to || i >= static_cast<std::size_t>(maxCycleVisits)) {
                via = first;
                return true;
            }
            // Members of one box run together: whatever one of them leads to, the box leads to.
            if (box >= 0) {
                if (!seenBoxes.insert(box).second) continue;
                const Box& between = m_boxes[static_cast<std::size_t>(box)];
                if (between.first > target.last) continue;
                for (const NodeId member : between.nodes) expand(member, first);
            } else if (placeOf(id) <= target.last) {
                expand(id, first);
            }
        }
        return false;
    }

    void finish()
    {
        std::vector<std::pair<int, std::size_t>> made;
        for (std::size_t i = 0; i < m_boxes.size(); ++i)
            if (m_boxes[i].operators >= 2) made.emplace_back(m_boxes[i].first, i);
        std::sort(made.begin(), made.end());
        for (const auto& [place, i] : made) {
            m_result.kernels.push_back(std::move(m_boxes[i]));
            m_result.saved.push_back(m_saved[i]);
        }
        for (auto& [nodes, refused] : m_refusals)
            if (boxOf(nodes.first) != boxOf(nodes.second)) m_result.refused.push_back(std::move(refused));
        for (const NodeId id : m_order) addNotLowered(m_graph.node(id));
        std::stable_sort(
            m_result.refused.begin(), m_result.refused.end(), [this](const RefusedPair& x, const RefusedPair& y) {
                return std::pair(placeOf(x.first), placeOf(x.second)) < std::pair(placeOf(y.first), placeOf(y.second));
            });
    }

    /// Edges at which one end has a loop class but no loop.
    void addNotLowered(const Node& node)
    {
        for (const InputSlot& slot : node.inputs) {
            if (!slot.source.isValid()) continue;
            const auto here = m_notLowered.find(node.id), there = m_notLowered.find(slot.source.node);
            const bool isHere = here != m_notLowered.end(), isThere = there != m_notLowered.end();
            if (!(isHere && (isThere || boxOf(slot.source.node) >= 0)) && !(isThere && boxOf(node.id) >= 0)) continue;
            const Lowering& lowering = isHere ? here->second : there->second;
            // Two cube kernels are no business of autofusion.
            if (!lowering.code.empty() && boxOf(node.id) < 0 && boxOf(slot.source.node) < 0) continue;
            Check check;
            check.reason = lowering.reason;
            check.held = false;
            check.what = lowering.why;
            check.code = lowering.code;
            check.evidence = 'S';
            m_result.refused.push_back({slot.source.node, node.id, std::move(check)});
        }
    }

    const Graph& m_graph;
    const AutofuseFlags& m_flags;
    std::stop_token m_stop;
    std::vector<NodeId> m_order;
    std::vector<int> m_place, m_boxOf; ///< by node id
    std::vector<Box> m_boxes;          ///< merged ones are left empty
    std::vector<std::int64_t> m_saved; ///< by box
    std::unordered_map<NodeId, Lowering> m_notLowered;
    std::unordered_map<NodeId, std::optional<Check>> m_splitRefusals;
    std::map<std::pair<NodeId, NodeId>, RefusedPair> m_refusals; ///< the last word on each pair
    AutofuseResult m_result;
};

} // namespace

AutofuseResult solveAutofuse(const Graph& graph, GraphId id, const AutofuseFlags& flags, std::stop_token stop)
{
    return Solver(graph, id, flags, stop).run();
}

} // namespace gelens
