// What stands beside lines. Each block for itself: blocks do not overlap, and so what is written in one
// stays the same wherever it stands.

#include "engine/report/drawing_style.h"
#include "engine/report/text_width.h"
#include "viewers/scene/cards.h"
#include "viewers/scene/scene_builder_internal.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace gelens {
namespace {

constexpr double aboveLabel = 11;    ///< from a box to the middle line of the label below it
constexpr double narrowLabel = 110;  ///< what a label is cut to where it has no room for more …
constexpr double shortestLabel = 30; ///< … and at the least

/// Where the line is so far below its box: beside that point the label touches nothing of its own line.
LayoutPoint labelPlace(std::span<const LayoutPoint> route)
{
    const LayoutPoint from = route[0], to = route[1];
    const double share = std::clamp(aboveLabel / std::max(1.0, to.y - from.y), 0.0, 1.0);
    return {from.x + (to.x - from.x) * share + 4, from.y + aboveLabel};
}

} // namespace

SceneBuilder::Taken SceneBuilder::takenIn(int index) const
{
    const SceneLevel& level = levelAt(index);
    const LayoutRect& bounds = level.layout().bounds;
    std::vector<SceneRect> rects;
    rects.reserve(level.items().size());
    for (std::size_t k = 0; k < level.items().size(); ++k) {
        const LayoutPoint centre = level.layout().centres[k];
        const LayoutNode& size = level.graph().nodes[k];
        rects.push_back({centre.x - size.width / 2, centre.y - size.height / 2, centre.x + size.width / 2,
                         centre.y + size.height / 2});
    }
    Taken taken;
    const std::size_t elements = rects.size();
    taken.boxes = RectGrid(std::move(rects), {bounds.left, bounds.top, bounds.right, bounds.bottom}, elements);
    if (level.parentLevel >= 0) taken.right = bounds.right + card::framePadding;
    return taken;
}

/// Of all lines of one value the one that is labelled: the rightmost, as none of the others then runs through it.
std::vector<SceneBuilder::RoutedEdge> SceneBuilder::labelledEdges(int index) const
{
    const SceneLevel& level = levelAt(index);
    const auto startOf = [&](std::int32_t edge) { return level.layout().route(static_cast<std::size_t>(edge))[0].x; };
    // Most boxes give one value only; the others of a box are looked up.
    std::vector<RoutedEdge> firstOf(level.items().size());
    std::unordered_map<ItemKey, RoutedEdge, ItemKeyHash> others;
    std::int32_t drawn = -1;
    for (std::size_t e = 0; e < level.edges().size(); ++e) {
        const auto route = level.layout().route(e);
        if (route.empty()) continue;
        ++drawn;
        const SceneEdge& edge = level.edges()[e];
        if (edge.isControl || edge.isOwnership || edge.isGhost || edge.source.index < 0 || route.size() < 2) continue;
        if (level.items()[static_cast<std::size_t>(edge.from)].port.isValid()) continue;
        RoutedEdge* best = &firstOf[static_cast<std::size_t>(edge.from)];
        if (best->edge >= 0 && level.edges()[static_cast<std::size_t>(best->edge)].source != edge.source) {
            const ItemKey key{ItemKey::Kind::Node,
                              (static_cast<std::int64_t>(edge.from) << 32) | edge.source.node.value, edge.source.index};
            best = &others[key];
        }
        if (best->edge < 0 || route[0].x > startOf(best->edge)) *best = {static_cast<std::int32_t>(e), drawn};
    }
    std::vector<RoutedEdge> chosen;
    chosen.reserve(firstOf.size() + others.size());
    for (const RoutedEdge& e : firstOf)
        if (e.edge >= 0) chosen.push_back(e);
    const auto ofBoxes = static_cast<std::ptrdiff_t>(chosen.size());
    for (const auto& [key, e] : others) chosen.push_back(e);
    std::sort(chosen.begin() + ofBoxes, chosen.end(),
              [](const RoutedEdge& a, const RoutedEdge& b) { return a.edge < b.edge; });
    return chosen;
}

/// Asks for the descriptors of values whose labels come a few places later: from line to node to output to dims.
void SceneBuilder::lookAheadAtValues(const std::vector<SceneEdge>& lines, const std::vector<RoutedEdge>& edges,
                                     std::size_t at) const
{
    constexpr std::size_t line = 32, record = 24, output = 16, dims = 8;
    const auto sourceAt = [&](std::size_t ahead) -> const OutputRef& {
        return lines[static_cast<std::size_t>(edges[at + ahead].edge)].source;
    };
    const auto nodeAt = [&](std::size_t ahead) -> const Node* {
        if (at + ahead >= edges.size()) return nullptr;
        const NodeId id = sourceAt(ahead).node;
        return id.value >= 0 && id.value < m_graph.nodeIdBound() ? &m_graph.node(id) : nullptr;
    };
    const auto outputAt = [&](std::size_t ahead) -> const OutputSlot* {
        const Node* node = nodeAt(ahead);
        if (node == nullptr) return nullptr;
        const std::int32_t index = sourceAt(ahead).index;
        return index >= 0 && index < node->outputCount() ? &node->outputs[static_cast<std::size_t>(index)] : nullptr;
    };
    if (at + line < edges.size()) willRead(&sourceAt(line));
    if (const Node* node = nodeAt(record)) {
        willRead(&node->outputs);
        willRead(&node->isAlive);
    }
    if (const OutputSlot* slot = outputAt(output)) {
        willRead(&slot->desc.shape);
        willRead(&slot->desc.format);
    }
    if (const OutputSlot* slot = outputAt(dims)) willRead(slot->desc.shape.dims().data());
}

/// The text of one label, cut where it is too long; empty where there is nothing to say.
std::string SceneBuilder::labelText(OutputRef value, std::string& room, double& width) const
{
    constexpr double widest = 240;
    constexpr std::size_t longSymbol = 24, shortSymbol = 12; // bytes
    if (!m_graph.contains(value.node)) return {};
    const Node& node = m_graph.node(value.node);
    if (value.index >= node.outputCount()) return {};
    const TensorDesc& desc = node.outputs[static_cast<std::size_t>(value.index)].desc;
    tensorLabel(desc, m_scene->options.labels, longSymbol, room);
    if (room.empty()) return {};
    width = textWidth(room, card::edgeFont);
    if (width > widest) {
        tensorLabel(desc, m_scene->options.labels, shortSymbol, room);
        width = textWidth(room, card::edgeFont);
    }
    // Names of symbols come from the file.
    const bool isPlain = std::none_of(room.begin(), room.end(),
                                      [](char b) { return static_cast<unsigned char>(b) < 0x20 || b == 0x7F; });
    if (isPlain && width <= widest) return room;
    std::string text = elideRight(room, widest, card::edgeFont);
    width = textWidth(text, card::edgeFont);
    return text;
}

/// One label for each value that leaves a box, beside the line's start. A block gets room for them at its right side.
void SceneBuilder::chooseLabels(int index)
{
    if (!m_scene->options.labels.isAny()) return;
    const SceneLevel& level = levelAt(index);
    const std::vector<RoutedEdge> chosen = labelledEdges(index);
    auto& labels = part(index).labels;
    labels.clear();
    labels.reserve(chosen.size());
    std::string room;
    double right = -std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < chosen.size(); ++c) {
        if (isStopped()) return;
        lookAheadAtValues(level.edges(), chosen, c);
        const auto edge = static_cast<std::size_t>(chosen[c].edge);
        Label label;
        label.text = labelText(level.edges()[edge].source, room, label.width);
        if (label.text.empty()) continue;
        const LayoutPoint place = labelPlace(level.layout().route(edge));
        label.drawn = chosen[c].drawn;
        label.x = place.x;
        label.y = place.y;
        right = std::max(right, label.x + std::min(label.width, narrowLabel));
        labels.push_back(std::move(label));
    }
    const bool isAnchored =
        m_anchor != nullptr && m_keepsPlaces && m_before[static_cast<std::size_t>(index)] != nullptr;
    if (level.parentLevel < 0 || isAnchored) return; // nothing around it; or it must not grow while stepping
    LayoutRect& bounds = part(index).places->layout.bounds;
    bounds.right = std::max(bounds.right, right - card::framePadding);
}

/// Writes the labels that have room: none where two would run into each other.
void SceneBuilder::drawLabels(int index)
{
    auto& labels = part(index).labels;
    if (labels.empty()) return;
    const SceneLevel& level = levelAt(index);
    std::sort(labels.begin(), labels.end(),
              [](const Label& l, const Label& r) { return std::tie(l.y, l.x, l.drawn) < std::tie(r.y, r.x, r.drawn); });
    constexpr double half = card::edgeFont * 0.6;
    double lastY = -std::numeric_limits<double>::infinity(), lastRight = lastY;
    const Taken taken = takenIn(index);
    for (Label& label : labels) {
        if (isStopped()) return;
        const bool isSameRow = label.y - lastY < card::edgeFont;
        const auto hasNoRoom = [&] {
            return (isSameRow && label.x < lastRight + 6) ||
                   taken.isCovered({label.x, label.y - half, label.x + label.width, label.y + half});
        };
        const double room = std::min(narrowLabel, taken.right - label.x);
        if (hasNoRoom() && label.width > room && room > shortestLabel) { // better its beginning than nothing
            label.text = elideRight(label.text, room, card::edgeFont);
            label.width = textWidth(label.text, card::edgeFont);
        }
        if (hasNoRoom()) continue;
        DrawnEdge& edge = m_scene->drawing.edges[static_cast<std::size_t>(level.firstEdge + label.drawn)];
        edge.label = std::move(label.text);
        edge.labelX = level.originX + label.x;
        edge.labelY = level.originY + label.y;
        edge.labelWidth = label.width;
        lastRight = isSameRow ? std::max(lastRight, label.x + label.width) : label.x + label.width;
        lastY = label.y;
    }
}

void SceneBuilder::placeLabel(DrawnEdge& edge, const SceneLevel& level, std::span<const LayoutPoint> route)
{
    const LayoutPoint place = labelPlace(route);
    edge.labelX = level.originX + place.x;
    edge.labelY = level.originY + place.y;
}

} // namespace gelens
