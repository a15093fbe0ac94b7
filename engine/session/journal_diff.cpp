#include "engine/session/journal_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace gelens {
namespace {

std::string edgeText(const Graph& graph, OutputRef source)
{
    return source.isValid() ? fmt::format("{}:{}", graph.node(source.node).name, source.index) : std::string();
}

std::string namesText(const Graph& graph, const std::vector<NodeId>& nodes)
{
    std::string text;
    for (const NodeId id : nodes) text += (text.empty() ? "" : ", ") + graph.node(id).name;
    return text;
}

void compareField(std::vector<FieldChange>& fields, std::string name, std::string before, std::string after)
{
    if (before != after) fields.push_back({std::move(name), std::move(before), std::move(after)});
}

void compareDesc(std::vector<FieldChange>& fields, const std::string& prefix, const TensorDesc* before,
                 const TensorDesc* after)
{
    const auto type = [](const TensorDesc* d) { return d ? std::string(dataTypeShortName(d->dtype)) : std::string(); };
    const auto shape = [](const TensorDesc* d) { return d ? d->shape.text() : std::string(); };
    const auto format = [](const TensorDesc* d) { return d ? d->format.text() : std::string(); };
    const auto origin = [](const TensorDesc* d) { return d ? d->originShape.text() : std::string(); };
    compareField(fields, prefix + ".dtype", type(before), type(after));
    compareField(fields, prefix + ".shape", shape(before), shape(after));
    compareField(fields, prefix + ".format", format(before), format(after));
    if (before && after && (before->shape != before->originShape || after->shape != after->originShape))
        compareField(fields, prefix + ".origin_shape", origin(before), origin(after));
}

void compareAttrs(std::vector<FieldChange>& fields, const AttrMap& before, const AttrMap& after)
{
    auto i = before.begin();
    auto j = after.begin();
    while (i != before.end() || j != after.end()) {
        if (j == after.end() || (i != before.end() && i->first < j->first)) {
            fields.push_back({"attr " + i->first, i->second.text(), ""});
            ++i;
        } else if (i == before.end() || j->first < i->first) {
            fields.push_back({"attr " + j->first, "", j->second.text()});
            ++j;
        } else {
            if (!(i->second == j->second)) fields.push_back({"attr " + i->first, i->second.text(), j->second.text()});
            ++i;
            ++j;
        }
    }
}

int usedOutputs(const Node& node)
{
    return static_cast<int>(std::count_if(node.outputs.begin(), node.outputs.end(),
                                          [](const OutputSlot& slot) { return !slot.consumers.empty(); }));
}

/// Added nodes whose origin names speak of removed nodes: N became 1 (or 1 became N).
void findGroups(const Graph& before, const Graph& after, const Run::Touched& touched, GraphDiff& diff)
{
    std::unordered_map<std::string, std::vector<NodeId>> removedByOrigin;
    for (const NodeId id : touched.removed) {
        const Node& node = before.node(id);
        StringList names = attrStrings(node.attrs, "_datadump_original_op_names");
        if (names.empty()) names.push_back(node.name);
        for (const std::string& name : names) removedByOrigin[name].push_back(id);
    }
    for (const NodeId id : touched.added) {
        LineageGroup group;
        std::unordered_set<NodeId> seen;
        for (const std::string& name : attrStrings(after.node(id).attrs, "_datadump_original_op_names"))
            if (const auto found = removedByOrigin.find(name); found != removedByOrigin.end())
                for (const NodeId old : found->second)
                    if (seen.insert(old).second) group.before.push_back(old);
        if (group.before.empty()) continue;
        group.after.push_back(id);
        diff.groups.push_back(std::move(group));
    }
}

} // namespace

std::vector<FieldChange> nodeFieldChanges(const Graph& beforeGraph, const Node& before, const Graph& afterGraph,
                                          const Node& after)
{
    std::vector<FieldChange> fields;
    compareField(fields, "name", before.name, after.name);
    compareField(fields, "type", before.type, after.type);
    for (std::size_t i = 0; i < std::max(before.inputs.size(), after.inputs.size()); ++i) {
        const InputSlot* a = i < before.inputs.size() ? &before.inputs[i] : nullptr;
        const InputSlot* b = i < after.inputs.size() ? &after.inputs[i] : nullptr;
        compareField(fields, fmt::format("input[{}]", i), a ? edgeText(beforeGraph, a->source) : "",
                     b ? edgeText(afterGraph, b->source) : "");
        compareDesc(fields, fmt::format("input_desc[{}]", i), a ? &a->desc : nullptr, b ? &b->desc : nullptr);
    }
    for (std::size_t i = 0; i < std::max(before.outputs.size(), after.outputs.size()); ++i)
        compareDesc(fields, fmt::format("output_desc[{}]", i),
                    i < before.outputs.size() ? &before.outputs[i].desc : nullptr,
                    i < after.outputs.size() ? &after.outputs[i].desc : nullptr);
    compareField(fields, "control", namesText(beforeGraph, before.controlInputs),
                 namesText(afterGraph, after.controlInputs));
    compareAttrs(fields, before.attrs, after.attrs);
    const auto stream = [](const Node& node) { return std::to_string(node.placement.streamId); };
    compareField(fields, "stream", stream(before), stream(after));
    compareField(fields, "engine", before.placement.engine, after.placement.engine);
    return fields;
}

GraphDiff diffOfTouched(const Graph& before, const Graph& after, const Run::Touched& touched)
{
    GraphDiff diff;
    for (const NodeId id : touched.removed) {
        const Node& node = before.node(id);
        diff.changes.push_back({ChangeKind::Removed, id, {}, node.name, node.type, {}});
        diff.tensorsRemoved += usedOutputs(node);
    }
    for (const NodeId id : touched.changed) {
        std::vector<FieldChange> fields = nodeFieldChanges(before, before.node(id), after, after.node(id));
        if (fields.empty()) continue; // only a list of readers differs, or it changed and changed back
        const bool isTensorChanged = std::any_of(fields.begin(), fields.end(), [](const FieldChange& field) {
            return field.field.starts_with("output_desc");
        });
        diff.tensorsChanged += isTensorChanged;
        diff.changes.push_back(
            {ChangeKind::Changed, id, id, after.node(id).name, after.node(id).type, std::move(fields)});
        ++diff.changed;
    }
    for (const NodeId id : touched.added) {
        const Node& node = after.node(id);
        diff.changes.push_back({ChangeKind::Added, {}, id, node.name, node.type, {}});
        diff.tensorsAdded += usedOutputs(node);
    }
    diff.added = static_cast<int>(touched.added.size());
    diff.removed = static_cast<int>(touched.removed.size());
    findGroups(before, after, touched, diff);
    return diff;
}

} // namespace gelens
