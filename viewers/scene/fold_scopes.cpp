// Blocks from the names of nodes and from sub-graphs.

#include "viewers/scene/fold_builder_internal.h"
#include "viewers/scene/will_read.h"

#include <algorithm>

namespace gelens {
namespace {

constexpr int minGroupNodes = 4; ///< a smaller block is easier to read open

} // namespace

std::string scopeNameOf(const Node& node)
{
    if (node.name.find('/') != std::string::npos) return node.name;
    const auto found = node.attrs.find("_datadump_original_op_names");
    const StringList* names = found == node.attrs.end() ? nullptr : found->second.as<StringList>();
    if (names == nullptr || names->empty()) return node.name;
    std::string_view common = names->front();
    common = common.substr(0, common.rfind('/') + 1);
    for (const std::string& name : *names)
        while (!name.starts_with(common)) {
            common.remove_suffix(1);
            common = common.substr(0, common.rfind('/') + 1);
        }
    return common.size() > 1 ? std::string(common) + node.name : names->front();
}

namespace {

/// The innermost group that holds both.
int commonGroup(const std::function<int(int group)>& parentOf, int a, int b)
{
    const auto depth = [&](int g) {
        int d = 0;
        for (; g >= 0; g = parentOf(g)) ++d;
        return d;
    };
    int da = depth(a), db = depth(b);
    while (a != b) {
        int& deeper = da >= db ? a : b;
        deeper = parentOf(deeper);
        --(da >= db ? da : db);
    }
    return a;
}

} // namespace

void adoptByNeighbours(const Graph& graph, GroupTree tree, int top, const std::vector<NodeId>& nodes)
{
    constexpr std::size_t enough = 64; // readers looked at: a table feeds thousands
    const auto groupOf = [&](NodeId id) -> int& { return tree.groupOf[static_cast<std::size_t>(id.value)]; };
    const auto join = [&](int& sum, NodeId id) {
        if (isBoundaryType(graph.node(id).type) || groupOf(id) < 0) return;
        sum = sum < 0 ? groupOf(id) : commonGroup(tree.parentOf, sum, groupOf(id));
    };
    const auto adopt = [&](NodeId id) {
        if (groupOf(id) != top) return;
        const Node& node = graph.node(id);
        int readers = -1, sources = -1;
        for (const OutputSlot& slot : node.outputs)
            for (std::size_t i = 0; i < slot.consumers.size() && i < enough; ++i) join(readers, slot.consumers[i].node);
        for (const InputSlot& slot : node.inputs)
            if (slot.source.isValid()) join(sources, slot.source.node);
        if (readers < 0 && sources < 0) return;
        if (readers < 0 || sources < 0) {
            groupOf(id) = std::max(readers, sources);
            return;
        }
        const int common = commonGroup(tree.parentOf, readers, sources);
        // Between two blocks the node goes with the one that reads it: it was put there for its sake.
        groupOf(id) = common == readers || common == sources ? common : readers;
    };
    for (const NodeId id : nodes) adopt(id);
    for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) adopt(*id);
}

void FoldBuilder::addGraphs()
{
    add(FoldGroup::Kind::Root, -1, "", m_graph.name());
    at(0).group.graph = rootGraph;
    m_topOfGraph.emplace(rootGraph.value, 0);
    std::vector<std::vector<NodeId>> ownersIn(static_cast<std::size_t>(m_graph.subgraphCount()));
    for (const NodeId owner : m_owners)
        ownersIn[static_cast<std::size_t>(m_graph.node(owner).graph.value)].push_back(owner);
    std::vector<GraphId> queue{rootGraph};
    for (std::size_t i = 0; i < queue.size() && !m_stop.stop_requested(); ++i) {
        const GraphId graph = queue[i];
        addScopes(graph, m_topOfGraph.at(graph.value));
        for (const NodeId owner : ownersIn[static_cast<std::size_t>(graph.value)])
            for (const GraphId inner : m_graph.node(owner).subgraphs) {
                if (!m_graph.subgraph(inner).isAlive || m_topOfGraph.contains(inner.value)) continue;
                const std::string& name = m_graph.subgraph(inner).name;
                const int top = add(FoldGroup::Kind::Subgraph, groupOf(owner), "graph:" + name, name);
                at(top).group.owner = owner;
                at(top).group.graph = inner;
                m_topOfGraph.emplace(inner.value, top);
                queue.push_back(inner);
            }
    }
    for (const NodeId id : m_order) // graphs that no node owns (or a stop): shown in the root
        if (groupOf(id) < 0) groupOf(id) = 0;
}

int FoldBuilder::scopeFor(int top, std::string_view name)
{
    const std::vector<std::string_view> parts = nameComponents(name);
    int group = top;
    std::string key = at(top).group.key + "|";
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        key += "/";
        key += parts[i];
        const auto found = m_byKey.find(key);
        group = found != m_byKey.end() ? found->second : add(FoldGroup::Kind::Scope, group, key, std::string(parts[i]));
    }
    return group;
}

void FoldBuilder::addScopes(GraphId graph, int top)
{
    const std::span<const NodeId> nodes = nodesOf(graph);
    for (const NodeId id : nodes) groupOf(id) = top;
    if (!m_options.byScopes) return;
    std::vector<NodeId> unscoped;
    int scoped = 0;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        constexpr std::size_t record = 12, letters = 6;
        if (n + record < nodes.size()) willRead(&m_graph.node(nodes[n + record]).name);
        if (n + letters < nodes.size()) willRead(m_graph.node(nodes[n + letters]).name.data());
        const NodeId id = nodes[n];
        const Node& node = m_graph.node(id);
        if (isBoundaryType(node.type)) continue;
        groupOf(id) = scopeFor(top, scopeNameOf(node));
        if (groupOf(id) == top)
            unscoped.push_back(id);
        else
            ++scoped;
    }
    if (scoped > static_cast<int>(unscoped.size()))
        adoptByNeighbours(m_graph, {m_groupOf, [this](int g) { return at(g).group.parent; }}, top, unscoped);
}

void FoldBuilder::dissolveSmall()
{
    countNodes();
    const std::vector<int> edges = innerEdges();
    std::vector<std::uint8_t> goes(m_drafts.size(), 0);
    for (const int g : outsideIn()) {
        const Draft& draft = at(g);
        // A scope of strangers ("Conv.1", "Conv.2", … of one exporter) is no block: nothing in it belongs together.
        const bool isLoose = edges[static_cast<std::size_t>(g)] * 2 < draft.subtreeNodes;
        goes[static_cast<std::size_t>(g)] =
            draft.group.kind == FoldGroup::Kind::Scope && (draft.subtreeNodes < minGroupNodes || isLoose);
    }
    dissolve(goes);
}

/// "model", when it holds nearly everything, would only put a frame around the whole picture.
void FoldBuilder::dissolveAllEmbracing()
{
    constexpr int most = 3; // "module/model/decoder"
    for (int round = 0; round < most; ++round) {
        countNodes();
        std::vector<std::uint8_t> goes(m_drafts.size(), 0);
        bool isAny = false;
        for (const int g : outsideIn()) {
            const Draft& draft = at(g);
            const int parent = draft.group.parent;
            const bool isBelowGraph = parent >= 0 && at(parent).group.kind != FoldGroup::Kind::Scope;
            if (draft.group.kind != FoldGroup::Kind::Scope || !isBelowGraph || hasNumberedChildren(g)) continue;
            const int share = draft.subtreeNodes * 10 / std::max(1, at(parent).subtreeNodes);
            if (share < (draft.children.size() < 2 ? 9 : 6)) continue;
            goes[static_cast<std::size_t>(g)] = 1;
            isAny = true;
        }
        if (!isAny) return;
        dissolve(goes);
    }
}

/// Edges between operators inside each group, at any depth.
std::vector<int> FoldBuilder::innerEdges() const
{
    const std::function<int(int)> parentOf = [this](int g) { return at(g).group.parent; };
    std::vector<int> edges(m_drafts.size(), 0);
    for (const NodeId id : m_order)
        for (const InputSlot& slot : m_graph.node(id).inputs) {
            if (!slot.source.isValid() || isConstant(slot.source.node)) continue;
            const int a = groupOf(slot.source.node), b = groupOf(id);
            ++edges[static_cast<std::size_t>(a == b ? a : commonGroup(parentOf, a, b))];
        }
    const std::vector<int> order = outsideIn();
    for (auto g = order.rbegin(); g != order.rend(); ++g)
        if (at(*g).group.parent >= 0)
            edges[static_cast<std::size_t>(at(*g).group.parent)] += edges[static_cast<std::size_t>(*g)];
    return edges;
}

/// Scopes that go hand their content to the group around them.
void FoldBuilder::dissolve(const std::vector<std::uint8_t>& goes)
{
    const std::vector<int> order = outsideIn();
    std::vector<int> into(m_drafts.size());
    for (std::size_t g = 0; g < into.size(); ++g) into[g] = static_cast<int>(g);
    for (const int g : order) {
        Draft& draft = at(g);
        if (draft.group.parent < 0) continue;
        const int parent = into[static_cast<std::size_t>(draft.group.parent)];
        if (goes[static_cast<std::size_t>(g)]) {
            draft.isAlive = false;
            draft.mergedInto = parent;
            into[static_cast<std::size_t>(g)] = parent;
        }
        draft.group.parent = parent;
    }
    for (Draft& draft : m_drafts) draft.children.clear();
    for (const int g : order)
        if (at(g).isAlive && at(g).group.parent >= 0) at(at(g).group.parent).children.push_back(g);
    for (const NodeId id : m_order) groupOf(id) = into[static_cast<std::size_t>(groupOf(id))];
}

/// "model" with nothing in it but "layers" becomes "model/layers": one click less.
void FoldBuilder::joinSingleChains()
{
    std::vector<int> direct(m_drafts.size(), 0);
    for (const NodeId id : m_order)
        if (!isConstant(id)) ++direct[static_cast<std::size_t>(groupOf(id))];
    const std::vector<int> order = outsideIn();
    std::vector<int> into(m_drafts.size());
    for (std::size_t g = 0; g < into.size(); ++g) into[g] = static_cast<int>(g);
    for (auto g = order.rbegin(); g != order.rend(); ++g) { // from the inside out
        Draft& draft = at(*g);
        if (draft.group.kind != FoldGroup::Kind::Scope || draft.children.size() != 1 ||
            direct[static_cast<std::size_t>(*g)] != 0)
            continue;
        const int only = draft.children.front();
        if (at(only).group.kind != FoldGroup::Kind::Scope) continue;
        draft.group.title += "/" + at(only).group.title;
        draft.children = at(only).children;
        for (const int child : draft.children) at(child).group.parent = *g;
        direct[static_cast<std::size_t>(*g)] = direct[static_cast<std::size_t>(only)];
        at(only).isAlive = false;
        at(only).mergedInto = *g;
        into[static_cast<std::size_t>(only)] = *g;
    }
    for (const NodeId id : m_order) {
        int g = groupOf(id);
        while (into[static_cast<std::size_t>(g)] != g) g = into[static_cast<std::size_t>(g)];
        groupOf(id) = g;
    }
}

} // namespace gelens
