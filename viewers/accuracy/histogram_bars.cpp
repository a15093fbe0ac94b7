#include "viewers/accuracy/histogram_bars.h"

#include "viewers/common/formatter.h"
#include "viewers/common/palette.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

bool hasBars(const std::optional<TensorStatistics>& statistics) { return statistics && statistics->finiteCount() > 0; }

} // namespace

HistogramBars::HistogramBars(QWidget* parent) : QWidget(parent)
{
    setMinimumHeight(90);
    setMouseTracking(true);
}

void HistogramBars::setStatistics(std::optional<TensorStatistics> shown, std::optional<TensorStatistics> compared,
                                  int shownStep, int comparedStep)
{
    m_shown = std::move(shown);
    m_compared = std::move(compared);
    m_shownStep = shownStep;
    m_comparedStep = comparedStep;
    update();
}

double HistogramBars::low() const
{
    double value = hasBars(m_shown) ? m_shown->minimum : hasBars(m_compared) ? m_compared->minimum : 0;
    if (hasBars(m_shown) && hasBars(m_compared)) value = std::min(m_shown->minimum, m_compared->minimum);
    return value;
}

double HistogramBars::high() const
{
    double value = hasBars(m_shown) ? m_shown->maximum : hasBars(m_compared) ? m_compared->maximum : 0;
    if (hasBars(m_shown) && hasBars(m_compared)) value = std::max(m_shown->maximum, m_compared->maximum);
    return value;
}

int HistogramBars::bars() const
{
    if (!hasBars(m_shown) && !hasBars(m_compared)) return 0;
    return high() > low() ? 40 : 1;
}

std::int64_t HistogramBars::countBetween(const TensorStatistics& statistics, double from, double to) const
{
    if (statistics.histogram.empty()) return 0;
    if (statistics.binWidth <= 0) // all elements are equal
        return statistics.minimum >= from && statistics.minimum <= to ? statistics.finiteCount() : 0;
    double count = 0;
    for (std::size_t bin = 0; bin < statistics.histogram.size(); ++bin) {
        const double first = statistics.minimum + static_cast<double>(bin) * statistics.binWidth,
                     last = first + statistics.binWidth;
        const double overlap = std::min(last, to) - std::max(first, from);
        if (overlap > 0) count += static_cast<double>(statistics.histogram[bin]) * overlap / statistics.binWidth;
    }
    return std::llround(count);
}

QRectF HistogramBars::plot() const
{
    const int text = fontMetrics().height() + 4;
    return QRectF(8, text, width() - 16, std::max(10, height() - 2 * text));
}

void HistogramBars::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Palette palette = Palette::of(this->palette());
    painter.fillRect(rect(), palette.canvas());
    painter.setPen(palette.mutedText());
    const int count = bars();
    const QRectF area = plot();
    if (count == 0) {
        painter.drawText(area, Qt::AlignCenter, tr("No finite numbers"));
        return;
    }
    const double first = low(), width = (high() - first) / count;
    std::vector<std::int64_t> shown(static_cast<std::size_t>(count)), compared(shown.size());
    std::int64_t most = 1;
    for (int bar = 0; bar < count; ++bar) {
        const double from = first + bar * width, to = count == 1 ? high() : from + width;
        const auto at = static_cast<std::size_t>(bar);
        if (hasBars(m_shown)) shown[at] = count == 1 ? m_shown->finiteCount() : countBetween(*m_shown, from, to);
        if (hasBars(m_compared))
            compared[at] = count == 1 ? m_compared->finiteCount() : countBetween(*m_compared, from, to);
        most = std::max({most, shown[at], compared[at]});
    }
    const double step = area.width() / count;
    for (int bar = 0; bar < count; ++bar) {
        const auto at = static_cast<std::size_t>(bar);
        const auto box = [&](std::int64_t elements) {
            const double height =
                elements == 0
                    ? 0
                    : std::max(1.0, area.height() * static_cast<double>(elements) / static_cast<double>(most));
            return QRectF(area.left() + bar * step, area.bottom() - height, std::max(1.0, step - 1), height);
        };
        QColor fill = palette.accent();
        fill.setAlpha(150);
        painter.fillRect(box(shown[at]), fill);
        if (!hasBars(m_compared)) continue;
        painter.setPen(QPen(palette.text(), 1)); // an outline, so that colour is not all that tells them apart
        painter.drawRect(box(compared[at]).adjusted(0, 0, -1, 0));
    }
    painter.setPen(palette.line());
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setPen(palette.text());
    const QRectF below(area.left(), area.bottom() + 2, area.width(), height() - area.bottom() - 2);
    painter.drawText(below, Qt::AlignLeft | Qt::AlignTop, format::real(first));
    painter.drawText(below, Qt::AlignRight | Qt::AlignTop, format::real(high()));
    const QRectF above(area.left(), 0, area.width(), area.top());
    const QString filled = tr("■ step %1").arg(m_shownStep), outlined = tr("□ step %1").arg(m_comparedStep);
    painter.setPen(palette.accent());
    painter.drawText(above, Qt::AlignLeft | Qt::AlignVCenter, filled);
    painter.setPen(palette.text());
    if (hasBars(m_compared))
        painter.drawText(above.adjusted(painter.fontMetrics().horizontalAdvance(filled) + 12, 0, 0, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, outlined);
    painter.drawText(above, Qt::AlignRight | Qt::AlignVCenter, tr("at most %1 in a bar").arg(format::count(most)));
}

QString HistogramBars::textAt(const QPoint& at) const
{
    const QRectF area = plot();
    const int count = bars();
    if (count == 0 || !area.contains(at)) return {};
    const int bar = std::clamp(static_cast<int>((at.x() - area.left()) / area.width() * count), 0, count - 1);
    const double width = (high() - low()) / count, from = low() + bar * width, to = from + width;
    const auto elements = [&](const TensorStatistics& statistics) {
        return format::count(count == 1 ? statistics.finiteCount() : countBetween(statistics, from, to));
    };
    QStringList parts;
    if (hasBars(m_shown)) parts += tr("%1 in step %2").arg(elements(*m_shown)).arg(m_shownStep);
    if (hasBars(m_compared)) parts += tr("%1 in step %2").arg(elements(*m_compared)).arg(m_comparedStep);
    return tr("%1 … %2: %3").arg(format::real(from), format::real(to), parts.join(QStringLiteral(", ")));
}

bool HistogramBars::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const QString text = textAt(help->pos());
        if (text.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) update();
    return QWidget::event(event);
}

} // namespace gelens
