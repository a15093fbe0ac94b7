#include "viewers/common/formatter.h"
#include "viewers/common/palette.h"
#include "viewers/models/words.h"
#include "viewers/timeline/timeline_canvas.h"

#include <QPainter>
#include <QPaintEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

constexpr double narrowest = 1.5;  ///< narrower bars are merged, px
constexpr double outlineWidth = 5; ///< narrower bars have no outline
constexpr double hatchWidth = 5;   ///< narrower bars show no hatch
constexpr double letterWidth = 16; ///< narrower bars show no letter
constexpr double nameWidth = 52;   ///< narrower bars show no name
constexpr std::size_t shownArrows = 2000;
constexpr std::size_t samples = 12; ///< items looked at to colour a merged column

QColor counterColour(const TimelineCounter& counter, const Palette& palette)
{
    switch (counter.kind) {
    case TimelineCounter::Kind::CubeCores: return palette.unit(Unit::Cube);
    case TimelineCounter::Kind::VectorCores: return palette.unit(Unit::Vector);
    case TimelineCounter::Kind::AiCpuCores: return palette.unit(Unit::AiCpu);
    default: return palette.bound(Bound::Memory);
    }
}

/// The sign that repeats a bound's hatch.
QString boundLetter(Bound bound)
{
    switch (bound) {
    case Bound::Launch: return QStringLiteral("L");
    case Bound::Compute: return QStringLiteral("C");
    case Bound::Memory: return QStringLiteral("M");
    }
    return {};
}

Qt::BrushStyle boundHatch(Bound bound)
{
    switch (bound) {
    case Bound::Launch: return Qt::VerPattern;
    case Bound::Compute: return Qt::NoBrush;
    case Bound::Memory: return Qt::BDiagPattern;
    }
    return Qt::NoBrush;
}

QColor blended(const QColor& a, const QColor& b, double share)
{
    return QColor::fromRgbF(static_cast<float>(a.redF() * share + b.redF() * (1 - share)),
                            static_cast<float>(a.greenF() * share + b.greenF() * (1 - share)),
                            static_cast<float>(a.blueF() * share + b.blueF() * (1 - share)));
}

void paintBox(QPainter& painter, const Palette& palette, const QRectF& rect, Unit unit, Bound bound, bool isCritical)
{
    painter.fillRect(rect, blended(palette.unit(unit), palette.canvas(), palette.isDark() ? 0.5 : 0.42));
    if (rect.width() >= hatchWidth && boundHatch(bound) != Qt::NoBrush)
        painter.fillRect(rect, QBrush(blended(palette.unit(unit), palette.canvas(), 0.68), boundHatch(bound)));
    painter.setPen(
        QPen(isCritical ? palette.text() : blended(palette.line(), palette.canvas(), 0.7), isCritical ? 1.5 : 1));
    painter.setBrush(Qt::NoBrush);
    if (rect.width() > outlineWidth)
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    else if (isCritical)
        painter.drawLine(rect.topLeft() + QPointF(0, 0.5), rect.topRight() + QPointF(0, 0.5));
}

} // namespace

void TimelineCanvas::paintBar(QPainter& painter, const Palette& palette, const QRectF& rect, std::uint32_t number)
{
    const TimelineItem& item = m_index->item(number);
    paintBox(painter, palette, rect, item.unit, item.bound, item.isCritical);
    if (rect.width() < letterWidth || rect.height() < 10) return;
    QString text = boundLetter(item.bound);
    const QFontMetrics metrics = painter.fontMetrics();
    if (rect.width() >= nameWidth) {
        const QString name =
            words::text(m_index->typeOf(number)) + QLatin1Char(' ') + words::text(m_index->nameOf(number));
        text += QStringLiteral(" · ") + name;
    }
    text = metrics.elidedText(text, Qt::ElideRight, static_cast<int>(rect.width()) - 6);
    // A plate keeps the letters readable on the hatch.
    const QRectF plate(rect.left() + 2, rect.top() + 2,
                       std::min<double>(metrics.horizontalAdvance(text) + 4, rect.width() - 4), rect.height() - 4);
    painter.fillRect(plate, blended(palette.unit(item.unit), palette.canvas(), palette.isDark() ? 0.35 : 0.2));
    painter.setPen(palette.text());
    painter.drawText(plate.adjusted(2, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, text);
}

void TimelineCanvas::paintTrack(QPainter& painter, const Palette& palette, std::size_t number)
{
    const TimelineTrack& track = m_index->tracks()[number];
    const QRectF area = trackRect(number).adjusted(0, 3, 0, -3);
    const QRectF plot = plotRect();
    if (area.bottom() < plot.top() || area.top() > plot.bottom()) return;
    std::size_t i = m_index->firstEndingAfter(track, m_time.from());
    while (i < track.items.size()) {
        const TimelineItem& item = m_index->item(track.items[i]);
        if (item.startUs > m_time.to()) return;
        const double left = xOf(item.startUs), right = xOf(item.startUs + item.durationUs);
        ++m_barsPainted;
        if (right - left >= narrowest) {
            const QRectF rect(std::max(left, plot.left() - 2), area.top(), 0, area.height());
            paintBar(painter, palette,
                     QRectF(rect.topLeft(), QPointF(std::min(right, plot.right() + 2), area.bottom())), track.items[i]);
            ++i;
            continue;
        }
        // All thin items that start within this pixel become one column, coloured by the longest of some of them.
        const double column = std::max(std::floor(left), plot.left());
        std::size_t next = std::max(i + 1, m_index->firstStartingAt(track, timeAt(column + 1), i));
        // A wide one that begins in this pixel is a bar of its own; without overlaps it is the last.
        while (next > i + 1 && m_index->item(track.items[next - 1]).durationUs * m_time.scale() >= narrowest) --next;
        const std::size_t stride = std::max<std::size_t>(1, (next - i) / samples);
        const TimelineItem* longest = &item;
        for (std::size_t k = i; k < next; k += stride)
            if (m_index->item(track.items[k]).durationUs > longest->durationUs)
                longest = &m_index->item(track.items[k]);
        const double busy = std::min(
            1.0, (m_index->item(track.items[next - 1]).startUs + longest->durationUs - item.startUs) * m_time.scale());
        painter.fillRect(QRectF(column, area.top(), 1, area.height()),
                         blended(palette.unit(longest->unit), palette.canvas(), 0.35 + 0.45 * std::max(0.0, busy)));
        i = next;
    }
}

/// The highest value of each pixel column, as a share of what the device has.
void TimelineCanvas::paintCounter(QPainter& painter, const Palette& palette, std::size_t number) const
{
    const TimelineCounter& counter = m_index->counters()[static_cast<std::size_t>(m_index->tracks()[number].counter)];
    const QRectF area = trackRect(number).adjusted(0, 3, 0, -3), plot = plotRect();
    if (area.bottom() < plot.top() || area.top() > plot.bottom() || counter.capacity <= 0) return;
    painter.setPen(Qt::NoPen);
    const QColor colour = blended(counterColour(counter, palette), palette.canvas(), 0.62);
    const double end = xOf(m_index->timeline().totalUs);
    const double right = std::min(plot.right(), end);
    for (double x = plot.left(); x < right; ++x) {
        const double height =
            area.height() * std::min(1.0, counter.highestIn(timeAt(x), timeAt(x + 1)) / counter.capacity);
        if (height > 0) painter.fillRect(QRectF(x, area.bottom() - height, 1, height), colour);
    }
    painter.setPen(QPen(palette.faintLine(), 1, Qt::DotLine));
    painter.drawLine(area.topLeft(), area.topRight());
}

void TimelineCanvas::paintLabels(QPainter& painter, const Palette& palette) const
{
    const QRectF plot = plotRect();
    painter.save();
    painter.setClipRect(QRectF(0, plot.top(), plot.left(), plot.height()));
    const double total = std::max(1e-9, m_index->timeline().totalUs);
    for (std::size_t track = 0; track < m_index->tracks().size(); ++track) {
        const TimelineTrack& content = m_index->tracks()[track];
        const QRectF area = trackRect(track);
        const QRectF box(6, area.top(), plot.left() - 12, area.height());
        QString name = trackName(content);
        if (content.counter >= 0) {
            const TimelineCounter& counter = m_index->counters()[static_cast<std::size_t>(content.counter)];
            painter.setPen(palette.text());
            painter.drawText(box.adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, name);
            painter.setPen(palette.mutedText());
            painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter,
                             format::percent(counter.mean / counter.capacity, 0));
            continue;
        }
        if (!content.isStream) {
            painter.fillRect(QRectF(2, area.top() + 4, 3, area.height() - 8), palette.unit(content.unit));
            name = QLatin1Char(unitLetter(content.unit)) + QStringLiteral("  ") + name;
        }
        painter.setPen(palette.text());
        painter.drawText(box.adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, name);
        painter.setPen(palette.mutedText());
        painter.drawText(box, Qt::AlignRight | Qt::AlignVCenter, format::percent(content.busyUs / total));
    }
    painter.restore();
}

void TimelineCanvas::paintRuler(QPainter& painter, const Palette& palette) const
{
    const QRectF plot = plotRect();
    const QString caption = tr("estimated time");
    const double captionWidth = painter.fontMetrics().horizontalAdvance(caption) + 8;
    painter.setPen(palette.mutedText());
    painter.drawText(QRectF(plot.right() - captionWidth, 0, captionWidth, plot.top()),
                     Qt::AlignRight | Qt::AlignVCenter, caption);
    painter.drawText(QRectF(6, 0, plot.left() - 12, plot.top()), Qt::AlignRight | Qt::AlignVCenter, tr("busy"));
    for (const double value : m_time.ticks(100)) {
        const double x = xOf(value);
        painter.setPen(palette.faintLine());
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
        painter.setPen(palette.mutedText());
        painter.drawLine(QPointF(x, plot.top() - 5), QPointF(x, plot.top()));
        if (x + 70 < plot.right() - captionWidth)
            painter.drawText(QRectF(x + 3, 0, 96, plot.top()), Qt::AlignLeft | Qt::AlignVCenter,
                             format::microseconds(value));
    }
    painter.setPen(palette.line());
    painter.drawLine(plot.topLeft(), plot.topRight());
}

void TimelineCanvas::paintArrows(QPainter& painter, const Palette& palette) const
{
    painter.setPen(QPen(palette.text(), 1));
    std::size_t shown = 0;
    for (const TimelineArrow& arrow : m_index->arrows()) {
        const TimelineItem& from = m_index->item(arrow.from);
        const TimelineItem& to = m_index->item(arrow.to);
        if (to.startUs < m_time.from() || from.startUs > m_time.to()) continue;
        if (++shown > shownArrows) return;
        const QRectF start = rectOf(arrow.from), end = rectOf(arrow.to);
        if (start.isNull() || end.isNull()) continue;
        const QPointF head(xOf(to.startUs + to.durationUs), end.center().y());
        painter.drawLine(QPointF(xOf(from.startUs + from.durationUs), start.center().y()), head);
        painter.drawLine(head, head + QPointF(-5, -3));
        painter.drawLine(head, head + QPointF(-5, 3));
    }
}

void TimelineCanvas::paintMarks(QPainter& painter, const Palette& palette) const
{
    const QRectF plot = plotRect();
    // Search results: a triangle on the ruler's line for each pixel column that has one.
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.warning());
    int column = -10;
    for (const std::uint32_t number : m_found) {
        const double x = xOf(m_index->item(number).startUs + m_index->item(number).durationUs / 2);
        if (x < plot.left() || x > plot.right() || std::abs(static_cast<int>(x) - column) < 2) continue;
        column = static_cast<int>(x);
        const QPointF triangle[] = {{x - 4, plot.top() - 7}, {x + 4, plot.top() - 7}, {x, plot.top() + 1}};
        painter.drawPolygon(triangle, 3);
    }
    painter.setBrush(Qt::NoBrush);
    for (const std::uint32_t number : m_selected) {
        const TimelineItem& item = m_index->item(number);
        const double left = xOf(item.startUs), right = std::max(left + 2, xOf(item.startUs + item.durationUs));
        if (right < plot.left() || left > plot.right()) continue;
        for (std::size_t track = 0; track < m_index->tracks().size(); ++track) {
            const TimelineTrack& content = m_index->tracks()[track];
            if (content.counter >= 0) continue;
            if (content.isStream ? content.stream != item.stream : content.unit != item.unit) continue;
            const QRectF area = trackRect(track).adjusted(0, 2, 0, -2);
            const QRectF box(QPointF(std::max(left, plot.left() - 4), area.top()),
                             QPointF(std::min(right, plot.right() + 4), area.bottom()));
            painter.setPen(QPen(palette.canvas(), 5));
            painter.drawRect(box);
            painter.setPen(QPen(palette.accent(), 3));
            painter.drawRect(box);
        }
    }
    if (!m_span) return;
    const QRectF box(QPointF(xOf(m_span->from), plot.top()), QPointF(xOf(m_span->to), plot.bottom()));
    QColor veil = palette.accent();
    veil.setAlpha(36);
    painter.fillRect(box, veil);
    painter.setPen(QPen(palette.accent(), 1, Qt::DashLine));
    painter.drawRect(box);
    painter.setPen(palette.accent());
    painter.drawText(box.adjusted(0, 0, 0, -2), Qt::AlignHCenter | Qt::AlignBottom | Qt::TextDontClip,
                     format::microseconds(m_span->to - m_span->from));
}

/// A list that goes on says so in the corner at that end; a bar alone is easily overlooked.
void TimelineCanvas::paintMore(QPainter& painter, const Palette& palette) const
{
    painter.setPen(palette.accent());
    for (const bool isBelow : {false, true})
        painter.drawText(moreRect(isBelow), Qt::AlignLeft | Qt::AlignVCenter, moreText(isBelow));
}

/// Says what hatch, letter and outline mean; what the letters say of a task stands once, in front.
void TimelineCanvas::paintLegend(QPainter& painter, const Palette& palette) const
{
    constexpr double box = 14, afterBox = 4, edge = 8;
    struct Entry {
        Bound bound;
        bool isCritical;
        QString text;
    };
    std::vector<Entry> entries;
    for (const Bound bound : {Bound::Launch, Bound::Compute, Bound::Memory})
        entries.push_back({bound, false, tr("%1: %2").arg(boundLetter(bound), words::bound(bound))});
    entries.push_back({Bound::Compute, true, tr("critical path")});
    const QFontMetrics metrics = painter.fontMetrics();
    const QString caption = tr("bound by");
    double needed = 0;
    for (const Entry& entry : entries) needed += box + afterBox + metrics.horizontalAdvance(entry.text);
    // Below the plot where that is wide enough; a narrow one gives way to the left, then the gaps do, then the caption.
    const QRectF plot = plotRect(), row(0, plot.bottom() + 4, 0, 13);
    const double width = viewport()->width() - edge, most = static_cast<double>(entries.size() - 1);
    double first = edge + moreRect(true).right() + metrics.horizontalAdvance(caption) + edge;
    const bool hasCaption = first + needed + 4 * most <= width;
    if (!hasCaption) first = edge + moreRect(true).right();
    const double gap = std::clamp((width - first - needed) / most, 4.0, 16.0);
    double x = std::max(first, std::min(plot.left(), width - needed - gap * most));
    painter.setPen(palette.mutedText());
    if (hasCaption)
        painter.drawText(QRectF(0, row.top() - 2, x - edge, row.height() + 4), Qt::AlignRight | Qt::AlignVCenter,
                         caption);
    for (const Entry& entry : entries) {
        paintBox(painter, palette, QRectF(x, row.top(), box, row.height()), Unit::None, entry.bound, entry.isCritical);
        painter.setPen(palette.mutedText());
        const double textWidth = metrics.horizontalAdvance(entry.text);
        painter.drawText(QRectF(x + box + afterBox, row.top() - 2, textWidth + 4, row.height() + 4),
                         Qt::AlignLeft | Qt::AlignVCenter, entry.text);
        x += box + afterBox + textWidth + gap;
    }
}

void TimelineCanvas::paintEvent(QPaintEvent*)
{
    const Palette palette = Palette::of(this->palette());
    QPainter painter(viewport());
    const QRectF plot = plotRect();
    painter.fillRect(viewport()->rect(), this->palette().color(QPalette::Window));
    painter.fillRect(plot, palette.canvas());
    if (!m_index) return;
    m_barsPainted = 0;
    paintRuler(painter, palette);
    painter.save();
    painter.setClipRect(plot.adjusted(0, -8, 1, 1));
    for (std::size_t track = 0; track < m_index->tracks().size(); ++track) {
        const double bottom = trackRect(track).bottom();
        painter.setPen(palette.faintLine());
        painter.drawLine(QPointF(plot.left(), bottom), QPointF(plot.right(), bottom));
        if (m_index->tracks()[track].counter >= 0)
            paintCounter(painter, palette, track);
        else
            paintTrack(painter, palette, track);
    }
    paintArrows(painter, palette);
    paintMarks(painter, palette);
    painter.restore();
    paintLabels(painter, palette);
    paintMore(painter, palette);
    paintLegend(painter, palette);
    if (hasFocus()) {
        painter.setPen(palette.accent());
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace gelens
