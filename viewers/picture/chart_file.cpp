#include "viewers/picture/chart_file.h"

#include "viewers/picture/png_limit.h"
#include "viewers/picture/svg_picture.h"

#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgRenderer>

#include <algorithm>
#include <string>

namespace gelens {

namespace {

/// Everything, or an error: a full disk may show only when the last bytes leave the buffer.
bool writeAll(QFileDevice& file, const std::string& text)
{
    const auto size = static_cast<qint64>(text.size());
    return file.open(QIODevice::WriteOnly) && file.write(text.data(), size) == size && file.flush();
}

} // namespace

Status writeText(const std::string& text, const std::string& path)
{
    const QString name = QString::fromStdString(path);
    // QSaveFile renames a new file over the old one: it would put a plain file in the place of a device or a pipe.
    if (const QFileInfo target(name); target.exists() && !target.isFile() && !target.isDir()) {
        QFile file(name);
        return writeAll(file, text) ? Status() : Error::io(file.errorString().toStdString(), path);
    }
    QSaveFile file(name);
    if (writeAll(file, text) && file.commit()) return {};
    return Error::io(file.errorString().toStdString(), path);
}

Status writeChart(const std::string& svg, const std::string& path)
{
    const QString ending = QFileInfo(QString::fromStdString(path)).suffix().toLower();
    if (ending == QLatin1String("svg")) return writeText(svg, path);
    const bool isPng = ending == QLatin1String("png");
    if (!isPng && ending != QLatin1String("pdf"))
        return Error::unsupported("a chart is written as .svg, .png or .pdf", path);
    QSvgRenderer renderer(QByteArray::fromRawData(svg.data(), static_cast<qsizetype>(svg.size())));
    if (!renderer.isValid()) return Error::unsupported("the chart cannot be painted", path);
    QByteArray bytes;
    QBuffer file(&bytes);
    file.open(QIODevice::WriteOnly);
    if (isPng) {
        const QSize size = renderer.defaultSize() * 2;
        if (std::max(size.width(), size.height()) > largestPngSide) {
            Error error = tooLargeForPng(size.width(), size.height());
            error.where = path;
            return error;
        }
        QImage image(size, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::white);
        QPainter painter(&image);
        renderer.render(&painter);
        painter.end();
        if (!image.save(&file, "PNG")) return Error::io("the picture could not be written", path);
    } else {
        QPdfWriter writer(&file);
        writer.setResolution(96);
        writer.setPageSize(QPageSize(QSizeF(renderer.defaultSize()) * 72 / 96, QPageSize::Point));
        writer.setPageMargins({});
        QPainter painter(&writer);
        SvgPicture picture(svg);
        picture.paint(painter, QRectF(QPointF(0, 0), picture.size()), 0, picture.size().height());
    }
    return writeText(bytes.toStdString(), path);
}

} // namespace gelens
