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

std::uint64_t pairKey(std::int32_t from, std::int32_t to)
{
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(from)) << 32 | static_cast<std::uint32_t>(to);
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

/// Levels of the previous scene by block.
void SceneBuilder::pairWithPrevious()
{
    m_before.assign(m_scene->levels.size(), nullptr);
    if (m_previous == nullptr) return;
    std::unordered_map<std::string_view, const SceneLevel*> byKey;
    for (const SceneLevel& level : m_previous->levels) byKey.emplace(level.key, &level);
    for (std::size_t i = 0; i < m_scene->levels.size(); ++i)
        if (const auto found = byKey.find(m_scene->levels[i].key); found != byKey.end()) m_before[i] = found->second;
}

bool SceneBuilder::layOut()
{
    pairWithPrevious();
    for (std::size_t i = m_scene->levels.size(); i-- > 0;) {
        SceneLevel& level = m_scene->levels[i];
        const SceneLevel* before = m_before[i];
        if (before != nullptr && m_change == SceneChange::Step) {
            level.originX = before->originX;
            level.originY = before->originY;
            if (m_scene->options.keepGhosts) addGhosts(level, *before);
        }
        sizeItems(level);
        if (before == nullptr)
            level.layout = fresh(level.graph);
        else
            level.layout = m_change == SceneChange::Step ? anchor(level, *before) : makeRoom(level, *before);
        if (level.layout.cancelled || m_stop.stop_requested()) return false;
    }
    placeOrigins();
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
void SceneBuilder::addGhosts(SceneLevel& level, const SceneLevel& before)
{
    std::unordered_map<ItemKey, std::int32_t, ItemKeyHash> now;
    for (std::size_t i = 0; i < level.items.size(); ++i) now.emplace(level.items[i].key, static_cast<std::int32_t>(i));
    std::vector<std::int32_t> placed(before.items.size(), -1);
    for (std::size_t i = 0; i < before.items.size(); ++i) {
        const SceneItem& old = before.items[i];
        if (const auto found = now.find(old.key); found != now.end()) {
            placed[i] = found->second;
            continue;
        }
        const bool isGone = old.node.isValid() && !old.isGhost && !m_graph.contains(old.node);
        if (!isGone) continue;
        SceneItem ghost = old;
        ghost.isGhost = true;
        if (const int box = m_previous->boxOf(old.node);
            box >= 0) // as it was drawn, but without that drawing's colours
            ghost.box = m_previous->drawing.boxes[static_cast<std::size_t>(box)];
        ghost.box.colorKey.clear();
        ghost.box.level = -1;
        ghost.box.sign = nodeUnitSign(ghost.box.unit);
        ghost.box.isGhost = true;
        ghost.box.change = ChangeKind::Removed;
        ghost.outerEdges.clear();
        placed[i] = static_cast<std::int32_t>(level.items.size());
        level.items.push_back(std::move(ghost));
    }
    for (const SceneEdge& old : before.edges) {
        if (old.isGhost) continue;
        const std::int32_t from = placed[static_cast<std::size_t>(old.from)],
                           to = placed[static_cast<std::size_t>(old.to)];
        if (from < 0 || to < 0) continue;
        if (!level.items[static_cast<std::size_t>(from)].isGhost && !level.items[static_cast<std::size_t>(to)].isGhost)
            continue;
        SceneEdge edge = old;
        edge.from = from;
        edge.to = to;
        edge.isGhost = true;
        level.edges.push_back(edge);
    }
}

void SceneBuilder::sizeItems(SceneLevel& level)
{
    for (SceneItem& item : level.items) {
        if (item.level >= 0) {
            const LayoutRect frame = frameOf(m_scene->levels[static_cast<std::size_t>(item.level)].layout.bounds);
            DrawnBox box = frameCard(m_fold, item.group);
            box.change = item.box.change;
            box.badge = item.box.badge;
            item.box = std::move(box);
            item.box.width = std::max(frame.width(), 120.0);
            item.box.height = frame.height();
        }
        LayoutNode node{item.box.width, item.box.height};
        node.expandHub = item.node.isValid() && m_scene->options.expandedHubs.contains(item.node);
        level.graph.nodes.push_back(node);
    }
    for (const SceneEdge& edge : level.edges) level.graph.edges.push_back({edge.from, edge.to, edge.isControl});
}

/// Blocks were opened or folded: the same boxes, some of another size.
LayoutResult SceneBuilder::makeRoom(const SceneLevel& level, const SceneLevel& before)
{
    const bool isSame = level.items.size() == before.items.size() && level.graph.edges == before.graph.edges &&
                        std::equal(level.items.begin(), level.items.end(), before.items.begin(),
                                   [](const SceneItem& a, const SceneItem& b) { return a.key == b.key; });
    if (!isSame) return fresh(level.graph);
    std::vector<std::size_t> resized;
    for (std::size_t i = 0; i < level.graph.nodes.size(); ++i) {
        if (before.graph.nodes[i].expandHub != level.graph.nodes[i].expandHub) return fresh(level.graph);
        if (before.graph.nodes[i] != level.graph.nodes[i]) resized.push_back(i);
    }
    LayoutResult layout = before.layout;
    if (resized.empty()) return layout; // most levels: another one was opened
    LayoutGraph graph = before.graph;
    for (const std::size_t i : resized) {
        const LayoutNode& wanted = level.graph.nodes[i];
        layout = resizeBox(graph, layout, static_cast<std::int32_t>(i), wanted.width, wanted.height, layoutOptions());
        graph.nodes[i] = wanted;
    }
    return layout;
}

/// Another step: what is still there stays, what is new comes to the middle of what it was made from.
LayoutResult SceneBuilder::anchor(SceneLevel& level, const SceneLevel& before)
{
    std::unordered_map<ItemKey, std::int32_t, ItemKeyHash> old;
    for (std::size_t i = 0; i < before.items.size(); ++i)
        old.emplace(before.items[i].key, static_cast<std::int32_t>(i));
    LayoutAnchors anchors;
    anchors.previous = &before.layout;
    anchors.kept.resize(level.items.size());
    anchors.wanted.resize(level.items.size());
    std::vector<std::int32_t> wasAt(level.items.size(), -1);
    bool isUnchanged = level.items.size() == before.items.size() && level.edges.size() == before.edges.size();
    for (std::size_t i = 0; i < level.items.size(); ++i) {
        SceneItem& item = level.items[i];
        const auto found = old.find(item.key);
        if (found == old.end()) {
            isUnchanged = false;
            LayoutPoint sum;
            int count = 0;
            if (const auto from = m_origins.find(item.node); item.node.isValid() && from != m_origins.end())
                for (const NodeId id : from->second)
                    if (const int box = m_previous->boxOf(id); box >= 0) {
                        sum.x += m_previous->drawing.boxes[static_cast<std::size_t>(box)].centreX();
                        sum.y += m_previous->drawing.boxes[static_cast<std::size_t>(box)].centreY();
                        ++count;
                    }
            if (count > 0)
                anchors.wanted[i] = LayoutPoint{sum.x / count - level.originX, sum.y / count - level.originY};
            continue;
        }
        const auto o = static_cast<std::size_t>(found->second);
        wasAt[i] = found->second;
        anchors.kept[i] = before.layout.centres[o];
        const LayoutNode& size = before.graph.nodes[o];
        if (item.level >= 0 && m_before[static_cast<std::size_t>(item.level)] != nullptr) {
            const SceneLevel& inner = m_scene->levels[static_cast<std::size_t>(item.level)];
            if (level.graph.nodes[i] != size) {
                const LayoutRect frame = frameOf(inner.layout.bounds);
                anchors.kept[i] = LayoutPoint{inner.originX - level.originX + (frame.left + frame.right) / 2,
                                              inner.originY - level.originY + (frame.top + frame.bottom) / 2};
            }
        } else if (level.graph.nodes[i] != size && item.level < 0 && before.items[o].level < 0) {
            if (fitsTitle(item.box, size.width)) {
                fitCard(item.box, size.width, size.height);
                level.graph.nodes[i].width = size.width;
                level.graph.nodes[i].height = size.height;
            } else { // another operator now: its type is read whole, if need be a little beside its old place
                anchors.wanted[i] = anchors.kept[i];
                anchors.kept[i].reset();
            }
        }
        isUnchanged = isUnchanged && level.graph.nodes[i] == size && wasAt[i] == static_cast<std::int32_t>(i);
    }
    std::unordered_map<std::uint64_t, std::int32_t> oldEdges;
    for (std::size_t e = 0; e < before.edges.size(); ++e)
        oldEdges.emplace(pairKey(before.edges[e].from, before.edges[e].to), static_cast<std::int32_t>(e));
    for (const SceneEdge& edge : level.edges) {
        const std::int32_t from = wasAt[static_cast<std::size_t>(edge.from)],
                           to = wasAt[static_cast<std::size_t>(edge.to)];
        const auto found = from < 0 || to < 0 ? oldEdges.end() : oldEdges.find(pairKey(from, to));
        anchors.previousEdge.push_back(found == oldEdges.end() ? -1 : found->second);
        isUnchanged =
            isUnchanged && anchors.previousEdge.back() + 1 == static_cast<std::int32_t>(anchors.previousEdge.size());
    }
    if (isUnchanged) return before.layout;
    LayoutResult result = anchoredLayout(level.graph, anchors, layoutOptions());
    // A frame does not shrink while stepping: what stands around it would seem to move.
    const LayoutRect& was = before.layout.bounds;
    result.bounds = {std::min(result.bounds.left, was.left), std::min(result.bounds.top, was.top),
                     std::max(result.bounds.right, was.right), std::max(result.bounds.bottom, was.bottom)};
    return result;
}

/// Moves the content of each block to where the block stands.
void SceneBuilder::placeOrigins()
{
    for (std::size_t i = 0; i < m_scene->levels.size(); ++i) {
        SceneLevel& level = m_scene->levels[i];
        if (m_change == SceneChange::Step && m_before[i] != nullptr) continue;
        if (level.parentLevel < 0) {
            if (m_before[i] != nullptr) {
                level.originX = m_before[i]->originX;
                level.originY = m_before[i]->originY;
            }
            continue;
        }
        const SceneLevel& outer = m_scene->levels[static_cast<std::size_t>(level.parentLevel)];
        const LayoutPoint centre = outer.layout.centres[static_cast<std::size_t>(level.parentItem)];
        const DrawnBox& box = outer.items[static_cast<std::size_t>(level.parentItem)].box;
        const LayoutRect frame = frameOf(level.layout.bounds);
        level.originX = outer.originX + centre.x - (frame.left + frame.right) / 2;
        level.originY = outer.originY + centre.y - box.height / 2 - frame.top;
    }
}

} // namespace gelens
