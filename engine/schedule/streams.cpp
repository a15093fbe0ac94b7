#include "engine/schedule/streams.h"

#include "engine/ops/op_registry.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

namespace gelens {

namespace {

enum class EngineKind { None, AiCore, AiCpu, Host };

EngineKind engineOf(const Node& node)
{
    if (isBoundaryType(node.type) || isViewType(node.type)) return EngineKind::None;
    switch (unitOf(node)) {
    case Unit::None:
    case Unit::GeLocal: return EngineKind::None;
    case Unit::AiCpu: return EngineKind::AiCpu;
    case Unit::Host: return EngineKind::Host;
    default: return EngineKind::AiCore; // runtime tasks (copies) run on their neighbours' stream
    }
}

std::string_view engineText(EngineKind kind)
{
    return kind == EngineKind::AiCpu ? "AI CPU" : kind == EngineKind::Host ? "host" : "AI Core";
}

/// Nodes of one engine and label that hang together, without an other engine in between.
struct Group {
    EngineKind engine = EngineKind::None;
    std::string label;
    std::int64_t stream = -1;
    bool hasPredecessor = false;
    std::set<int> predecessors; // groups whose stream it could take on
};

class StreamAssigner {
public:
    StreamAssigner(const Graph& graph, const std::vector<NodeId>& order, const StreamOptions& options)
        : m_graph(graph), m_order(order), m_options(options)
    {
        m_result.byNode.assign(static_cast<std::size_t>(graph.nodeIdBound()), -1);
    }

    StreamAssignment run()
    {
        if (m_options.isSingle) {
            for (const NodeId id : m_order) m_result.byNode[static_cast<std::size_t>(id.value)] = 0;
            m_result.reasons = {"main"};
            return std::move(m_result);
        }
        formGroups();
        for (std::size_t g = 0; g < m_groups.size(); ++g) assignGroup(static_cast<int>(g));
        for (const NodeId id : m_order)
            if (const int group = groupOf(id); group >= 0)
                streamOf(id) = m_groups[static_cast<std::size_t>(group)].stream;
        adoptNeighbours();
        renumber();
        return std::move(m_result);
    }

private:
    std::int64_t& streamOf(NodeId id) { return m_result.byNode[static_cast<std::size_t>(id.value)]; }
    int groupOf(NodeId id) const
    {
        const auto found = m_groupOf.find(id.value);
        return found == m_groupOf.end() ? -1 : found->second;
    }

    std::string labelOf(const Node& node) const
    {
        const auto found = m_options.labels.find(node.name);
        return found != m_options.labels.end() ? found->second : attrString(node.attrs, "_stream_label");
    }

    /// A node's level grows by one where the engine or label changes, so that groups of one level cannot form a cycle.
    void formGroups()
    {
        std::unordered_map<int, int> level;
        std::unordered_map<int, std::vector<NodeId>> reached; // nodes with a task, through those without
        for (const NodeId id : m_order) {
            const Node& node = m_graph.node(id);
            const EngineKind engine = engineOf(node);
            std::vector<NodeId> before;
            const auto look = [&](NodeId source) {
                if (!source.isValid()) return;
                const auto found = reached.find(source.value);
                if (found == reached.end()) return;
                before.insert(before.end(), found->second.begin(), found->second.end());
            };
            for (const InputSlot& slot : node.inputs) look(slot.source.node);
            for (const NodeId source : node.controlInputs) look(source);
            std::sort(before.begin(), before.end());
            before.erase(std::unique(before.begin(), before.end()), before.end());
            if (engine == EngineKind::None) {
                // Enough to know some of them: only neighbourhood is asked here, not order.
                if (before.size() > 8) before.resize(8);
                reached[id.value] = std::move(before);
                continue;
            }
            const std::string label = labelOf(node);
            int own = 0;
            for (const NodeId source : before) {
                const Group& group = m_groups[static_cast<std::size_t>(groupOf(source))];
                const bool isSame = group.engine == engine && group.label == label;
                own = std::max(own, level[source.value] + (isSame ? 0 : 1));
            }
            level[id.value] = own;
            int joined = -1;
            for (const NodeId source : before) {
                const int other = groupOf(source);
                const Group& group = m_groups[static_cast<std::size_t>(other)];
                // Branches that start from one tensor are groups of their own: the first goes on, the others fork.
                const bool isFree = !m_continued.contains(source.value);
                if (level[source.value] == own && group.engine == engine && group.label == label && isFree) {
                    joined = other;
                    m_continued.insert(source.value);
                    break;
                }
            }
            if (joined < 0) {
                joined = static_cast<int>(m_groups.size());
                m_groups.push_back({engine, label, -1, {}});
            }
            m_groupOf[id.value] = joined;
            // A stream that went on from a node in its own group is not free for a fork of that node.
            for (const NodeId source : before)
                if (groupOf(source) != joined) {
                    Group& group = m_groups[static_cast<std::size_t>(joined)];
                    group.hasPredecessor = true;
                    if (!m_continued.contains(source.value)) group.predecessors.insert(groupOf(source));
                }
            reached[id.value] = {id};
        }
    }

    void assignGroup(int index)
    {
        Group& group = m_groups[static_cast<std::size_t>(index)];
        if (!group.label.empty()) {
            const auto [found, isNew] = m_labels.emplace(group.label, m_next);
            if (isNew) newStream(fmt::format("label '{}'", group.label));
            group.stream = found->second;
            return;
        }
        for (const int before : group.predecessors) {
            const Group& other = m_groups[static_cast<std::size_t>(before)];
            if (other.engine != group.engine || !other.label.empty() || other.stream < 0) continue;
            if (!m_taken.emplace(before, static_cast<int>(group.engine)).second) continue;
            group.stream = other.stream;
            return;
        }
        // Groups without any predecessor of their engine share the first stream of that engine.
        if (!group.hasPredecessor) {
            const auto [found, isNew] = m_roots.emplace(static_cast<int>(group.engine), m_next);
            if (!isNew) {
                group.stream = found->second;
                return;
            }
        }
        group.stream = newStream(m_next == 0                          ? "main"
                                 : group.engine != EngineKind::AiCore ? std::string(engineText(group.engine))
                                                                      : "independent branch");
    }

    std::int64_t newStream(std::string reason)
    {
        if (m_next >= m_options.maxStreams) return 0;
        m_result.reasons.push_back(std::move(reason));
        return m_next++;
    }

    void adoptNeighbours()
    {
        for (auto at = m_order.rbegin(); at != m_order.rend(); ++at)
            if (streamOf(*at) < 0)
                for (const OutputSlot& slot : m_graph.node(*at).outputs)
                    for (const InputRef& reader : slot.consumers)
                        if (streamOf(*at) < 0) streamOf(*at) = streamOf(reader.node);
        for (const NodeId id : m_order)
            if (streamOf(id) < 0)
                for (const InputSlot& slot : m_graph.node(id).inputs)
                    if (streamOf(id) < 0 && slot.source.isValid()) streamOf(id) = streamOf(slot.source.node);
        for (const NodeId id : m_order) streamOf(id) = std::max<std::int64_t>(0, streamOf(id));
    }

    void renumber()
    {
        std::map<std::int64_t, std::int64_t> ids;
        std::vector<std::string> reasons;
        for (const NodeId id : m_order) {
            const std::int64_t old = streamOf(id);
            if (engineOf(m_graph.node(id)) == EngineKind::None) continue;
            if (ids.emplace(old, static_cast<std::int64_t>(ids.size())).second)
                reasons.push_back(static_cast<std::size_t>(old) < m_result.reasons.size()
                                      ? m_result.reasons[static_cast<std::size_t>(old)]
                                      : "main");
        }
        for (const NodeId id : m_order) {
            const auto found = ids.find(streamOf(id));
            streamOf(id) = found == ids.end() ? 0 : found->second;
        }
        m_result.count = std::max<int>(1, static_cast<int>(ids.size()));
        m_result.reasons = reasons.empty() ? std::vector<std::string>{"main"} : std::move(reasons);
    }

    const Graph& m_graph;
    const std::vector<NodeId>& m_order;
    const StreamOptions& m_options;
    StreamAssignment m_result;
    std::vector<Group> m_groups;
    std::unordered_map<int, int> m_groupOf; // node id → group
    std::set<int> m_continued;              // nodes whose group has gone on in a successor
    std::map<std::string, std::int64_t> m_labels;
    std::set<std::pair<int, int>> m_taken; // (group, engine) whose stream was taken on
    std::map<int, std::int64_t> m_roots;
    std::int64_t m_next = 0;
};

} // namespace

StreamAssignment assignStreams(const Graph& graph, const std::vector<NodeId>& order, const StreamOptions& options)
{
    return StreamAssigner(graph, order, options).run();
}

} // namespace gelens
