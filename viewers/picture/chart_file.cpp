#include "viewers/picture/chart_file.h"

#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgRenderer>

namespace gelens {

Status writeText(const std::string& text, const std::string& path)
{
    QSaveFile file(QString::fromStdString(path));
    const auto size = static_cast<qint64>(text.size());
    if (file.open(QIODevice::WriteOnly) && file.write(text.data(), size) == size && file.commit()) return {};
    return Error::io(file.errorString().toStdString(), path);
}

Status writeChart(const std::string& svg, const std::string& path)
{
    const QString ending = QFileInfo(QString::fromStdString(path)).suffix().toLower();
    if (ending == QLatin1String("svg")) return writeText(svg, path);
    const bool isPng = ending == QLatin1String("png");
    if (!isPng && ending != QLatin1String("pdf")) return Error::unsupported("a chart is written as .svg, .png or .pdf", path);
    QSvgRenderer renderer(QByteArray::fromRawData(svg.data(), static_cast<qsizetype>(svg.size())));
    if (!renderer.isValid()) return Error::unsupported("the chart cannot be painted", path);
    QSaveFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::WriteOnly)) return Error::io(file.errorString().toStdString(), path);
    if (isPng) {
        QImage image(renderer.defaultSize() * 2, QImage::Format_ARGB32_Premultiplied);
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
        renderer.render(&painter);
    }
    if (!file.commit()) return Error::io(file.errorString().toStdString(), path);
    return {};
}

} // namespace gelens
