// GraphView: files of what it shows.

#include "viewers/common/formatter.h"
#include "viewers/common/palette.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"
#include "viewers/models/sentence.h"
#include "viewers/picture/picture_file.h"

#include <QFileDialog>
#include <QInputDialog>
#include <QMessageBox>

namespace gelens {

/// The graph of the shown step by itself: what the command line would be asked for, and with the same answer.
GraphRequest GraphView::wholeGraphRequest() const
{
    GraphRequest request = requestNow();
    request.mode = GraphMode::Single;
    if (request.filter.kind != GraphFilter::Kind::Changed) request.compared = request.shown;
    if (!m_now.isOpenChosen) request.open.reset();
    request.change = SceneChange::Fresh;
    request.refinement = Refinement::None;
    return request;
}

QString GraphView::tooLargeForAPicture(std::size_t boxes)
{
    return tr("The picture would have %1 boxes; up to %2 can be drawn. Fold its blocks, choose what is in view or "
              "selected, or export the step as text.")
        .arg(format::count(static_cast<std::int64_t>(boxes)), format::count(limits::graphBoxes));
}

GraphDrawing GraphView::shownDrawing(ExportScope scope) const
{
    const GraphDrawing& drawing = m_after->scene()->drawing;
    if (scope == ExportScope::Drawing) return drawing;
    return partOf(drawing, scope == ExportScope::View ? m_after->visibleBoxes() : m_after->selectedBoxes());
}

bool GraphView::exportTo(const QString& path, QString* error, ExportScope scope)
{
    QString unused;
    if (error == nullptr) error = &unused;
    if (!m_after->scene() || !run()) {
        *error = tr("There is no graph to export yet.");
        return false;
    }
    Status status;
    const bool isDark = Palette::of(palette()).isDark();
    if (scope == ExportScope::WholeGraph) {
        const auto answer = workOut(wholeGraphRequest(), {});
        if (answer->tooMany > 0) {
            *error = tooLargeForAPicture(answer->tooMany);
            return false;
        }
        status = writePicture(answer->after->drawing, path.toStdString(), isDark);
    } else {
        const GraphDrawing drawing = shownDrawing(scope);
        if (drawing.boxes.empty()) {
            *error = tr("Nothing is selected or in view.");
            return false;
        }
        status = writePicture(drawing, path.toStdString(), isDark);
    }
    if (!status.ok()) *error = words::sentence(status.error().what);
    return status.ok();
}

void GraphView::exportWithDialog()
{
    if (!m_after->scene() || !run()) {
        Q_EMIT statusMessage(tr("There is no graph to export yet."));
        return;
    }
    const QStringList parts{tr("The whole graph, laid out anew"), tr("The drawing as it is shown"),
                            tr("What is in view"), tr("The selection")};
    bool isChosen = false;
    const QString part = QInputDialog::getItem(this, tr("Export the graph"), tr("Part:"), parts, 0, false, &isChosen);
    if (!isChosen) return;
    const auto scope = static_cast<ExportScope>(parts.indexOf(part));
    const QString name = QString::fromStdString(run()->modelName) + QStringLiteral("-%1.svg").arg(shownStep().value);
    const QString path = QFileDialog::getSaveFileName(this, tr("Export the graph"), name,
                                                      tr("SVG (*.svg);;PNG (*.png);;PDF (*.pdf);;DOT (*.dot)"));
    if (path.isEmpty()) return;
    auto request = std::make_shared<GraphRequest>(wholeGraphRequest());
    auto drawing = std::make_shared<GraphDrawing>();
    if (scope != ExportScope::WholeGraph) {
        *drawing = shownDrawing(scope);
        if (drawing->boxes.empty()) {
            QMessageBox::information(this, tr("Export"), tr("Nothing is selected or in view."));
            return;
        }
    }
    Q_EMIT statusMessage(tr("Writing %1 …").arg(path));
    m_exportJob.start(
        [request, drawing, path, isWhole = scope == ExportScope::WholeGraph,
         isDark = Palette::of(palette()).isDark()](std::stop_token stop) -> QString {
            if (!isWhole) {
                const Status status = writePicture(*drawing, path.toStdString(), isDark);
                return status.ok() ? QString() : words::sentence(status.error().what);
            }
            const auto answer = workOut(*request, stop);
            if (!answer) return {};
            if (answer->tooMany > 0) return tooLargeForAPicture(answer->tooMany);
            const Status status = writePicture(answer->after->drawing, path.toStdString(), isDark);
            return status.ok() ? QString() : words::sentence(status.error().what);
        },
        [this, path](const QString& error) {
            m_exportJob.finished();
            if (error.isEmpty())
                Q_EMIT statusMessage(tr("Written: %1").arg(path));
            else
                QMessageBox::warning(this, tr("Export"), tr("%1 was not written. %2").arg(path, error));
        });
}

} // namespace gelens
