#include "viewers/report/report_pdf.h"

#include "viewers/common/palette.h"
#include "viewers/picture/chart_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgRenderer>

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

struct ReportPdf {
    Q_DECLARE_TR_FUNCTIONS(gelens::ReportPdf)
};

QString q(const std::string& text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

/// Units are points (1/72 inch) throughout.
class Pages {
public:
    Pages(QPdfWriter& writer, const ReportModel& report)
        : m_writer(writer), m_report(report), m_palette(Palette::of(Theme::Light)), m_painter(&writer)
    {
        const double scale = writer.resolution() / 72.0;
        m_painter.scale(scale, scale);
        m_width = writer.width() / scale;
        m_height = writer.height() / scale - footer;
        m_regular = QFont(QStringLiteral("Noto Sans"));
        m_regular.setFamilies(
            {QStringLiteral("Noto Sans"), QStringLiteral("Noto Sans CJK SC"), QStringLiteral("DejaVu Sans")});
        m_regular.setPixelSize(9);
    }

    bool isActive() const { return m_painter.isActive(); }

    void run()
    {
        paintText(q(m_report.title), sized(20, true), m_palette.text());
        paintText(q(m_report.subtitle), sized(10), m_palette.mutedText());
        for (const ReportSection& section : m_report.sections) {
            space(14);
            // A title does not stand alone at the foot of a page.
            if (m_y > m_height - 90) newPage();
            paintText(q(section.title), sized(14, true), m_palette.text());
            m_painter.setPen(QPen(m_palette.line(), 0.6));
            m_painter.drawLine(QPointF(0, m_y), QPointF(m_width, m_y));
            space(5);
            for (const ReportBlock& block : section.blocks)
                std::visit([this](const auto& content) { paint(content); }, block);
        }
        paintFooter();
    }

private:
    static constexpr double footer = 20;

    QFont sized(int pixels, bool isBold = false) const
    {
        QFont font = m_regular;
        font.setPixelSize(pixels);
        font.setBold(isBold);
        return font;
    }

    void paintFooter()
    {
        m_painter.setFont(sized(8));
        m_painter.setPen(m_palette.mutedText());
        m_painter.drawText(QRectF(0, m_height + 6, m_width, 12), Qt::AlignLeft, q(m_report.title));
        m_painter.drawText(QRectF(0, m_height + 6, m_width, 12), Qt::AlignRight, QString::number(m_page));
    }

    void newPage()
    {
        paintFooter();
        m_writer.newPage();
        ++m_page;
        m_y = 0;
    }

    void space(double points)
    {
        if (m_y > 0) m_y += points;
    }

    void need(double points)
    {
        if (m_y > 0 && m_y + points > m_height) newPage();
    }

    double heightOf(const QString& text, double width) const
    {
        const QFontMetricsF metrics(m_painter.font());
        return metrics.boundingRect(QRectF(0, 0, width, 1e6), Qt::TextWordWrap | Qt::TextWrapAnywhere, text).height();
    }

    void paintText(const QString& text, const QFont& font, const QColor& colour, double indent = 0)
    {
        if (text.isEmpty()) return;
        m_painter.setFont(font);
        const double high = std::min(heightOf(text, m_width - indent), m_height);
        need(high);
        m_painter.setPen(colour);
        m_painter.drawText(QRectF(indent, m_y, m_width - indent, high + 2), Qt::TextWordWrap | Qt::TextWrapAnywhere,
                           text);
        m_y += high + 3;
    }

    void paint(const ReportParagraph& paragraph)
    {
        paintText(q(paragraph.text), sized(9, paragraph.isWarning),
                  paragraph.isWarning ? m_palette.error() : m_palette.text());
    }

    void paint(const ReportFigure& figure)
    {
        QSvgRenderer renderer(QByteArray::fromStdString(figure.svg));
        if (!renderer.isValid() || figure.width <= 0 || figure.height <= 0) return;
        const double room = m_height - 24;
        const double scale = std::min({m_width / figure.width, room / figure.height, 1.0});
        const double wide = figure.width * scale, high = figure.height * scale;
        need(high + 18);
        paintText(q(figure.caption), sized(9), m_palette.mutedText());
        renderer.render(&m_painter, QRectF(0, m_y, wide, high));
        m_y += high + 8;
    }

    /// Columns get what their longest text asks for, cut down evenly where that is more than the page has.
    std::vector<double> columnWidths(const ReportTable& table) const
    {
        const QFontMetricsF metrics(sized(8));
        std::vector<double> wanted(table.columns.size(), 20);
        const auto consider = [&](std::size_t column, const QString& text) {
            if (column < wanted.size())
                wanted[column] = std::max(wanted[column], std::min(metrics.horizontalAdvance(text) + 10, 260.0));
        };
        for (std::size_t column = 0; column < table.columns.size(); ++column)
            consider(column, q(table.columns[column]));
        for (const auto& row : table.rows)
            for (std::size_t column = 0; column < row.size(); ++column) consider(column, q(row[column].text));
        double total = 0;
        for (const double width : wanted) total += width;
        if (total > m_width)
            for (double& width : wanted) width *= m_width / total;
        return wanted;
    }

    void paint(const ReportTable& table)
    {
        space(4);
        if (!table.title.empty()) paintText(q(table.title), sized(10, true), m_palette.text());
        const std::vector<double> widths = columnWidths(table);
        const auto header = [&] {
            std::vector<ReportCell> cells;
            for (std::size_t column = 0; column < table.columns.size(); ++column)
                cells.push_back(
                    {table.columns[column],
                     {},
                     {},
                     !table.rows.empty() && column < table.rows.front().size() && table.rows.front()[column].isNumber});
            paintRow(cells, widths, sized(8, true), m_palette.mutedText());
        };
        header();
        for (const auto& row : table.rows) {
            m_painter.setFont(sized(8));
            double high = 0;
            for (std::size_t column = 0; column < row.size() && column < widths.size(); ++column)
                high = std::max(high, heightOf(q(row[column].text), widths[column] - 6));
            if (m_y > 0 && m_y + high + 4 > m_height) {
                newPage();
                header();
            }
            paintRow(row, widths, sized(8), m_palette.text());
        }
        if (table.leftOut > 0)
            paintText(QStringLiteral("%1 %2").arg(table.leftOut).arg(q(m_report.leftOutWord)), sized(8),
                      m_palette.mutedText());
        space(4);
    }

    void paintRow(const std::vector<ReportCell>& row, const std::vector<double>& widths, const QFont& font,
                  const QColor& colour)
    {
        m_painter.setFont(font);
        double high = 10;
        for (std::size_t column = 0; column < row.size() && column < widths.size(); ++column)
            high = std::max(high, heightOf(q(row[column].text), widths[column] - 6));
        high = std::min(high, m_height - 20);
        double left = 0;
        m_painter.setPen(colour);
        for (std::size_t column = 0; column < row.size() && column < widths.size(); ++column) {
            const int align = row[column].isNumber ? Qt::AlignRight : Qt::AlignLeft;
            m_painter.drawText(QRectF(left + 2, m_y + 1, widths[column] - 6, high + 1),
                               align | Qt::TextWordWrap | Qt::TextWrapAnywhere, q(row[column].text));
            left += widths[column];
        }
        m_y += high + 3;
        m_painter.setPen(QPen(m_palette.faintLine(), 0.4));
        m_painter.drawLine(QPointF(0, m_y), QPointF(left, m_y));
        m_y += 1;
    }

    void paint(const ReportVerdict& verdict)
    {
        need(70);
        const double top = m_y;
        const int page = m_page;
        paintText(q(verdict.title) + QStringLiteral("   ") + q(verdict.reason), sized(9, true),
                  verdict.held ? m_palette.good() : m_palette.error(), 8);
        paintText(q(verdict.evidence), sized(8), m_palette.text(), 8);
        if (verdict.hasNumbers) {
            need(28);
            const double longest = std::max({verdict.needs, verdict.has, 1e-12});
            const auto bar = [&](const std::string& word, double value, const std::string& text, const QColor& colour) {
                m_painter.setFont(sized(8));
                m_painter.setPen(m_palette.text());
                m_painter.drawText(QRectF(8, m_y, 60, 11), Qt::AlignLeft, q(word));
                m_painter.fillRect(QRectF(70, m_y + 1.5, 240 * std::max(value, 0.0) / longest, 7), colour);
                m_painter.drawText(QRectF(320, m_y, m_width - 320, 11), Qt::AlignLeft, q(text));
                m_y += 12;
            };
            bar(m_report.needsWord, verdict.needs, verdict.needsText,
                verdict.held ? m_palette.good() : m_palette.error());
            bar(m_report.hasWord, verdict.has, verdict.hasText, m_palette.accent());
        }
        for (const std::string& threshold : verdict.thresholds) paintText(q(threshold), sized(8), m_palette.text(), 8);
        paintText(q(verdict.remedy), sized(8), m_palette.mutedText(), 8);
        if (page == m_page)
            m_painter.fillRect(QRectF(0, top, 2.5, m_y - top - 2), verdict.held ? m_palette.good() : m_palette.error());
        space(5);
    }

    QPdfWriter& m_writer;
    const ReportModel& m_report;
    Palette m_palette;
    QPainter m_painter;
    QFont m_regular;
    double m_width = 0, m_height = 0, m_y = 0;
    int m_page = 1;
};

} // namespace

QString writeReportPdf(const ReportModel& report, const QString& path)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setResolution(300);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(15, 15, 15, 12), QPageLayout::Millimeter);
        writer.setTitle(q(report.title));
        writer.setCreator(QStringLiteral("GE Lens"));
        Pages pages(writer, report);
        if (!pages.isActive()) return ReportPdf::tr("%1: the pages cannot be painted").arg(path);
        pages.run();
    }
    const Status status = writeText(buffer.data().toStdString(), path.toStdString());
    return status.ok() ? QString() : QString::fromStdString(status.error().message());
}

} // namespace gelens
