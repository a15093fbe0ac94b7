// Menus, tool bar, and what their entries do.
#include "app/gui/main_window.h"

#include "app/gui/appearance.h"
#include "viewers/graph/graph_view.h"

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
    addAction(name("close"), QKeySequence::Close, [this] {
        if (const OpenModel* model = m_hub.current()) m_jobs->close(model->id);
    });
    addAction(name("export"), QKeySequence(Qt::CTRL | Qt::Key_E), [this] { exportView(); });
    addAction(name("quit"), QKeySequence::Quit, [this] { close(); });
    addAction(name("first"), QKeySequence(Qt::ALT | Qt::Key_Home), [this] { m_hub.showStep(StepId{0}); });
    addAction(name("step_back"), QKeySequence(Qt::Key_F9), [this] { step(-1); });
    addAction(name("step"), QKeySequence(Qt::Key_F10), [this] { step(+1); });
    addAction(name("last"), QKeySequence(Qt::ALT | Qt::Key_End), [this] {
        if (const auto run = m_hub.run()) m_hub.showStep(run->lastStep());
    });
    addAction(name("previous_change"), QKeySequence(Qt::CTRL | Qt::Key_F9), [this] { stepToChange(-1); });
    addAction(name("next_change"), QKeySequence(Qt::CTRL | Qt::Key_F10), [this] { stepToChange(+1); });
    addAction(name("whole"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W), [this] {
        if (const auto run = m_hub.run()) m_hub.showStep(run->lastStep(), StepId{0});
    });
    addAction(name("rerun"), QKeySequence(Qt::Key_F5), [this] {
        if (const OpenModel* model = m_hub.current()) m_jobs->rerun(model->id, model->options);
    });
    addAction(name("verify"), QKeySequence(Qt::SHIFT | Qt::Key_F5), [this] {
        const OpenModel* model = m_hub.current();
        if (model == nullptr) return;
        CompileOptions options = model->options;
        options.verify = true;
        m_jobs->rerun(model->id, options);
        showView(QStringLiteral("problems"));
    });
    addAction(name("fit"), QKeySequence(), [this] { m_graph->fitAll(); });
    addAction(name("fit_selection"), QKeySequence(), [this] { m_graph->fitSelection(); });
    addAction(name("welcome"), QKeySequence(), [this] { showView(QStringLiteral("welcome")); });
    addAction(name("reset_layout"), QKeySequence(), [this] {
        m_settings.forgetWindow();
        for (auto& [key, dock] : m_docks) {
            dock->setFloating(false);
            dock->show();
        }
        m_docks[QStringLiteral("unfused")]->raise();
    });
    addAction(name("about"), QKeySequence(), [this] { aboutGeLens(); });
}

void MainWindow::createMenus()
{
    m_fileMenu = menuBar()->addMenu(QString());
    m_fileMenu->addAction(action(QStringLiteral("open")));
    m_recentMenu = m_fileMenu->addMenu(QString());
    m_fileMenu->addAction(action(QStringLiteral("close")));
    m_fileMenu->addSeparator();
    m_fileMenu->addAction(action(QStringLiteral("export")));
    m_fileMenu->addSeparator();
    m_fileMenu->addAction(action(QStringLiteral("quit")));

    m_viewMenu = menuBar()->addMenu(QString());
    m_panelsMenu = m_viewMenu->addMenu(QString());
    for (auto& [name, dock] : m_docks) m_panelsMenu->addAction(dock->toggleViewAction());
    m_viewMenu->addAction(action(QStringLiteral("welcome")));
    m_viewMenu->addSeparator();
    m_viewMenu->addAction(action(QStringLiteral("fit")));
    m_viewMenu->addAction(action(QStringLiteral("fit_selection")));
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
    for (const char* name : {"previous_change", "next_change", "whole"}) m_runMenu->addAction(action(QLatin1String(name)));
    m_runMenu->addSeparator();
    for (const char* name : {"rerun", "verify"}) m_runMenu->addAction(action(QLatin1String(name)));

    m_helpMenu = menuBar()->addMenu(QString());
    m_helpMenu->addAction(action(QStringLiteral("about")));
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
    m_soc->setCurrentText(m_settings.soc());
    connect(m_soc, &QComboBox::textActivated, this, &MainWindow::changeSoc);
    bar->addWidget(m_soc);
    bar->addAction(action(QStringLiteral("rerun")));
    bar->addAction(action(QStringLiteral("verify")));
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
        {"first", tr("⏮ First"), tr("Go to the graph as read")},
        {"step_back", tr("◀ Step"), tr("One pass back")},
        {"step", tr("Step ▶"), tr("One pass forward")},
        {"last", tr("Last ⏭"), tr("Go to the end of the run")},
        {"previous_change", tr("◀◀ Change"), tr("Back to the previous pass that changed something")},
        {"next_change", tr("Change ▶▶"), tr("On to the next pass that changed something")},
        {"whole", tr("Start ↔ end"), tr("Compare the model as read with the result")},
        {"rerun", tr("Run again"), tr("Compile the model again")},
        {"verify", tr("Verify"), tr("Compute before and after each step and compare the numbers")},
        {"fit", tr("Fit all"), tr("Show the whole graph (Space)")},
        {"fit_selection", tr("Fit selection"), tr("Show what is selected (F)")},
        {"welcome", tr("Welcome page"), tr("Samples and recent files")},
        {"reset_layout", tr("Restore default layout"), tr("Put all panels back in their places")},
        {"about", tr("About GE Lens"), tr("Version and licences")},
        {"theme_system", tr("As the system"), {}},
        {"theme_light", tr("Light"), {}},
        {"theme_dark", tr("Dark"), {}},
        {"language_system", tr("As the system"), {}},
        {"language_en", QStringLiteral("English"), {}},
        {"language_zh", QStringLiteral("简体中文"), {}},
    };
    for (const Text& text : texts) {
        QAction* entry = action(QLatin1String(text.name));
        entry->setText(text.text);
        const QString shortcut = entry->shortcut().toString(QKeySequence::NativeText);
        if (!text.toolTip.isEmpty())
            entry->setToolTip(shortcut.isEmpty() ? text.toolTip : tr("%1 (%2)").arg(text.toolTip, shortcut));
    }
    m_fileMenu->setTitle(tr("&File"));
    m_recentMenu->setTitle(tr("Open recent"));
    m_viewMenu->setTitle(tr("&View"));
    m_panelsMenu->setTitle(tr("Panels"));
    m_themeMenu->setTitle(tr("Theme"));
    m_languageMenu->setTitle(tr("Language"));
    m_runMenu->setTitle(tr("&Run"));
    m_helpMenu->setTitle(tr("&Help"));
    m_socLabel->setText(tr("SoC"));
    m_soc->setToolTip(tr("Chip to compile for"));
    updateRecentMenu();
}

void MainWindow::updateActions()
{
    const auto run = m_hub.run();
    const bool hasModel = m_hub.current() != nullptr;
    const int shown = m_hub.shownStep().value, last = run ? run->stepCount() - 1 : 0;
    action(QStringLiteral("close"))->setEnabled(hasModel);
    for (const char* name : {"export", "whole", "fit", "fit_selection"}) action(QLatin1String(name))->setEnabled(run != nullptr);
    for (const char* name : {"first", "step_back", "previous_change"})
        action(QLatin1String(name))->setEnabled(run && shown > 0);
    for (const char* name : {"step", "last", "next_change"}) action(QLatin1String(name))->setEnabled(run && shown < last);
    for (const char* name : {"rerun", "verify"})
        action(QLatin1String(name))->setEnabled(hasModel && !m_hub.current()->isBusy && m_hub.current()->session);
}

void MainWindow::updateRecentMenu()
{
    m_recentMenu->clear();
    for (const QString& path : m_settings.recentFiles()) {
        // A file name is text: "&" in it is no shortcut mark.
        QAction* entry = m_recentMenu->addAction(QString(path).replace(QLatin1Char('&'), QStringLiteral("&&")));
        connect(entry, &QAction::triggered, this, [this, path] { openFile(path); });
    }
    m_recentMenu->addSeparator();
    QAction* clear = m_recentMenu->addAction(tr("Clear the list"));
    clear->setEnabled(!m_settings.recentFiles().isEmpty());
    connect(clear, &QAction::triggered, this, [this] {
        m_settings.clearRecentFiles();
        updateRecentMenu();
        updateCentre();
    });
}

void MainWindow::chooseFile()
{
    const QStringList files = QFileDialog::getOpenFileNames(this, tr("Open a model"), m_settings.lastFolder(),
                                                            tr("Models (*.onnx);;All files (*)"));
    for (const QString& file : files) openFile(file);
}

void MainWindow::step(int by)
{
    m_hub.showStep(StepId{m_hub.shownStep().value + by});
}

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
    const OpenModel* model = m_hub.current();
    if (model == nullptr) return;
    CompileOptions options = model->options;
    options.soc = soc.toStdString();
    m_jobs->rerun(model->id, options);
}

void MainWindow::setSoc(const QString& soc)
{
    m_settings.setSoc(soc);
    m_soc->setCurrentText(soc);
}

void MainWindow::exportView() { m_graph->exportGraph(); }

void MainWindow::aboutGeLens()
{
    QMessageBox box(this);
    box.setWindowTitle(tr("About GE Lens"));
    box.setTextFormat(Qt::PlainText);
    box.setText(tr("GE Lens %1\n\nSee inside the graph compiler of Ascend NPUs: what each pass changed, why a chain was "
                   "not fused, where the memory goes, and whether the numbers still hold.\n\nTimes come from a cost model "
                   "and are estimates. Licensed under Apache-2.0; built with Qt %2.")
                    .arg(QLatin1String(GELENS_VERSION), QLatin1String(qVersion())));
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
