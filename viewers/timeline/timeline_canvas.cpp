#include "viewers/timeline/timeline_canvas.h"

#include "viewers/common/axis_input.h"
#include "viewers/common/formatter.h"
#include "viewers/models/words.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

constexpr int gutter = 144; ///< room for the names of tracks
constexpr int rulerHeight = 22;
constexpr int legendHeight = 22;
constexpr int smallestTrack = 20, largestTrack = 40;

} // namespace

TimelineCanvas::TimelineCanvas(QWidget* parent) : QAbstractScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setMinimumSize(200, 90);
}

void TimelineCanvas::setIndex(std::shared_ptr<const TimelineIndex> index)
{
    m_index = std::move(index);
    m_selected.clear();
    m_found.clear();
    m_span.reset();
    if (m_index) {
        double end = m_index->timeline().totalUs;
        for (const TimelineTrack& track : m_index->tracks())
            if (!track.latestEnd.empty()) end = std::max(end, track.latestEnd.back());
        m_time.setLimits(0, end, std::max(0.01, end / 1e7));
    }
    layoutTracks();
    viewport()->update();
    Q_EMIT spanChanged();
}

void TimelineCanvas::setSelected(std::vector<std::uint32_t> items)
{
    m_selected = std::move(items);
    viewport()->update();
}

void TimelineCanvas::setFound(std::vector<std::uint32_t> items)
{
    m_found = std::move(items);
    viewport()->update();
}

void TimelineCanvas::setSpan(std::optional<Span> span)
{
    m_span = span;
    viewport()->update();
    Q_EMIT spanChanged();
}

void TimelineCanvas::fit()
{
    m_time.fit();
    viewport()->update();
}

void TimelineCanvas::reveal(std::uint32_t number)
{
    if (!m_index || number >= m_index->timeline().items.size()) return;
    const TimelineItem& item = m_index->item(number);
    m_time.reveal(item.startUs, item.startUs + item.durationUs);
    viewport()->update();
}

QRectF TimelineCanvas::plotRect() const
{
    return QRectF(gutter, rulerHeight, std::max(10, viewport()->width() - gutter - 6),
                  std::max(10, viewport()->height() - rulerHeight - legendHeight));
}

void TimelineCanvas::layoutTracks()
{
    const QRectF plot = plotRect();
    m_time.setLength(plot.width());
    const int count = m_index ? std::max<int>(1, static_cast<int>(m_index->tracks().size())) : 1;
    m_trackHeight = std::clamp(static_cast<int>(plot.height()) / count, smallestTrack, largestTrack);
    verticalScrollBar()->setPageStep(static_cast<int>(plot.height()));
    verticalScrollBar()->setRange(0, std::max(0, count * m_trackHeight - static_cast<int>(plot.height())));
    verticalScrollBar()->setSingleStep(m_trackHeight);
}

QRectF TimelineCanvas::trackRect(std::size_t track) const
{
    const QRectF plot = plotRect();
    return QRectF(plot.left(), plot.top() + static_cast<double>(track) * m_trackHeight - verticalScrollBar()->value(),
                  plot.width(), m_trackHeight);
}

int TimelineCanvas::tracksHidden(bool isBelow) const
{
    int hidden = 0;
    const QRectF plot = plotRect();
    for (std::size_t track = 0; m_index && track < m_index->tracks().size(); ++track) {
        const double middle = trackRect(track).center().y();
        hidden += isBelow ? middle > plot.bottom() : middle < plot.top();
    }
    return hidden;
}

QString TimelineCanvas::moreText(bool isBelow) const
{
    const int hidden = tracksHidden(isBelow);
    if (hidden == 0) return {};
    return (isBelow ? QStringLiteral("▾ ") : QStringLiteral("▴ ")) + tr("%1 more").arg(format::count(hidden));
}

QRectF TimelineCanvas::moreRect(bool isBelow) const
{
    const QString text = moreText(isBelow);
    if (text.isEmpty()) return {};
    const double y = isBelow ? plotRect().bottom() + 1 : 0;
    return QRectF(6, y, viewport()->fontMetrics().horizontalAdvance(text) + 6,
                  isBelow ? legendHeight - 2 : rulerHeight);
}

QString TimelineCanvas::hiddenNames(QPointF at) const
{
    QStringList names;
    const QRectF plot = plotRect();
    for (const bool isBelow : {false, true}) {
        if (!moreRect(isBelow).contains(at)) continue;
        for (std::size_t track = 0; track < m_index->tracks().size(); ++track) {
            const double middle = trackRect(track).center().y();
            if (isBelow ? middle > plot.bottom() : middle < plot.top()) names += trackName(m_index->tracks()[track]);
        }
    }
    return names.join(QLatin1Char('\n'));
}

QString TimelineCanvas::trackName(const TimelineTrack& track) const
{
    if (track.counter >= 0) return counterName(m_index->counters()[static_cast<std::size_t>(track.counter)]);
    return track.isStream ? tr("stream %1").arg(format::count(track.stream)) : words::unit(track.unit);
}

int TimelineCanvas::trackAt(double y) const
{
    const QRectF plot = plotRect();
    if (!m_index || y < plot.top() || y > plot.bottom()) return -1;
    const int track = static_cast<int>((y - plot.top() + verticalScrollBar()->value()) / m_trackHeight);
    return track < static_cast<int>(m_index->tracks().size()) ? track : -1;
}

QRectF TimelineCanvas::rectOf(std::uint32_t number) const
{
    if (!m_index || number >= m_index->timeline().items.size()) return {};
    const TimelineItem& item = m_index->item(number);
    const std::size_t track = m_index->trackOfStream(item.stream);
    if (track >= m_index->tracks().size()) return {};
    QRectF rect = trackRect(track).adjusted(0, 3, 0, -3);
    rect.setLeft(xOf(item.startUs));
    rect.setRight(std::max(rect.left() + 1, xOf(item.startUs + item.durationUs)));
    return rect.intersected(plotRect());
}

std::int64_t TimelineCanvas::itemAt(QPointF at) const
{
    const int track = at.x() < plotRect().left() ? -1 : trackAt(at.y());
    if (track < 0) return -1;
    const TimelineTrack& content = m_index->tracks()[static_cast<std::size_t>(track)];
    const std::int64_t found = m_index->itemAt(content, timeAt(at.x()));
    // Thin bars are easier to hit with a pixel of room on both sides.
    if (found >= 0) return found;
    const std::int64_t left = m_index->itemAt(content, timeAt(at.x() - 1.5));
    return left >= 0 ? left : m_index->itemAt(content, timeAt(at.x() + 1.5));
}

void TimelineCanvas::resizeEvent(QResizeEvent*) { layoutTracks(); }

void TimelineCanvas::mousePressEvent(QMouseEvent* event)
{
    if (!m_index) return;
    for (const bool isBelow : {false, true})
        if (moreRect(isBelow).contains(event->position()))
            return verticalScrollBar()->triggerAction(isBelow ? QAbstractSlider::SliderPageStepAdd
                                                              : QAbstractSlider::SliderPageStepSub);
    if (event->position().x() < plotRect().left()) return;
    m_pressed = event->position();
    m_isSpanning = false;
    m_isPanning = event->button() == Qt::MiddleButton || event->modifiers().testFlag(Qt::ShiftModifier);
}

void TimelineCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_pressed || event->buttons() == Qt::NoButton) return;
    const double moved = event->position().x() - m_pressed->x();
    if (m_isPanning) {
        m_time.pan(-moved / m_time.length());
        m_pressed = event->position();
        return viewport()->update();
    }
    if (!m_isSpanning && std::abs(moved) < 5) return;
    m_isSpanning = true;
    const QRectF plot = plotRect();
    const double here = std::clamp(event->position().x(), plot.left(), plot.right());
    m_span = Span{timeAt(std::min(m_pressed->x(), here)), timeAt(std::max(m_pressed->x(), here))};
    viewport()->update();
}

void TimelineCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_pressed) return;
    const bool wasSpanning = m_isSpanning, wasPanning = m_isPanning;
    m_pressed.reset();
    m_isSpanning = m_isPanning = false;
    if (wasSpanning) return Q_EMIT spanChanged();
    if (wasPanning) return;
    if (const std::int64_t item = itemAt(event->position()); item >= 0)
        Q_EMIT itemClicked(static_cast<std::uint32_t>(item));
    else
        setSpan(std::nullopt);
}

void TimelineCanvas::wheelEvent(QWheelEvent* event)
{
    const bool isOverNames = event->position().x() < gutter;
    if (isOverNames || event->modifiers().testFlag(Qt::AltModifier))
        verticalScrollBar()->setValue(verticalScrollBar()->value() -
                                      static_cast<int>(wheelNotches(*event) * m_trackHeight));
    else
        turnAxis(m_time, *event, event->position().x() - plotRect().left());
    event->accept();
    viewport()->update();
}

void TimelineCanvas::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up: verticalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepSub); break;
    case Qt::Key_Down: verticalScrollBar()->triggerAction(QAbstractSlider::SliderSingleStepAdd); break;
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const int step = event->key() == Qt::Key_Left ? -1 : 1;
        const bool isSpanning = event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier);
        return isSpanning ? extendSpan(step) : walk(step);
    }
    case Qt::Key_F: // what is selected, or the span, fills the width
        if (m_span) {
            m_time.show(m_span->from, m_span->to);
        } else if (m_index && !m_selected.empty()) {
            const TimelineItem& item = m_index->item(m_selected.front());
            m_time.show(item.startUs - item.durationUs, item.startUs + 2 * item.durationUs);
        }
        break;
    case Qt::Key_Escape:
        if (!m_span) return QAbstractScrollArea::keyPressEvent(event);
        return setSpan(std::nullopt);
    default:
        if (!pressAxis(m_time, event->key())) return QAbstractScrollArea::keyPressEvent(event);
    }
    viewport()->update();
}

std::int64_t TimelineCanvas::neighbour(int step) const
{
    const std::uint32_t current = m_selected.front();
    for (const TimelineTrack& track : m_index->tracks()) {
        if (!track.isStream || track.stream != m_index->item(current).stream) continue;
        const auto at = std::lower_bound(track.items.begin(), track.items.end(), current);
        const auto next = static_cast<std::int64_t>(at - track.items.begin()) + step;
        if (next >= 0 && next < static_cast<std::int64_t>(track.items.size()))
            return track.items[static_cast<std::size_t>(next)];
    }
    return -1;
}

void TimelineCanvas::walk(int step)
{
    if (!m_index || m_index->timeline().items.empty()) return;
    if (m_selected.empty()) return Q_EMIT itemClicked(0);
    if (const std::int64_t next = neighbour(step); next >= 0) Q_EMIT itemClicked(static_cast<std::uint32_t>(next));
}

/// What dragging does: the span takes in the selected task, then the one beside it.
void TimelineCanvas::extendSpan(int step)
{
    if (!m_index || m_selected.empty()) return walk(step);
    const auto with = [this](Span span, const TimelineItem& item) {
        return Span{std::min(span.from, item.startUs), std::max(span.to, item.startUs + item.durationUs)};
    };
    const TimelineItem& current = m_index->item(m_selected.front());
    Span span = with(m_span.value_or(Span{current.startUs, current.startUs}), current);
    const std::int64_t next = neighbour(step);
    if (next >= 0) span = with(span, m_index->item(static_cast<std::uint32_t>(next)));
    setSpan(span);
    walk(step);
}

bool TimelineCanvas::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return QAbstractScrollArea::viewportEvent(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const std::int64_t item = itemAt(help->pos());
    QString text = m_index ? hiddenNames(help->pos()) : QString();
    if (text.isEmpty())
        text = item >= 0 ? timelineItemFacts(*m_index, static_cast<std::uint32_t>(item)) : counterText(help->pos());
    showPlainToolTip(*help, this, text);
    if (text.isEmpty()) event->ignore();
    return true;
}

QString TimelineCanvas::counterName(const TimelineCounter& counter)
{
    switch (counter.kind) {
    case TimelineCounter::Kind::CubeCores: return tr("cube cores");
    case TimelineCounter::Kind::VectorCores: return tr("vector cores");
    case TimelineCounter::Kind::AiCpuCores: return tr("AI CPUs");
    case TimelineCounter::Kind::MteCores: return tr("MTE (moving)");
    case TimelineCounter::Kind::L2Rate: return tr("L2 bandwidth");
    case TimelineCounter::Kind::DdrRate: return tr("HBM bandwidth");
    }
    return {};
}

QString TimelineCanvas::counterText(QPointF at) const
{
    const int track = trackAt(at.y());
    if (track < 0 || m_index->tracks()[static_cast<std::size_t>(track)].counter < 0) return {};
    const TimelineCounter& counter =
        m_index->counters()[static_cast<std::size_t>(m_index->tracks()[static_cast<std::size_t>(track)].counter)];
    const auto amount = [&](double value) {
        return counter.isRate() ? tr("%1 GB/s").arg(format::real(value)) : format::real(value);
    };
    QStringList lines{counterName(counter)};
    if (at.x() >= plotRect().left())
        lines += tr("at %1: %2 of %3 (estimated)")
                     .arg(format::microseconds(timeAt(at.x())), amount(counter.valueAt(timeAt(at.x()))),
                          amount(counter.capacity));
    lines += tr("on average %1, at most %2").arg(amount(counter.mean), amount(counter.highest));
    return lines.join(QLatin1Char('\n'));
}

QString timelineItemFacts(const TimelineIndex& index, std::uint32_t number)
{
    const TimelineItem& item = index.item(number);
    QStringList lines{words::text(index.nameOf(number))};
    lines += TimelineCanvas::tr("%1 on unit %2, stream %3")
                 .arg(words::text(index.typeOf(number)), words::unit(item.unit), format::count(item.stream));
    lines += TimelineCanvas::tr("from %1 to %2, takes %3 (estimated)")
                 .arg(format::microseconds(item.startUs), format::microseconds(item.startUs + item.durationUs),
                      format::microseconds(item.durationUs));
    lines += TimelineCanvas::tr("launch %1, compute %2, memory %3: bound by %4")
                 .arg(format::microseconds(item.launchUs), format::microseconds(item.computeUs),
                      format::microseconds(item.memoryUs), words::bound(item.bound));
    if (item.isCritical) lines += TimelineCanvas::tr("on the critical path");
    return lines.join(QLatin1Char('\n'));
}

} // namespace gelens
