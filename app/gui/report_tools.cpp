#include "app/gui/report_tools.h"

#include "app/gui/main_window.h"
#include "app/gui/step_export_dialog.h"
#include "engine/report/html_report.h"
#include "engine/session/snapshot_run.h"
#include "viewers/picture/chart_file.h"
#include "viewers/report/report_pdf.h"
#include "viewers/report/report_words.h"
#include "viewers/scene/report_graphs.h"

#include <QAction>
#include <QFileDialog>
#include <QStatusBar>

namespace gelens {
namespace {

/// With every graph of a folder of dumps looked at, which the window does only as they are shown. Null when stopped.
std::shared_ptr<const Run> completed(std::shared_ptr<const Run> run, std::stop_token stop)
{
    const auto dumps = std::dynamic_pointer_cast<const SnapshotRun>(run);
    if (dumps == nullptr || dumps->isScanned()) return run;
    if (!dumps->scan({}, std::move(stop)).ok()) return nullptr;
    return dumps->refreshed();
}

QString writeHtml(const ReportModel& report, const QString& path)
{
    const Status status = writeText(reportToHtml(report), path.toStdString());
    return status.ok() ? QString() : QString::fromStdString(status.error().message());
}

} // namespace

ReportTools::ReportTools(MainWindow* window) : QObject(window), m_window(window), m_job(this) {}

void ReportTools::createActions()
{
    m_window->addAction(QStringLiteral("export_report"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_R),
                        [this] { exportReport(); });
    m_window->addAction(QStringLiteral("export_steps"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_E),
                        [this] { exportSteps(); });
}

void ReportTools::retranslate()
{
    m_window->setActionText("export_steps", tr("Export steps as text…"),
                            tr("Write the graphs of chosen phases or passes as ge_onnx, ge_proto or readable text"));
    m_window->setActionText("export_report", tr("Export report…"),
                            tr("Write graphs, figures, verdicts and tables of the run as one HTML or PDF file"));
}

void ReportTools::exportSteps()
{
    const auto run = m_window->hub()->run();
    if (!run) return;
    auto* dialog = new StepExportDialog(run, m_window->hub()->shownStep(), m_window->m_settings.lastFolder(), m_window);
    connect(dialog, &StepExportDialog::exported, this, [this](const QString& folder, int files) {
        m_window->statusBar()->showMessage(tr("%1 files written to %2").arg(files).arg(folder), 8000);
    });
    dialog->show();
}

void ReportTools::updateActions()
{
    m_window->action(QStringLiteral("export_steps"))->setEnabled(m_window->hub()->run() != nullptr);
    m_window->action(QStringLiteral("export_report"))->setEnabled(m_window->hub()->run() != nullptr && !isBusy());
}

void ReportTools::exportReport(QString path)
{
    const auto run = m_window->hub()->run();
    if (!run) return;
    if (path.isEmpty()) {
        const QString name = QString::fromStdString(run->modelName) + QStringLiteral("-report.html");
        path = QFileDialog::getSaveFileName(m_window, tr("Export the report"), name, tr("HTML (*.html);;PDF (*.pdf)"));
    }
    if (path.isEmpty()) return;
    m_window->statusBar()->showMessage(tr("Writing the report …"));
    m_job.start(
        [run, path, words = reportWords()](std::stop_token stop) {
            const std::shared_ptr<const Run> whole = completed(run, std::move(stop));
            if (whole == nullptr) return QString(); // nobody waits for the answer of a job that was stopped
            const ReportModel report = buildReport(*whole, reportGraphs(*whole, words), words);
            return path.endsWith(QStringLiteral(".pdf"), Qt::CaseInsensitive) ? writeReportPdf(report, path)
                                                                              : writeHtml(report, path);
        },
        [this, path](const QString& error) {
            m_job.finished();
            updateActions();
            m_window->statusBar()->showMessage(error.isEmpty() ? tr("Report written to %1").arg(path) : error, 10000);
            Q_EMIT written(path, error);
        });
    updateActions();
}

} // namespace gelens
