#include "viewers/graph/lineage_overlay.h"

#include "viewers/graph/graph_canvas.h"

#include <algorithm>

namespace gelens {
namespace {

constexpr std::size_t mostCurves = 200; ///< at once: more could not be told apart

} // namespace

LineageOverlay::LineageOverlay(GraphCanvas* before, GraphCanvas* after, QWidget* parent)
    : QWidget(parent), m_before(before), m_after(after)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void LineageOverlay::setLinks(std::vector<std::pair<NodeId, NodeId>> links)
{
    m_links = std::move(links);
    setVisible(!m_links.empty());
    update();
}

std::vector<std::pair<QPointF, QPointF>> LineageOverlay::curves() const
{
    std::vector<std::pair<QPointF, QPointF>> curves;
    if (!m_before || !m_after || !m_before->isVisible() || !m_before->scene() || !m_after->scene()) return curves;
    // An end that is out of view is drawn at its canvas's border: the curve still says where to look.
    const auto place = [this](const GraphCanvas& canvas, const QRectF& box, bool isLeft) {
        const QRectF room = QRectF(canvas.rect()).adjusted(2, 2, -2, -2);
        QPointF at(isLeft ? box.right() : box.left(), box.center().y());
        at = {std::clamp(at.x(), room.left(), room.right()), std::clamp(at.y(), room.top(), room.bottom())};
        return at + QPointF(canvas.mapTo(parentWidget(), QPoint(0, 0)) - pos());
    };
    for (const auto& [from, to] : m_links) {
        const int a = m_before->scene()->boxOf(from), b = m_after->scene()->boxOf(to);
        if (a < 0 || b < 0) continue;
        const QRectF source = m_before->boxRect(a), target = m_after->boxRect(b);
        const bool isSeen = QRectF(m_before->rect()).intersects(source) || QRectF(m_after->rect()).intersects(target);
        if (!isSeen) continue;
        const std::pair<QPointF, QPointF> curve{place(*m_before, source, true), place(*m_after, target, false)};
        if (std::find(curves.begin(), curves.end(), curve) == curves.end()) curves.push_back(curve);
        if (curves.size() == mostCurves) break;
    }
    return curves;
}

void LineageOverlay::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QColor color = Palette::of(palette()).change(ChangeKind::Added);
    for (const auto& [from, to] : curves()) paintLink(painter, from, to, color, 1);
}

} // namespace gelens
