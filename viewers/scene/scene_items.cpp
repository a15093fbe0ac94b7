// Which boxes and lines a scene has under its folding.

#include "viewers/scene/cards.h"
#include "viewers/scene/scene_builder_internal.h"

#include <algorithm>
#include <array>

namespace gelens {

std::int64_t groupKeyHash(std::string_view key)
{
    std::uint64_t hash = 14695981039346656037u; // FNV-1a
    for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return static_cast<std::int64_t>(hash);
}

SceneBuilder::SceneBuilder(std::shared_ptr<Scene> scene, LayoutEngine& engine, SceneChange change,
                           const Scene* previous, const OriginMap& origins, std::stop_token stop)
    : m_scene(std::move(scene)), m_graph(*m_scene->graph), m_fold(*m_scene->fold), m_engine(engine), m_change(change),
      m_previous(change == SceneChange::Fresh ? nullptr : previous), m_origins(origins), m_stop(std::move(stop))
{
}

bool SceneBuilder::run()
{
    findVisible();
    makeItems();
    if (m_stop.stop_requested()) return false;
    makeEdges();
    if (m_stop.stop_requested()) return false;
    markChanges();
    if (!layOut()) return false;
    draw();
    return !m_stop.stop_requested();
}

void SceneBuilder::findVisible()
{
    const SceneOptions& options = m_scene->options;
    m_root = options.rootKey.empty() ? 0 : std::max(0, m_fold.findKey(options.rootKey));
    m_isInside.assign(m_fold.groups().size(), 0);
    for (std::size_t g = 0; g < m_isInside.size(); ++g) {
        const int parent = m_fold.groups()[g].parent;
        m_isInside[g] = static_cast<int>(g) == m_root || (parent >= 0 && isInside(parent));
    }
    m_isShown.assign(static_cast<std::size_t>(m_graph.nodeIdBound()), 0);
    if (!options.showConstants) m_isConstant.assign(m_isShown.size(), 0);
    m_shownBelow.assign(m_fold.groups().size(), 0);
    for (std::size_t g = 0; g < m_fold.groups().size(); ++g) {
        const std::vector<NodeId>& nodes = m_fold.groups()[g].nodes;
        for (std::size_t n = 0; n < nodes.size(); ++n) {
            const auto index = static_cast<std::size_t>(nodes[n].value);
            if (!options.showConstants) {
                constexpr std::size_t ahead = 12;
                if (n + ahead < nodes.size()) willRead(&m_graph.node(nodes[n + ahead]).type);
                m_isConstant[index] = isConstantType(m_graph.node(nodes[n]).type);
                if (m_isConstant[index]) continue;
            }
            if (!m_isInside[g]) continue;
            if (!options.onlyNodes.empty() && (index >= options.onlyNodes.size() || !options.onlyNodes[index]))
                continue;
            m_isShown[index] = 1;
            ++m_shownBelow[g];
        }
    }
    for (std::size_t g = m_fold.groups().size(); g-- > 1;) // parents have smaller numbers
        m_shownBelow[static_cast<std::size_t>(m_fold.groups()[g].parent)] += m_shownBelow[g];
    m_foldedInto.assign(m_fold.groups().size(), -1);
    for (std::size_t g = 1; g < m_fold.groups().size(); ++g) {
        if (!m_isInside[g] || static_cast<int>(g) == m_root) continue;
        const FoldGroup& group = m_fold.groups()[g];
        const int outer = m_foldedInto[static_cast<std::size_t>(group.parent)];
        m_foldedInto[g] = outer >= 0 ? outer : options.open.contains(group.key) ? -1 : static_cast<int>(g);
    }
}

/// Asks for the records of nodes that come a few places later. They lie anywhere: read one after the other, most of the
/// time goes into waiting for them.
void SceneBuilder::lookAhead(const std::vector<NodeId>& nodes, std::size_t at) const
{
    constexpr std::size_t record = 16, parts = 8; // places ahead; a record's parts are found through the record
    constexpr std::size_t fewInputs = 4;
    if (at + record < nodes.size()) {
        const Node& node = m_graph.node(nodes[at + record]);
        willRead(&node.name);
        willRead(&node.type);
        willRead(&node.inputs);
        willRead(&node.controlInputs);
        willRead(&node.placement.engine);
    }
    if (at + parts < nodes.size()) {
        const Node& node = m_graph.node(nodes[at + parts]);
        willRead(node.name.data());
        for (std::size_t i = 0; i < std::min(fewInputs, node.inputs.size()); ++i) willRead(&node.inputs[i].source);
    }
}

void SceneBuilder::makeItems()
{
    m_levelOf.assign(m_fold.groups().size(), -1);
    m_itemOfGroup.assign(m_fold.groups().size(), {});
    m_itemOfNode.assign(m_isShown.size(), -1);
    for (std::size_t g = 0; g < m_fold.groups().size(); ++g) {
        const FoldGroup& group = m_fold.groups()[g];
        const bool isRoot = static_cast<int>(g) == m_root;
        if (!m_isInside[g] || m_foldedInto[g] >= 0 || (!isRoot && m_shownBelow[g] == 0)) continue;
        m_levelOf[g] = static_cast<int>(m_scene->levels.size());
        SceneLevel level;
        level.group = static_cast<int>(g);
        level.key = group.key;
        if (!isRoot) {
            const Place place = m_itemOfGroup[g];
            level.parentLevel = place.level;
            level.parentItem = place.item;
            m_scene->levels[static_cast<std::size_t>(place.level)].items[static_cast<std::size_t>(place.item)].level =
                m_levelOf[g];
        }
        std::string scope; // "|/model/layers.0" → "/model/layers.0"
        if (const auto bar = group.key.rfind('|'); bar != std::string::npos) scope = group.key.substr(bar + 1);
        if (const auto star = scope.find("/*"); star != std::string::npos) scope.resize(star);
        if (!scope.empty()) scope += '/';
        level.items.reserve(group.groups.size() + group.nodes.size());
        for (const int child : group.groups) {
            if (m_shownBelow[static_cast<std::size_t>(child)] == 0) continue;
            SceneItem item;
            item.key = {ItemKey::Kind::Group, groupKeyHash(m_fold.group(child).key), 0};
            item.group = child;
            item.box = groupCard(m_fold, child, m_graph, m_scene->options.words);
            m_itemOfGroup[static_cast<std::size_t>(child)] = {m_levelOf[g],
                                                              static_cast<std::int32_t>(level.items.size())};
            level.items.push_back(std::move(item));
        }
        for (std::size_t n = 0; n < group.nodes.size(); ++n) {
            const NodeId id = group.nodes[n];
            if (isStopped()) return;
            lookAhead(group.nodes, n);
            if (!isShown(id)) continue;
            m_itemOfNode[static_cast<std::size_t>(id.value)] = static_cast<std::int32_t>(level.items.size());
            SceneItem& item = level.items.emplace_back();
            item.key = {ItemKey::Kind::Node, id.value, 0};
            item.node = id;
            const Node& node = m_graph.node(id);
            const bool isSlashed = !node.name.empty() && node.name.front() == '/';
            item.box = nodeCard(m_graph, node, isSlashed || scope.empty() ? scope : std::string_view(scope).substr(1));
        }
        m_scene->levels.push_back(std::move(level));
    }
    m_edgeIndex.resize(m_scene->levels.size());
    for (std::size_t l = 0; l < m_edgeIndex.size(); ++l) {
        m_scene->levels[l].edges.reserve(m_scene->levels[l].items.size() * 3 / 2);
    }
}

/// Outside of the block that is drawn as the graph, but drawn if it were inside.
bool SceneBuilder::isBeyond(NodeId id) const
{
    const int group = m_fold.groupOf(id);
    if (m_root == 0 || group < 0 || isInside(group)) return false;
    const auto index = static_cast<std::size_t>(id.value);
    const auto& only = m_scene->options.onlyNodes;
    if (!only.empty() && (index >= only.size() || !only[index])) return false;
    return m_scene->options.showConstants || !isConstantType(m_graph.node(id).type);
}

/// Values that come from outside of the drawn block, or go there: ports of the outermost level.
void SceneBuilder::connectBeyond(const Node& node, Place place)
{
    for (const InputSlot& slot : node.inputs)
        if (slot.source.isValid() && isBeyond(slot.source.node))
            connect(port(0, slot.source, true), place, slot.source, false, false);
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        const auto& readers = node.outputs[i].consumers;
        const OutputRef value{node.id, static_cast<std::int32_t>(i)};
        if (std::any_of(readers.begin(), readers.end(), [&](const InputRef& to) { return isBeyond(to.node); }))
            connect(place, port(0, value, false), value, false, false);
    }
}

SceneBuilder::Place SceneBuilder::placeOf(NodeId id) const
{
    if (!isShown(id)) return {};
    const auto group = static_cast<std::size_t>(m_fold.groupOf(id));
    if (m_foldedInto[group] >= 0) return m_itemOfGroup[static_cast<std::size_t>(m_foldedInto[group])];
    return {m_levelOf[group], m_itemOfNode[static_cast<std::size_t>(id.value)]};
}

void SceneBuilder::makeEdges()
{
    // Readers in the order of their blocks, which is the graph's order inside each.
    for (const FoldGroup& group : m_fold.groups())
        for (std::size_t n = 0; n < group.nodes.size(); ++n) {
            const NodeId id = group.nodes[n];
            if (isStopped()) return;
            lookAhead(group.nodes, n);
            const Place to = placeOf(id);
            if (!to.isValid()) continue;
            const Node& node = m_graph.node(id);
            for (const InputSlot& slot : node.inputs)
                if (slot.source.isValid()) connect(placeOf(slot.source.node), to, slot.source, false, false);
            for (const NodeId source : node.controlInputs) connect(placeOf(source), to, {source, -1}, true, false);
            if (m_root != 0) connectBeyond(node, to);
        }
    for (std::size_t g = 0; g < m_fold.groups().size(); ++g) {
        const FoldGroup& group = m_fold.groups()[g];
        if (group.kind != FoldGroup::Kind::Subgraph || !group.owner.isValid() || !m_isInside[g]) continue;
        const Place from = placeOf(group.owner), to = m_itemOfGroup[g];
        if (from.isValid() && to.isValid() && from.level == to.level) connect(from, to, {group.owner, -2}, true, true);
    }
}

/// Draws an edge between two boxes of any depth: through a port of each block on its way.
void SceneBuilder::connect(Place from, Place to, OutputRef value, bool isControl, bool isOwnership)
{
    if (!from.isValid() || !to.isValid() || from == to) return;
    const auto& levels = m_scene->levels;
    const auto depth = [&](std::int32_t level) {
        int d = 0;
        for (; level >= 0; level = levels[static_cast<std::size_t>(level)].parentLevel) ++d;
        return d;
    };
    int fromDepth = depth(from.level), toDepth = depth(to.level);
    std::array<Place, 64> inner; // ports at which the edge crosses a border; deeper nesting goes without
    std::size_t crossings = 0;
    while (from.level != to.level) {
        Place& end = fromDepth >= toDepth ? from : to;
        const bool isInput = &end == &to;
        (isInput ? toDepth : fromDepth)--;
        const std::int32_t level = end.level;
        const Place door = port(level, value, isInput);
        const std::int32_t edge = isInput ? edgeIn(level, door.item, end.item, value, isControl, isOwnership)
                                          : edgeIn(level, end.item, door.item, value, isControl, isOwnership);
        // Lines of this level that end at the block just left lead on to its port.
        for (std::size_t i = 0; i < crossings; ++i)
            if (inner[i].isValid() && levels[static_cast<std::size_t>(inner[i].level)].parentLevel == level) {
                auto& outer = m_scene->levels[static_cast<std::size_t>(inner[i].level)]
                                  .items[static_cast<std::size_t>(inner[i].item)]
                                  .outerEdges;
                if (std::find(outer.begin(), outer.end(), edge) == outer.end()) outer.push_back(edge);
                inner[i] = {};
            }
        if (crossings < inner.size()) inner[crossings++] = door;
        const SceneLevel& left = levels[static_cast<std::size_t>(level)];
        end = {left.parentLevel, left.parentItem};
    }
    if (from.item == to.item) return;
    const std::int32_t edge = edgeIn(from.level, from.item, to.item, value, isControl, isOwnership);
    for (std::size_t i = 0; i < crossings; ++i) {
        if (!inner[i].isValid()) continue;
        auto& outer = m_scene->levels[static_cast<std::size_t>(inner[i].level)]
                          .items[static_cast<std::size_t>(inner[i].item)]
                          .outerEdges;
        if (outer.empty() || outer.back() != edge) outer.push_back(edge);
    }
}

std::int32_t SceneBuilder::edgeIn(std::int32_t level, std::int32_t from, std::int32_t to, OutputRef value,
                                  bool isControl, bool isOwnership)
{
    auto& edges = m_scene->levels[static_cast<std::size_t>(level)].edges;
    // All edges into a node's own box are made one after the other: the few before this one are all that can be equal.
    constexpr std::size_t few = 12;
    const SceneItem& target = m_scene->levels[static_cast<std::size_t>(level)].items[static_cast<std::size_t>(to)];
    if (target.node.isValid() &&
        m_graph.node(target.node).inputs.size() + m_graph.node(target.node).controlInputs.size() <= few) {
        for (std::size_t e = edges.size(); e-- > 0 && edges.size() - e <= 2 * few;) {
            if (edges[e].to != to || edges[e].from != from) continue;
            join(edges[e], value, isControl);
            return static_cast<std::int32_t>(e);
        }
        edges.push_back({});
        begin(edges.back(), from, to, value, isOwnership);
        join(edges.back(), value, isControl);
        return static_cast<std::int32_t>(edges.size()) - 1;
    }
    const std::uint64_t key =
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32 | static_cast<std::uint32_t>(to);
    const auto [found, isNew] =
        m_edgeIndex[static_cast<std::size_t>(level)].try_emplace(key, static_cast<std::int32_t>(edges.size()));
    if (isNew) {
        edges.push_back({});
        begin(edges.back(), from, to, value, isOwnership);
    }
    join(edges[static_cast<std::size_t>(found->second)], value, isControl);
    return found->second;
}

void SceneBuilder::begin(SceneEdge& edge, std::int32_t from, std::int32_t to, OutputRef value, bool isOwnership)
{
    edge.from = from;
    edge.to = to;
    edge.source = value;
    edge.values = 1;
    edge.isOwnership = isOwnership;
}

/// One more edge of the graph goes along this line.
void SceneBuilder::join(SceneEdge& edge, OutputRef value, bool isControl)
{
    ++edge.count;
    edge.isControl = edge.isControl && isControl;
    if (edge.source == value) return;
    if (edge.source.index < 0 && value.index >= 0) edge.source = value;
    ++edge.values;
}

SceneBuilder::Place SceneBuilder::port(std::int32_t level, OutputRef value, bool isInput)
{
    const ItemKey::Kind kind = isInput ? ItemKey::Kind::InPort : ItemKey::Kind::OutPort;
    auto& items = m_scene->levels[static_cast<std::size_t>(level)].items;
    const ItemKey lookUp{kind, (static_cast<std::int64_t>(level) << 32) | static_cast<std::uint32_t>(value.node.value),
                         value.index};
    const auto [found, isNew] = m_ports.try_emplace(lookUp, static_cast<std::int32_t>(items.size()));
    if (isNew) {
        SceneItem item;
        item.key = {kind, value.node.value, value.index};
        item.port = value;
        item.box = portCard(m_graph, value, isInput);
        items.push_back(std::move(item));
    }
    return {level, found->second};
}

/// Marks on nodes, and sums of marks on folded blocks.
void SceneBuilder::markChanges()
{
    const auto& marks = m_scene->options.marks;
    if (marks.empty()) return;
    std::vector<std::array<int, 3>> sums(m_fold.groups().size(), {0, 0, 0});
    for (std::size_t g = 0; g < m_fold.groups().size(); ++g)
        for (const NodeId id : m_fold.groups()[g].nodes) {
            const auto index = static_cast<std::size_t>(id.value);
            const int mark = index < marks.size() && m_isShown[index] ? marks[index] : 0;
            if (mark == 0) continue;
            if (m_foldedInto[g] >= 0)
                ++sums[static_cast<std::size_t>(m_foldedInto[g])][static_cast<std::size_t>(mark - 1)];
            else
                m_scene->levels[static_cast<std::size_t>(m_levelOf[g])]
                    .items[static_cast<std::size_t>(m_itemOfNode[index])]
                    .box.change = static_cast<ChangeKind>(mark - 1);
        }
    constexpr std::array<const char*, 3> signs{"+", "−", "~"};
    for (SceneLevel& level : m_scene->levels)
        for (SceneItem& item : level.items) {
            if (item.group < 0) continue;
            const auto& sum = sums[static_cast<std::size_t>(item.group)];
            for (std::size_t k = 0; k < 3; ++k)
                if (sum[k] > 0) {
                    item.box.badge +=
                        (item.box.badge.empty() ? "" : " ") + std::string(signs[k]) + std::to_string(sum[k]);
                    item.box.change = item.box.change ? ChangeKind::Changed : static_cast<ChangeKind>(k);
                }
        }
}

} // namespace gelens
