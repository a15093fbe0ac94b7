#include "viewers/scene/scene_index.h"

#include "engine/report/drawing_style.h"

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

constexpr int largeCells = 256; ///< an element over more cells is looked at in every query

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

SceneIndex::SceneIndex(const GraphDrawing& drawing) : SceneIndex(drawing, true) {}

SceneIndex::SceneIndex(const GraphDrawing& drawing, bool hasLines) : m_drawing(drawing)
{
    m_left = drawing.left;
    m_top = drawing.top;
    const double elements = static_cast<double>(drawing.boxes.size() + drawing.edges.size() + 64);
    m_cell = std::max(192.0, std::sqrt(drawing.width * drawing.height / elements));
    while ((drawing.width / m_cell + 1) * (drawing.height / m_cell + 1) > 4 * elements) m_cell *= 1.5;
    m_columns = static_cast<int>(drawing.width / m_cell) + 1;
    m_rows = static_cast<int>(drawing.height / m_cell) + 1;

    std::vector<SceneRect> rects;
    rects.reserve(drawing.boxes.size());
    for (const DrawnBox& box : drawing.boxes) rects.push_back(rectOf(box));
    fill(m_boxes, std::move(rects));
    if (!hasLines) return;
    rects = {};
    rects.reserve(drawing.edges.size());
    for (const DrawnEdge& edge : drawing.edges) rects.push_back(rectOf(drawing, edge));
    fill(m_edges, std::move(rects));
    rects = {};
    for (const DrawnStub& stub : drawing.stubs)
        rects.push_back({std::min(stub.start.x, stub.end.x) - 30, std::min(stub.start.y, stub.end.y) - 14,
                         std::max(stub.start.x, stub.end.x) + 30, std::max(stub.start.y, stub.end.y) + 14});
    fill(m_stubs, std::move(rects));

    m_edgesStart.assign(drawing.boxes.size() + 2,
                        0); // counted two places on, so that filling moves each start to its place
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

int SceneIndex::column(double x) const
{
    return static_cast<int>(std::clamp((x - m_left) / m_cell, 0.0, static_cast<double>(m_columns - 1)));
}

int SceneIndex::row(double y) const
{
    return static_cast<int>(std::clamp((y - m_top) / m_cell, 0.0, static_cast<double>(m_rows - 1)));
}

void SceneIndex::fill(Grid& grid, std::vector<SceneRect> rects) const
{
    grid.rects = std::move(rects);
    grid.seen.assign(grid.rects.size(), 0);
    const auto cells = static_cast<std::size_t>(m_columns) * static_cast<std::size_t>(m_rows);
    grid.start.assign(cells + 1, 0);
    // Counted first, then filled: no list for each cell.
    for (int pass = 0; pass < 2; ++pass) {
        for (std::size_t i = 0; i < grid.rects.size(); ++i) {
            const SceneRect& r = grid.rects[i];
            if (r.right < r.left) continue;
            const int left = column(r.left), right = column(r.right), top = row(r.top), bottom = row(r.bottom);
            if ((right - left + 1) * (bottom - top + 1) > largeCells) {
                if (pass == 0) grid.large.push_back(static_cast<std::int32_t>(i));
                continue;
            }
            for (int y = top; y <= bottom; ++y)
                for (int x = left; x <= right; ++x) {
                    const auto cell =
                        static_cast<std::size_t>(y) * static_cast<std::size_t>(m_columns) + static_cast<std::size_t>(x);
                    if (pass == 0)
                        ++grid.start[cell + 1];
                    else
                        grid.members[grid.start[cell]++] = static_cast<std::int32_t>(i);
                }
        }
        if (pass == 0) {
            for (std::size_t c = 0; c < cells; ++c) grid.start[c + 1] += grid.start[c];
            grid.members.resize(grid.start[cells]);
        }
    }
    for (std::size_t c = cells; c > 0; --c) grid.start[c] = grid.start[c - 1]; // filling moved each start to its end
    grid.start[0] = 0;
}

void SceneIndex::find(const Grid& grid, const SceneRect& area, std::vector<std::int32_t>& out) const
{
    out.clear();
    ++grid.query;
    const auto take = [&](std::int32_t i) {
        const auto index = static_cast<std::size_t>(i);
        if (grid.seen[index] == grid.query || !grid.rects[index].meets(area)) return;
        grid.seen[index] = grid.query;
        out.push_back(i);
    };
    for (const std::int32_t i : grid.large) take(i);
    const int left = column(area.left), right = column(area.right), top = row(area.top), bottom = row(area.bottom);
    for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x) {
            const auto cell =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(m_columns) + static_cast<std::size_t>(x);
            for (std::uint32_t k = grid.start[cell]; k < grid.start[cell + 1]; ++k) take(grid.members[k]);
        }
    std::sort(out.begin(), out.end());
}

bool SceneIndex::isCovered(const SceneRect& area) const
{
    const auto covers = [&](std::int32_t i) {
        const DrawnBox& box = m_drawing.boxes[static_cast<std::size_t>(i)];
        return box.kind != BoxKind::Frame && area.meets({box.x, box.y, box.right(), box.bottom()});
    };
    for (const std::int32_t i : m_boxes.large)
        if (covers(i)) return true;
    const int left = column(area.left), right = column(area.right), top = row(area.top), bottom = row(area.bottom);
    for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x) {
            const auto cell =
                static_cast<std::size_t>(y) * static_cast<std::size_t>(m_columns) + static_cast<std::size_t>(x);
            for (std::uint32_t k = m_boxes.start[cell]; k < m_boxes.start[cell + 1]; ++k)
                if (const std::int32_t i = m_boxes.members[k];
                    m_boxes.rects[static_cast<std::size_t>(i)].meets(area) && covers(i))
                    return true;
        }
    return false;
}

int SceneIndex::boxAt(double x, double y) const
{
    std::vector<std::int32_t> candidates;
    find(m_boxes, {x, y, x, y}, candidates);
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
