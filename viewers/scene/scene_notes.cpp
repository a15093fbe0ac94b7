// What stands above changed nodes: in what ways they changed. Lines come in there, so it takes the room between them.

#include "engine/report/drawing_style.h"
#include "engine/report/text_width.h"
#include "viewers/scene/rect_grid.h"
#include "viewers/scene/scene_builder_internal.h"

#include <algorithm>
#include <utility>

namespace gelens {
namespace {

constexpr double shortestNote = 30; ///< less says nothing
constexpr double beyond = 18;       ///< past the right end of a card: less than what lies between two cards …
constexpr double farthest = 160;    ///< … and where nothing stands there
constexpr double labelHalf = card::edgeFont * 0.6;
constexpr double clearance = 5; ///< from a line, whose arrow head is wider than itself

/// From where to where a line runs within a strip; an empty range where it passes it by.
std::pair<double, double> crossing(LayoutPoint a, LayoutPoint b, const SceneRect& strip)
{
    if (a.y > b.y) std::swap(a, b);
    if (b.y < strip.top || a.y > strip.bottom) return {1, 0};
    const auto xAt = [&](double y) { return b.y - a.y < 1e-9 ? a.x : a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y); };
    double from = xAt(std::max(a.y, strip.top)), to = xAt(std::min(b.y, strip.bottom));
    if (b.y - a.y < 1e-9) to = b.x;
    if (from > to) std::swap(from, to);
    return {from - clearance, to + clearance};
}

/// The leftmost room of the strip that holds so much, else the widest; of those that begin above the card.
std::pair<double, double> roomFor(double width, const SceneRect& strip, double cardRight,
                                  std::vector<std::pair<double, double>>& taken)
{
    std::sort(taken.begin(), taken.end());
    std::pair<double, double> widest{0, 0};
    double from = strip.left;
    const auto take = [&](double to) {
        const double best = widest.second - widest.first;
        if (from < cardRight && best < width && to - from > best) widest = {from, to};
    };
    for (const auto& [left, right] : taken) {
        take(std::min(left, strip.right));
        from = std::max(from, right);
    }
    take(strip.right);
    return widest;
}

} // namespace

/// The changed nodes of a block, each with what there is to say of it.
std::vector<SceneBuilder::NotePlace> SceneBuilder::notesOf(int index) const
{
    const SceneOptions& options = m_scene->options;
    const SceneLevel& level = levelAt(index);
    const auto& boxes = m_scene->drawing.boxes;
    std::vector<NotePlace> places;
    if (options.aspects.empty()) return places;
    for (std::size_t k = 0; k < level.items().size(); ++k) {
        const DrawnBox& box = boxes[static_cast<std::size_t>(level.firstBox) + k];
        const auto id = static_cast<std::size_t>(std::max(0, box.node.value));
        if (box.kind != BoxKind::Node || box.isGhost || box.change != ChangeKind::Changed ||
            id >= options.aspects.size())
            continue;
        std::string text;
        for (std::size_t aspect = 0; aspect < changeAspectCount; ++aspect)
            if ((options.aspects[id] >> aspect & 1) != 0)
                text += (text.empty() ? std::string() : options.words.separator) + options.words.aspects[aspect];
        if (text.empty()) continue;
        const LayoutPoint centre = level.layout().centres[k];
        const double left = centre.x - box.width / 2, top = centre.y - box.height / 2;
        const double right = left + box.width;
        const double end = std::max(right + beyond, std::min(right + farthest, level.layout().bounds.right));
        places.push_back({k, std::move(text), right, {left, top - card::noteHeight, end, top - 1}});
    }
    return places;
}

/// Above each changed node in what ways it changed; none where it has no room.
void SceneBuilder::noteChanges(int index)
{
    std::vector<NotePlace> places = notesOf(index);
    if (places.empty()) return;
    const SceneLevel& level = levelAt(index);
    std::vector<SceneRect> strips;
    strips.reserve(places.size());
    for (const NotePlace& place : places) strips.push_back(place.strip);
    const LayoutRect& bounds = level.layout().bounds;
    const RectGrid grid(std::move(strips), {bounds.left, bounds.top, bounds.right, bounds.bottom}, places.size());
    std::vector<std::int32_t> met;
    const auto meet = [&](LayoutPoint a, LayoutPoint b) {
        grid.find(
            {std::min(a.x, b.x) - clearance, std::min(a.y, b.y), std::max(a.x, b.x) + clearance, std::max(a.y, b.y)},
            met);
        for (const std::int32_t at : met) {
            NotePlace& place = places[static_cast<std::size_t>(at)];
            if (const auto taken = crossing(a, b, place.strip); taken.first < taken.second)
                place.taken.push_back(taken);
        }
    };
    for (std::size_t e = 0; e < level.edges().size(); ++e) {
        const auto route = level.layout().route(e);
        for (std::size_t p = 0; p + 1 < route.size(); ++p) meet(route[p], route[p + 1]);
    }
    for (const LayoutStub& stub : level.layout().stubs) meet(stub.label, stub.end);
    const auto& lines = m_scene->drawing.edges;
    for (auto e = static_cast<std::size_t>(level.firstEdge); e < lines.size(); ++e)
        if (!lines[e].label.empty()) {
            const double x = lines[e].labelX - level.originX, y = lines[e].labelY - level.originY;
            for (const double side : {y - labelHalf, y + labelHalf}) meet({x, side}, {x + lines[e].labelWidth, side});
        }
    const Taken others = takenIn(index);
    for (NotePlace& place : places) {
        place.strip.right = std::min(place.strip.right, others.right);
        grid.find(place.strip, met);
        for (const std::int32_t at : met) // the next card's own
            if (const double next = grid.rect(at).left; next >= place.cardRight)
                place.strip.right = std::min(place.strip.right, next - clearance);
        others.boxes.find(place.strip, met);
        for (const std::int32_t at : met)
            place.taken.push_back({others.boxes.rect(at).left - clearance, others.boxes.rect(at).right + clearance});
        DrawnBox& box = m_scene->drawing.boxes[static_cast<std::size_t>(level.firstBox) + place.item];
        box.note.clear();
        const auto [from, to] =
            roomFor(textWidth(place.text, card::edgeFont), place.strip, place.cardRight, place.taken);
        if (to - from < shortestNote && textWidth(place.text, card::edgeFont) > to - from) continue;
        box.note = elideRight(place.text, to - from, card::edgeFont);
        box.noteX = from - place.strip.left;
    }
}

} // namespace gelens
