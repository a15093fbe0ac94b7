// GraphCanvas: what it paints.

#include "engine/report/drawing_style.h"
#include "viewers/graph/graph_canvas.h"

#include <QPainterPath>
#include <QPaintEvent>

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

constexpr int mostLinks = 400; ///< of descent, drawn at once: more could not be told apart

} // namespace

void GraphCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Palette colors = Palette::of(palette());
    if (!m_scene || m_scene->isEmpty()) {
        painter.fillRect(rect(), colors.canvas());
        paintMessage(painter);
    } else if (m_motion) {
        painter.fillRect(rect(), colors.canvas());
        m_motion->paint(painter, m_motionClock.currentValue().toDouble(), origin(), m_zoom, colors);
        paintMiniMap(painter);
    } else {
        paintTiles(painter);
        paintOverlay(painter);
        paintMiniMap(painter);
    }
    if (!m_caption.isEmpty()) {
        painter.setFont(drawingFont(11, true));
        const QFontMetrics metrics(painter.font());
        const QString text = metrics.elidedText(m_caption, Qt::ElideRight, std::max(0, width() - 24));
        QColor back = colors.canvas();
        back.setAlphaF(0.85f);
        const QRect bar(8, 6, metrics.horizontalAdvance(text) + 12, metrics.height() + 6);
        painter.setPen(colors.faintLine());
        painter.setBrush(back);
        painter.drawRoundedRect(bar, 4, 4);
        painter.setPen(colors.mutedText());
        painter.drawText(bar, Qt::AlignCenter, text);
    }
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colors.accent(), 1));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void GraphCanvas::paintTiles(QPainter& painter)
{
    const QPointF start = origin();
    const double ratio = devicePixelRatioF();
    const QColor background = Palette::of(palette()).canvas();
    const int side = TileCache::side;
    const auto tileOf = [&](double offset, double at) { return static_cast<int>(std::floor((at - offset) / side)); };
    const int left = tileOf(start.x(), 0), right = tileOf(start.x(), width() - 1);
    const int top = tileOf(start.y(), 0), bottom = tileOf(start.y(), height() - 1);
    // What is missing is painted in one piece, as long as that is not mostly what is there already.
    const auto paint = [&](const QRect& tiles) {
        QPixmap pixmap(tiles.size() * side * ratio);
        pixmap.setDevicePixelRatio(ratio);
        pixmap.fill(background);
        QPainter inner(&pixmap);
        const QRectF area(tiles.x() * side / m_zoom, tiles.y() * side / m_zoom, tiles.width() * side / m_zoom,
                          tiles.height() * side / m_zoom);
        m_painter->paint(inner, area, QPointF(-tiles.x() * side, -tiles.y() * side), m_zoom);
        inner.end();
        m_tiles.insert(tiles, pixmap);
    };
    QRect missing;
    int count = 0;
    for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x)
            if (!m_tiles.contains({x, y})) {
                missing |= QRect(x, y, 1, 1);
                ++count;
            }
    if (count * 3 >= missing.width() * missing.height() * 2 && count > 0) paint(missing);
    for (int y = top; y <= bottom; ++y)
        for (int x = left; x <= right; ++x) {
            if (!m_tiles.contains({x, y})) paint({x, y, 1, 1});
            const TileCache::Tile& tile = m_tiles.tile({x, y});
            painter.drawPixmap(QPointF(start.x() + x * side, start.y() + y * side), tile.picture,
                               QRectF(QPointF(tile.offset) * ratio, QSizeF(side, side) * ratio));
        }
    m_tiles.trim();
}

/// Lines of descent inside one drawing: from what was removed to what replaced it.
void GraphCanvas::paintLinks(QPainter& painter)
{
    const QColor color = Palette::of(palette()).change(ChangeKind::Added);
    int drawn = 0;
    for (const auto& [from, to] : m_links) {
        const int a = m_scene->boxOf(from), b = m_scene->boxOf(to);
        if (a < 0 || b < 0 || a == b) continue;
        const QRectF source = boxRect(a), target = boxRect(b);
        if (!source.united(target).intersects(QRectF(rect()))) continue;
        if (++drawn > mostLinks) return;
        paintLink(painter, source.center(), target.center(), color, m_zoom);
    }
}

void paintLink(QPainter& painter, QPointF from, QPointF to, const QColor& color, double zoom)
{
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath path(from);
    const double bend = (to.x() - from.x()) * 0.45;
    if (std::abs(bend) > 8)
        path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    else
        path.quadTo((from + to) / 2 + QPointF(26 * std::min(1.0, zoom), 0), to);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 1.6, Qt::DashDotLine, Qt::RoundCap));
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(to, 3.5, 3.5); // the end that came to be
}

void GraphCanvas::paintOverlay(QPainter& painter)
{
    const Palette colors = Palette::of(palette());
    const QPointF start = origin();
    const QRectF seen = QRectF(rect()).adjusted(-40, -40, 40, 40);
    painter.setRenderHint(QPainter::Antialiasing);
    const int current = currentBox();
    if (current >= 0)
        for (const std::int32_t edge : m_index->edgesOf(current))
            m_painter->paintEdge(painter, edge, start, m_zoom, colors.accent(), 2);
    paintLinks(painter);
    QSet<int> ringed;
    for (const int node : m_highlights)
        if (const int box = m_scene->boxOf(NodeId{node}); box >= 0 && !ringed.contains(box)) {
            ringed.insert(box);
            if (boxRect(box).intersects(seen))
                m_painter->paintOutline(painter, box, start, m_zoom, colors.warning(), 2);
        }
    if (m_hovered >= 0) m_painter->paintOutline(painter, m_hovered, start, m_zoom, colors.mutedText(), 1);
    for (std::size_t i = 1; i < m_selected.size(); ++i)
        if (const int box = m_scene->boxOf(m_selected[i]); box >= 0)
            m_painter->paintOutline(painter, box, start, m_zoom, colors.accent(), 1.5);
    if (current >= 0) m_painter->paintOutline(painter, current, start, m_zoom, colors.accent(), 3);
}

void GraphCanvas::paintMiniMap(QPainter& painter)
{
    const QRectF map = miniMapRect();
    if (map.isNull()) return;
    const QRectF b = bounds();
    const Palette colors = Palette::of(palette());
    const double ratio = devicePixelRatioF();
    const double scale = std::min(map.width() / b.width(), map.height() / b.height());
    if (m_miniMap.isNull()) {
        m_miniMap = QPixmap((map.size() * ratio).toSize().expandedTo({1, 1}));
        m_miniMap.setDevicePixelRatio(ratio);
        m_miniMap.fill(colors.canvas());
        QPainter inner(&m_miniMap);
        const QPointF middle(map.width() / 2, map.height() / 2);
        m_painter->paint(inner, b, middle - b.center() * scale, scale);
    }
    painter.save(); // what is painted after the map looks the same without it
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setOpacity(0.93);
    painter.drawPixmap(map, m_miniMap, QRectF(m_miniMap.rect()));
    painter.setOpacity(1);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(colors.line());
    painter.drawRect(map.adjusted(-1, -1, 0, 0));
    const QPointF a = map.center() + (toScene({0, 0}) - b.center()) * scale;
    const QSizeF size(width() / m_zoom * scale, height() / m_zoom * scale);
    const QRectF window = QRectF(a, size).intersected(map);
    QColor veil = colors.accent();
    veil.setAlphaF(0.16f);
    painter.setBrush(veil);
    painter.setPen(QPen(colors.accent(), 1.5));
    painter.drawRect(window);
    painter.restore();
}

void GraphCanvas::paintMessage(QPainter& painter)
{
    if (m_message.isEmpty()) return;
    painter.setFont(drawingFont(14, false));
    painter.setPen(Palette::of(palette()).mutedText());
    const QRect room = rect().adjusted(24, 24, -24, -24);
    painter.drawText(room, Qt::AlignCenter | Qt::TextWordWrap, m_message);
}

} // namespace gelens
