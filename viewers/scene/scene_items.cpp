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
    for (std::size_t l = 0; l < m_parts.size(); ++l)
        if (m_parts[l].taken == nullptr) makeItems(static_cast<int>(l));
    // What is taken over may have blocks that look different now.
    for (std::size_t l = 0; m_takesOver && l < m_parts.size(); ++l)
        if (m_parts[l].taken != nullptr && m_parts[l].isDirty) lookAtBlocks(static_cast<int>(l));
}

void SceneBuilder::makeItems(int index)
{
    SceneLevel& level = levelAt(index);
    const FoldGroup& group = m_fold.group(level.group);
    std::string scope; // "|/model/layers.0" → "/model/layers.0"
    if (const auto bar = group.key.rfind('|'); bar != std::string::npos) scope = group.key.substr(bar + 1);
    if (const auto star = scope.find("/*"); star != std::string::npos) scope.resize(star);
    if (!scope.empty()) scope += '/';
    auto& items = part(index).content->items;
    auto& cards = part(index).cards;
    items.reserve(group.groups.size() + group.nodes.size());
    cards.reserve(items.capacity());
    for (const int child : group.groups) {
        if (m_visibility->shownBelow[static_cast<std::size_t>(child)] == 0) continue;
        SceneItem& item = items.emplace_back();
        item.key = {ItemKey::Kind::Group, groupKeyHash(m_fold.group(child).key), 0};
        item.group = child;
        cards.push_back(levelOf(child) >= 0 ? frameCard(m_fold, child)
                                            : groupCard(m_fold, child, m_graph, m_scene->options.words));
    }
    for (std::size_t n = 0; n < group.nodes.size(); ++n) {
        const NodeId id = group.nodes[n];
        if (isStopped()) return;
        lookAhead(group.nodes, n);
        if (!isShown(id)) continue;
        SceneItem& item = items.emplace_back();
        item.key = {ItemKey::Kind::Node, id.value, 0};
        item.node = id;
        const Node& node = m_graph.node(id);
        const bool isSlashed = !node.name.empty() && node.name.front() == '/';
        cards.push_back(
            nodeCard(m_graph, node, isSlashed || scope.empty() ? scope : std::string_view(scope).substr(1)));
    }
    part(index).content->edges.reserve(items.size() * 3 / 2);
}

/// Blocks inside that were opened or folded, and open ones whose content takes another room.
void SceneBuilder::lookAtBlocks(int level)
{
    const auto& items = levelAt(level).items();
    for (std::size_t k = 0; k < items.size(); ++k) {
        if (items[k].group < 0) continue;
        const int inner = levelOf(items[k].group);
        if (inner >= 0 ? part(inner).isDirty : m_previous->levelOf[static_cast<std::size_t>(items[k].group)] >= 0)
            part(level).otherCards.emplace_back(
                static_cast<std::int32_t>(k), inner >= 0
                                                  ? frameCard(m_fold, items[k].group)
                                                  : groupCard(m_fold, items[k].group, m_graph, m_scene->options.words));
    }
}

/// Outside of the block that is drawn as the graph, but drawn if it were inside.
bool SceneBuilder::isBeyond(NodeId id) const
{
    const int group = m_fold.groupOf(id);
    if (m_visibility->root == 0 || group < 0 || m_visibility->isInside[static_cast<std::size_t>(group)] != 0)
        return false;
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
    const int group = m_fold.groupOf(id);
    if (const int outer = foldedInto(group); outer >= 0) return placeOfGroup(outer);
    return {levelOf(group), m_visibility->itemOfNode[static_cast<std::size_t>(id.value)]};
}

SceneBuilder::Place SceneBuilder::placeOfGroup(int group) const
{
    const int parent = m_fold.group(group).parent;
    if (parent < 0 || levelOf(parent) < 0) return {};
    return {levelOf(parent), m_visibility->itemOfGroup[static_cast<std::size_t>(group)]};
}

/// Whether the nodes of a block are shown, by boxes of their own or by a card, in a level that is made here.
bool SceneBuilder::isMadeGroup(int group) const
{
    if (!m_takesOver) return true;
    const int outer = foldedInto(group);
    const int level = levelOf(outer < 0 ? group : m_fold.group(outer).parent);
    return level >= 0 && isMade(level);
}

/// Lines of a reader; where it is taken over, only those that come from what is made here.
void SceneBuilder::connectInputs(NodeId id)
{
    const Place to = placeOf(id);
    if (!to.isValid()) return;
    const bool isAll = isMadeGroup(m_fold.groupOf(id));
    const auto isWanted = [&](NodeId source) {
        return isAll || (m_fold.groupOf(source) >= 0 && isMadeGroup(m_fold.groupOf(source)));
    };
    const Node& node = m_graph.node(id);
    for (const InputSlot& slot : node.inputs)
        if (slot.source.isValid() && isWanted(slot.source.node))
            connect(placeOf(slot.source.node), to, slot.source, false, false);
    for (const NodeId source : node.controlInputs)
        if (isWanted(source)) connect(placeOf(source), to, {source, -1}, true, false);
    if (isAll && m_visibility->root != 0) connectBeyond(node, to);
}

/// By node: reads a value that is made or read in a level that is made here.
std::vector<std::uint8_t> SceneBuilder::readersToConnect() const
{
    std::vector<std::uint8_t> isReader(m_visibility->isShown.size(), 0);
    const auto mark = [&](NodeId id) { isReader[static_cast<std::size_t>(id.value)] = 1; };
    for (std::size_t g = 0; g < m_fold.groups().size(); ++g) {
        if (!isMadeGroup(static_cast<int>(g))) continue;
        for (const NodeId id : m_fold.groups()[g].nodes) {
            if (!isShown(id)) continue;
            mark(id);
            const Node& node = m_graph.node(id);
            for (const OutputSlot& slot : node.outputs)
                for (const InputRef& to : slot.consumers) mark(to.node);
            for (const NodeId to : node.controlOutputs) mark(to);
        }
    }
    return isReader;
}

/// In the levels around what is made here, lines and ports are looked up: they are all there.
void SceneBuilder::indexOuterLevels()
{
    for (std::size_t l = 0; l < m_parts.size(); ++l) {
        const bool isRootOfTab = l == 0 && m_visibility->root != 0;
        if (m_parts[l].taken == nullptr || !(m_parts[l].isOuter || isRootOfTab)) continue;
        const SceneLevel& level = m_scene->levels[l];
        std::vector<std::uint8_t> isOpened(level.items().size(), 0);
        for (std::size_t k = 0; k < level.items().size(); ++k) {
            const SceneItem& item = level.items()[k];
            if (item.group >= 0 && levelOf(item.group) >= 0) isOpened[k] = isMade(levelOf(item.group));
            if (item.port.isValid() && !item.isGhost)
                m_ports.emplace(
                    portKey(static_cast<std::int32_t>(l), item.port, item.key.kind == ItemKey::Kind::InPort),
                    static_cast<std::int32_t>(k));
        }
        for (std::size_t e = 0; e < level.edges().size(); ++e) {
            const SceneEdge& edge = level.edges()[e];
            if (isOpened[static_cast<std::size_t>(edge.from)] || isOpened[static_cast<std::size_t>(edge.to)])
                m_parts[l].edgeIndex.emplace(edgeKey(edge.from, edge.to), static_cast<std::int32_t>(e));
        }
    }
}

void SceneBuilder::makeEdges()
{
    std::vector<std::uint8_t> isReader;
    if (m_takesOver) {
        if (std::none_of(m_parts.begin(), m_parts.end(), [](const Part& p) { return p.taken == nullptr; })) return;
        isReader = readersToConnect();
        indexOuterLevels();
    }
    // Readers in the order of their blocks, which is the graph's order inside each.
    for (const FoldGroup& group : m_fold.groups())
        for (std::size_t n = 0; n < group.nodes.size(); ++n) {
            const NodeId id = group.nodes[n];
            if (isStopped()) return;
            if (m_takesOver) {
                if (isReader[static_cast<std::size_t>(id.value)] != 0) connectInputs(id);
                continue;
            }
            lookAhead(group.nodes, n);
            connectInputs(id);
        }
    for (std::size_t g = 0; g < m_fold.groups().size(); ++g) {
        const FoldGroup& group = m_fold.groups()[g];
        if (group.kind != FoldGroup::Kind::Subgraph || !group.owner.isValid() || !m_visibility->isInside[g]) continue;
        const Place from = placeOf(group.owner), to = placeOfGroup(static_cast<int>(g));
        if (from.isValid() && to.isValid() && from.level == to.level && isMade(to.level))
            connect(from, to, {group.owner, -2}, true, true);
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
    // Ports of blocks in this level lead on to its line; those of one reader come one after the other.
    const auto leadOn = [&](std::int32_t edge, std::int32_t level) {
        if (edge < 0) return;
        for (std::size_t i = 0; i < crossings; ++i) {
            if (!inner[i].isValid() || levels[static_cast<std::size_t>(inner[i].level)].parentLevel != level) continue;
            auto& outer = part(inner[i].level).content->items[static_cast<std::size_t>(inner[i].item)].outerEdges;
            if (outer.empty() || outer.back() != edge) outer.push_back(edge);
            inner[i] = {};
        }
    };
    while (from.level != to.level) {
        Place& end = fromDepth >= toDepth ? from : to;
        const bool isInput = &end == &to;
        (isInput ? toDepth : fromDepth)--;
        const std::int32_t level = end.level;
        if (isMade(level) || part(level).isOuter) {
            const Place door = port(level, value, isInput);
            if (door.isValid())
                leadOn(isInput ? edgeIn(level, door.item, end.item, value, isControl, isOwnership)
                               : edgeIn(level, end.item, door.item, value, isControl, isOwnership),
                       level);
            if (isMade(level) && crossings < inner.size()) inner[crossings++] = door;
        }
        const SceneLevel& left = levels[static_cast<std::size_t>(level)];
        end = {left.parentLevel, left.parentItem};
    }
    if (from.item == to.item || !(isMade(from.level) || part(from.level).isOuter)) return;
    leadOn(edgeIn(from.level, from.item, to.item, value, isControl, isOwnership), from.level);
}

/// The line between two boxes of a level, made if there is none. A level that is taken over has all its lines: -1 for one
/// that nobody asks for.
std::int32_t SceneBuilder::edgeIn(std::int32_t level, std::int32_t from, std::int32_t to, OutputRef value,
                                  bool isControl, bool isOwnership)
{
    Part& made = part(level);
    if (made.taken != nullptr) {
        const auto found = made.edgeIndex.find(edgeKey(from, to));
        return found == made.edgeIndex.end() ? -1 : found->second;
    }
    auto& edges = made.content->edges;
    const auto add = [&] {
        edges.push_back({});
        begin(edges.back(), from, to, value, isOwnership);
    };
    // All edges into a node's own box are made one after the other: the few before this one are all that can be equal.
    constexpr std::size_t few = 12;
    const SceneItem& target = made.content->items[static_cast<std::size_t>(to)];
    if (target.node.isValid() &&
        m_graph.node(target.node).inputs.size() + m_graph.node(target.node).controlInputs.size() <= few) {
        for (std::size_t e = edges.size(); e-- > 0 && edges.size() - e <= 2 * few;) {
            if (edges[e].to != to || edges[e].from != from) continue;
            join(edges[e], value, isControl);
            return static_cast<std::int32_t>(e);
        }
        add();
        join(edges.back(), value, isControl);
        return static_cast<std::int32_t>(edges.size()) - 1;
    }
    const auto [found, isNew] = made.edgeIndex.try_emplace(edgeKey(from, to), static_cast<std::int32_t>(edges.size()));
    if (isNew) add();
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

ItemKey SceneBuilder::portKey(std::int32_t level, OutputRef value, bool isInput)
{
    return {isInput ? ItemKey::Kind::InPort : ItemKey::Kind::OutPort,
            (static_cast<std::int64_t>(level) << 32) | static_cast<std::uint32_t>(value.node.value), value.index};
}

SceneBuilder::Place SceneBuilder::port(std::int32_t level, OutputRef value, bool isInput)
{
    const ItemKey lookUp = portKey(level, value, isInput);
    if (!isMade(level)) {
        const auto found = m_ports.find(lookUp);
        return found == m_ports.end() ? Place{} : Place{level, found->second};
    }
    auto& items = part(level).content->items;
    const auto [found, isNew] = m_ports.try_emplace(lookUp, static_cast<std::int32_t>(items.size()));
    if (isNew) {
        SceneItem& item = items.emplace_back();
        item.key = {lookUp.kind, value.node.value, value.index};
        item.port = value;
        part(level).cards.push_back(portCard(m_graph, value, isInput));
    }
    return {level, found->second};
}

/// Marks on nodes, and sums of marks on folded blocks.
void SceneBuilder::markChanges()
{
    const auto& marks = m_scene->options.marks;
    if (marks.empty()) return;
    std::vector<std::array<int, 3>> sums(m_fold.groups().size(), {0, 0, 0});
    for (std::size_t g = 0; g < m_fold.groups().size(); ++g) {
        const int outer = foldedInto(static_cast<int>(g));
        const int level = outer < 0 ? levelOf(static_cast<int>(g)) : -1;
        if (outer < 0 && (level < 0 || !isMade(level))) continue;
        for (const NodeId id : m_fold.groups()[g].nodes) {
            const auto index = static_cast<std::size_t>(id.value);
            const int mark = index < marks.size() && m_visibility->isShown[index] ? marks[index] : 0;
            if (mark == 0) continue;
            if (outer >= 0)
                ++sums[static_cast<std::size_t>(outer)][static_cast<std::size_t>(mark - 1)];
            else
                part(level).cards[static_cast<std::size_t>(m_visibility->itemOfNode[index])].change =
                    static_cast<ChangeKind>(mark - 1);
        }
    }
    constexpr std::array<const char*, 3> signs{"+", "−", "~"};
    const auto count = [&](const SceneItem& item, DrawnBox& box) {
        if (item.group < 0) return;
        const auto& sum = sums[static_cast<std::size_t>(item.group)];
        for (std::size_t k = 0; k < 3; ++k)
            if (sum[k] > 0) {
                box.badge += (box.badge.empty() ? "" : " ") + std::string(signs[k]) + std::to_string(sum[k]);
                box.change = box.change ? ChangeKind::Changed : static_cast<ChangeKind>(k);
            }
    };
    for (std::size_t l = 0; l < m_parts.size(); ++l) {
        const auto& items = m_scene->levels[l].items();
        for (std::size_t k = 0; k < m_parts[l].cards.size(); ++k) count(items[k], m_parts[l].cards[k]);
        for (auto& [item, box] : m_parts[l].otherCards) count(items[static_cast<std::size_t>(item)], box);
    }
}

} // namespace gelens
