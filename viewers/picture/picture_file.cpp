#include "viewers/picture/picture_file.h"

#include "engine/report/drawing_legend.h"
#include "engine/report/graph_svg.h"
#include "viewers/picture/chart_file.h"
#include "viewers/picture/graph_painter.h"
#include "viewers/picture/png_limit.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPdfWriter>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

namespace gelens {
namespace {

constexpr double margin = 24;          ///< scene pixels on each side
constexpr double smallestImage = 0.25; ///< pixels for one of the drawing: below, no letter can be read
constexpr double largestPage = 14000;  ///< points; PDF readers refuse pages above 14,400

Status write(const QString& path, const QByteArray& bytes)
{
    return writeText(bytes.toStdString(), path.toStdString());
}

QSizeF sizeOf(const DrawingLegend& legend) { return {legend.width + 2 * margin, legend.height + 2 * margin}; }

void paintAll(QPainter& painter, const GraphDrawing& drawing, const DrawingLegend& legend, bool isDark, QSizeF size)
{
    const Palette palette = Palette::of(isDark ? Theme::Dark : Theme::Light);
    const SceneIndex index(drawing);
    const double scale = std::min(size.width() / sizeOf(legend).width(), size.height() / sizeOf(legend).height());
    painter.fillRect(QRectF(QPointF(0, 0), size), palette.canvas());
    const QRectF area(legend.left - margin, legend.top - margin, sizeOf(legend).width(), sizeOf(legend).height());
    GraphPainter graph(drawing, index, palette);
    graph.paint(painter, area, -area.topLeft() * scale, scale);
    graph.paintLegend(painter, legend);
}

Result<QByteArray> png(const GraphDrawing& drawing, bool isDark)
{
    const DrawingLegend legend = placeLegend(drawing);
    const QSizeF size = sizeOf(legend);
    const double scale = std::min({2.0, largestPngSide / size.width(), largestPngSide / size.height()});
    if (scale < smallestImage) return tooLargeForPng(std::llround(size.width()), std::llround(size.height()));
    QImage image((size * scale).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
    if (image.isNull()) return Error::io("The picture does not fit into memory.");
    QPainter painter(&image);
    paintAll(painter, drawing, legend, isDark, image.size());
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (!image.save(&buffer, "PNG")) return Error::io("The picture cannot be written as PNG.");
    return bytes;
}

/// Overwrites what stands between two marks, wherever it is: times and random identifiers of the writer. Digits become
/// those of a fixed day, letters of identifiers zeros. Lengths stay, so that the file's table of offsets stays right.
void blank(QByteArray& bytes, const QByteArray& begin, const QByteArray& end)
{
    for (qsizetype at = bytes.indexOf(begin); at >= 0; at = bytes.indexOf(begin, at + 1)) {
        const qsizetype from = at + begin.size(), to = bytes.indexOf(end, from);
        if (to < 0 || to - from > 80) continue;
        const bool isDate = bytes.mid(from, to - from).contains("20");
        constexpr std::string_view day = "20000101000000";
        std::size_t digit = 0;
        for (qsizetype i = from; i < to; ++i) {
            const char c = bytes[i];
            if (isDate && c >= '0' && c <= '9') bytes[i] = digit < day.size() ? day[digit++] : '0';
            if (!isDate && ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) bytes[i] = '0';
        }
    }
}

Result<QByteArray> pdf(const GraphDrawing& drawing, bool isDark)
{
    const DrawingLegend legend = placeLegend(drawing);
    const QSizeF size = sizeOf(legend);
    const double scale = std::min({0.75, largestPage / size.width(), largestPage / size.height()});
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setPageSize(QPageSize(size * scale, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setResolution(static_cast<int>(std::clamp(72 / scale, 72.0, 1200.0))); // one unit for each scene pixel
    writer.setTitle(QString::fromStdString(drawing.title));
    writer.setCreator(QStringLiteral("GE Lens"));
    QPainter painter;
    if (!painter.begin(&writer)) return Error::io("The picture cannot be written as PDF.");
    paintAll(painter, drawing, legend, isDark, QSizeF(writer.width(), writer.height()));
    painter.end();
    blank(bytes, "/CreationDate (", ")");
    blank(bytes, "<xmp:CreateDate>", "<");
    blank(bytes, "<xmp:ModifyDate>", "<");
    blank(bytes, "<xmp:MetadataDate>", "<");
    blank(bytes, "uuid:", "<");
    blank(bytes, "/ID [", "]");
    return bytes;
}

} // namespace

Status writePicture(const GraphDrawing& drawing, const std::string& path, bool isDark)
{
    const QString file = QString::fromStdString(path);
    const QString ending = QFileInfo(file).suffix().toLower();
    if (ending == QLatin1String("svg")) return write(file, QByteArray::fromStdString(graphToSvg(drawing, isDark)));
    if (ending == QLatin1String("dot")) return write(file, QByteArray::fromStdString(graphToDot(drawing)));
    if (ending != QLatin1String("png") && ending != QLatin1String("pdf"))
        return Error::invalid("The ending is none of .svg, .dot, .png and .pdf.", path);
    const Result<QByteArray> bytes = ending == QLatin1String("png") ? png(drawing, isDark) : pdf(drawing, isDark);
    if (!bytes.ok()) return bytes.error();
    return write(file, bytes.value());
}

} // namespace gelens
