#include "viewers/scene/scene_index.h"

#include "engine/report/drawing_style.h"

#include <algorithm>

namespace gelens {
namespace {

SceneRect rectOf(const DrawnBox& box)
{
    const double stack = box.isRepeat && box.kind == BoxKind::Group ? 2 * card::stackOffset : 0;
    const double note = box.note.empty() ? 0 : card::noteHeight;
    return {box.x - 2, box.y - std::max(stack, note) - 2, box.right() + stack + 2, box.bottom() + 2};
}

SceneRect rectOf(const GraphDrawing& drawing, const DrawnEdge& edge)
{
    const auto route = drawing.route(edge);
    if (route.empty()) return {0, 0, -1, -1};
    SceneRect rect{route[0].x, route[0].y, route[0].x, route[0].y};
    for (const DrawnPoint& p : route) {
        rect.left = std::min(rect.left, p.x);
        rect.right = std::max(rect.right, p.x);
        rect.top = std::min(rect.top, p.y);
        rect.bottom = std::max(rect.bottom, p.y);
    }
    if (!edge.label.empty()) {
        rect.right = std::max(rect.right, edge.labelX + edge.labelWidth);
        rect.bottom = std::max(rect.bottom, edge.labelY + card::edgeFont);
    }
    return {rect.left - 5, rect.top - 5, rect.right + 5, rect.bottom + 5};
}

} // namespace

SceneIndex::SceneIndex(const GraphDrawing& drawing) : m_drawing(drawing)
{
    const SceneRect bounds{drawing.left, drawing.top, drawing.left + drawing.width, drawing.top + drawing.height};
    const std::size_t elements = drawing.boxes.size() + drawing.edges.size() + 64;
    std::vector<SceneRect> rects;
    rects.reserve(drawing.boxes.size());
    for (const DrawnBox& box : drawing.boxes) rects.push_back(rectOf(box));
    m_boxes = RectGrid(std::move(rects), bounds, elements);
    rects = {};
    rects.reserve(drawing.edges.size());
    for (const DrawnEdge& edge : drawing.edges) rects.push_back(rectOf(drawing, edge));
    m_edges = RectGrid(std::move(rects), bounds, elements);
    rects = {};
    for (const DrawnStub& stub : drawing.stubs)
        rects.push_back({std::min(stub.start.x, stub.end.x) - 30, std::min(stub.start.y, stub.end.y) - 14,
                         std::max(stub.start.x, stub.end.x) + 30, std::max(stub.start.y, stub.end.y) + 14});
    m_stubs = RectGrid(std::move(rects), bounds, elements);

    // Counted two places on, so that filling moves each start to its place.
    m_edgesStart.assign(drawing.boxes.size() + 2, 0);
    const auto forEnds = [&](auto&& take) {
        for (std::size_t e = 0; e < drawing.edges.size(); ++e) {
            const DrawnEdge& edge = drawing.edges[e];
            if (edge.from >= 0) take(static_cast<std::size_t>(edge.from), static_cast<std::int32_t>(e));
            if (edge.to >= 0 && edge.to != edge.from)
                take(static_cast<std::size_t>(edge.to), static_cast<std::int32_t>(e));
        }
    };
    forEnds([&](std::size_t box, std::int32_t) { ++m_edgesStart[box + 2]; });
    for (std::size_t i = 2; i < m_edgesStart.size(); ++i) m_edgesStart[i] += m_edgesStart[i - 1];
    m_edgesOf.resize(m_edgesStart.back());
    forEnds([&](std::size_t box, std::int32_t e) { m_edgesOf[m_edgesStart[box + 1]++] = e; });
    m_edgesStart.pop_back();
}

bool SceneIndex::isCovered(const SceneRect& area) const
{
    return m_boxes.meetsAny(area, [&](std::int32_t i) {
        const DrawnBox& box = m_drawing.boxes[static_cast<std::size_t>(i)];
        return box.kind != BoxKind::Frame && area.meets({box.x, box.y, box.right(), box.bottom()});
    });
}

int SceneIndex::boxAt(double x, double y) const
{
    std::vector<std::int32_t> candidates;
    m_boxes.find({x, y, x, y}, candidates);
    int best = -1;
    for (const std::int32_t i : candidates) { // deeper boxes have larger numbers
        const DrawnBox& box = m_drawing.boxes[static_cast<std::size_t>(i)];
        if (x < box.x || x > box.right() || y < box.y || y > box.bottom()) continue;
        if (box.kind == BoxKind::Frame && y > box.y + card::frameHeader) continue;
        const bool isCovered = best >= 0 && box.isGhost && !m_drawing.boxes[static_cast<std::size_t>(best)].isGhost;
        if (!isCovered) best = i;
    }
    return best;
}

} // namespace gelens
