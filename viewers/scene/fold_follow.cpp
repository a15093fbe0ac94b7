// The blocks of one step, carried over to another.

#include "viewers/scene/block_finder.h"
#include "viewers/scene/fold_builder_internal.h"

#include <algorithm>
#include <set>

namespace gelens {
namespace {

/// The innermost known scope of a name.
int scopeOf(const std::unordered_map<std::string, int>& scopes, const std::string& topKey, int top,
            std::string_view name)
{
    const std::vector<std::string_view> parts = nameComponents(name);
    int group = top;
    std::string key = topKey + "|";
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        key += "/";
        key += parts[i];
        const auto found = scopes.find(key);
        if (found == scopes.end()) break;
        group = found->second;
    }
    return group;
}

/// Counts nodes, and how many instances of a repeated block differ by now.
void recount(const Graph& graph, std::vector<FoldGroup>& groups)
{
    std::vector<std::uint64_t> hashes(groups.size(), 0);
    for (std::size_t g = groups.size(); g-- > 0;) { // parents have smaller numbers
        FoldGroup& group = groups[g];
        std::vector<NodeId> members;
        for (const NodeId id : group.nodes)
            if (!isConstantType(graph.node(id).type)) members.push_back(id);
        group.nodeCount = static_cast<int>(members.size());
        hashes[g] = structureHash(graph, members);
        std::set<std::uint64_t> shapes;
        for (const int child : group.groups) {
            group.nodeCount += groups[static_cast<std::size_t>(child)].nodeCount;
            hashes[g] = hashes[g] * 0x9e3779b97f4a7c15u + hashes[static_cast<std::size_t>(child)];
            shapes.insert(hashes[static_cast<std::size_t>(child)]);
        }
        if (group.kind == FoldGroup::Kind::Repeat) group.variants = std::max(1, static_cast<int>(shapes.size()));
    }
}

} // namespace

std::shared_ptr<const FoldModel> FoldModel::follow(const Graph& graph, const FoldModel& previous,
                                                   const FoldOptions& options, std::stop_token stop)
{
    for (const GraphId id : graph.liveSubgraphs())
        if (!previous.m_topOfGraph.contains(id.value)) return build(graph, options, std::move(stop));
    auto model = std::make_shared<FoldModel>(previous);
    for (FoldGroup& group : model->m_groups) group.nodes.clear();
    const std::vector<NodeId> order = graph.allNodes();
    std::vector<int>& groupOf = model->m_groupOf;
    groupOf.assign(static_cast<std::size_t>(graph.nodeIdBound()), -1);
    std::unordered_map<int, std::vector<NodeId>> unscoped; // by graph
    for (const NodeId id : order) {
        int& group = groupOf[static_cast<std::size_t>(id.value)];
        group = previous.groupOf(id);
        if (group >= 0) continue;
        const Node& node = graph.node(id);
        const int top = previous.m_topOfGraph.at(node.graph.value);
        group = top;
        if (isBoundaryType(node.type)) continue;
        group = scopeOf(previous.m_scopes, previous.group(top).key, top, scopeNameOf(node));
        if (group == top) unscoped[node.graph.value].push_back(id);
    }
    for (const auto& [graphId, nodes] : unscoped)
        adoptByNeighbours(graph, {groupOf, [&](int g) { return previous.group(g).parent; }},
                          previous.m_topOfGraph.at(graphId), nodes);
    for (const NodeId id : order) { // a new constant belongs where its first reader is
        const Node& node = graph.node(id);
        if (previous.groupOf(id) >= 0 || !isConstantType(node.type)) continue;
        for (const OutputSlot& slot : node.outputs)
            if (!slot.consumers.empty()) {
                groupOf[static_cast<std::size_t>(id.value)] =
                    groupOf[static_cast<std::size_t>(slot.consumers.front().node.value)];
                break;
            }
    }
    for (const NodeId id : order)
        model->m_groups[static_cast<std::size_t>(groupOf[static_cast<std::size_t>(id.value)])].nodes.push_back(id);
    recount(graph, model->m_groups);
    return model;
}

} // namespace gelens
