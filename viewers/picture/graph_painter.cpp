#include "viewers/picture/graph_painter.h"

#include "engine/report/drawing_style.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace gelens {
namespace {

constexpr double textScale = 0.5;   ///< below, text could not be read
constexpr double boxScale = 0.16;   ///< below, boxes are marks of one colour
constexpr double smallest = 5.5;    ///< pixels of the smallest text that is drawn
constexpr double leastRadius = 3.3; ///< pixels; corners below that are drawn square, which is much faster
constexpr double ghostOpacity = 0.62;

QColor colorOf(std::string_view hex) { return QColor(QLatin1String(hex.data(), static_cast<qsizetype>(hex.size()))); }

/// A polyline with its corners rounded.
QPainterPath roundedPath(const std::vector<QPointF>& points, double radius)
{
    QPainterPath path(points.front());
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        const QPointF before = points[i - 1] - points[i], after = points[i + 1] - points[i];
        const double a = std::hypot(before.x(), before.y()), b = std::hypot(after.x(), after.y());
        const double r = std::min({radius, a / 2, b / 2});
        if (r < 0.5) {
            path.lineTo(points[i]);
            continue;
        }
        path.lineTo(points[i] + before * (r / a));
        path.quadTo(points[i], points[i] + after * (r / b));
    }
    path.lineTo(points.back());
    return path;
}

/// A stripe whose left corners follow the card's.
QPainterPath leftRounded(const QRectF& rect, double radius)
{
    QPainterPath path(rect.topRight());
    path.lineTo(rect.left() + radius, rect.top());
    path.quadTo(rect.topLeft(), {rect.left(), rect.top() + radius});
    path.lineTo(rect.left(), rect.bottom() - radius);
    path.quadTo(rect.bottomLeft(), {rect.left() + radius, rect.bottom()});
    path.lineTo(rect.bottomRight());
    path.closeSubpath();
    return path;
}

} // namespace

GraphPainter::GraphPainter(const GraphDrawing& drawing, const SceneIndex& index, const Palette& palette)
    : m_drawing(drawing), m_index(index), m_palette(palette)
{
}

GraphPainter::Detail GraphPainter::detailFor(double scale)
{
    return scale >= textScale ? Detail::Text : scale >= boxScale ? Detail::Boxes : Detail::Marks;
}

QRectF GraphPainter::onScreen(const DrawnBox& box) const
{
    return {onScreen(DrawnPoint{box.x, box.y}), QSizeF(box.width * m_scale, box.height * m_scale)};
}

QColor GraphPainter::stripeColor(const DrawnBox& box) const
{
    return colorOf(drawingColors(m_palette.isDark()).stripe(box.isUnitStripe, box.unit, box.colorKey, box.level));
}

void GraphPainter::text(QPainter& painter, double x, double baseline, std::string_view line, double size, bool isBold,
                        const QColor& color, Qt::Alignment align) const
{
    if (!line.empty() && size * m_scale >= smallest)
        m_text.draw(painter, x, baseline, line, size * m_scale, isBold, color, align);
}

void GraphPainter::paint(QPainter& painter, const QRectF& area, QPointF origin, double scale)
{
    m_origin = origin;
    m_scale = scale;
    const Detail detail = detailFor(scale);
    const SceneRect rect{area.left(), area.top(), area.right(), area.bottom()};
    std::vector<std::int32_t> boxes, edges, stubs;
    m_index.boxesIn(rect, boxes);
    m_index.edgesIn(rect, edges);
    painter.setRenderHint(QPainter::Antialiasing, detail == Detail::Text);
    for (const std::int32_t i : boxes)
        if (const DrawnBox& box = m_drawing.boxes[static_cast<std::size_t>(i)]; box.kind == BoxKind::Frame)
            paintFrame(painter, box);
    paintLines(painter, edges, detail);
    if (detail == Detail::Marks) {
        paintMarks(painter, boxes);
        return;
    }
    if (detail == Detail::Boxes) {
        paintPlainBoxes(painter, boxes);
        return;
    }
    m_index.stubsIn(rect, stubs);
    paintStubs(painter, stubs);
    const bool isRounded = card::cornerRadius * scale >= leastRadius;
    for (const bool ghosts : {true, false}) { // what is new lies over what it replaced
        if (!isRounded) {
            std::vector<std::int32_t> plates;
            for (const std::int32_t i : boxes)
                if (m_drawing.boxes[static_cast<std::size_t>(i)].isGhost == ghosts) plates.push_back(i);
            if (ghosts) painter.setOpacity(ghostOpacity);
            painter.setRenderHint(QPainter::Antialiasing, false);
            paintPlainBoxes(painter, plates);
            painter.setRenderHint(QPainter::Antialiasing, true);
            painter.setOpacity(1);
        }
        for (const std::int32_t i : boxes) {
            const DrawnBox& box = m_drawing.boxes[static_cast<std::size_t>(i)];
            if (box.isGhost != ghosts || box.kind == BoxKind::Frame) continue;
            if (ghosts) painter.setOpacity(ghostOpacity);
            if (box.kind == BoxKind::Port) {
                if (isRounded) paintPort(painter, box);
            } else if (isRounded) {
                paintCard(painter, box);
            }
            paintTexts(painter, box);
            painter.setOpacity(1);
        }
    }
    paintLabels(painter, edges);
}

void GraphPainter::paintFrame(QPainter& painter, const DrawnBox& box) const
{
    const QRectF rect = onScreen(box);
    const DrawingColors& colors = drawingColors(m_palette.isDark());
    painter.setPen(QPen(m_palette.line(), 1));
    painter.setBrush(colorOf(box.depth % 2 == 0 ? colors.frameFill : colors.nestedFrameFill));
    const double radius = (card::cornerRadius + 3) * m_scale;
    painter.drawRoundedRect(rect, radius, radius);
    if (m_scale < 0.3) return;
    text(painter, rect.left() + 10 * m_scale, rect.top() + 17 * m_scale, box.title, card::titleFont, true,
         m_palette.text());
    const QRectF bar(rect.left(), rect.top(), rect.width(), card::frameHeader * m_scale);
    paintSign(painter, box, bar);
}

void GraphPainter::paintSign(QPainter& painter, const DrawnBox& box, const QRectF& rect) const
{
    if (!box.change) return;
    const double right = rect.right() - 7 * m_scale;
    const QColor color = m_palette.change(*box.change);
    if (box.kind == BoxKind::Frame)
        text(painter, right, rect.top() + 17 * m_scale, box.badge, card::nameFont, true, color, Qt::AlignRight);
    else if (!box.badge.empty())
        text(painter, right, rect.top() + (card::nameBaseline + 7) * m_scale, box.badge, card::nameFont, true, color,
             Qt::AlignRight);
    else
        text(painter, right, rect.top() + card::titleBaseline * m_scale, changeSignText(*box.change),
             card::titleFont + 2, true, color, Qt::AlignRight);
}

void GraphPainter::paintCard(QPainter& painter, const DrawnBox& box) const
{
    const QRectF rect = onScreen(box);
    const double radius = card::cornerRadius * m_scale;
    painter.setPen(QPen(m_palette.line(), 1));
    painter.setBrush(m_palette.nodeFill());
    if (box.kind == BoxKind::Group && box.isRepeat)
        for (int k = 2; k > 0; --k) {
            const double d = k * card::stackOffset * m_scale;
            painter.drawRoundedRect(rect.translated(d, -d), radius, radius);
        }
    const bool isRemoved = box.change == ChangeKind::Removed && box.kind == BoxKind::Node;
    painter.drawRoundedRect(rect, radius, radius);
    if (isRemoved) {
        QColor hatch = m_palette.change(ChangeKind::Removed);
        hatch.setAlphaF(0.3f);
        painter.setPen(Qt::NoPen);
        painter.setBrush(QBrush(hatch, Qt::BDiagPattern));
        painter.drawRoundedRect(rect, radius, radius);
    }
    if (box.kind == BoxKind::Node) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(stripeColor(box));
        painter.drawPath(leftRounded({rect.left(), rect.top(), card::stripe * m_scale, rect.height()}, radius));
    }
    if (box.change) {
        QPen pen(m_palette.change(*box.change),
                 box.change == ChangeKind::Changed ? 3 * m_scale + 0.5 : 1.6 * m_scale + 0.6);
        if (isRemoved) pen.setStyle(Qt::DashLine);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect, radius, radius);
    }
}

/// All that is written on a card or a port.
void GraphPainter::paintTexts(QPainter& painter, const DrawnBox& box) const
{
    const QRectF rect = onScreen(box);
    if (box.kind == BoxKind::Port) {
        text(painter, rect.center().x(), rect.center().y() + 3.5 * m_scale, box.title, card::portFont, false,
             m_palette.mutedText(), Qt::AlignHCenter);
        return;
    }
    const double x = rect.left() + (card::stripe + card::padding) * m_scale;
    if (box.kind == BoxKind::Group) {
        text(painter, rect.left() + card::stripe * m_scale * 0.6, rect.center().y() + 5 * m_scale, "▸", card::groupFont,
             false, m_palette.mutedText(), Qt::AlignHCenter);
        text(painter, x, rect.top() + 22 * m_scale, box.title, card::groupFont, true, m_palette.text());
        text(painter, x, rect.top() + 38 * m_scale, box.subtitle, card::nameFont, false, m_palette.mutedText());
    } else {
        text(painter, rect.left() + card::stripe / 2 * m_scale, rect.center().y() + 4.5 * m_scale, box.sign,
             card::titleFont, true, m_palette.canvas(), Qt::AlignHCenter);
        text(painter, x, rect.top() + card::titleBaseline * m_scale, box.title, card::titleFont, true,
             m_palette.text());
        text(painter, x, rect.top() + card::nameBaseline * m_scale, box.subtitle, card::nameFont, false,
             m_palette.mutedText());
        text(painter, x, rect.top() + card::tagBaseline * m_scale, box.tag, card::tagFont, false,
             m_palette.mutedText());
        text(painter, rect.left() + box.noteX * m_scale, rect.top() - card::noteBaseline * m_scale, box.note,
             card::edgeFont, false, m_palette.text());
    }
    paintSign(painter, box, rect);
}

void GraphPainter::paintPort(QPainter& painter, const DrawnBox& box) const
{
    const QRectF rect = onScreen(box);
    painter.setPen(QPen(m_palette.line(), 1));
    painter.setBrush(m_palette.canvas());
    painter.drawRoundedRect(rect, rect.height() / 2, rect.height() / 2);
}

/// Thousands of boxes a frame: one call for each colour.
void GraphPainter::paintMarks(QPainter& painter, const std::vector<std::int32_t>& boxes) const
{
    std::unordered_map<QRgb, std::vector<QRectF>> byColor;
    for (const std::int32_t i : boxes) {
        const DrawnBox& box = m_drawing.boxes[static_cast<std::size_t>(i)];
        if (box.kind == BoxKind::Frame) continue;
        const QColor color = box.change                  ? m_palette.change(*box.change)
                             : box.kind == BoxKind::Node ? stripeColor(box)
                                                         : m_palette.line();
        QRectF rect = onScreen(box);
        rect.setWidth(std::max(1.0, rect.width()));
        rect.setHeight(std::max(1.0, rect.height()));
        byColor[color.rgba()].push_back(rect);
    }
    painter.setPen(Qt::NoPen);
    for (const auto& [color, rects] : byColor) {
        painter.setBrush(QColor::fromRgba(color));
        painter.drawRects(rects.data(), static_cast<int>(rects.size()));
    }
}

/// Cards without text: their colour, and what the step did to them. A few calls for all of them.
void GraphPainter::paintPlainBoxes(QPainter& painter, const std::vector<std::int32_t>& boxes) const
{
    std::vector<QRectF> cards;
    std::unordered_map<QRgb, std::vector<QRectF>> stripes;
    for (const std::int32_t i : boxes) {
        const DrawnBox& box = m_drawing.boxes[static_cast<std::size_t>(i)];
        if (box.kind == BoxKind::Frame) continue;
        const QRectF rect = onScreen(box);
        if (box.kind == BoxKind::Group && box.isRepeat) {
            const double d = card::stackOffset * m_scale;
            cards.push_back(rect.translated(2 * d, -2 * d));
        }
        cards.push_back(rect);
        if (box.kind == BoxKind::Node)
            stripes[stripeColor(box).rgba()].emplace_back(rect.topLeft(),
                                                          QSizeF(card::stripe * m_scale, rect.height()));
    }
    painter.setPen(QPen(m_palette.line(), 0));
    painter.setBrush(m_palette.nodeFill());
    painter.drawRects(cards.data(), static_cast<int>(cards.size()));
    painter.setPen(Qt::NoPen);
    for (const auto& [color, rects] : stripes) {
        painter.setBrush(QColor::fromRgba(color));
        painter.drawRects(rects.data(), static_cast<int>(rects.size()));
    }
    for (const std::int32_t i : boxes) {
        const DrawnBox& box = m_drawing.boxes[static_cast<std::size_t>(i)];
        if (!box.change || box.kind == BoxKind::Frame) continue;
        const QColor color = m_palette.change(*box.change);
        painter.setBrush(*box.change == ChangeKind::Removed ? QBrush(color, Qt::BDiagPattern) : QBrush(Qt::NoBrush));
        painter.setPen(QPen(color, *box.change == ChangeKind::Changed ? 2.5 : 1.5,
                            *box.change == ChangeKind::Removed ? Qt::DashLine : Qt::SolidLine));
        painter.drawRect(onScreen(box));
    }
}

void GraphPainter::paintPlainLines(QPainter& painter, const std::vector<std::int32_t>& edges) const
{
    std::vector<QLineF> lines;
    for (const std::int32_t e : edges) {
        const auto route = m_drawing.route(m_drawing.edges[static_cast<std::size_t>(e)]);
        for (std::size_t k = 0; k + 1 < route.size(); ++k)
            lines.emplace_back(onScreen(route[k]), onScreen(route[k + 1]));
    }
    painter.setPen(QPen(m_palette.line(), 0));
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
}

/// Lines at a size where rounded bends cannot be seen: all plain ones in one call.
void GraphPainter::paintThinLines(QPainter& painter, const std::vector<std::int32_t>& edges) const
{
    std::vector<QLineF> lines;
    std::vector<QPointF> heads;
    for (const std::int32_t e : edges) {
        const DrawnEdge& edge = m_drawing.edges[static_cast<std::size_t>(e)];
        if (edge.count > 1 || edge.isControl || edge.isOwnership || edge.isGhost) {
            paintEdge(painter, e, m_origin, m_scale, m_palette.line(), 1.2);
            continue;
        }
        const auto route = m_drawing.route(edge);
        for (std::size_t k = 0; k + 1 < route.size(); ++k)
            lines.emplace_back(onScreen(route[k]), onScreen(route[k + 1]));
        if (!edge.hasArrow || route.size() < 2) continue;
        const QPointF end = lines.back().p2(), before = lines.back().p1();
        const double length = std::hypot(end.x() - before.x(), end.y() - before.y());
        if (length < 1e-6) continue;
        const QPointF along = (end - before) / length * (8 * m_scale), across(-along.y() * 0.42, along.x() * 0.42);
        heads.insert(heads.end(), {end, end - along + across, end - along - across});
    }
    painter.setPen(QPen(m_palette.line(), std::max(0.7, 1.2 * m_scale)));
    painter.drawLines(lines.data(), static_cast<int>(lines.size()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_palette.line());
    for (std::size_t h = 0; h < heads.size(); h += 3) painter.drawConvexPolygon(heads.data() + h, 3);
}

void GraphPainter::paintLines(QPainter& painter, const std::vector<std::int32_t>& edges, Detail detail) const
{
    if (detail == Detail::Text && card::cornerRadius * m_scale < leastRadius)
        paintThinLines(painter, edges);
    else if (detail == Detail::Text)
        for (const std::int32_t e : edges) paintEdge(painter, e, m_origin, m_scale, m_palette.line(), 1.2);
    else
        paintPlainLines(painter, edges);
}

void GraphPainter::paintEdge(QPainter& painter, int index, QPointF origin, double scale, const QColor& color,
                             double width) const
{
    const DrawnEdge& edge = m_drawing.edges[static_cast<std::size_t>(index)];
    const auto route = m_drawing.route(edge);
    if (route.size() < 2) return;
    std::vector<QPointF> points;
    points.reserve(route.size());
    for (const DrawnPoint& p : route) points.emplace_back(origin.x() + p.x * scale, origin.y() + p.y * scale);
    QPen pen(color, std::max(0.7, (edge.count > 1 ? width * 1.7 : width) * std::min(1.0, scale)));
    if (edge.isControl) pen.setDashPattern({5, 4});
    if (edge.isOwnership || edge.isGhost) pen.setDashPattern({2, 3});
    if (edge.isGhost) painter.setOpacity(0.6);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    if (points.size() == 2)
        painter.drawLine(points[0], points[1]);
    else
        painter.drawPath(roundedPath(points, 9 * scale));
    if (edge.hasArrow && scale > 0.3) {
        const QPointF end = points.back(), before = points[points.size() - 2];
        const double length = std::hypot(end.x() - before.x(), end.y() - before.y());
        if (length > 1e-6) {
            const QPointF along = (end - before) / length * (8 * scale), across(-along.y() * 0.42, along.x() * 0.42);
            painter.setPen(Qt::NoPen);
            painter.setBrush(color);
            painter.drawPolygon(QPolygonF({end, end - along + across, end - along - across}));
        }
    }
    painter.setOpacity(1);
}

void GraphPainter::paintStubs(QPainter& painter, const std::vector<std::int32_t>& stubs) const
{
    for (const std::int32_t i : stubs) {
        const DrawnStub& stub = m_drawing.stubs[static_cast<std::size_t>(i)];
        painter.setPen(QPen(m_palette.line(), 1.2 * m_scale, stub.isGhost ? Qt::DotLine : Qt::SolidLine));
        painter.drawLine(onScreen(stub.start), onScreen(stub.end));
        const QPointF at = onScreen(stub.consumer < 0 ? stub.end : stub.start);
        text(painter, at.x(), at.y() + (stub.consumer < 0 ? 9 : -2) * m_scale, stub.label, card::edgeFont, false,
             m_palette.mutedText(), Qt::AlignHCenter);
    }
}

void GraphPainter::paintLabels(QPainter& painter, const std::vector<std::int32_t>& edges) const
{
    if (card::edgeFont * m_scale < 6.5) return;
    QColor back = m_palette.canvas();
    back.setAlphaF(0.8f);
    const double size = card::edgeFont * m_scale;
    for (const std::int32_t e : edges) {
        const DrawnEdge& edge = m_drawing.edges[static_cast<std::size_t>(e)];
        if (edge.label.empty()) continue;
        const QPointF at = onScreen(DrawnPoint{edge.labelX, edge.labelY});
        painter.fillRect(QRectF(at.x() - 1, at.y() - size * 0.6, edge.labelWidth * m_scale + 2, size * 1.2), back);
        text(painter, at.x(), at.y() + card::edgeFont * 0.35 * m_scale, edge.label, card::edgeFont, false,
             m_palette.mutedText());
    }
}

void GraphPainter::paintLegend(QPainter& painter, const DrawingLegend& legend) const
{
    for (const LegendChip& chip : legend.chips) {
        const double baseline = m_origin.y() + chip.baseline() * m_scale;
        const auto x = [&](double at) { return m_origin.x() + at * m_scale; };
        if (chip.entry != nullptr) {
            const LegendEntry& entry = *chip.entry;
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(
                colorOf(drawingColors(m_palette.isDark())
                            .stripe(entry.isUnit, entry.unit, entry.isUnit ? "" : entry.key, entry.level)));
            painter.drawRoundedRect(
                QRectF(onScreen(DrawnPoint{chip.x, chip.y}), QSizeF(LegendChip::side, LegendChip::side) * m_scale),
                3 * m_scale, 3 * m_scale);
            text(painter, x(chip.signX()), baseline, entry.sign, card::nameFont, true, m_palette.canvas(),
                 Qt::AlignHCenter);
        } else {
            text(painter, x(chip.signX()), baseline, changeSignText(*chip.change), card::titleFont, true,
                 m_palette.change(*chip.change), Qt::AlignHCenter);
        }
        text(painter, x(chip.textX()), baseline, chip.text, card::nameFont, false, m_palette.mutedText());
    }
}

void GraphPainter::paintOutline(QPainter& painter, int index, QPointF origin, double scale, const QColor& color,
                                double width) const
{
    const DrawnBox& box = m_drawing.boxes[static_cast<std::size_t>(index)];
    const QRectF rect(origin.x() + box.x * scale, origin.y() + box.y * scale, box.width * scale, box.height * scale);
    const double gap = width / 2 + 1.5, radius = card::cornerRadius * scale + gap;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, width));
    painter.drawRoundedRect(rect.adjusted(-gap, -gap, gap, gap), radius, radius);
}

QStringList GraphPainter::texts(const QRectF& area, double scale)
{
    QStringList lines;
    if (detailFor(scale) != Detail::Text) return lines;
    std::vector<std::int32_t> found;
    const SceneRect rect{area.left(), area.top(), area.right(), area.bottom()};
    const auto add = [&](const std::string& line) {
        if (!line.empty()) lines.append(QString::fromUtf8(line.data(), static_cast<qsizetype>(line.size())));
    };
    m_index.boxesIn(rect, found);
    for (const std::int32_t i : found) {
        const DrawnBox& box = m_drawing.boxes[static_cast<std::size_t>(i)];
        add(box.title);
        add(box.subtitle);
        add(box.tag);
        add(box.note);
        if (box.change) add(box.badge.empty() ? std::string(changeSignText(*box.change)) : box.badge);
    }
    m_index.edgesIn(rect, found);
    for (const std::int32_t e : found) add(m_drawing.edges[static_cast<std::size_t>(e)].label);
    return lines;
}

} // namespace gelens
