// GraphView: pictures of what it shows.

#include "engine/report/graph_svg.h"
#include "viewers/common/palette.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QMessageBox>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>

#include <algorithm>

namespace gelens {
namespace {

constexpr double margin = 48;           ///< both sides together, as GraphCanvas::paintAll
constexpr double largestImage = 16000;  ///< pixels of a side: beyond, few programs open a PNG
constexpr double largestPage = 14000;   ///< points; PDF readers refuse pages above 14,400

bool write(const QString& path, const std::string& text, QString* error)
{
    QSaveFile file(path);
    const bool isDone = file.open(QIODevice::WriteOnly) &&
                        file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size()) && file.commit();
    if (!isDone) *error = file.errorString();
    return isDone;
}

} // namespace

bool GraphView::exportTo(const QString& path, QString* error)
{
    QString unused;
    if (error == nullptr) error = &unused;
    const auto& scene = m_after->scene();
    if (!scene) {
        *error = tr("There is no graph to export yet.");
        return false;
    }
    const GraphDrawing& drawing = scene->drawing;
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QLatin1String("svg")) return write(path, graphToSvg(drawing, Palette::of(palette()).isDark()), error);
    if (ending == QLatin1String("dot")) return write(path, graphToDot(drawing), error);
    const QSizeF size(drawing.width + margin, drawing.height + margin);
    if (ending == QLatin1String("png")) {
        const double scale = std::min({2.0, largestImage / size.width(), largestImage / size.height()});
        QImage image((size * scale).toSize().expandedTo({1, 1}), QImage::Format_RGB32);
        if (image.isNull()) {
            *error = tr("The picture does not fit into memory.");
            return false;
        }
        QPainter painter(&image);
        m_after->paintAll(painter, image.size());
        painter.end();
        if (image.save(path, "PNG")) return true;
        *error = tr("The file cannot be written.");
        return false;
    }
    if (ending == QLatin1String("pdf")) {
        const double scale = std::min({0.75, largestPage / size.width(), largestPage / size.height()});
        QPdfWriter writer(path);
        writer.setPageSize(QPageSize(size * scale, QPageSize::Point, {}, QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        writer.setResolution(static_cast<int>(std::clamp(72 / scale, 72.0, 1200.0))); // one unit for each scene pixel
        writer.setTitle(QString::fromStdString(drawing.title));
        QPainter painter;
        if (!painter.begin(&writer)) {
            *error = tr("The file cannot be written.");
            return false;
        }
        m_after->paintAll(painter, QSizeF(writer.width(), writer.height()));
        return painter.end();
    }
    *error = tr("The ending “%1” is none of .svg, .png, .pdf and .dot.").arg(ending);
    return false;
}

void GraphView::exportWithDialog()
{
    const QString name = run() ? QString::fromStdString(run()->modelName) + QStringLiteral("-%1.svg").arg(shownStep().value)
                               : QStringLiteral("graph.svg");
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Export the graph"), name, tr("SVG (*.svg);;PNG (*.png);;PDF (*.pdf);;DOT (*.dot)"));
    if (path.isEmpty()) return;
    QString error;
    if (exportTo(path, &error))
        Q_EMIT statusMessage(tr("Written: %1").arg(path));
    else
        QMessageBox::warning(this, tr("Export"), tr("%1 was not written. %2").arg(path, error));
}

} // namespace gelens
