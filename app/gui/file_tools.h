#pragma once
// Files and folders beyond opening a model: dump folders, the original of an OM, dumps to compare a run with.

#include <QObject>
#include <QString>

class QMimeData;

namespace gelens {

class MainWindow;

/// Owns the actions `open_folder`, `open_as`, `compare_with_step`, `attach_original` and `compare_dumps` of the window, and the dialogs behind them.
class FileTools : public QObject {
    Q_OBJECT
public:
    explicit FileTools(MainWindow* window);

    void createActions();
    void addToFileMenu();
    void addToRunMenu();
    void retranslate();
    void updateActions();
    /// Shows what became known of the run in place of what was known; nothing moves.
    void showRefreshedRun();
    /// The line of the status bar for a run without a plan; empty for others.
    QString summary() const;

    // What the actions do once a file was chosen; tests and the command line come in here.
    void attachOriginal(const QString& path);
    /// Lists the kinds that the file may be, the likeliest first, and opens it as the one that is chosen.
    void chooseKind(const QString& path);
    /// Lists the steps; the one chosen is what the step shown is compared with.
    void chooseCompared();
    void compareWithDumps(const QString& folder);
    /// Opens what was dropped on the window: models, folders of dumps, sessions; logs in their decoder. What cannot be
    /// opened is said in a line of its own, and the rest opens all the same.
    void openDropped(const QMimeData& data);

private:
    MainWindow* m_window;
};

} // namespace gelens
