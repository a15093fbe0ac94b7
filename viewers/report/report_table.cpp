#include "viewers/report/report_table.h"

#include "viewers/common/palette.h"

#include <QFontMetricsF>

#include <algorithm>
#include <numeric>

namespace gelens {
namespace {

QString q(const std::string& text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

constexpr qsizetype mostOfCell = 240; ///< characters
constexpr double gap = 8;             ///< between columns
constexpr double widest = 300, widestNumber = 130;
constexpr double rowSpace = 4;

} // namespace

ReportTablePainter::ReportTablePainter(const ReportTable& table, ReportPages& pages) : m_table(table), m_pages(pages)
{
    measureColumns();
}

bool ReportTablePainter::isNumber(std::size_t column) const
{
    return !m_table.rows.empty() && column < m_table.rows.front().size() && m_table.rows.front()[column].isNumber;
}

/// Numbers get what they ask for. Texts share the rest: the short ones whole, the long ones evenly.
void ReportTablePainter::measureColumns()
{
    const QFontMetricsF metrics(m_pages.font(8)), bold(m_pages.font(8, true));
    const std::size_t count = m_table.columns.size();
    std::vector<double> wanted(count, 16);
    for (std::size_t column = 0; column < count; ++column) {
        wanted[column] = std::max(wanted[column], bold.horizontalAdvance(q(m_table.columns[column])));
        for (const auto& row : m_table.rows)
            if (column < row.size())
                wanted[column] =
                    std::max(wanted[column], metrics.horizontalAdvance(shortened(q(row[column].text), mostOfCell)));
        wanted[column] = std::min(wanted[column] + 1, isNumber(column) ? widestNumber : widest) + gap;
    }
    double room = m_pages.width();
    std::vector<std::size_t> open; // columns of text, the narrowest first
    for (std::size_t column = 0; column < count; ++column)
        if (isNumber(column))
            room -= wanted[column];
        else
            open.push_back(column);
    std::sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
    m_widths = wanted;
    for (std::size_t i = 0; i < open.size(); ++i) {
        const double share = std::max(room, 0.0) / static_cast<double>(open.size() - i);
        m_widths[open[i]] = std::max(std::min(wanted[open[i]], share), 24.0);
        room -= m_widths[open[i]];
    }
    // Nothing but numbers, and too many of them: all become narrower, rather than leave the page.
    const double total = std::accumulate(m_widths.begin(), m_widths.end(), 0.0);
    if (total > m_pages.width())
        for (double& width : m_widths) width *= m_pages.width() / total;
}

ReportTablePainter::Row ReportTablePainter::rowOf(const std::vector<ReportCell>& cells, const QFont& font) const
{
    Row row;
    for (std::size_t column = 0; column < cells.size() && column < m_widths.size(); ++column) {
        row.cells.emplace_back(shortened(q(cells[column].text), mostOfCell), font, m_widths[column] - gap,
                               cells[column].isNumber ? Qt::AlignRight : Qt::AlignLeft);
        row.height = std::max(row.height, row.cells.back().height());
    }
    return row;
}

ReportTablePainter::Row ReportTablePainter::titles() const
{
    std::vector<ReportCell> cells;
    for (std::size_t column = 0; column < m_table.columns.size(); ++column)
        cells.push_back({m_table.columns[column], {}, {}, isNumber(column)});
    return rowOf(cells, m_pages.font(8, true));
}

double ReportTablePainter::beginning() const
{
    double height = titles().height + rowSpace;
    if (!m_table.title.empty()) height += m_pages.heightOf(q(m_table.title), m_pages.font(10, true)) + 3;
    if (!m_table.rows.empty()) height += rowOf(m_table.rows.front(), m_pages.font(8)).height + rowSpace;
    return height;
}

void ReportTablePainter::paint()
{
    const Palette palette = Palette::of(Theme::Light);
    m_pages.need(std::min(beginning(), m_pages.height()));
    if (!m_table.title.empty()) m_pages.text(q(m_table.title), m_pages.font(10, true), palette.text());
    const Row head = titles();
    paintRow(head, palette.mutedText());
    for (const auto& cells : m_table.rows) {
        const Row row = rowOf(cells, m_pages.font(8));
        if (m_pages.room() < row.height + rowSpace) {
            m_pages.newPage();
            paintRow(head, palette.mutedText());
        }
        paintRow(row, palette.text());
    }
}

void ReportTablePainter::paintRow(const Row& row, const QColor& colour)
{
    QPainter& painter = m_pages.painter();
    double left = 0;
    painter.setPen(colour);
    for (std::size_t column = 0; column < row.cells.size(); ++column) {
        row.cells[column].draw(painter, {left, m_pages.y() + 1});
        left += m_widths[column];
    }
    m_pages.advance(row.height + rowSpace - 1);
    painter.setPen(QPen(Palette::of(Theme::Light).faintLine(), 0.4));
    painter.drawLine(QPointF(0, m_pages.y()), QPointF(left - gap, m_pages.y()));
    m_pages.advance(1);
}

} // namespace gelens
