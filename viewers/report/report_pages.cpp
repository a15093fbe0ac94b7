#include "viewers/report/report_pages.h"

#include "viewers/common/palette.h"

#include <QFontMetricsF>
#include <QPdfWriter>
#include <QTextOption>

#include <algorithm>
#include <utility>

namespace gelens {
namespace {

constexpr double footHeight = 20;

} // namespace

TextBlock::TextBlock(const QString& text, const QFont& font, double width, Qt::Alignment alignment)
    : m_layout(std::make_unique<QTextLayout>(QString(text).replace(QLatin1Char('\n'), QChar::LineSeparator), font))
{
    QTextOption option(alignment);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    option.setUseDesignMetrics(true);
    m_layout->setTextOption(option);
    m_layout->beginLayout();
    for (QTextLine line = m_layout->createLine(); line.isValid(); line = m_layout->createLine()) {
        line.setLineWidth(std::max(width, 1.0));
        line.setPosition(QPointF(0, m_height));
        m_height += line.height();
    }
    m_layout->endLayout();
}

void TextBlock::drawLine(QPainter& painter, int line, QPointF topLeft) const
{
    const QTextLine drawn = m_layout->lineAt(line);
    drawn.draw(&painter, topLeft - QPointF(0, drawn.y()));
}

void TextBlock::draw(QPainter& painter, QPointF topLeft) const { m_layout->draw(&painter, topLeft); }

ReportPages::ReportPages(QPdfWriter& writer, QString title)
    : m_writer(writer), m_painter(&writer), m_title(std::move(title)), m_regular(QStringLiteral("Noto Sans"))
{
    const double scale = writer.resolution() / 72.0;
    m_painter.scale(scale, scale);
    m_width = writer.width() / scale;
    m_height = writer.height() / scale - footHeight;
    m_regular.setFamilies(
        {QStringLiteral("Noto Sans"), QStringLiteral("Noto Sans CJK SC"), QStringLiteral("DejaVu Sans")});
    // Places are worked out at the size of a screen, drawn at that of a printer.
    m_regular.setHintingPreference(QFont::PreferNoHinting);
}

ReportPages::~ReportPages() = default;

QFont ReportPages::font(double points, bool isBold) const
{
    QFont font = m_regular;
    font.setPixelSize(static_cast<int>(points));
    font.setBold(isBold);
    return font;
}

void ReportPages::space(double points)
{
    if (m_y > 0) m_y = std::min(m_y + points, m_height);
}

void ReportPages::need(double points)
{
    if (m_y > 0 && m_y + points > m_height) newPage();
}

void ReportPages::newPage()
{
    drawBar();
    drawFoot();
    m_writer.newPage();
    ++m_page;
    m_y = 0;
    m_barTop = 0;
}

double ReportPages::heightOf(const QString& text, const QFont& font, double indent) const
{
    return TextBlock(text, font, m_width - indent).height();
}

void ReportPages::text(const QString& text, const QFont& font, const QColor& colour, double indent, double below)
{
    if (text.isEmpty()) return;
    const TextBlock block(text, font, m_width - indent);
    // A few lines stay together; one alone does not begin or end a page.
    if (block.height() < 60) need(block.height());
    for (int line = 0; line < block.lineCount(); ++line) {
        need(block.lineHeight(line));
        m_painter.setPen(colour);
        block.drawLine(m_painter, line, {indent, m_y});
        m_y += block.lineHeight(line);
    }
    m_y = std::min(m_y + below, m_height);
}

void ReportPages::beginBar(const QColor& colour)
{
    m_bar = colour;
    m_barTop = m_y;
}

void ReportPages::endBar(double below)
{
    drawBar();
    m_bar = QColor();
    space(below);
}

void ReportPages::drawBar()
{
    if (m_bar.isValid() && m_y - 2 > m_barTop) m_painter.fillRect(QRectF(0, m_barTop, 2.5, m_y - m_barTop - 2), m_bar);
}

void ReportPages::finish() { drawFoot(); }

void ReportPages::drawFoot()
{
    const QFont small = font(8);
    const QString number = QString::number(m_page);
    const double numberWidth = QFontMetricsF(small).horizontalAdvance(number) + 12;
    m_painter.setPen(Palette::of(Theme::Light).mutedText());
    const QString title =
        QFontMetricsF(small).elidedText(m_title, Qt::ElideMiddle, std::max(0.0, m_width - numberWidth - 12));
    TextBlock(title, small, m_width - numberWidth).draw(m_painter, {0, m_height + 6});
    TextBlock(number, small, numberWidth, Qt::AlignRight).draw(m_painter, {m_width - numberWidth, m_height + 6});
}

QString shortened(const QString& text, qsizetype most)
{
    if (text.size() <= most) return text;
    const qsizetype tail = most / 3;
    return text.left(most - tail) + QStringLiteral(" … ") + text.right(tail);
}

} // namespace gelens
