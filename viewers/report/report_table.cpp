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
constexpr double widestWord = 190; ///< that is not broken
constexpr double rowSpace = 4;

/// Letters in a row that a line is not broken between; Chinese is broken anywhere.
double longestWord(const QString& text, const QFontMetricsF& metrics)
{
    double longest = 0;
    for (qsizetype at = 0; at < text.size();) {
        qsizetype end = at;
        while (end < text.size() && !text[end].isSpace() && text[end].unicode() < 0x2e80) ++end;
        if (end > at) longest = std::max(longest, metrics.horizontalAdvance(text.mid(at, end - at)));
        at = end + 1;
    }
    return longest;
}

double total(const std::vector<double>& widths) { return std::accumulate(widths.begin(), widths.end(), 0.0); }

/// Widths between the least and the most of each, as even as that leaves them, that fill the room or have the most.
std::vector<double> shared(const std::vector<double>& least, const std::vector<double>& most, double room)
{
    if (total(most) <= room) return most;
    if (total(least) > room) { // all become narrower, rather than leave the page
        std::vector<double> widths = least;
        for (double& width : widths) width *= room / total(least);
        return widths;
    }
    std::vector<double> widths = least;
    double low = 0, high = room;
    for (int i = 0; i < 40; ++i) {
        const double level = (low + high) / 2;
        for (std::size_t column = 0; column < widths.size(); ++column)
            widths[column] = std::clamp(level, least[column], most[column]);
        (total(widths) > room ? high : low) = level;
    }
    for (std::size_t column = 0; column < widths.size(); ++column)
        widths[column] = std::clamp(low, least[column], most[column]);
    return widths;
}

} // namespace

ReportTablePainter::ReportTablePainter(const ReportTable& table, ReportPages& pages) : m_table(table), m_pages(pages)
{
    measureColumns();
}

bool ReportTablePainter::isNumber(std::size_t column) const
{
    return !m_table.rows.empty() && column < m_table.rows.front().size() && m_table.rows.front()[column].isNumber;
}

/// Numbers get what they ask for. Texts share the rest: the short ones whole, the long ones evenly, names unbroken as long
/// as there is room for that.
void ReportTablePainter::measureColumns()
{
    const QFontMetricsF metrics(m_pages.font(8)), bold(m_pages.font(8, true));
    const std::size_t count = m_table.columns.size();
    std::vector<double> least(count, 16), most(count, 16);
    for (std::size_t column = 0; column < count; ++column) {
        const double title = bold.horizontalAdvance(q(m_table.columns[column]));
        double word = title, whole = title;
        for (const auto& row : m_table.rows) {
            if (column >= row.size()) continue;
            const QString text = shortened(q(row[column].text), mostOfCell);
            whole = std::max(whole, metrics.horizontalAdvance(text));
            word = std::max(word, longestWord(text, metrics));
        }
        const bool isFixed = isNumber(column);
        most[column] = std::max(most[column], std::min(whole + 1, isFixed ? widestNumber : widest)) + gap;
        least[column] = isFixed ? most[column] : std::min(most[column], std::min(word + 1, widestWord) + gap);
    }
    m_widths = shared(least, most, m_pages.width());
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
