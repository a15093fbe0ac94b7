#include "viewers/graph/fold_motion.h"

#include "viewers/picture/graph_painter.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace gelens {

std::uint64_t FoldMotion::keyOf(const Scene& scene, const DrawnBox& box)
{
    if (box.group >= 0) return std::hash<std::string>()(scene.fold->group(box.group).key) << 1 | 1;
    if (box.kind == BoxKind::Node && box.node.isValid() && !box.isGhost)
        return (static_cast<std::uint64_t>(box.node.value) + 1) << 1;
    return 0;
}

FoldMotion::FoldMotion(const Scene& scene, const std::vector<std::int32_t>& boxes, const Places& before)
{
    const GraphDrawing& drawing = scene.drawing;
    std::vector<std::int32_t> newIndex(drawing.boxes.size(), -1);
    for (const std::int32_t b : boxes) {
        const DrawnBox& box = drawing.boxes[static_cast<std::size_t>(b)];
        const auto was = before.find(keyOf(scene, box));
        if (was == before.end()) continue;
        const QRectF& old = was->second;
        const Move move{old.x() - box.x, old.y() - box.y, old.width() - box.width, old.height() - box.height};
        m_isMoving = m_isMoving || std::max({std::abs(move.dx), std::abs(move.dy), std::abs(move.dWidth),
                                             std::abs(move.dHeight)}) > 1;
        newIndex[static_cast<std::size_t>(b)] = static_cast<std::int32_t>(m_drawing.boxes.size());
        m_drawing.boxes.push_back(box);
        m_moves.push_back(move);
    }
    if (!m_isMoving) return;
    for (const DrawnEdge& edge : drawing.edges) {
        if (edge.from < 0 || edge.to < 0) continue;
        DrawnEdge copy = edge;
        copy.from = newIndex[static_cast<std::size_t>(edge.from)];
        copy.to = newIndex[static_cast<std::size_t>(edge.to)];
        if (copy.from < 0 || copy.to < 0) continue;
        const auto route = drawing.route(edge);
        copy.firstPoint = static_cast<std::uint32_t>(m_drawing.points.size());
        m_drawing.points.insert(m_drawing.points.end(), route.begin(), route.end());
        m_drawing.edges.push_back(std::move(copy));
    }
    m_drawing.left = drawing.left;
    m_drawing.top = drawing.top;
    m_drawing.width = drawing.width;
    m_drawing.height = drawing.height;
}

void FoldMotion::paint(QPainter& painter, double share, QPointF origin, double zoom, const Palette& palette) const
{
    GraphDrawing now = m_drawing;
    const double rest = 1 - share;
    for (std::size_t i = 0; i < now.boxes.size(); ++i) {
        now.boxes[i].x += m_moves[i].dx * rest;
        now.boxes[i].y += m_moves[i].dy * rest;
        now.boxes[i].width += m_moves[i].dWidth * rest;
        now.boxes[i].height += m_moves[i].dHeight * rest;
    }
    for (DrawnEdge& edge : now.edges) { // a line's ends go with their boxes: below the one, above the other
        const Move &from = m_moves[static_cast<std::size_t>(edge.from)],
                   &to = m_moves[static_cast<std::size_t>(edge.to)];
        for (std::uint32_t p = 0; p < edge.pointCount; ++p) {
            const double along = edge.pointCount < 2 ? 0 : static_cast<double>(p) / (edge.pointCount - 1);
            DrawnPoint& point = now.points[edge.firstPoint + p];
            point.x += rest * ((from.dx + from.dWidth / 2) * (1 - along) + (to.dx + to.dWidth / 2) * along);
            point.y += rest * ((from.dy + from.dHeight) * (1 - along) + to.dy * along);
        }
        edge.labelX += (from.dx + from.dWidth / 2) * rest;
        edge.labelY += (from.dy + from.dHeight) * rest;
    }
    // Boxes may be on their way in from outside of the drawing.
    const QRectF window = painter.window();
    const QRectF area(QPointF((window.left() - origin.x()) / zoom, (window.top() - origin.y()) / zoom),
                      window.size() / zoom);
    now.left = std::min(now.left, area.left());
    now.top = std::min(now.top, area.top());
    now.width = std::max(m_drawing.left + m_drawing.width, area.right()) - now.left;
    now.height = std::max(m_drawing.top + m_drawing.height, area.bottom()) - now.top;
    const SceneIndex index(now);
    GraphPainter(now, index, palette).paint(painter, area, origin, zoom);
}

} // namespace gelens
