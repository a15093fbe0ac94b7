#include "app/gui/main_window.h"

#include "app/gui/accuracy_tools.h"
#include "app/gui/card_tools.h"
#include "app/gui/command_registry.h"
#include "app/gui/debug_tools.h"
#include "app/gui/file_tools.h"
#include "app/gui/front_views.h"
#include "app/gui/live_tools.h"
#include "app/gui/preference_tools.h"
#include "app/gui/report_tools.h"
#include "app/gui/session_keeper.h"
#include "viewers/common/elided_label.h"
#include "viewers/common/formatter.h"
#include "viewers/diff/diff_view.h"
#include "viewers/graph/graph_view.h"
#include "viewers/inspector/inspector_view.h"
#include "viewers/log/log_view.h"
#include "viewers/memory/memory_view.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"
#include "viewers/models_monitor/models_view.h"
#include "viewers/pipeline/pipeline_view.h"
#include "viewers/pipeline/step_strip.h"
#include "viewers/problems/problems_view.h"
#include "viewers/statistics/statistics_view.h"
#include "viewers/timeline/timeline_view.h"
#include "viewers/unfused/unfused_view.h"
#include "viewers/welcome/welcome_view.h"

#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMimeData>
#include <QProgressBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gelens {

QStringList MainWindow::viewNames()
{
    return {QStringLiteral("pipeline"),    QStringLiteral("graph"),      QStringLiteral("inspector"),
            QStringLiteral("unfused"),     QStringLiteral("diff"),       QStringLiteral("memory"),
            QStringLiteral("timeline"),    QStringLiteral("statistics"), QStringLiteral("models"),
            QStringLiteral("problems"),    QStringLiteral("log"),        QStringLiteral("whatif"),
            QStringLiteral("breakpoints"), QStringLiteral("textdiff"),   QStringLiteral("decoder"),
            QStringLiteral("accuracy"),    QStringLiteral("welcome")};
}

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent), m_socName(m_settings.soc()), m_jobs(new ModelJobs(&m_hub, this)),
      m_front(new FrontViews(this))
{
    setObjectName(QStringLiteral("MainWindow"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    m_debug = new DebugTools(this);
    m_accuracy = new AccuracyTools(this);
    m_files = new FileTools(this);
    m_keeper = new SessionKeeper(this);
    m_reports = new ReportTools(this);
    m_cards = new CardTools(this);
    m_live = new LiveTools(this);
    m_preferences = new PreferenceTools(this);
    createViews();
    createActions();
    m_live->createButtons();
    statusBar()->addPermanentWidget(m_cancel);
    createMenus();
    createToolBar();
    m_commands = new CommandRegistry(this);
    m_commands->applySaved();
    connectHub();
    retranslate();
    restoreWindow();
    updateCentre();
    updateActions(); // what needs a model is off until one is open
    updateStatus();
    m_preferences->applyAll();
}

MainWindow::~MainWindow()
{
    // Views are told nothing while the window falls apart, and nobody asks which of them has the focus.
    delete m_commands;
    disconnect(&m_hub, nullptr, this, nullptr);
    m_jobs->cancelAll();
}

void MainWindow::createViews()
{
    auto* graphPage = new QWidget;
    auto* layout = new QVBoxLayout(graphPage);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_strip = new StepStrip;
    m_graph = new GraphView;
    m_graph->setMinimumSize(320, 160); // the panels beside it need room on small screens
    layout->addWidget(m_strip);
    layout->addWidget(m_graph, 1);
    m_welcome = new WelcomeView;
    m_centre = new QStackedWidget;
    m_centre->addWidget(m_welcome);
    m_centre->addWidget(graphPage);
    setCentralWidget(m_centre);
    m_views[QStringLiteral("graph")] = m_graph;

    setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea); // lists of many columns: they have the whole width
    addDock(new PipelineView, QStringLiteral("pipeline"));
    addDock(new InspectorView, QStringLiteral("inspector"));
    addDock(new UnfusedView, QStringLiteral("unfused"));
    addDock(new DiffView, QStringLiteral("diff"));
    addDock(new MemoryView, QStringLiteral("memory"));
    addDock(new TimelineView, QStringLiteral("timeline"));
    addDock(new StatisticsView, QStringLiteral("statistics"));
    auto* models = new ModelsView;
    addDock(models, QStringLiteral("models"));
    m_problems = new ProblemsView;
    addDock(m_problems, QStringLiteral("problems"));
    addDock(new LogView, QStringLiteral("log"));
    m_debug->createViews();
    m_accuracy->createViews();
    placeDocks();

    connect(models, &ModelsView::modelChosen, &m_hub, &Hub::setCurrent);
    connect(models, &ModelsView::closeRequested, m_jobs, &ModelJobs::close);
    connect(m_welcome, &WelcomeView::openRequested, this, [this](const QString& path) {
        if (path.isEmpty())
            action(QStringLiteral("open"))->trigger();
        else
            openFile(path);
    });
    connect(m_welcome, &WelcomeView::tourRequested, this, [this] { action(QStringLiteral("tour"))->trigger(); });
    connect(m_strip, &View::stepRequested, &m_hub, qOverload<StepId>(&Hub::showStep));
    for (auto& [name, view] : m_views) {
        connect(view, &View::selectionRequested, &m_hub, &Hub::select);
        connect(view, &View::stepRequested, &m_hub, qOverload<StepId>(&Hub::showStep));
        connect(view, &View::statusMessage, this,
                [this](const QString& text) { statusBar()->showMessage(text, 6000); });
    }
    m_views[QStringLiteral("strip")] = m_strip;

    m_summary = new ElidedLabel;
    m_activity = new QLabel;
    m_progress = new QProgressBar;
    m_progress->setMaximumWidth(160);
    m_progress->setTextVisible(false);
    m_cancel = new QToolButton;
    m_cancel->setText(QStringLiteral("✕"));
    m_cancel->setAutoRaise(true);
    statusBar()->addWidget(m_summary, 1);
    statusBar()->addPermanentWidget(m_activity);
    statusBar()->addPermanentWidget(m_progress);
    connect(m_cancel, &QToolButton::clicked, this, &MainWindow::cancelWork);
}

void MainWindow::addDock(View* view, const QString& name)
{
    auto* dock = new QDockWidget(this);
    dock->setObjectName(QStringLiteral("dock_") + name);
    dock->setWidget(view);
    m_views[name] = view;
    m_docks[name] = dock;
    m_front->add(dock, view);
}

void MainWindow::placeDocks()
{
    addDockWidget(Qt::LeftDockWidgetArea, m_docks[QStringLiteral("pipeline")]);
    addDockWidget(Qt::RightDockWidgetArea, m_docks[QStringLiteral("inspector")]);
    QDockWidget* previous = nullptr;
    for (const char* name : {"unfused", "diff", "memory", "timeline", "statistics", "models", "problems", "log",
                             "whatif", "breakpoints", "textdiff", "decoder", "accuracy"}) {
        QDockWidget* dock = m_docks[QLatin1String(name)];
        addDockWidget(Qt::BottomDockWidgetArea, dock);
        if (previous != nullptr) tabifyDockWidget(previous, dock);
        previous = dock;
    }
    for (auto& [name, dock] : m_docks) {
        dock->setFloating(false);
        dock->show();
    }
    m_docks[QStringLiteral("unfused")]->raise();
}

View* MainWindow::view(const QString& name) const
{
    const auto found = m_views.find(name);
    return found == m_views.end() ? nullptr : found->second;
}

QAction* MainWindow::action(const QString& name) const
{
    const auto found = m_actions.find(name);
    return found == m_actions.end() ? nullptr : found->second;
}

void MainWindow::connectHub()
{
    connect(&m_hub, &Hub::currentChanged, this, &MainWindow::showCurrent);
    connect(&m_hub, &Hub::stepChanged, this, [this] {
        for (auto& [name, view] : m_views) view->setStep(m_hub.shownStep(), m_hub.comparedStep());
        updateActions();
        updateStatus();
    });
    connect(&m_hub, &Hub::selectionChanged, this, [this] {
        for (auto& [name, view] : m_views) view->setSelection(m_hub.selection());
        m_debug->updateActions();
        m_accuracy->updateActions();
        m_keeper->updateActions();
    });
    connect(&m_hub, &Hub::modelsChanged, this, [this] {
        updateModelRows();
        updateStatus();
        updateActions();
    });
    connect(m_jobs, &ModelJobs::progress, this,
            [this](int, const QString& what, int done, int total) { showProgress(what, done, total); });
    connect(m_jobs, &ModelJobs::failed, this, &MainWindow::showFailure);
    connect(m_jobs, &ModelJobs::finished, this, [this](int id) {
        m_isCancelling = false;
        const OpenModel* model = m_hub.find(id);
        if (model != nullptr && model->run) {
            m_settings.addRecentFile(model->path);
            updateRecentMenu();
            if (model->run->wasCancelled)
                statusBar()->showMessage(tr("Cancelled; the steps that were done are shown."), 8000);
            else if (model->run->error)
                statusBar()->showMessage(words::sentence(model->run->error->message()), 15000);
        }
        updateStatus();
    });
    connect(m_graph, &GraphView::layoutReady, this, &MainWindow::updateStatus);
}

void MainWindow::showCurrent()
{
    const auto run = m_hub.run();
    const OpenModel* model = m_hub.current();
    static_cast<StatisticsView*>(view(QStringLiteral("statistics")))
        ->setFile(model != nullptr && model->session ? model->session->info().om : nullptr);
    for (auto& [name, view] : m_views) {
        view->setRun(run);
        view->setStep(m_hub.shownStep(), m_hub.comparedStep());
        view->setSelection(m_hub.selection());
        if (!run) view->setEmptyState(model == nullptr ? EmptyState::NoRun : EmptyState::Loading);
    }
    if (model != nullptr) m_soc->setCurrentText(QString::fromStdString(model->options.soc));
    if (model != nullptr && run) m_welcome->setNotice({});
    m_debug->showCurrent();
    updateModelRows();
    updateProblemsTitle();
    updateCentre();
    updateTitle();
    updateActions();
    updateStatus();
}

void MainWindow::updateModelRows()
{
    std::vector<ModelsView::Row> rows;
    for (const OpenModel& model : m_hub.models())
        rows.push_back({model.id, model.name, model.run, {}, model.isBusy, m_hub.current() == &model});
    static_cast<ModelsView*>(view(QStringLiteral("models")))->setModels(std::move(rows));
}

/// The tab says how many there are also while the list is behind others.
void MainWindow::updateProblemsTitle()
{
    const int problems = m_problems->problemCount(m_hub.run().get());
    const QString title = tr("Problems");
    m_docks[QStringLiteral("problems")]->setWindowTitle(
        problems == 0 ? title : QStringLiteral("%1 (%2)").arg(title, format::count(problems)));
}

void MainWindow::showFailure(const QString& path, const QString& sentence)
{
    m_problems->addFileError(path, sentence); // translates it when it shows it
    updateProblemsTitle();
    const QString said = words::sentence(sentence.toStdString());
    statusBar()->showMessage(said, 15000);
    m_welcome->setNotice(said); // seen when nothing else is open
    if (m_hub.current() == nullptr)
        for (auto& [name, view] : m_views) view->setEmptyState(EmptyState::Failed, sentence);
}

void MainWindow::restoreWindow()
{
    const QByteArray geometry = m_settings.windowGeometry(), state = m_settings.windowState();
    if (geometry.isEmpty() || !restoreGeometry(geometry)) resize(1440, 900);
    m_hasDefaultSizes = state.isEmpty() || !restoreState(state);
}

void MainWindow::setDefaultSizes()
{
    // Names of passes are indented and have two figures beside them; what the inspector lists is as long as names of
    // nodes are.
    resizeDocks({m_docks[QStringLiteral("pipeline")], m_docks[QStringLiteral("inspector")]},
                {std::clamp(width() * 25 / 100, 240, std::max(400, width() * 19 / 100)),
                 std::clamp(width() * 22 / 100, 220, 600)},
                Qt::Horizontal);
    // On a small screen the graph needs the room more than the lists do.
    resizeDocks({m_docks[QStringLiteral("unfused")]}, {std::clamp(height() * 28 / 100, 180, 360)}, Qt::Vertical);
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    // Sizes of docks count only once the window has its own.
    if (std::exchange(m_hasDefaultSizes, false))
        QMetaObject::invokeMethod(this, &MainWindow::setDefaultSizes, Qt::QueuedConnection);
}

int MainWindow::openFile(const QString& path) { return openFile(path, preferredOptions()); }

int MainWindow::openFile(const QString& path, CompileOptions options)
{
    if (path.endsWith(QStringLiteral(".gelens"))) {
        m_keeper->open(path);
        return -1;
    }
    options.soc = m_socName.toStdString();
    m_settings.setLastFolder(QFileInfo(path).absolutePath());
    return m_jobs->open(path, options);
}

void MainWindow::updateCentre()
{
    m_centre->setCurrentIndex(m_hub.current() == nullptr ? 0 : 1);
    if (m_hub.current() == nullptr) m_welcome->setRecentFiles(m_settings.recentFiles());
}

bool MainWindow::isBusy() const
{
    return m_jobs->isBusy() || m_debug->isBusy() ||
           (m_hub.run() && (!m_graph->isLayoutReady() || m_graph->hasPendingChanges()));
}

void MainWindow::updateStatus()
{
    const bool isRunning = m_jobs->isBusy() || m_debug->isBusy(), isLayingOut = !isRunning && isBusy();
    if (!m_wasBusy && isRunning) {
        m_activity->setText(tr("opening …"));
        m_progress->setRange(0, 0);
    }
    if (isLayingOut) {
        m_activity->setText(tr("laying out the graph …"));
        m_progress->setRange(0, 0);
    }
    m_activity->setVisible(isRunning || isLayingOut);
    m_cancel->setVisible(isRunning);
    m_cancel->setEnabled(!m_isCancelling);
    action(QStringLiteral("cancel"))->setEnabled(isRunning);
    const QString live = m_live->activityText();
    if (isRunning && !live.isEmpty()) m_activity->setText(live);
    const OpenModel* model = m_hub.current();
    m_progress->setVisible((isRunning || isLayingOut) && (model == nullptr || !model->isHalted));
    m_live->updateActions();
    if (const QString halted = m_live->haltText(); !halted.isEmpty()) {
        m_summary->setFullText(halted);
    } else if (model == nullptr) {
        m_summary->setFullText(tr("Open a model to begin."));
    } else if (!model->run || model->run->isUnderWay) {
        m_summary->setFullText(tr("Opening %1 …").arg(model->name));
    } else if (const QString ofFiles = m_files->summary(); !ofFiles.isEmpty()) {
        m_summary->setFullText(ofFiles);
    } else {
        const RunStatistics& s = model->run->statistics;
        const QString after = format::count(s.nodes.after);
        const QString operators = s.nodes.before ? tr("%1 → %2 operators").arg(format::count(*s.nodes.before), after)
                                                 : tr("%1 operators").arg(after);
        const QString chip = words::text(model->run->soc.name);
        if (model->run->failed)
            m_summary->setFullText(tr("%1 · %2 · stopped with an error: see Problems").arg(chip, operators));
        else if (model->run->wasCancelled)
            m_summary->setFullText(tr("%1 · %2 · cancelled, partly done").arg(chip, operators));
        else
            m_summary->setFullText(tr("%1 · %2 · peak %3 (bound %4) · estimated %5")
                                       .arg(chip, operators, format::bytes(s.memoryAfter),
                                            format::bytes(s.memoryLowerBound),
                                            format::microseconds(s.latencyUs.after)));
    }
    const bool busy = isRunning || isLayingOut;
    if (m_wasBusy && !busy) Q_EMIT idle();
    m_wasBusy = busy;
}

void MainWindow::showProgress(const QString& what, int done, int total)
{
    if (m_isCancelling) return;
    m_activity->setText(total > 1 ? tr("%1 · %2 of %3").arg(what).arg(done).arg(total) : what);
    m_progress->setRange(0, total > 1 ? total : 0);
    m_progress->setValue(done);
}

void MainWindow::setDockTitle(const char* name, const QString& title)
{
    m_docks[QLatin1String(name)]->setWindowTitle(title);
    m_docks[QLatin1String(name)]->widget()->setAccessibleName(title);
}

void MainWindow::updateTitle()
{
    const OpenModel* model = m_hub.current();
    setWindowTitle(model == nullptr ? QStringLiteral("GE Lens") : tr("%1 — GE Lens").arg(model->name));
}

bool MainWindow::showView(const QString& name)
{
    if (name == QStringLiteral("welcome")) {
        m_centre->setCurrentIndex(0);
        m_welcome->setRecentFiles(m_settings.recentFiles());
        m_welcome->setFocus();
        return true;
    }
    if (name == QStringLiteral("graph")) {
        m_centre->setCurrentIndex(1);
        m_graph->setFocus();
        return true;
    }
    const auto dock = m_docks.find(name);
    if (dock == m_docks.end()) return false;
    dock->second->show();
    dock->second->raise();
    m_views.at(name)->catchUp(); // the focus chooses a row, and callers go on with the view
    dock->second->widget()->setFocus();
    return true;
}

bool MainWindow::showStep(const QString& text)
{
    const auto run = m_hub.run();
    if (!run) return false;
    const auto step = run->findStep(text.toStdString());
    if (!step) return false;
    m_hub.showStep(*step);
    return true;
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    m_settings.setWindow(saveGeometry(), saveState());
    m_keeper->finish();
    m_jobs->cancelAll();
    event->accept();
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    QMainWindow::changeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_files->openDropped(*event->mimeData());
    event->acceptProposedAction();
}

void MainWindow::retranslate()
{
    const std::pair<const char*, QString> titles[] = {{"pipeline", tr("Pipeline")},      {"inspector", tr("Inspector")},
                                                      {"unfused", tr("Unfused chains")}, {"diff", tr("Dump diff")},
                                                      {"memory", tr("Memory")},          {"timeline", tr("Timeline")},
                                                      {"statistics", tr("Statistics")},  {"models", tr("Models")},
                                                      {"problems", tr("Problems")},      {"log", tr("Log")}};
    for (const auto& [name, title] : titles) {
        m_docks[QLatin1String(name)]->setWindowTitle(title);
        m_docks[QLatin1String(name)]->widget()->setAccessibleName(title);
    }
    updateProblemsTitle();
    m_graph->setAccessibleName(tr("Graph"));
    m_strip->setAccessibleName(tr("Step strip"));
    m_cancel->setToolTip(tr("Cancel what is running (Esc)"));
    retranslatePurposes();
    retranslateActions();
    updateTitle();
    updateStatus();
}

} // namespace gelens
