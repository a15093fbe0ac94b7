// The difference over a match of two graphs.
#include "engine/session/graph_matcher.h"
#include "engine/session/journal_diff.h"

#include <algorithm>
#include <cstdlib>
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

class MatchedDiff {
public:
    MatchedDiff(const Graph& before, const Graph& after, const GraphMatch& match)
        : m_before(before), m_after(after), m_match(match), m_forward(static_cast<std::size_t>(before.nodeIdBound()))
    {
        for (const auto& [old, now] : match.pairs) m_forward[static_cast<std::size_t>(old.value)] = now;
    }

    GraphDiff run()
    {
        for (const NodeId id : m_match.onlyBefore) {
            const Node& node = m_before.node(id);
            m_diff.changes.push_back({ChangeKind::Removed, id, {}, node.name, node.type, {}});
            m_diff.tensorsRemoved += usedOutputs(node);
        }
        for (std::size_t i = 0; i < m_match.pairs.size(); ++i) {
            const MatchBasis basis = i < m_match.basis.size() ? m_match.basis[i] : MatchBasis::Identity;
            ++m_diff.matchedBy[static_cast<std::size_t>(basis)];
            comparePair(m_match.pairs[i].first, m_match.pairs[i].second, basis);
        }
        for (const NodeId id : m_match.onlyAfter) {
            const Node& node = m_after.node(id);
            m_diff.changes.push_back({ChangeKind::Added, {}, id, node.name, node.type, {}});
            m_diff.tensorsAdded += usedOutputs(node);
        }
        m_diff.added = static_cast<int>(m_match.onlyAfter.size());
        m_diff.removed = static_cast<int>(m_match.onlyBefore.size());
        findGroups();
        return std::move(m_diff);
    }

private:
    NodeId partner(NodeId old) const
    {
        return old.isValid() ? m_forward[static_cast<std::size_t>(old.value)] : NodeId{};
    }

    /// "node:0" of both sides: equal when the producers are a pair.
    bool isSameEdge(OutputRef before, OutputRef after) const
    {
        if (!before.isValid() || !after.isValid()) return before.isValid() == after.isValid();
        return partner(before.node) == after.node && before.index == after.index;
    }

    bool isSameControl(const Node& a, const Node& b) const
    {
        return std::equal(a.controlInputs.begin(), a.controlInputs.end(), b.controlInputs.begin(),
                          b.controlInputs.end(), [&](NodeId old, NodeId now) { return partner(old) == now; });
    }

    /// Most nodes are the same, and texts of their fields would be made for nothing.
    bool isSame(const Node& a, const Node& b) const
    {
        return a.name == b.name && a.type == b.type && a.attrs == b.attrs &&
               a.placement.streamId == b.placement.streamId && a.placement.engine == b.placement.engine &&
               std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), b.inputs.end(),
                          [&](const InputSlot& x, const InputSlot& y) {
                              return isSameEdge(x.source, y.source) && x.desc == y.desc;
                          }) &&
               std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(),
                          [](const OutputSlot& x, const OutputSlot& y) { return x.desc == y.desc; }) &&
               isSameControl(a, b);
    }

    void comparePair(NodeId old, NodeId now, MatchBasis basis)
    {
        const Node &a = m_before.node(old), &b = m_after.node(now);
        if (isSame(a, b)) return;
        std::vector<FieldChange> fields = nodeFieldChanges(m_before, a, m_after, b);
        std::erase_if(fields, [&](const FieldChange& field) {
            // What is hidden is bookkeeping of the file, not of the graph.
            if (field.field.starts_with("attr gelens.")) return true;
            if (field.field == "control") return isSameControl(a, b); // only names differ
            if (!field.field.starts_with("input[")) return false;
            const int slot = std::atoi(field.field.c_str() + 6);
            return isSameEdge(a.source(slot), b.source(slot));
        });
        if (fields.empty()) return;
        m_diff.tensorsChanged += std::any_of(fields.begin(), fields.end(), [](const FieldChange& field) {
            return field.field.starts_with("output_desc");
        });
        m_diff.changes.push_back({ChangeKind::Changed, old, now, b.name, b.type, std::move(fields), basis});
        ++m_diff.changed;
    }

    void addGroup(NodeId now, NodeId old, const std::unordered_map<std::string, std::vector<NodeId>>& removed)
    {
        LineageGroup group;
        if (old.isValid()) group.before.push_back(old);
        std::unordered_set<NodeId> seen;
        for (const std::string& name : attrStrings(m_after.node(now).attrs, originNames))
            if (const auto found = removed.find(name); found != removed.end())
                for (const NodeId id : found->second)
                    if (seen.insert(id).second) group.before.push_back(id);
        // A pair by itself is no group, unless it goes by another name now.
        const bool isRenamed = old.isValid() && m_before.node(old).name != m_after.node(now).name;
        if (group.before.empty() || (seen.empty() && !isRenamed)) return;
        group.after.push_back(now);
        m_diff.groups.push_back(std::move(group));
    }

    void findGroups()
    {
        std::unordered_map<std::string, std::vector<NodeId>> removed;
        for (const NodeId id : m_match.onlyBefore) {
            StringList names = attrStrings(m_before.node(id).attrs, originNames);
            names.push_back(m_before.node(id).name);
            for (const std::string& name : names) removed[name].push_back(id);
        }
        for (const NodeId id : m_match.onlyAfter) addGroup(id, {}, removed);
        for (const auto& [old, now] : m_match.pairs) addGroup(now, old, removed);
    }

    const Graph& m_before;
    const Graph& m_after;
    const GraphMatch& m_match;
    std::vector<NodeId> m_forward;
    GraphDiff m_diff;
};

} // namespace

GraphDiff diffOfMatched(const Graph& before, const Graph& after, const GraphMatch& match)
{
    return MatchedDiff(before, after, match).run();
}

namespace {

/// "output_desc[3].shape" → 3; -1 for other fields.
int outputOf(const std::string& field)
{
    constexpr std::string_view head = "output_desc[";
    return field.starts_with(head) ? std::atoi(field.c_str() + head.size()) : -1;
}

bool isStructure(const FieldChange& change, const Node& before, const Node& after)
{
    const std::string& field = change.field;
    if (field == "type" || field == "control" || field.starts_with("input[")) return true;
    const auto index = static_cast<std::size_t>(outputOf(field));
    if (index >= std::max(before.outputs.size(), after.outputs.size())) return false; // no output at all
    const OutputSlot* const a = index < before.outputs.size() ? &before.outputs[index] : nullptr;
    const OutputSlot* const b = index < after.outputs.size() ? &after.outputs[index] : nullptr;
    const bool isRead = (a && !a->consumers.empty()) || (b && !b->consumers.empty());
    if (!isRead || field.ends_with("].origin_shape")) return false;
    if (!a || !b) return true;
    if (a->desc.dtype == DataType::Undefined || b->desc.dtype == DataType::Undefined) return false;
    return !field.ends_with("].shape") || (a->desc.shape.hasRank() && b->desc.shape.hasRank());
}

} // namespace

void keepStructureOnly(const Graph& before, const Graph& after, GraphDiff& diff)
{
    for (NodeChange& change : diff.changes)
        if (change.kind == ChangeKind::Changed)
            std::erase_if(change.fields, [&](const FieldChange& field) {
                return !isStructure(field, before.node(change.before), after.node(change.after));
            });
    std::erase_if(diff.changes,
                  [](const NodeChange& change) { return change.kind == ChangeKind::Changed && change.fields.empty(); });
    diff.changed = diff.tensorsChanged = 0;
    for (const NodeChange& change : diff.changes) {
        if (change.kind != ChangeKind::Changed) continue;
        ++diff.changed;
        diff.tensorsChanged += std::any_of(change.fields.begin(), change.fields.end(), [](const FieldChange& field) {
            return field.field.starts_with("output_desc");
        });
    }
}

} // namespace gelens
