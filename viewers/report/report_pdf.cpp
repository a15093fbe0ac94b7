#include "viewers/report/report_pdf.h"

#include "viewers/common/palette.h"
#include "viewers/picture/chart_file.h"
#include "viewers/picture/svg_picture.h"
#include "viewers/report/report_pages.h"
#include "viewers/report/report_table.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPageLayout>
#include <QPdfWriter>

#include <algorithm>
#include <cmath>
#include <variant>

namespace gelens {
namespace {

struct ReportPdf {
    Q_DECLARE_TR_FUNCTIONS(gelens::ReportPdf)
};

QString q(const std::string& text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

constexpr qsizetype mostOfText = 6000; ///< characters of one paragraph: two pages
constexpr double largestScale = 0.75;  ///< points for a picture's pixel: letters as large as those of the text
constexpr double sheetScale = 0.55;    ///< of a picture that goes on over several pages
constexpr double readableScale = 0.42; ///< below, names are smaller than four points
constexpr int mostSheets = 8;          ///< of one picture; a larger one is shown whole, however small

class Writer {
public:
    Writer(const ReportModel& report, ReportPages& pages)
        : m_report(report), m_pages(pages), m_palette(Palette::of(Theme::Light))
    {
    }

    void run()
    {
        m_pages.text(shortened(q(m_report.title), 300), m_pages.font(20, true), m_palette.text());
        m_pages.text(q(m_report.subtitle), m_pages.font(10), m_palette.mutedText());
        for (const ReportSection& section : m_report.sections) {
            if (section.blocks.empty()) continue;
            writeHeading(section);
            for (const ReportBlock& block : section.blocks)
                std::visit([this](const auto& content) { write(content); }, block);
        }
        m_pages.finish();
    }

private:
    void writeHeading(const ReportSection& section)
    {
        m_pages.space(14);
        // A title does not stand alone at the foot of a page.
        const double first =
            std::visit([this](const auto& content) { return beginning(content); }, section.blocks.front());
        m_pages.need(std::min(headingHeight + first, m_pages.height()));
        m_pages.text(q(section.title), m_pages.font(14, true), m_palette.text());
        QPainter& painter = m_pages.painter();
        painter.setPen(QPen(m_palette.line(), 0.6));
        painter.drawLine(QPointF(0, m_pages.y()), QPointF(m_pages.width(), m_pages.y()));
        m_pages.space(5);
    }

    // What of a block has to follow a title on the same page.
    double beginning(const ReportParagraph&) const { return 14; }
    double beginning(const ReportTable& table) const { return ReportTablePainter(table, m_pages).beginning(); }
    double beginning(const ReportVerdict&) const { return verdictBeginning; }
    double beginning(const ReportFigure& figure) const
    {
        return std::min(scaleOf(figure) * figure.height, 0.6 * m_pages.height()) + captionHeight;
    }

    void write(const ReportParagraph& paragraph)
    {
        m_pages.text(shortened(q(paragraph.text), mostOfText), m_pages.font(9, paragraph.isWarning),
                     paragraph.isWarning ? m_palette.error() : m_palette.text());
    }

    void write(const ReportTable& table)
    {
        m_pages.space(4);
        ReportTablePainter(table, m_pages).paint();
        if (table.leftOut > 0)
            m_pages.text(QStringLiteral("%1 %2").arg(table.leftOut).arg(q(m_report.leftOutWord)), m_pages.font(8),
                         m_palette.mutedText());
        m_pages.space(4);
    }

    /// Whole on a page where it can be read there, else cut into sheets; as wide as a page in any case.
    double scaleOf(const ReportFigure& figure) const
    {
        const double fitting = std::min(m_pages.width() / figure.width, largestScale);
        const double room = m_pages.height() - captionHeight - headingHeight;
        const double whole = std::min(fitting, room / figure.height);
        const double wanted = std::min(fitting, std::max(whole, sheetScale));
        return std::ceil(wanted * figure.height / room) <= mostSheets ? wanted : whole;
    }

    void write(const ReportFigure& figure)
    {
        SvgPicture picture(figure.svg);
        if (!picture.isValid()) return;
        const double scale = scaleOf(figure);
        const double wide = figure.width * scale, high = figure.height * scale;
        m_pages.need(std::min(high, 0.6 * m_pages.height()) + captionHeight);
        m_pages.text(q(figure.caption), m_pages.font(9), m_palette.mutedText());
        if (scale < readableScale) m_pages.text(q(m_report.smallWord), m_pages.font(8), m_palette.mutedText());
        for (double done = 0; done < figure.height - 0.5;) {
            if (done > 0) m_pages.newPage();
            const double lowest = done + m_pages.room() / scale;
            const double end = lowest >= figure.height - 0.5 ? figure.height : picture.cutAbove(done, lowest);
            picture.paint(m_pages.painter(), QRectF(0, m_pages.y(), wide, 0), done, end);
            m_pages.advance((end - done) * scale);
            done = end;
        }
        m_pages.space(8);
    }

    void write(const ReportVerdict& verdict)
    {
        m_pages.need(verdictBeginning);
        const QColor colour = verdict.held ? m_palette.good() : m_palette.error();
        m_pages.beginBar(colour);
        QString title = shortened(q(verdict.title), 400) + QStringLiteral("   ") + q(verdict.reason);
        if (!verdict.rule.empty()) title += QStringLiteral("   ") + shortened(q(verdict.rule), 200);
        m_pages.text(title, m_pages.font(9, true), colour, 8);
        m_pages.text(shortened(q(verdict.evidence), mostOfText), m_pages.font(8), m_palette.text(), 8);
        if (verdict.hasNumbers) {
            const double longest = std::max({verdict.needs, verdict.has, 1e-12});
            m_pages.need(28);
            writeBar(m_report.needsWord, verdict.needs / longest, verdict.needsText, colour);
            writeBar(m_report.hasWord, verdict.has / longest, verdict.hasText, m_palette.accent());
        }
        for (const std::string& threshold : verdict.thresholds)
            m_pages.text(shortened(q(threshold), 600), m_pages.font(8), m_palette.text(), 8);
        m_pages.text(shortened(q(verdict.remedy), mostOfText), m_pages.font(8), m_palette.mutedText(), 8);
        m_pages.endBar(5);
    }

    void writeBar(const std::string& word, double share, const std::string& text, const QColor& colour)
    {
        QPainter& painter = m_pages.painter();
        const QFont font = m_pages.font(8);
        const QFontMetricsF metrics(font);
        painter.setPen(m_palette.text());
        TextBlock(metrics.elidedText(q(word), Qt::ElideRight, 56), font, 60).draw(painter, {8, m_pages.y()});
        painter.fillRect(QRectF(70, m_pages.y() + 1.5, 240 * std::clamp(share, 0.0, 1.0), 7), colour);
        TextBlock(metrics.elidedText(q(text), Qt::ElideRight, m_pages.width() - 324), font, m_pages.width() - 320)
            .draw(painter, {320, m_pages.y()});
        m_pages.advance(12);
    }

    static constexpr double headingHeight = 30, captionHeight = 18, verdictBeginning = 70;

    const ReportModel& m_report;
    ReportPages& m_pages;
    Palette m_palette;
};

} // namespace

void setReportPages(QPdfWriter& writer)
{
    writer.setResolution(300);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(15, 15, 15, 12), QPageLayout::Millimeter);
}

bool paintReport(const ReportModel& report, QPdfWriter& writer)
{
    ReportPages pages(writer, q(report.title));
    if (!pages.isActive()) return false;
    Writer(report, pages).run();
    return true;
}

QString writeReportPdf(const ReportModel& report, const QString& path)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        setReportPages(writer);
        writer.setTitle(q(report.title));
        writer.setCreator(QStringLiteral("GE Lens"));
        if (!paintReport(report, writer)) return ReportPdf::tr("%1: the pages cannot be painted").arg(path);
    }
    const Status status = writeText(buffer.data().toStdString(), path.toStdString());
    return status.ok() ? QString() : QString::fromStdString(status.error().message());
}

} // namespace gelens
