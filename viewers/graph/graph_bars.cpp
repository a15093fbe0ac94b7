#include "viewers/graph/graph_bars.h"

#include "engine/report/drawing_style.h"
#include "viewers/common/formatter.h"
#include "viewers/common/palette.h"
#include "viewers/picture/graph_painter.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace gelens {
namespace {

constexpr int chip = 14, gap = 12, crumbWidth = 180;

} // namespace

LegendBar::LegendBar(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Legend"));
}

QSize LegendBar::sizeHint() const { return {300, fontMetrics().height() + 6}; }

QString LegendBar::unitText(Unit unit)
{
    switch (unit) {
    case Unit::None: return tr("no unit");
    case Unit::Cube: return tr("cube");
    case Unit::Vector: return tr("vector");
    case Unit::Mix: return tr("mix");
    case Unit::AiCpu: return tr("AI CPU");
    case Unit::Host: return tr("host");
    case Unit::Runtime: return tr("runtime");
    case Unit::GeLocal: return tr("GE local");
    }
    return {};
}

QString LegendBar::textOf(const LegendEntry& entry)
{
    return (entry.isUnit ? unitText(entry.unit) : QString::fromStdString(entry.text)) + QLatin1Char(' ') +
           format::count(entry.count);
}

void LegendBar::setEntries(const std::vector<LegendEntry>& entries)
{
    m_entries = entries;
    QStringList lines;
    for (const LegendEntry& entry : entries) lines << textOf(entry);
    setToolTip(lines.join(QLatin1Char('\n')).toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")));
    setAccessibleDescription(lines.join(QStringLiteral(", ")));
    update();
}

void LegendBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Palette colors = Palette::of(palette());
    int x = 0;
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const LegendEntry& entry = m_entries[i];
        const QString text = textOf(entry);
        const int width = chip + 4 + fontMetrics().horizontalAdvance(text);
        const bool isLast = i + 1 == m_entries.size();
        painter.setPen(colors.mutedText());
        if (x + width + (isLast ? 0 : 24) > this->width()) {
            painter.drawText(QRect(x, 0, 24, height()), Qt::AlignVCenter | Qt::AlignLeft, QStringLiteral("…"));
            return;
        }
        const QRect square(x, (height() - chip) / 2, chip, chip);
        painter.setPen(Qt::NoPen);
        const std::string_view hex =
            drawingColors(colors.isDark()).stripe(entry.isUnit, entry.unit, entry.isUnit ? "" : entry.key, entry.level);
        painter.setBrush(QColor(QLatin1String(hex.data(), static_cast<qsizetype>(hex.size()))));
        painter.drawRoundedRect(square, 3, 3);
        painter.setFont(drawingFont(10, true));
        painter.setPen(colors.canvas());
        painter.drawText(square, Qt::AlignCenter, QString::fromStdString(entry.sign));
        painter.setFont(font());
        painter.setPen(colors.text());
        painter.drawText(QRect(x + chip + 4, 0, width, height()), Qt::AlignVCenter | Qt::AlignLeft, text);
        x += width + gap;
    }
}

CrumbBar::CrumbBar(QWidget* parent) : QWidget(parent), m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(0);
    m_row->addStretch();
    setAccessibleName(tr("Blocks around the selection"));
}

void CrumbBar::setPath(const std::vector<std::pair<QString, std::string>>& path)
{
    while (QLayoutItem* item = m_row->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (i > 0) m_row->addWidget(new QLabel(QStringLiteral("›"), this));
        auto* button = new QToolButton(this);
        QString text = button->fontMetrics().elidedText(path[i].first, Qt::ElideMiddle, crumbWidth);
        button->setText(text.replace(QLatin1Char('&'), QStringLiteral("&&")));
        button->setAutoRaise(true);
        button->setToolTip(path[i].first.left(400).toHtmlEscaped());
        button->setEnabled(!path[i].second.empty() || i == 0);
        connect(button, &QToolButton::clicked, this, [this, key = path[i].second] { Q_EMIT chosen(key); });
        m_row->addWidget(button);
    }
    m_row->addStretch();
}

} // namespace gelens
