#include "viewers/scene/fold_model.h"

#include "viewers/scene/fold_builder_internal.h"
#include "viewers/scene/will_read.h"

#include <algorithm>

namespace gelens {

std::vector<std::string_view> nameComponents(std::string_view name)
{
    constexpr std::size_t limit = 32;
    const char separator = name.find('/') != std::string_view::npos ? '/' : '.';
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    while (begin < name.size()) {
        std::size_t end = name.find(separator, begin);
        if (end == std::string_view::npos || parts.size() + 1 == limit) end = name.size();
        if (end > begin) parts.push_back(name.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::shared_ptr<const FoldModel> FoldModel::build(const Graph& graph, const FoldOptions& options, std::stop_token stop)
{
    return FoldBuilder(graph, options, std::move(stop)).run();
}

int FoldModel::findKey(std::string_view key) const
{
    const auto found = m_byKey.find(std::string(key));
    return found == m_byKey.end() ? -1 : found->second;
}

std::vector<int> FoldModel::pathOf(NodeId node) const
{
    std::vector<int> path;
    for (int g = groupOf(node); g > 0; g = group(g).parent) path.push_back(g);
    std::reverse(path.begin(), path.end());
    return path;
}

std::vector<std::string> FoldModel::initiallyOpen(int budget) const
{
    const auto boxesIn = [this](int g) {
        return static_cast<int>(group(g).groups.size()) + group(g).nodeCount - [&] {
            int inside = 0;
            for (const int child : group(g).groups) inside += group(child).nodeCount;
            return inside;
        }();
    };
    std::vector<std::string> open;
    int visible = boxesIn(0);
    std::vector<int> level = group(0).groups;
    while (!level.empty()) { // outer blocks first; in a level the small ones first, so that more of them open
        std::stable_sort(level.begin(), level.end(), [&](int a, int b) { return boxesIn(a) < boxesIn(b); });
        std::vector<int> next;
        for (const int g : level) {
            if (group(g).kind == FoldGroup::Kind::Repeat || visible + boxesIn(g) > budget) continue;
            visible += boxesIn(g);
            open.push_back(group(g).key);
            next.insert(next.end(), group(g).groups.begin(), group(g).groups.end());
        }
        level = std::move(next);
    }
    return open;
}

FoldBuilder::FoldBuilder(const Graph& graph, const FoldOptions& options, std::stop_token stop)
    : m_graph(graph), m_options(options), m_stop(std::move(stop)),
      m_groupOf(static_cast<std::size_t>(graph.nodeIdBound()), -1)
{
    readNodes();
}

/// All that is asked of every node, in one walk. Records lie anywhere: those of the next numbers are asked for early, as
/// a graph's order mostly follows them.
void FoldBuilder::readNodes()
{
    constexpr int ahead = 12;
    const int bound = m_graph.nodeIdBound();
    m_isConstant.assign(m_groupOf.size(), 0);
    m_order.reserve(static_cast<std::size_t>(m_graph.nodeCount()));
    m_graphStart.assign(static_cast<std::size_t>(m_graph.subgraphCount()), 0);
    m_graphCount.assign(m_graphStart.size(), 0);
    for (std::size_t g = 0; g < m_graphStart.size(); ++g) {
        const SubgraphInfo& info = m_graph.subgraph(GraphId{static_cast<std::int32_t>(g)});
        m_graphStart[g] = m_order.size();
        if (!info.isAlive) continue;
        for (NodeId id = info.first; id.isValid();) {
            if (id.value + ahead < bound) {
                const Node& later = m_graph.node(NodeId{id.value + ahead});
                willRead(&later.next);
                willRead(&later.type);
                willRead(&later.subgraphs);
            }
            const Node& node = m_graph.node(id);
            m_order.push_back(id);
            m_isConstant[static_cast<std::size_t>(id.value)] = isConstantType(node.type);
            if (!node.subgraphs.empty()) m_owners.push_back(id);
            id = node.next;
        }
        m_graphCount[g] = m_order.size() - m_graphStart[g];
    }
}

int FoldBuilder::add(FoldGroup::Kind kind, int parent, std::string key, std::string title)
{
    const int index = static_cast<int>(m_drafts.size());
    Draft draft;
    draft.group.kind = kind;
    draft.group.parent = parent;
    draft.group.title = std::move(title);
    if (parent >= 0) draft.group.graph = at(parent).group.graph;
    // Two sub-graphs of one name must not become one block.
    std::string unique = key;
    for (int i = 2; !m_byKey.try_emplace(unique, index).second; ++i) unique = key + "#" + std::to_string(i);
    draft.group.key = std::move(unique);
    m_drafts.push_back(std::move(draft));
    if (parent >= 0) at(parent).children.push_back(index);
    return index;
}

std::shared_ptr<const FoldModel> FoldBuilder::run()
{
    addGraphs();
    placeConstants();
    if (m_options.byScopes) {
        dissolveSmall();
        joinSingleChains();
        dissolveAllEmbracing();
    }
    if (m_options.byBlocks) {
        foldNumberedSiblings();
        foldBlocks();
    }
    return finish();
}

/// A constant belongs where its first reader is.
void FoldBuilder::placeConstants()
{
    for (const NodeId id : m_order) {
        if (!isConstant(id)) continue;
        for (const OutputSlot& slot : m_graph.node(id).outputs)
            if (!slot.consumers.empty()) {
                groupOf(id) = groupOf(slot.consumers.front().node);
                break;
            }
    }
}

/// Groups such that parents come before children.
std::vector<int> FoldBuilder::outsideIn() const
{
    std::vector<int> order{0};
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const int child : at(order[i]).children)
            if (at(child).isAlive) order.push_back(child);
    return order;
}

void FoldBuilder::countNodes()
{
    for (Draft& draft : m_drafts) draft.subtreeNodes = 0;
    for (const NodeId id : m_order)
        if (!isConstant(id)) ++at(groupOf(id)).subtreeNodes;
    const std::vector<int> order = outsideIn();
    for (auto g = order.rbegin(); g != order.rend(); ++g)
        if (at(*g).group.parent >= 0) at(at(*g).group.parent).subtreeNodes += at(*g).subtreeNodes;
}

std::shared_ptr<const FoldModel> FoldBuilder::finish()
{
    countNodes();
    auto model = std::make_shared<FoldModel>();
    const std::vector<int> order = outsideIn();
    std::vector<int> renumbered(m_drafts.size(), -1);
    std::vector<std::string> draftKeys;
    for (const Draft& draft : m_drafts) draftKeys.push_back(draft.group.key);
    for (std::size_t i = 0; i < order.size(); ++i) renumbered[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    for (const int g : order) {
        FoldGroup group = std::move(at(g).group);
        group.nodeCount = at(g).subtreeNodes;
        if (group.parent >= 0) group.parent = renumbered[static_cast<std::size_t>(group.parent)];
        const int index = static_cast<int>(model->m_groups.size());
        model->m_byKey.emplace(group.key, index);
        model->m_groups.push_back(std::move(group));
        if (const int parent = model->m_groups.back().parent; parent >= 0)
            model->m_groups[static_cast<std::size_t>(parent)].groups.push_back(index);
    }
    for (std::size_t d = 0; d < m_drafts.size(); ++d) { // what was merged away still tells where its nodes belong
        int g = static_cast<int>(d);
        while (g >= 0 && !at(g).isAlive) g = at(g).mergedInto;
        if (g >= 0) model->m_scopes.emplace(draftKeys[d], renumbered[static_cast<std::size_t>(g)]);
    }
    for (const auto& [graph, top] : m_topOfGraph)
        model->m_topOfGraph.emplace(graph, renumbered[static_cast<std::size_t>(top)]);
    model->m_groupOf.assign(m_groupOf.size(), -1);
    for (const NodeId id : m_order) {
        const int g = renumbered[static_cast<std::size_t>(groupOf(id))];
        model->m_groupOf[static_cast<std::size_t>(id.value)] = g;
        model->m_groups[static_cast<std::size_t>(g)].nodes.push_back(id);
    }
    return model;
}

} // namespace gelens
