#include "app/gui/file_tools.h"

#include "app/core/preferences.h"
#include "app/gui/main_window.h"
#include "app/gui/quick_list.h"
#include "engine/formats/open_as.h"
#include "engine/session/session.h"
#include "engine/session/snapshot_run.h"
#include "viewers/common/formatter.h"
#include "viewers/common/view.h"
#include "viewers/logdecoder/log_decoder_view.h"
#include "viewers/models/words.h"
#include "viewers/welcome/welcome_view.h"

#include <QAction>
#include <QFileDialog>
#include <QMenu>
#include <QMimeData>
#include <QUrl>

#include <algorithm>
#include <filesystem>

namespace gelens {

FileTools::FileTools(MainWindow* window) : QObject(window), m_window(window) {}

void FileTools::createActions()
{
    m_window->addAction(QStringLiteral("open_folder"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_O), [this] {
        const QString folder = QFileDialog::getExistingDirectory(m_window, tr("Open a folder of dumps"),
                                                                 m_window->m_settings.lastFolder());
        if (!folder.isEmpty()) m_window->openFile(folder);
    });
    m_window->addAction(QStringLiteral("open_as"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::SHIFT | Qt::Key_O), [this] {
        const QString file =
            QFileDialog::getOpenFileName(m_window, tr("Open a file as…"), m_window->m_settings.lastFolder());
        if (!file.isEmpty()) chooseKind(file);
    });
    m_window->addAction(QStringLiteral("compare_with_step"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_G),
                        [this] { chooseCompared(); });
    m_window->addAction(QStringLiteral("attach_original"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_A), [this] {
        const QString file =
            QFileDialog::getOpenFileName(m_window, tr("The model that the OM was compiled from"),
                                         m_window->m_settings.lastFolder(), tr("Models (*.onnx);;All files (*)"));
        if (!file.isEmpty()) attachOriginal(file);
    });
    m_window->addAction(QStringLiteral("compare_dumps"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_D), [this] {
        const QString folder = QFileDialog::getExistingDirectory(m_window, tr("GE's dumps of the same model"),
                                                                 m_window->m_settings.lastFolder());
        if (!folder.isEmpty()) compareWithDumps(folder);
    });
    connect(m_window->m_welcome, &WelcomeView::folderRequested, m_window->action(QStringLiteral("open_folder")),
            &QAction::trigger);
    connect(m_window->hub(), &Hub::runRefreshed, this, &FileTools::showRefreshedRun);
    connect(static_cast<LogDecoderView*>(m_window->view(QStringLiteral("decoder"))), &LogDecoderView::panelRequested,
            m_window, &MainWindow::showView);
}

void FileTools::addToFileMenu()
{
    for (const char* name : {"open_folder", "open_as", "attach_original", "compare_dumps"})
        m_window->m_fileMenu->addAction(m_window->action(QLatin1String(name)));
}

void FileTools::addToRunMenu()
{
    m_window->m_runMenu->addAction(m_window->action(QStringLiteral("compare_with_step")));
}

void FileTools::retranslate()
{
    m_window->setActionText("compare_with_step", tr("Compare with step…"),
                            tr("Compare the step shown with any other instead of the one before it"));
    m_window->setActionText("open_folder", tr("Open folder…"),
                            tr("Open a folder of DUMP_GE_GRAPH dumps and step through its phases"));
    m_window->setActionText("open_as", tr("Open as…"),
                            tr("Say yourself what a file is when its content does not tell"));
    m_window->setActionText("attach_original", tr("Attach original model…"),
                            tr("Put the model that this OM was compiled from before it, to compare the two"));
    m_window->setActionText("compare_dumps", tr("Compare with real dumps…"),
                            tr("Set GE's own dumps of this model beside the simulated run and find where they part"));
}

void FileTools::updateActions()
{
    const OpenModel* model = m_window->hub()->current();
    const bool isReady = model != nullptr && model->run && !model->isBusy && model->session;
    m_window->action(QStringLiteral("compare_with_step"))->setEnabled(model != nullptr && model->run);
    m_window->action(QStringLiteral("attach_original"))->setEnabled(isReady && model->run->mode == "light");
    m_window->action(QStringLiteral("compare_dumps"))
        ->setEnabled(isReady && !model->snapshots && model->run->mode == "full");
}

void FileTools::showRefreshedRun()
{
    Hub* hub = m_window->hub();
    for (auto& [name, view] : m_window->m_views) {
        // The drawings are of the same graphs: the run that the graph view holds shares all that was read.
        if (name == QStringLiteral("graph")) continue;
        view->setRun(hub->run());
        view->setStep(hub->shownStep(), hub->comparedStep());
        view->setSelection(hub->selection());
    }
    m_window->updateProblemsTitle();
    m_window->updateActions();
    m_window->updateStatus();
}

QString FileTools::summary() const
{
    const OpenModel* model = m_window->hub()->current();
    if (model == nullptr || !model->snapshots || !model->run->soc.name.empty()) return {};
    const Step& shown = model->run->step(m_window->hub()->shownStep());
    const StepSource* source = model->run->sourceOf(shown.id);
    return tr("dumps · %1 phases · %2 · %3 · %4 operators")
        .arg(format::count(model->run->stepCount()), words::stepGroup(*source), words::text(shown.phase),
             format::count(shown.after.operators));
}

void FileTools::chooseKind(const QString& path)
{
    std::vector<std::string_view> order = plausibleKinds(std::filesystem::path(path.toStdString()));
    const std::size_t likely = order.size();
    for (const ReaderKind& kind : readerKinds())
        if (std::find(order.begin(), order.end(), kind.id) == order.end()) order.push_back(kind.id);
    CompileOptions options = preferredOptions();
    options.soc = m_window->m_socName.toStdString();
    std::vector<QuickEntry> entries;
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const ReaderKind& kind : readerKinds())
            if (kind.id == order[i])
                entries.push_back(
                    {words::text(kind.name), i < likely ? tr("its content fits") : QString(),
                     [this, path, options, id = words::text(kind.id)] { m_window->jobs()->openAs(path, id, options); },
                     true});
    (new QuickList(tr("Open as"), tr("type a format"), std::move(entries), m_window))->show();
}

void FileTools::chooseCompared()
{
    const auto run = m_window->hub()->run();
    if (!run) return;
    std::vector<QuickEntry> entries;
    for (const Step& step : run->steps) {
        const StepSource* source = run->sourceOf(step.id);
        entries.push_back({QStringLiteral("%1  %2").arg(step.id.value).arg(words::text(step.pass)),
                           source != nullptr ? words::stepGroup(*source) : words::phase(step.phase),
                           [this, id = step.id] { m_window->hub()->showStep(m_window->hub()->shownStep(), id); },
                           true});
    }
    auto* list = new QuickList(tr("Compare with step"), tr("type a number, a pass, a phase or a graph"),
                               std::move(entries), m_window);
    list->setCurrentEntry(m_window->hub()->comparedStep().value);
    list->show();
}

void FileTools::attachOriginal(const QString& path)
{
    if (const OpenModel* model = m_window->hub()->current()) m_window->jobs()->attachOriginal(model->id, path);
}

void FileTools::openDropped(const QMimeData& data)
{
    for (const QUrl& url : data.urls()) {
        const QString path = url.toLocalFile();
        if (path.isEmpty()) {
            // Nothing is fetched from anywhere.
            m_window->showFailure(url.toDisplayString(),
                                  QStringLiteral("not a file of this computer; save it here and open that"));
        } else if (path.endsWith(QStringLiteral(".log"), Qt::CaseInsensitive)) {
            auto* decoder = static_cast<LogDecoderView*>(m_window->view(QStringLiteral("decoder")));
            const QString problem = decoder->openFile(path);
            if (!problem.isEmpty())
                m_window->showFailure(path, problem);
            else
                m_window->showView(QStringLiteral("decoder"));
        } else {
            m_window->openFile(path);
        }
    }
}

void FileTools::compareWithDumps(const QString& folder)
{
    const OpenModel* model = m_window->hub()->current();
    if (model != nullptr && m_window->jobs()->compareWithDumps(model->id, folder) >= 0)
        m_window->showView(QStringLiteral("problems"));
}

} // namespace gelens
