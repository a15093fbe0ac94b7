#include "viewers/diff/diff_content.h"

#include "engine/session/journal_diff.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace gelens {
namespace {

/// Every field of a node, on the side where it is.
std::vector<FieldChange> allFields(const Graph& graph, NodeId node, bool isAfter)
{
    static const Node nothing;
    return isAfter ? nodeFieldChanges(graph, nothing, graph, graph.node(node))
                   : nodeFieldChanges(graph, graph.node(node), graph, nothing);
}

} // namespace

std::shared_ptr<const DiffContent> makeDiff(const std::shared_ptr<const Run>& run, StepId before, StepId after,
                                            const std::stop_token& stop)
{
    auto content = std::make_shared<DiffContent>();
    content->run = run;
    content->before = before;
    content->after = after;
    content->beforeGraph = run->graphAt(before);
    content->afterGraph = run->graphAt(after);
    if (stop.stop_requested()) return nullptr;
    content->diff = run->diff(before, after);
    auto& changes = content->diff.changes;
    for (NodeChange& change : changes) {
        if (stop.stop_requested()) return nullptr;
        int unchanged = 0;
        if (change.kind == ChangeKind::Changed) {
            const auto all = allFields(*content->afterGraph, change.after, true);
            unchanged = static_cast<int>(std::count_if(all.begin(), all.end(), [&](const FieldChange& field) {
                return std::none_of(change.fields.begin(), change.fields.end(),
                                    [&](const FieldChange& other) { return other.field == field.field; });
            }));
        } else if (change.kind == ChangeKind::Added) {
            change.fields = allFields(*content->afterGraph, change.after, true);
        } else {
            change.fields = allFields(*content->beforeGraph, change.before, false);
        }
        content->unchangedFields.push_back(unchanged);
    }
    std::unordered_map<NodeId, int> groups;
    for (std::size_t group = 0; group < content->diff.groups.size(); ++group)
        for (const auto* nodes : {&content->diff.groups[group].before, &content->diff.groups[group].after})
            for (const NodeId node : *nodes) groups.try_emplace(node, static_cast<int>(group));
    for (const NodeChange& change : changes) {
        const auto found = change.kind == ChangeKind::Changed
                               ? groups.end()
                               : groups.find(change.after.isValid() ? change.after : change.before);
        content->groupOf.push_back(found == groups.end() ? -1 : found->second);
    }
    content->unchangedNodes = content->afterGraph->nodeCount() - content->diff.added - content->diff.changed;
    return content;
}

std::vector<FieldChange> DiffContent::equalFields(int change) const
{
    const NodeChange& content = diff.changes[static_cast<std::size_t>(change)];
    if (content.kind != ChangeKind::Changed) return {};
    std::unordered_set<std::string> differing;
    for (const FieldChange& field : content.fields) differing.insert(field.field);
    std::vector<FieldChange> equal = allFields(*afterGraph, content.after, true);
    std::erase_if(equal, [&](const FieldChange& field) { return differing.contains(field.field); });
    for (FieldChange& field : equal) field.before = field.after;
    return equal;
}

int DiffContent::changeOf(NodeId node) const
{
    if (!node.isValid()) return -1;
    for (std::size_t i = 0; i < diff.changes.size(); ++i)
        if (diff.changes[i].after == node || diff.changes[i].before == node) return static_cast<int>(i);
    return -1;
}

} // namespace gelens
