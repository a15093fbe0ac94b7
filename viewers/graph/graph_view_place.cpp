// GraphView: where it looks, in both canvases, when scenes change and while one pans.

#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"
#include "viewers/graph/lineage_overlay.h"

#include <QLineF>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace gelens {

GraphView::Eye GraphView::lookedAt() const
{
    Eye eye;
    eye.canvas = m_after->scene() ? m_after : m_before;
    eye.toggled = eye.canvas->boxRect(eye.canvas->boxOfGroup(m_toggled));
    eye.current = eye.canvas->boxRect(eye.canvas->currentBox());
    eye.wasSeen = QRectF(eye.canvas->rect()).intersects(eye.current);
    constexpr std::size_t most = 2000;
    for (const std::int32_t box : m_after->boxesInView(most))
        if (const DrawnBox& drawn = m_after->scene()->drawing.boxes[static_cast<std::size_t>(box)];
            drawn.kind == BoxKind::Node)
            eye.around.emplace_back(drawn.node, m_after->boxRect(box));
    const QPointF middle = QRectF(m_after->rect()).center();
    std::sort(eye.around.begin(), eye.around.end(), [&](const auto& a, const auto& b) {
        return QLineF(middle, a.second.center()).length() < QLineF(middle, b.second.center()).length();
    });
    return eye;
}

/// Where to look in the new scenes: at their start, or so that what was looked at stays under the eye.
void GraphView::placeView(const Eye& eye, SceneChange change)
{
    GraphCanvas* canvas = eye.canvas;
    bool isStart = false;
    if (std::exchange(m_isRestoring, false)) {
        m_after->setView(m_now.centre, m_now.zoom);
    } else if (m_isFirst || (change == SceneChange::Fresh && m_toggled.empty() && !m_revealed.isValid())) {
        isStart = true;
        canvas = m_after;
        canvas->showStart();
    } else if (change == SceneChange::Fold) { // a block that was opened or folded keeps its title in place
        canvas->keepInPlace(canvas->boxOfGroup(m_toggled), eye.toggled);
    } else if (eye.wasSeen && change == SceneChange::Fresh) {
        canvas->keepInPlace(canvas->currentBox(), eye.current);
    }
    if (!isStart && change == SceneChange::Step) followStep(eye);
    // What is selected stays in sight, also where a step could not be anchored.
    const int box = canvas->currentBox();
    const bool isFollowed = isStart || (eye.wasSeen && change == SceneChange::Step);
    linkViews(canvas);
    lookAtBoth();
    if (isStart && m_before->isVisibleTo(this)) {
        canvas->showStart();
        linkViews(canvas);
    }
    if (box < 0 || !isFollowed || QRectF(canvas->rect()).contains(canvas->boxRect(box))) return;
    canvas->ensureVisible(box);
    linkViews(canvas);
}

/// The later drawing knows where the earlier one lies beside it.
void GraphView::lookAtBoth()
{
    const bool isBeside = m_before->isVisibleTo(this) && m_before->scene() && m_after->scene();
    m_after->setBeside(isBeside ? m_before->bounds().translated(m_after->centre() - m_before->centre()) : QRectF());
}

/// A step keeps what stays where it was, and there is nothing to do. Where too little was left to anchor it to, or it was
/// laid out before, everything stands elsewhere: then what is in the middle of the view is kept there. Who has not
/// looked around yet sees the start again.
void GraphView::followStep(const Eye& eye)
{
    constexpr int most = 9; // nodes that are asked: one alone may have been made anew
    const auto& scene = m_after->scene();
    if (!scene || eye.around.empty()) return;
    int staying = 0, moved = 0, nearest = -1;
    QRectF where;
    for (const auto& [node, rect] : eye.around) {
        const int box = scene->boxOf(node);
        if (box < 0 || scene->drawing.boxes[static_cast<std::size_t>(box)].node != node) continue;
        if (nearest < 0) {
            nearest = box;
            where = rect;
        }
        moved += (m_after->boxRect(box).center() - rect.center()).manhattanLength() > 2;
        if (++staying == most) break;
    }
    const auto seen = m_after->boxesInView(scene->drawing.boxes.size());
    if (staying == 0 && !seen.empty()) return;
    if (staying > 0 && moved * 2 <= staying) return;
    if (m_after->isAtStart() || nearest < 0)
        m_after->showStart();
    else
        m_after->keepInPlace(nearest, where);
}

/// In the later drawing where it is there, else in the earlier one.
void GraphView::bringIntoView(NodeId node)
{
    for (GraphCanvas* canvas : {m_after, m_before})
        if (const int box = canvas->scene() ? canvas->scene()->boxOf(node) : -1; box >= 0) {
            canvas->ensureVisible(box);
            linkViews(canvas);
            return;
        }
}

void GraphView::linkViews(GraphCanvas* moved)
{
    if (m_isLinking) return;
    m_isLinking = true;
    GraphCanvas* other = moved == m_after ? m_before : m_after;
    other->setView(moved->centre() + offsetBetween(moved, other), moved->zoom());
    other->setMapCorner(moved->mapCorner());
    m_isLinking = false;
    m_lineage->update();
}

/// From a place in one drawing to the same place in the other. Nothing where the later one is anchored to the earlier;
/// where too little was left to anchor to, a node that both have and that is in view stands at one height in both.
QPointF GraphView::offsetBetween(const GraphCanvas* from, const GraphCanvas* to)
{
    const auto placeIn = [](const GraphCanvas* canvas, NodeId node) -> std::optional<QPointF> {
        const int box = canvas->scene() ? canvas->scene()->boxOf(node) : -1;
        if (box < 0) return {};
        const DrawnBox& drawn = canvas->scene()->drawing.boxes[static_cast<std::size_t>(box)];
        return QPointF(drawn.x, drawn.y);
    };
    const auto offset = [&](NodeId node) -> std::optional<QPointF> {
        const auto a = placeIn(from, node), b = placeIn(to, node);
        if (!a || !b) return {};
        return *b - *a;
    };
    if (!from->scene() || !to->scene()) return {};
    const auto isSeen = [&](NodeId node) {
        const QRectF rect = from->boxRect(from->scene()->boxOf(node));
        return !rect.isNull() && QRectF(from->rect()).intersects(rect);
    };
    if (m_linked.isValid() && isSeen(m_linked)) // the same one as long as it is in view: nothing jumps while panning
        if (const auto known = offset(m_linked)) return *known;
    m_linked = {};
    if (!from->selectedNodes().empty() && isSeen(from->selectedNodes().front()))
        if (offset(from->selectedNodes().front())) m_linked = from->selectedNodes().front();
    double nearest = std::numeric_limits<double>::infinity();
    if (!m_linked.isValid())
        for (const std::int32_t box : from->boxesInView(2000)) {
            const DrawnBox& drawn = from->scene()->drawing.boxes[static_cast<std::size_t>(box)];
            if (drawn.kind != BoxKind::Node || drawn.isGhost || !offset(drawn.node)) continue;
            const double distance =
                std::hypot(drawn.centreX() - from->centre().x(), drawn.centreY() - from->centre().y());
            if (distance >= nearest) continue;
            nearest = distance;
            m_linked = drawn.node;
        }
    if (m_linked.isValid()) m_offset = from == m_after ? *offset(m_linked) : -*offset(m_linked);
    return from == m_after ? m_offset : -m_offset;
}

} // namespace gelens
