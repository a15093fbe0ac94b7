// Places: each open block on its own from the inside out, then all put together.

#include "engine/report/drawing_style.h"
#include "engine/session/node_facts.h"
#include "viewers/layout/anchored_layout.h"
#include "viewers/layout/layout_quality.h"
#include "viewers/layout/resize_box.h"
#include "viewers/scene/cards.h"
#include "viewers/scene/scene_builder_internal.h"

#include <algorithm>

namespace gelens {
namespace {

LayoutRect frameOf(const LayoutRect& content)
{
    return {content.left - card::framePadding, content.top - card::framePadding - card::frameHeader,
            content.right + card::framePadding, content.bottom + card::framePadding};
}

} // namespace

LayoutOptions SceneBuilder::layoutOptions() const
{
    LayoutOptions options;
    options.engine = LayoutEngineKind::Layered; // the same bytes on every machine
    options.hubMinFanOut = 8;
    options.hubMinSpan = 12; // blocks are folded: a table that feeds twelve rows of boxes is far already
    options.stop = m_stop;
    return options;
}

/// For each level the same block in the scene that its places come from.
void SceneBuilder::pairWithPrevious()
{
    m_before.assign(m_parts.size(), nullptr);
    const Scene* from = m_anchor != nullptr ? m_anchor : m_previous;
    if (from == nullptr) return;
    if (m_anchor == nullptr && m_takesOver) {
        for (std::size_t i = 0; i < m_parts.size(); ++i) m_before[i] = m_parts[i].taken;
        return;
    }
    std::unordered_map<std::string_view, const SceneLevel*> byKey;
    for (const SceneLevel& level : from->levels) byKey.emplace(from->fold->group(level.group).key, &level);
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        if (const auto found = byKey.find(m_fold.group(m_scene->levels[i].group).key); found != byKey.end())
            m_before[i] = found->second;
}

bool SceneBuilder::layOut()
{
    pairWithPrevious();
    for (std::size_t i = m_parts.size(); m_scene->options.keepGhosts && m_anchor != nullptr && i-- > 0;)
        if (m_before[i] != nullptr && m_parts[i].isDirty && m_parts[i].taken == nullptr)
            addGhosts(static_cast<int>(i), *m_before[i]);
    if (!placeLevels()) return false;
    // What two graphs that differ a lot have together may not have room where the one stood: frames that grew lie over
    // each other. Drawn anew it moves, but can be read.
    if (m_scene->options.keepGhosts && m_anchor != nullptr && isCrowded()) {
        m_keepsPlaces = false;
        if (!placeLevels()) return false;
    }
    placeOrigins();
    return true;
}

bool SceneBuilder::placeLevels()
{
    for (std::size_t i = m_parts.size(); i-- > 0;) {
        SceneLevel& level = m_scene->levels[i];
        Part& made = m_parts[i];
        const SceneLevel* before = m_before[i];
        if (m_anchor != nullptr && before != nullptr) {
            level.originX = before->originX;
            level.originY = before->originY;
        }
        if (!made.isDirty) {
            level.places = made.taken->places;
            continue;
        }
        const auto index = static_cast<int>(i);
        made.places = std::make_shared<LevelPlaces>();
        level.places = made.places;
        sizeItems(index);
        made.places->layout = placed(index, before);
        if (level.layout().cancelled || m_stop.stop_requested()) return false;
        chooseLabels(index);
    }
    return true;
}

/// Whether two boxes of a block lie over each other.
bool SceneBuilder::isCrowded() const
{
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        if (!m_parts[i].isDirty) continue;
        const Taken taken = takenIn(static_cast<int>(i));
        for (std::size_t k = 0; k < m_scene->levels[i].items().size(); ++k) {
            const auto own = static_cast<std::int32_t>(k);
            SceneRect inner = taken.boxes.rect(own); // boxes may touch
            inner = {inner.left + 1, inner.top + 1, inner.right - 1, inner.bottom - 1};
            if (taken.boxes.meetsAny(inner, [own](std::int32_t other) { return other != own; })) return true;
        }
    }
    return false;
}

LayoutResult SceneBuilder::placed(int level, const SceneLevel* before)
{
    const SceneLevel* taken = part(level).taken;
    if (!m_keepsPlaces) return taken == nullptr ? fresh(levelAt(level).graph()) : makeRoom(level, *taken);
    if (m_anchor == nullptr) return before == nullptr ? fresh(levelAt(level).graph()) : makeRoom(level, *before);
    if (before == nullptr) return taken == nullptr ? fresh(levelAt(level).graph()) : makeRoom(level, *taken);
    LayoutResult result;
    if (taken == nullptr || !standsAt(level, result = makeRoom(level, *taken), *before))
        result = anchor(level, *before);
    // A frame does not shrink while stepping: what stands around it would seem to move.
    const LayoutRect& was = before->layout().bounds;
    result.bounds = {std::min(result.bounds.left, was.left), std::min(result.bounds.top, was.top),
                     std::max(result.bounds.right, was.right), std::max(result.bounds.bottom, was.bottom)};
    return result;
}

/// Whether what another drawing of this block has too stands where it stands there.
bool SceneBuilder::standsAt(int level, const LayoutResult& layout, const SceneLevel& other) const
{
    std::unordered_map<ItemKey, std::size_t, ItemKeyHash> there;
    for (std::size_t k = 0; k < other.items().size(); ++k) there.emplace(other.items()[k].key, k);
    const auto& items = levelAt(level).items();
    for (std::size_t k = 0; k < items.size(); ++k) {
        const auto found = there.find(items[k].key);
        if (found == there.end()) continue;
        const LayoutNode &size = levelAt(level).graph().nodes[k], &otherSize = other.graph().nodes[found->second];
        const bool isSame = size.width == otherSize.width && size.height == otherSize.height;
        if (isSame ? layout.centres[k] != other.layout().centres[found->second] : items[k].group >= 0) return false;
    }
    return true;
}

/// Our own drawing, or Graphviz's where that is wanted, to be had, and better to read.
LayoutResult SceneBuilder::fresh(const LayoutGraph& graph)
{
    constexpr std::size_t fewest = 6; // boxes: below, there is nothing to improve
    constexpr double budget = 2500;   // milliseconds for all levels of a scene
    LayoutResult first = m_engine.firstPicture(graph, layoutOptions());
    const Refinement refinement = m_scene->options.refinement;
    if (first.cancelled || refinement == Refinement::None || graph.nodes.size() < fewest) return first;
    std::optional<LayoutResult> other = m_engine.knownRefinement(graph, layoutOptions());
    if (!other && refinement == Refinement::Full && m_refineMs < budget) {
        other = m_engine.refine(graph, layoutOptions());
        m_refineMs += other ? other->milliseconds : static_cast<double>(layoutOptions().graphvizBudget.count());
    }
    if (!other || !isBetterDrawing(measureQuality(graph, *other), measureQuality(graph, first))) return first;
    m_scene->isRefined = true;
    return std::move(*other);
}

/// Nodes that the step removed stay where they stood.
void SceneBuilder::addGhosts(int index, const SceneLevel& before)
{
    auto& [items, edges] = *part(index).content;
    auto& cards = part(index).cards;
    std::unordered_map<ItemKey, std::int32_t, ItemKeyHash> now;
    for (std::size_t i = 0; i < items.size(); ++i) now.emplace(items[i].key, static_cast<std::int32_t>(i));
    std::vector<std::int32_t> placed(before.items().size(), -1);
    for (std::size_t i = 0; i < before.items().size(); ++i) {
        const SceneItem& old = before.items()[i];
        if (const auto found = now.find(old.key); found != now.end()) {
            placed[i] = found->second;
            continue;
        }
        const bool isGone = old.node.isValid() && !old.isGhost && !m_graph.contains(old.node);
        if (!isGone) continue;
        SceneItem ghost = old;
        ghost.isGhost = true;
        ghost.outerEdges.clear();
        // As it was drawn, but without that drawing's colours.
        DrawnBox box = m_anchor->drawing.boxes[static_cast<std::size_t>(before.firstBox) + i];
        box.colorKey.clear();
        box.level = -1;
        box.sign = nodeUnitSign(box.unit);
        box.isGhost = true;
        box.change = ChangeKind::Removed;
        placed[i] = static_cast<std::int32_t>(items.size());
        items.push_back(std::move(ghost));
        cards.push_back(std::move(box));
    }
    for (const SceneEdge& old : before.edges()) {
        if (old.isGhost) continue;
        const std::int32_t from = placed[static_cast<std::size_t>(old.from)],
                           to = placed[static_cast<std::size_t>(old.to)];
        if (from < 0 || to < 0) continue;
        if (!items[static_cast<std::size_t>(from)].isGhost && !items[static_cast<std::size_t>(to)].isGhost) continue;
        SceneEdge edge = old;
        edge.from = from;
        edge.to = to;
        edge.isGhost = true;
        edges.push_back(edge);
    }
}

/// The size of an open block is that of its content.
void SceneBuilder::sizeFrame(const SceneItem& item, DrawnBox& box) const
{
    if (item.group < 0 || levelOf(item.group) < 0) return;
    const LayoutRect frame = frameOf(levelAt(levelOf(item.group)).layout().bounds);
    box.width = std::max(frame.width(), 120.0);
    box.height = frame.height();
}

void SceneBuilder::sizeItems(int level)
{
    Part& made = part(level);
    const auto& items = levelAt(level).items();
    LayoutGraph& graph = made.places->graph;
    if (made.taken != nullptr) {
        graph = made.taken->graph();
        for (auto& [item, box] : made.otherCards) {
            sizeFrame(items[static_cast<std::size_t>(item)], box);
            LayoutNode& node = graph.nodes[static_cast<std::size_t>(item)];
            node.width = box.width;
            node.height = box.height;
        }
        return;
    }
    graph.nodes.reserve(items.size());
    for (std::size_t k = 0; k < items.size(); ++k) {
        sizeFrame(items[k], made.cards[k]);
        LayoutNode& node = graph.nodes.emplace_back(LayoutNode{made.cards[k].width, made.cards[k].height});
        node.expandHub = items[k].node.isValid() && m_scene->options.expandedHubs.contains(items[k].node);
    }
    graph.edges.reserve(made.content->edges.size());
    for (const SceneEdge& edge : made.content->edges) graph.edges.push_back({edge.from, edge.to, edge.isControl});
}

/// Blocks were opened or folded: the same boxes, some of another size.
LayoutResult SceneBuilder::makeRoom(int index, const SceneLevel& before)
{
    const SceneLevel& level = levelAt(index);
    const LayoutGraph &now = level.graph(), &was = before.graph();
    const bool isSame = part(index).taken == &before ||
                        (level.items().size() == before.items().size() && now.edges == was.edges &&
                         std::equal(level.items().begin(), level.items().end(), before.items().begin(),
                                    [](const SceneItem& a, const SceneItem& b) { return a.key == b.key; }));
    if (!isSame) return fresh(now);
    std::vector<std::size_t> resized;
    for (std::size_t i = 0; i < now.nodes.size(); ++i) {
        if (was.nodes[i].expandHub != now.nodes[i].expandHub) return fresh(now);
        if (was.nodes[i] != now.nodes[i]) resized.push_back(i);
    }
    LayoutResult layout = before.layout();
    if (resized.empty()) return layout; // most levels: another one was opened
    LayoutGraph graph = was;
    for (const std::size_t i : resized) {
        const LayoutNode& wanted = now.nodes[i];
        layout = resizeBox(graph, layout, static_cast<std::int32_t>(i), wanted.width, wanted.height, layoutOptions());
        graph.nodes[i] = wanted;
    }
    return layout;
}

/// Another step: what is still there stays, what is new comes to the middle of what it was made from.
LayoutResult SceneBuilder::anchor(int index, const SceneLevel& before)
{
    const SceneLevel& level = levelAt(index);
    LayoutGraph& graph = part(index).places->graph;
    const auto& items = level.items();
    std::unordered_map<ItemKey, std::int32_t, ItemKeyHash> old;
    for (std::size_t i = 0; i < before.items().size(); ++i)
        old.emplace(before.items()[i].key, static_cast<std::int32_t>(i));
    LayoutAnchors anchors;
    anchors.previous = &before.layout();
    anchors.kept.resize(items.size());
    anchors.wanted.resize(items.size());
    std::vector<std::int32_t> wasAt(items.size(), -1);
    bool isUnchanged = items.size() == before.items().size() && level.edges().size() == before.edges().size();
    for (std::size_t i = 0; i < items.size(); ++i) {
        const SceneItem& item = items[i];
        const auto found = old.find(item.key);
        if (found == old.end()) {
            isUnchanged = false;
            LayoutPoint sum;
            int count = 0;
            if (const auto from = m_origins.find(item.node); item.node.isValid() && from != m_origins.end())
                for (const NodeId id : from->second)
                    if (const int box = m_anchor->boxOf(id); box >= 0) {
                        sum.x += m_anchor->drawing.boxes[static_cast<std::size_t>(box)].centreX();
                        sum.y += m_anchor->drawing.boxes[static_cast<std::size_t>(box)].centreY();
                        ++count;
                    }
            if (count > 0)
                anchors.wanted[i] = LayoutPoint{sum.x / count - level.originX, sum.y / count - level.originY};
            continue;
        }
        const auto o = static_cast<std::size_t>(found->second);
        wasAt[i] = found->second;
        anchors.kept[i] = before.layout().centres[o];
        const LayoutNode& size = before.graph().nodes[o];
        const int opened = item.group >= 0 ? levelOf(item.group) : -1;
        const int wasOpened =
            before.items()[o].group >= 0 ? m_anchor->levelOf[static_cast<std::size_t>(before.items()[o].group)] : -1;
        if (opened >= 0 && m_before[static_cast<std::size_t>(opened)] != nullptr) {
            const SceneLevel& inner = levelAt(opened);
            if (graph.nodes[i] != size) {
                const LayoutRect frame = frameOf(inner.layout().bounds);
                anchors.kept[i] = LayoutPoint{inner.originX - level.originX + (frame.left + frame.right) / 2,
                                              inner.originY - level.originY + (frame.top + frame.bottom) / 2};
            }
        } else if (graph.nodes[i] != size && opened < 0 && wasOpened < 0) {
            DrawnBox& box = cardOf(index, i);
            if (fitsTitle(box, size.width)) {
                fitCard(box, size.width, size.height);
                graph.nodes[i].width = size.width;
                graph.nodes[i].height = size.height;
            } else { // another operator now: its type is read whole, if need be a little beside its old place
                anchors.wanted[i] = anchors.kept[i];
                anchors.kept[i].reset();
            }
        }
        isUnchanged = isUnchanged && graph.nodes[i] == size && wasAt[i] == static_cast<std::int32_t>(i);
    }
    std::unordered_map<std::uint64_t, std::int32_t> oldEdges;
    for (std::size_t e = 0; e < before.edges().size(); ++e)
        oldEdges.emplace(edgeKey(before.edges()[e].from, before.edges()[e].to), static_cast<std::int32_t>(e));
    for (const SceneEdge& edge : level.edges()) {
        const std::int32_t from = wasAt[static_cast<std::size_t>(edge.from)],
                           to = wasAt[static_cast<std::size_t>(edge.to)];
        const auto found = from < 0 || to < 0 ? oldEdges.end() : oldEdges.find(edgeKey(from, to));
        anchors.previousEdge.push_back(found == oldEdges.end() ? -1 : found->second);
        isUnchanged =
            isUnchanged && anchors.previousEdge.back() + 1 == static_cast<std::int32_t>(anchors.previousEdge.size());
    }
    if (isUnchanged) return before.layout();
    return anchoredLayout(graph, anchors, layoutOptions());
}

/// What an item looks like, to be changed. A level that is taken over has it in its drawing.
DrawnBox& SceneBuilder::cardOf(int level, std::size_t item)
{
    Part& made = part(level);
    if (made.taken == nullptr) return made.cards[item];
    for (auto& [index, box] : made.otherCards)
        if (static_cast<std::size_t>(index) == item) return box;
    return made.otherCards
        .emplace_back(static_cast<std::int32_t>(item),
                      m_previous->drawing.boxes[static_cast<std::size_t>(made.taken->firstBox) + item])
        .second;
}

/// Moves the content of each block to where the block stands.
void SceneBuilder::placeOrigins()
{
    for (std::size_t i = 0; i < m_scene->levels.size(); ++i) {
        SceneLevel& level = m_scene->levels[i];
        if (m_anchor != nullptr && m_before[i] != nullptr && m_keepsPlaces) continue;
        if (level.parentLevel < 0) {
            if (m_before[i] != nullptr) {
                level.originX = m_before[i]->originX;
                level.originY = m_before[i]->originY;
            }
            continue;
        }
        const SceneLevel& outer = m_scene->levels[static_cast<std::size_t>(level.parentLevel)];
        const LayoutPoint centre = outer.layout().centres[static_cast<std::size_t>(level.parentItem)];
        const LayoutNode& box = outer.graph().nodes[static_cast<std::size_t>(level.parentItem)];
        const LayoutRect frame = frameOf(level.layout().bounds);
        level.originX = outer.originX + centre.x - (frame.left + frame.right) / 2;
        level.originY = outer.originY + centre.y - box.height / 2 - frame.top;
    }
}

} // namespace gelens
