#include "engine/session/graph_matcher.h"

#include "engine/session/journal_diff.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace gelens {
namespace {

constexpr std::string_view originNames = "_datadump_original_op_names";

int usedOutputs(const Node& node)
{
    return static_cast<int>(std::count_if(node.outputs.begin(), node.outputs.end(),
                                          [](const OutputSlot& slot) { return !slot.consumers.empty(); }));
}

class Matcher {
public:
    Matcher(const Graph& before, const Graph& after) : m_before(before), m_after(after) {}

    GraphMatch run()
    {
        byName();
        while (byStructure()) {
        }
        GraphMatch match;
        match.byStructure = m_byStructure;
        for (const NodeId id : m_before.allNodes())
            if (!m_forward.contains(id))
                match.onlyBefore.push_back(id);
        for (const NodeId id : m_after.allNodes())
            if (const auto found = m_backward.find(id); found != m_backward.end())
                match.pairs.emplace_back(found->second, id);
            else
                match.onlyAfter.push_back(id);
        return match;
    }

private:
    std::string scopedName(const Graph& graph, const Node& node) const
    {
        // Root graphs may be named differently and still be the same; a zero byte cannot be part of a name's text.
        const std::string scope = node.graph == rootGraph ? std::string() : graph.subgraph(node.graph).name;
        return scope + '\0' + node.name;
    }

    void pair(NodeId before, NodeId after)
    {
        m_forward.emplace(before, after);
        m_backward.emplace(after, before);
    }

    void byName()
    {
        std::unordered_map<std::string, NodeId> names;
        for (const NodeId id : m_before.allNodes())
            names.emplace(scopedName(m_before, m_before.node(id)), id);
        for (const NodeId id : m_after.allNodes()) {
            const auto found = names.find(scopedName(m_after, m_after.node(id)));
            if (found != names.end() && !m_forward.contains(found->second))
                pair(found->second, id);
        }
    }

    /// Type and inputs of an unmatched node in terms of the old graph; empty while a producer is unmatched.
    std::string signature(const Node& node, bool isBefore) const
    {
        std::string text = node.type;
        bool hasInput = false;
        for (const InputSlot& slot : node.inputs) {
            if (!slot.source.isValid()) {
                text += "|-";
                continue;
            }
            hasInput = true;
            NodeId source = slot.source.node;
            if (!isBefore) {
                const auto found = m_backward.find(source);
                if (found == m_backward.end())
                    return {};
                source = found->second;
            } else if (!m_forward.contains(source)) {
                return {};
            }
            text += "|" + std::to_string(source.value) + ":" + std::to_string(slot.source.index);
        }
        // Nodes without inputs: constants are told apart by who reads them, which comes too late; their value decides.
        if (!hasInput) {
            const Tensor* const value = attrTensor(node.attrs, "value");
            if (!value || !value->isPresent())
                return {};
            text += "|" + value->desc.shape.text() + "|";
            text.append(reinterpret_cast<const char*>(value->data.data()), std::min<std::size_t>(value->data.size(), 256));
        }
        return text;
    }

    bool byStructure()
    {
        std::unordered_map<std::string, std::vector<NodeId>> open;
        for (const NodeId id : m_before.allNodes())
            if (!m_forward.contains(id))
                if (std::string key = signature(m_before.node(id), true); !key.empty())
                    open[std::move(key)].push_back(id);
        if (open.empty() || ++m_rounds > maxRounds)
            return false;
        for (auto& [key, list] : open)
            std::reverse(list.begin(), list.end()); // first come, first matched
        bool hasProgress = false;
        for (const NodeId id : m_after.allNodes()) {
            if (m_backward.contains(id))
                continue;
            const auto found = open.find(signature(m_after.node(id), false));
            if (found == open.end() || found->second.empty())
                continue;
            pair(found->second.back(), id);
            found->second.pop_back();
            ++m_byStructure;
            hasProgress = true;
        }
        return hasProgress;
    }

    static constexpr int maxRounds = 200; ///< each round follows chains by at least one node

    const Graph& m_before;
    const Graph& m_after;
    std::unordered_map<NodeId, NodeId> m_forward, m_backward;
    int m_byStructure = 0, m_rounds = 0;
};

/// "node:0" of both sides: equal when the producers are a pair.
bool isSameEdge(OutputRef before, OutputRef after, const std::unordered_map<NodeId, NodeId>& forward)
{
    if (!before.isValid() || !after.isValid())
        return before.isValid() == after.isValid();
    const auto found = forward.find(before.node);
    return found != forward.end() && found->second == after.node && before.index == after.index;
}

void findGroups(const Graph& before, const Graph& after, const GraphMatch& match, GraphDiff& diff)
{
    std::unordered_map<std::string, std::vector<NodeId>> removed;
    for (const NodeId id : match.onlyBefore) {
        StringList names = attrStrings(before.node(id).attrs, originNames);
        names.push_back(before.node(id).name);
        for (const std::string& name : names)
            removed[name].push_back(id);
    }
    for (const NodeId id : match.onlyAfter) {
        LineageGroup group;
        std::unordered_set<NodeId> seen;
        for (const std::string& name : attrStrings(after.node(id).attrs, originNames))
            if (const auto found = removed.find(name); found != removed.end())
                for (const NodeId old : found->second)
                    if (seen.insert(old).second)
                        group.before.push_back(old);
        if (group.before.empty())
            continue;
        group.after.push_back(id);
        diff.groups.push_back(std::move(group));
    }
}

} // namespace

GraphMatch matchGraphs(const Graph& before, const Graph& after) { return Matcher(before, after).run(); }

GraphDiff diffOfMatched(const Graph& before, const Graph& after, const GraphMatch& match)
{
    GraphDiff diff;
    std::unordered_map<NodeId, NodeId> forward;
    for (const auto& [old, now] : match.pairs)
        forward.emplace(old, now);
    for (const NodeId id : match.onlyBefore) {
        const Node& node = before.node(id);
        diff.changes.push_back({ChangeKind::Removed, id, {}, node.name, node.type, {}});
        diff.tensorsRemoved += usedOutputs(node);
    }
    for (const auto& [old, now] : match.pairs) {
        const Node& a = before.node(old);
        const Node& b = after.node(now);
        std::vector<FieldChange> fields = nodeFieldChanges(before, a, after, b);
        std::erase_if(fields, [&](const FieldChange& field) {
            // What is hidden is bookkeeping of the file, not of the graph.
            if (field.field.starts_with("attr gelens."))
                return true;
            if (!field.field.starts_with("input["))
                return false;
            const int slot = std::atoi(field.field.c_str() + 6);
            return isSameEdge(a.source(slot), b.source(slot), forward);
        });
        if (fields.empty())
            continue;
        diff.tensorsChanged += std::any_of(fields.begin(), fields.end(), [](const FieldChange& field) {
            return field.field.starts_with("output_desc");
        });
        diff.changes.push_back({ChangeKind::Changed, old, now, b.name, b.type, std::move(fields)});
        ++diff.changed;
    }
    for (const NodeId id : match.onlyAfter) {
        const Node& node = after.node(id);
        diff.changes.push_back({ChangeKind::Added, {}, id, node.name, node.type, {}});
        diff.tensorsAdded += usedOutputs(node);
    }
    diff.added = static_cast<int>(match.onlyAfter.size());
    diff.removed = static_cast<int>(match.onlyBefore.size());
    findGroups(before, after, match, diff);
    return diff;
}

} // namespace gelens
