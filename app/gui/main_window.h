#pragma once
// The window: wiring only. Docks, menus, actions; what they show lives in viewers/, what they do in app/core.

#include "app/core/hub.h"
#include "app/core/model_jobs.h"
#include "app/core/settings.h"

#include <QMainWindow>

#include <functional>
#include <map>
#include <vector>

class QAction;
class QActionGroup;
class QComboBox;
class QDockWidget;
class QLabel;
class QMenu;
class QProgressBar;
class QStackedWidget;
class QToolButton;

namespace gelens {

class AccuracyTools;
class CardTools;
class CommandRegistry;
class DebugTools;
class ElidedLabel;
class FileTools;
class FrontViews;
class GraphView;
class InspectorView;
class LiveTools;
class PreferenceTools;
class ProblemsView;
class ReportTools;
class SessionKeeper;
class StepStrip;
class View;
class WelcomeView;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Opens a model as the person prefers it, with the SoC chosen in the tool bar. Returns its id.
    int openFile(const QString& path);
    /// The same with options of one's own. A session file (.gelens) brings its own; -1 then.
    int openFile(const QString& path, CompileOptions options);
    /// SoC for files opened from now on, as --soc gives it; not saved as the person's choice.
    void setSoc(const QString& soc);
    /// Brings a view to the front by its name on the command line ("memory", "unfused" …). False for an unknown name.
    bool showView(const QString& name);
    /// Number, name or "last".
    bool showStep(const QString& step);
    static QStringList viewNames();

    Hub* hub() { return &m_hub; }
    ModelJobs* jobs() { return m_jobs; }
    GraphView* graphView() { return m_graph; }
    View* view(const QString& name) const;
    const std::map<QString, View*>& views() const { return m_views; } ///< with the step strip
    QAction* action(const QString& name) const;                       ///< of the window itself, by object name
    CommandRegistry* commands() const { return m_commands; }          ///< these and those of the views
    DebugTools* debugTools() { return m_debug; }
    AccuracyTools* accuracyTools() { return m_accuracy; }
    FileTools* fileTools() { return m_files; }
    SessionKeeper* sessionKeeper() { return m_keeper; }
    ReportTools* reportTools() { return m_reports; }
    CardTools* cardTools() { return m_cards; }
    LiveTools* liveTools() { return m_live; }
    PreferenceTools* preferenceTools() { return m_preferences; }

    /// True while a model loads or runs, or the graph is being laid out.
    bool isBusy() const;

Q_SIGNALS:
    /// Nothing runs any more.
    void idle();

protected:
    bool focusNextPrevChild(bool isNext) override;
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    friend class AccuracyTools;
    friend class CardTools;
    friend class DebugTools;
    friend class HelpTools;
    friend class FileTools;
    friend class LiveTools;
    friend class PreferenceTools;
    friend class ReportTools;
    friend class SessionKeeper;

    // main_window.cpp: construction and state
    void createViews();
    void addDock(View* view, const QString& name);
    void placeDocks();
    void connectHub();
    void restoreWindow();
    void setDefaultSizes();
    void retranslate();
    void retranslatePurposes(); // view_purposes.cpp
    void showCurrent();
    void showFailure(const QString& path, const QString& sentence);
    void updateModelRows();
    void updateProblemsTitle();
    void updateTitle();
    void updateCentre();
    void updateStatus();
    void showProgress(const QString& what, int done, int total);
    void setDockTitle(const char* name, const QString& title);
    void setActionText(const char* name, const QString& text, const QString& toolTip);

    // main_window_actions.cpp: menus, tool bar and what they do
    void createActions();
    QAction* addAction(const QString& name, const QKeySequence& shortcut, const std::function<void()>& run);
    void createMenus();
    void createToolBar();
    void retranslateActions();
    void updateActions();
    void updateRecentMenu();
    void chooseFile();
    void step(int by);
    void stepToChange(int direction);
    void changeSoc(const QString& soc);
    void exportView();
    void cancelWork();
    void aboutGeLens();
    void setTheme(const QString& theme);
    void setLanguage(const QString& language);

    // main_window_commands.cpp
    void fillEditMenu();
    void chooseCommand();
    void chooseStep();
    void closePanel();

    Hub m_hub;
    Settings m_settings;
    QString m_socName; ///< for files opened next
    ModelJobs* m_jobs = nullptr;
    DebugTools* m_debug = nullptr;
    AccuracyTools* m_accuracy = nullptr;
    FileTools* m_files = nullptr;
    SessionKeeper* m_keeper = nullptr;
    ReportTools* m_reports = nullptr;
    CardTools* m_cards = nullptr;
    LiveTools* m_live = nullptr;
    PreferenceTools* m_preferences = nullptr;
    CommandRegistry* m_commands = nullptr;
    FrontViews* m_front = nullptr;
    std::map<QString, View*> m_views; ///< by command-line name
    std::map<QString, QDockWidget*> m_docks;
    std::map<QString, QAction*> m_actions;
    QStackedWidget* m_centre = nullptr;
    GraphView* m_graph = nullptr;
    StepStrip* m_strip = nullptr;
    WelcomeView* m_welcome = nullptr;
    ProblemsView* m_problems = nullptr;
    QMenu *m_fileMenu = nullptr, *m_recentMenu = nullptr, *m_viewMenu = nullptr, *m_runMenu = nullptr,
          *m_toolsMenu = nullptr, *m_helpMenu = nullptr, *m_themeMenu = nullptr, *m_languageMenu = nullptr,
          *m_panelsMenu = nullptr, *m_graphMenu = nullptr, *m_modeMenu = nullptr, *m_colorMenu = nullptr,
          *m_editMenu = nullptr;
    QComboBox* m_soc = nullptr;
    QLabel* m_socLabel = nullptr;
    ElidedLabel* m_summary = nullptr;
    QLabel* m_activity = nullptr;
    QProgressBar* m_progress = nullptr;
    QToolButton* m_cancel = nullptr;
    bool m_wasBusy = false;
    bool m_hasDefaultSizes = false; ///< docks are to get their first sizes once the window is laid out
    bool m_isCancelling = false;
};

} // namespace gelens
