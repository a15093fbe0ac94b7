#include "viewers/unfused/needs_bar.h"

#include "viewers/common/palette.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace gelens {
namespace {

constexpr int barWidth = 120, textGap = 6;

} // namespace

NeedsBar::NeedsBar(double needs, double has, const QString& needsText, const QString& hasText, bool held,
                   QWidget* parent)
    : QWidget(parent), m_needs(needs), m_has(has), m_needsText(needsText), m_hasText(hasText), m_held(held)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    setAccessibleName(text());
}

QString NeedsBar::text() const { return tr("needs %1, has %2").arg(m_needsText, m_hasText); }

QSize NeedsBar::sizeHint() const
{
    const QFontMetrics metrics(font());
    const int words = std::max(metrics.horizontalAdvance(tr("needs %1").arg(m_needsText)),
                               metrics.horizontalAdvance(tr("has %1").arg(m_hasText)));
    return {barWidth + textGap + words + 4, 2 * metrics.height() + 4};
}

void NeedsBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange) updateGeometry();
    QWidget::changeEvent(event);
}

void NeedsBar::paintEvent(QPaintEvent*)
{
    const Palette palette = Palette::of(this->palette());
    QPainter painter(this);
    const double largest = std::max(m_needs, m_has), line = (height() - 4) / 2.0;
    const auto widthOf = [&](double value) { return largest <= 0 ? 0 : std::max(1.0, value / largest * barWidth); };
    const auto row = [&](int number, double value, const QColor& colour, const QString& text) {
        const QRectF bar(0, 2 + number * line + 2, widthOf(value), line - 4);
        QColor pale = colour;
        pale.setAlpha(110);
        painter.fillRect(bar, pale);
        painter.setPen(colour);
        painter.drawRect(bar.adjusted(0, 0, -1, -1));
        painter.setPen(palette.text());
        painter.drawText(QRectF(barWidth + textGap, 2 + number * line, width(), line), Qt::AlignLeft | Qt::AlignVCenter,
                         text);
        return bar;
    };
    const QColor needed = m_held ? palette.good() : palette.error();
    const QRectF needs = row(0, m_needs, needed, tr("needs %1").arg(m_needsText));
    const QRectF has = row(1, m_has, palette.mutedText(), tr("has %1").arg(m_hasText));
    // The missing part is hatched, and a line marks where the room ends.
    if (!m_held && needs.width() > has.width())
        painter.fillRect(needs.adjusted(has.width(), 0, 0, 0), QBrush(needed, Qt::BDiagPattern));
    if (m_has > 0) {
        painter.setPen(QPen(palette.text(), 1, Qt::DotLine));
        painter.drawLine(QPointF(has.right(), 0), QPointF(has.right(), height()));
    }
}

} // namespace gelens
