// Menus, tool bar, and what their entries do.
#include "app/gui/main_window.h"

#include "app/core/preferences.h"

#include "app/gui/accuracy_tools.h"
#include "app/gui/appearance.h"
#include "app/gui/card_tools.h"
#include "app/gui/debug_tools.h"
#include "app/gui/file_tools.h"
#include "app/gui/help_tools.h"
#include "app/gui/live_tools.h"
#include "app/gui/report_tools.h"
#include "app/gui/session_keeper.h"
#include "viewers/common/column_fit.h"
#include "viewers/common/command_texts.h"
#include "viewers/graph/graph_view.h"
#include "viewers/welcome/welcome_view.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QStackedWidget>
#include <QToolBar>

namespace gelens {

QAction* MainWindow::addAction(const QString& name, const QKeySequence& shortcut, const std::function<void()>& run)
{
    auto* action = new QAction(this);
    action->setObjectName(name);
    action->setShortcut(shortcut);
    connect(action, &QAction::triggered, this, run);
    m_actions[name] = action;
    QMainWindow::addAction(action);
    return action;
}

void MainWindow::createActions()
{
    const auto name = [](const char* text) { return QString::fromLatin1(text); };
    addAction(name("open"), QKeySequence::Open, [this] { chooseFile(); });
    addAction(name("close"), QKeySequence(Qt::CTRL | Qt::Key_W), [this] {
        if (const OpenModel* model = m_hub.current()) m_jobs->close(model->id);
    });
    addAction(name("export"), QKeySequence(Qt::CTRL | Qt::Key_E), [this] { exportView(); });
    addAction(name("quit"), QKeySequence(Qt::CTRL | Qt::Key_Q), [this] { close(); });
    addAction(name("first"), QKeySequence(Qt::ALT | Qt::Key_Home), [this] { m_hub.showStep(StepId{0}); });
    addAction(name("step_back"), QKeySequence(Qt::Key_F9), [this] { step(-1); });
    addAction(name("step"), QKeySequence(Qt::Key_F10), [this] { step(+1); });
    addAction(name("last"), QKeySequence(Qt::ALT | Qt::Key_End), [this] {
        if (const auto run = m_hub.run()) m_hub.showStep(run->lastStep());
    });
    addAction(name("previous_change"), QKeySequence(Qt::CTRL | Qt::Key_F9), [this] { stepToChange(-1); });
    addAction(name("next_change"), QKeySequence(Qt::CTRL | Qt::Key_F10), [this] { stepToChange(+1); });
    addAction(name("whole"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W), [this] {
        if (const auto run = m_hub.run())
            m_hub.showStep(run->spanOf(m_hub.shownStep()).last, run->spanOf(m_hub.shownStep()).first);
    });
    addAction(name("rerun"), QKeySequence(Qt::Key_F5), [this] {
        const OpenModel* model = m_hub.current();
        if (model == nullptr) return;
        CompileOptions options = model->options;
        options.verify = preferredOptions().verify;
        m_jobs->rerun(model->id, options);
    });
    addAction(name("cancel"), QKeySequence(Qt::Key_Escape), [this] { cancelWork(); });
    addAction(name("go_to_step"), QKeySequence(Qt::CTRL | Qt::Key_G), [this] { chooseStep(); });
    addAction(name("find_node"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F), [this] {
        showView(QStringLiteral("graph"));
        m_graph->focusSearch();
    });
    addAction(name("commands"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), [this] { chooseCommand(); });
    addAction(name("verify"), QKeySequence(Qt::SHIFT | Qt::Key_F5), [this] {
        const OpenModel* model = m_hub.current();
        if (model == nullptr) return;
        CompileOptions options = model->options;
        options.verify = true; // for this run only
        m_jobs->rerun(model->id, options);
        showView(QStringLiteral("problems"));
    });
    addAction(name("welcome"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_H),
              [this] { showView(QStringLiteral("welcome")); });
    addAction(name("reset_layout"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), [this] {
        m_settings.forgetWindow();
        placeDocks();
        setDefaultSizes();
        for (ColumnFit* fit : findChildren<ColumnFit*>()) fit->reset();
    });
    addAction(name("close_panel"), QKeySequence(Qt::CTRL | Qt::Key_F4), [this] { closePanel(); });
    addAction(name("about"), QKeySequence(Qt::SHIFT | Qt::Key_F1), [this] { aboutGeLens(); });
    m_debug->createActions();
    m_accuracy->createActions();
    m_files->createActions();
    m_keeper->createActions();
    m_reports->createActions();
    m_cards->createActions();
    m_live->createActions();
    int digit = 0;
    for (const QString& view : viewNames()) {
        if (view == QStringLiteral("welcome") || action(QStringLiteral("panel_") + view) != nullptr) continue;
        // Ctrl+1 … Ctrl+9 for the first nine, then Alt+1 and so on.
        const QKeySequence keys = digit < 9 ? QKeySequence(Qt::CTRL | Qt::Key(Qt::Key_1 + digit))
                                            : QKeySequence(Qt::ALT | Qt::Key(Qt::Key_1 + digit - 9));
        addAction(name("panel_") + view, keys, [this, view] { showView(view); });
        ++digit;
    }
}

void MainWindow::createMenus()
{
    m_fileMenu = menuBar()->addMenu(QString());
    m_fileMenu->addAction(action(QStringLiteral("open")));
    m_files->addToFileMenu();
    m_recentMenu = m_fileMenu->addMenu(QString());
    m_fileMenu->addAction(action(QStringLiteral("close")));
    m_fileMenu->addSeparator();
    for (const char* name : {"open_session", "save_session", "save_session_as", "copy_command"})
        m_fileMenu->addAction(action(QLatin1String(name)));
    m_fileMenu->addSeparator();
    m_fileMenu->addAction(action(QStringLiteral("export")));
    m_fileMenu->addAction(action(QStringLiteral("export_steps")));
    m_fileMenu->addAction(action(QStringLiteral("export_report")));
    m_fileMenu->addSeparator();
    m_fileMenu->addAction(action(QStringLiteral("quit")));

    m_editMenu = menuBar()->addMenu(QString());
    connect(m_editMenu, &QMenu::aboutToShow, this, &MainWindow::fillEditMenu);

    m_viewMenu = menuBar()->addMenu(QString());
    m_panelsMenu = m_viewMenu->addMenu(QString());
    for (const QString& view : viewNames())
        if (QAction* show = action(QStringLiteral("panel_") + view)) m_panelsMenu->addAction(show);
    m_viewMenu->addAction(action(QStringLiteral("welcome")));
    m_viewMenu->addAction(action(QStringLiteral("close_panel")));
    m_viewMenu->addSeparator();
    m_viewMenu->addAction(action(QStringLiteral("find_node")));
    m_graphMenu = m_viewMenu->addMenu(QString());
    m_graphMenu->addActions(m_graph->viewActions());
    m_modeMenu = m_graphMenu->addMenu(QString());
    m_modeMenu->addActions(m_graph->modeActions());
    m_colorMenu = m_graphMenu->addMenu(QString());
    m_colorMenu->addActions(m_graph->colorActions());
    m_viewMenu->addSeparator();
    m_themeMenu = m_viewMenu->addMenu(QString());
    m_languageMenu = m_viewMenu->addMenu(QString());
    m_viewMenu->addAction(action(QStringLiteral("reset_layout")));
    const auto addChoices = [this](QMenu* menu, const std::vector<std::pair<QString, QString>>& choices,
                                   const QString& current, const std::function<void(const QString&)>& choose) {
        auto* group = new QActionGroup(menu);
        for (const auto& [value, key] : choices) {
            QAction* choice = menu->addAction(QString());
            choice->setObjectName(key);
            choice->setCheckable(true);
            choice->setChecked(value == current);
            group->addAction(choice);
            connect(choice, &QAction::triggered, this, [choose, value = value] { choose(value); });
            m_actions[key] = choice;
        }
    };
    addChoices(m_themeMenu,
               {{QString(), QStringLiteral("theme_system")},
                {QStringLiteral("light"), QStringLiteral("theme_light")},
                {QStringLiteral("dark"), QStringLiteral("theme_dark")}},
               m_settings.theme(), [this](const QString& theme) { setTheme(theme); });
    addChoices(m_languageMenu,
               {{QString(), QStringLiteral("language_system")},
                {QStringLiteral("en"), QStringLiteral("language_en")},
                {QStringLiteral("zh_CN"), QStringLiteral("language_zh")}},
               m_settings.language(), [this](const QString& language) { setLanguage(language); });

    m_runMenu = menuBar()->addMenu(QString());
    for (const char* name : {"first", "step_back", "step", "last"}) m_runMenu->addAction(action(QLatin1String(name)));
    m_runMenu->addSeparator();
    for (const char* name : {"previous_change", "next_change", "whole", "go_to_step"})
        m_runMenu->addAction(action(QLatin1String(name)));
    m_files->addToRunMenu();
    m_runMenu->addSeparator();
    for (const char* name : {"run_to_breakpoint", "back_to_breakpoint", "toggle_breakpoint", "break_on_node"})
        m_runMenu->addAction(action(QLatin1String(name)));
    m_runMenu->addSeparator();
    for (const char* name : {"run_live", "pause", "resume", "step_edit", "finish_pass"})
        m_runMenu->addAction(action(QLatin1String(name)));
    m_runMenu->addSeparator();
    for (const char* name : {"rerun", "verify", "split_cards", "cancel"})
        m_runMenu->addAction(action(QLatin1String(name)));

    m_toolsMenu = menuBar()->addMenu(QString());
    for (const char* name : {"bisect", "leave_out"}) m_toolsMenu->addAction(action(QLatin1String(name)));
    m_toolsMenu->addSeparator();
    for (const char* name : {"node_numbers", "find_overflow"}) m_toolsMenu->addAction(action(QLatin1String(name)));
    m_toolsMenu->addSeparator();
    for (const char* name : {"note", "save_search", "saved_searches"})
        m_toolsMenu->addAction(action(QLatin1String(name)));

    m_helpMenu = menuBar()->addMenu(QString());
    m_helpMenu->addAction(action(QStringLiteral("commands")));
    m_helpMenu->addAction(action(QStringLiteral("about")));
    m_debug->help()->fillMenus(m_toolsMenu, m_helpMenu);
    updateRecentMenu();
}

void MainWindow::createToolBar()
{
    QToolBar* bar = addToolBar(QString());
    bar->setObjectName(QStringLiteral("toolbar_main"));
    bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
    bar->addAction(action(QStringLiteral("open")));
    bar->addSeparator();
    for (const char* name : {"first", "step_back", "step", "last"}) bar->addAction(action(QLatin1String(name)));
    bar->addSeparator();
    for (const char* name : {"previous_change", "next_change", "whole"}) bar->addAction(action(QLatin1String(name)));
    bar->addSeparator();
    m_socLabel = new QLabel;
    m_socLabel->setContentsMargins(6, 0, 4, 0);
    bar->addWidget(m_socLabel);
    m_soc = new QComboBox;
    m_soc->setObjectName(QStringLiteral("soc"));
    for (const std::string& soc : socNames()) m_soc->addItem(QString::fromStdString(soc));
    m_soc->setCurrentText(m_socName);
    connect(m_soc, &QComboBox::textActivated, this, &MainWindow::changeSoc);
    bar->addWidget(m_soc);
    bar->addAction(action(QStringLiteral("rerun")));
    bar->addAction(action(QStringLiteral("verify")));
    bar->addSeparator();
    bar->addAction(action(QStringLiteral("find_node")));
    QAction* toggle = m_actions[QStringLiteral("tool_bar")] = bar->toggleViewAction();
    toggle->setObjectName(QStringLiteral("tool_bar"));
    m_viewMenu->insertAction(action(QStringLiteral("reset_layout")), toggle);
}

void MainWindow::retranslateActions()
{
    struct Text {
        const char* name;
        QString text, toolTip;
    };
    const Text texts[] = {
        {"open", tr("Open…"), tr("Open a model file")},
        {"close", tr("Close model"), tr("Close the model shown")},
        {"export", tr("Export graph…"), tr("Write the graph as SVG, PNG, PDF or DOT")},
        {"quit", tr("Quit"), tr("Leave GE Lens")},
        {"first", tr("⇤ First"), tr("Go to the graph as read")},
        {"step_back", tr("◀ Step"), tr("One pass back")},
        {"step", tr("Step ▶"), tr("One pass forward")},
        {"last", tr("Last ⇥"), tr("Go to the end of the run")},
        {"previous_change", tr("◀◀ Change"), tr("Back to the previous pass that changed something")},
        {"next_change", tr("Change ▶▶"), tr("On to the next pass that changed something")},
        {"whole", tr("Start ↔ end"), tr("Compare the model as read with the result")},
        {"rerun", tr("Run again"), tr("Compile the model again")},
        {"verify", tr("Verify"), tr("Compute before and after each step and compare the numbers")},
        {"cancel", tr("Cancel"), tr("Stop what is running and keep what it has reached")},
        {"go_to_step", tr("Go to step…"), tr("Choose a pass by its name or number")},
        {"find_node", tr("Find node…"), tr("Search the graph by name, type or attribute")},
        {"commands", tr("All commands…"), tr("Find and run any command of the window")},
        {"panel_pipeline", tr("Pipeline"), tr("Show the stages and passes of the run")},
        {"panel_graph", tr("Graph"), tr("Show the graph before and after the step")},
        {"panel_inspector", tr("Inspector"), tr("Show everything about the selection")},
        {"panel_unfused", tr("Unfused chains"), tr("Show chains that were not fused, and why")},
        {"panel_diff", tr("Dump diff"), tr("Show what differs between the two graphs, as text")},
        {"panel_memory", tr("Memory"), tr("Show who lives where in device memory, and when")},
        {"panel_timeline", tr("Timeline"), tr("Show when each task runs")},
        {"panel_statistics", tr("Statistics"), tr("Show the figures before and after")},
        {"panel_models", tr("Models"), tr("Show all open models")},
        {"panel_problems", tr("Problems"), tr("Show what readers, checkers and verifiers found")},
        {"panel_log", tr("Log"), tr("Show what the engine logs")},
        {"welcome", tr("Welcome page"), tr("Samples and recent files")},
        {"close_panel", tr("Close panel"), tr("Close the panel that is worked with; Panels brings it back")},
        {"tool_bar", tr("Tool bar"), tr("Show or hide the tool bar")},
        {"reset_layout", tr("Restore default layout"), tr("Put all panels back in their places")},
        {"about", tr("About GE Lens"), tr("Version and licences")},
        {"theme_system", tr("As the system"), tr("Colours as the desktop has them")},
        {"theme_light", tr("Light"), tr("Light colours")},
        {"theme_dark", tr("Dark"), tr("Dark colours")},
        {"language_system", tr("As the system"), tr("Language as the desktop has it")},
        {"language_en", QStringLiteral("English"), tr("English texts")},
        {"language_zh", QStringLiteral("简体中文"), tr("Chinese texts")},
    };
    for (const Text& text : texts) setActionText(text.name, text.text, text.toolTip);
    m_debug->retranslate();
    m_accuracy->retranslate();
    m_files->retranslate();
    m_keeper->retranslate();
    m_reports->retranslate();
    m_cards->retranslate();
    m_live->retranslate();
    m_fileMenu->setTitle(tr("&File"));
    m_recentMenu->setTitle(tr("Open recent"));
    m_editMenu->setTitle(tr("&Edit"));
    m_viewMenu->setTitle(tr("&View"));
    m_panelsMenu->setTitle(tr("Panels"));
    m_graphMenu->setTitle(tr("Graph"));
    m_modeMenu->setTitle(tr("Comparison"));
    m_colorMenu->setTitle(tr("Colour by"));
    m_themeMenu->setTitle(tr("Theme"));
    m_languageMenu->setTitle(tr("Language"));
    m_runMenu->setTitle(tr("&Run"));
    m_toolsMenu->setTitle(tr("&Tools"));
    m_helpMenu->setTitle(tr("&Help"));
    m_socLabel->setText(tr("SoC"));
    m_soc->setToolTip(tr("Chip to compile for"));
    updateRecentMenu();
}

void MainWindow::setActionText(const char* name, const QString& text, const QString& toolTip)
{
    setCommandTexts(action(QLatin1String(name)), text, toolTip);
}

void MainWindow::updateActions()
{
    m_debug->updateActions();
    m_accuracy->updateActions();
    m_files->updateActions();
    m_keeper->updateActions();
    m_reports->updateActions();
    m_cards->updateActions();
    m_live->updateActions();
    const auto run = m_hub.run();
    const bool hasModel = m_hub.current() != nullptr;
    const int shown = m_hub.shownStep().value, last = run ? run->stepCount() - 1 : 0;
    action(QStringLiteral("close"))->setEnabled(hasModel);
    for (const char* name : {"export", "whole", "go_to_step", "find_node"})
        action(QLatin1String(name))->setEnabled(run != nullptr);
    for (const char* name : {"first", "step_back", "previous_change"})
        action(QLatin1String(name))->setEnabled(run && shown > 0);
    for (const char* name : {"step", "last", "next_change"})
        action(QLatin1String(name))->setEnabled(run && shown < last);
    for (const char* name : {"rerun", "verify"})
        action(QLatin1String(name))->setEnabled(hasModel && !m_hub.current()->isBusy && m_hub.current()->session);
}

void MainWindow::updateRecentMenu()
{
    m_recentMenu->clear();
    for (const QString& path : m_settings.recentFiles()) {
        // A file name is text: "&" in it is no shortcut mark.
        QAction* entry = m_recentMenu->addAction(QString());
        setCommandTexts(entry, QString(path).replace(QLatin1Char('&'), QStringLiteral("&&")),
                        tr("Open this model again"));
        connect(entry, &QAction::triggered, this, [this, path] { openFile(path); });
    }
    m_recentMenu->addSeparator();
    QAction* clear = m_recentMenu->addAction(QString());
    setCommandTexts(clear, tr("Clear the list"), tr("Forget the recent files"));
    clear->setEnabled(!m_settings.recentFiles().isEmpty());
    connect(clear, &QAction::triggered, this, [this] {
        m_settings.clearRecentFiles();
        updateRecentMenu();
        updateCentre();
    });
}

void MainWindow::chooseFile()
{
    const QStringList files =
        QFileDialog::getOpenFileNames(this, tr("Open a model"), m_settings.lastFolder(),
                                      tr("Models (*.onnx *.om *.air *.txt *.pbtxt *.json);;All files (*)"));
    for (const QString& file : files) openFile(file);
}

void MainWindow::step(int by) { m_hub.showStep(StepId{m_hub.shownStep().value + by}); }

void MainWindow::stepToChange(int direction)
{
    const auto run = m_hub.run();
    if (!run) return;
    for (int at = m_hub.shownStep().value + direction; at >= 0 && at < run->stepCount(); at += direction)
        if (run->step(StepId{at}).hasChanged() || at == 0) {
            m_hub.showStep(StepId{at});
            return;
        }
}

void MainWindow::changeSoc(const QString& soc)
{
    m_settings.setSoc(soc);
    m_socName = soc;
    const OpenModel* model = m_hub.current();
    if (model == nullptr || m_debug->isComparison(model->id)) return;
    CompileOptions options = model->options;
    options.soc = soc.toStdString();
    options.verify = preferredOptions().verify;
    m_jobs->rerun(model->id, options);
}

void MainWindow::setSoc(const QString& soc)
{
    m_socName = soc;
    m_soc->setCurrentText(soc);
}

void MainWindow::cancelWork()
{
    bool isAny = false;
    for (const OpenModel& model : m_hub.models())
        if (model.isBusy) {
            m_jobs->cancel(model.id);
            isAny = true;
        }
    if (m_debug->isBusy()) {
        m_debug->whatIfs()->cancel();
        isAny = true;
    }
    if (!isAny) return;
    m_isCancelling = true;
    m_activity->setText(tr("cancelling …"));
    updateStatus();
}

void MainWindow::exportView() { m_graph->exportWithDialog(); }

void MainWindow::aboutGeLens()
{
    QMessageBox box(this);
    box.setWindowTitle(tr("About GE Lens"));
    box.setTextFormat(Qt::PlainText);
    box.setText(
        tr("GE Lens %1\n\nSee inside the graph compiler of Ascend NPUs: what each pass changed, why a chain was "
           "not fused, where the memory goes, and whether the numbers still hold.\n\nTimes come from a cost model "
           "and are estimates. Licensed under Apache-2.0; built with Qt %2.")
            .arg(QLatin1String(GELENS_VERSION), QLatin1String(qVersion())));
    box.setDetailedText(QStringLiteral(
        "Qt — LGPL-3.0\nprotobuf — BSD-3-Clause\nONNX — Apache-2.0\noneDNN — Apache-2.0\nEigen — MPL-2.0\n"
        "nlohmann-json, fmt, spdlog — MIT\nCLI11 — BSD-3-Clause\nGraphviz — EPL-1.0"));
    box.exec();
}

void MainWindow::setTheme(const QString& theme)
{
    m_settings.setTheme(theme);
    applyTheme(theme);
}

void MainWindow::setLanguage(const QString& language)
{
    m_settings.setLanguage(language);
    applyLanguage(language);
}

} // namespace gelens
