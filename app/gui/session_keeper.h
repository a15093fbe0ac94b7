#pragma once
// Keeps the work of the window: session files, autosave, and what a crash left behind.

#include "app/core/session_file.h"
#include "viewers/common/background.h"
#include "viewers/common/node_notes.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <memory>
#include <optional>

class QLockFile;
class QToolBar;

namespace gelens {

class LogDecoderView;
class MainWindow;
class TextDiffView;
struct OpenModel;

class SessionKeeper : public QObject {
    Q_OBJECT
public:
    explicit SessionKeeper(MainWindow* window);
    ~SessionKeeper() override;

    NodeNotes* notes() { return &m_notes; }
    QStringList queries() const { return m_queries; }

    void createActions();
    void retranslate();
    void updateActions();

    /// Begins to save by itself, and offers what a program that ended badly left behind. Programs that only draw a
    /// picture do without.
    void start();
    /// The window closes as it should: nothing is to be restored.
    void finish();

    SessionContents contents() const;
    /// Opens the models of a session and brings everything back as their runs arrive.
    void restore(const SessionContents& contents);
    /// Reads a session file; what is wrong with it is shown like any other file's error.
    bool open(const QString& path);
    bool save(const QString& path);
    bool isRestoring() const { return !m_pending.empty() || !m_splitting.empty() || !m_comparing.empty(); }
    /// Panel in front, by its name on the command line.
    QString frontView() const;
    QToolBar* restoreBar() const { return m_bar; }
    static QString autosaveFolder();
    /// How long after a change the session is kept for a crash; 0: it is not.
    void setAutosaveSeconds(int seconds);

private:
    void saveSoon();
    void autosave();
    void forgetAutosave();
    void lookForCrash();
    void offer(const QString& path);
    // session_contents.cpp
    void noteView(const OpenModel& model, SessionContents::Model& entry) const;
    void noteCurrent(SessionContents& all) const;
    void restoreOne(int model);
    void noteWindow(SessionContents& all) const;
    void restoreWindow(const SessionContents& contents);
    void restorePlace(int model, const SessionContents::Place& wanted);
    void restoreView(int model, const SessionContents::Model& wanted);
    void restoreParts(int model, const SessionContents::Model& wanted);
    void restoreCards(int model);
    void restoreComparison(int model, int kept);
    void concludeRestoring();
    void restoreOpenBlocks();
    void saveAs();
    void chooseSession();
    void editNote();
    void saveQuery();
    void chooseQuery();
    LogDecoderView* decoder() const;
    TextDiffView* textDiff() const;

    MainWindow* m_window;
    NodeNotes m_notes;
    QStringList m_queries;
    QString m_path; ///< session file in use; empty: none yet
    QTimer m_timer;
    bool m_isAutosaving = true;
    QString m_autosavePath; ///< empty: not started
    /// What the autosave holds or is about to; nothing: there is none, or it is not known to be whole.
    std::optional<SessionContents> m_autosaved;
    std::unique_ptr<Background> m_autosaving;
    std::unique_ptr<QLockFile> m_lock, m_crashLock;
    QString m_crashPath;
    QToolBar* m_bar = nullptr;
    std::map<int, SessionContents::Model> m_pending;                ///< model id → what its run is to be shown with
    std::map<int, std::vector<SessionContents::Model>> m_splitting; ///< model id → its cards, once they are there
    std::map<int, SessionContents::Place> m_comparing; ///< kept run that is to be shown beside its model's → where
    int m_currentAfter = -1;                           ///< model that is to be in front
    int m_cardAfter = -1, m_besideAfter = -1, m_runAfter = -1; ///< the part of it, by number; -1: itself
    int m_comparedAfter = -1;                                  ///< kept run whose comparison is to be in front
    QString m_viewAfter;
    std::optional<QStringList> m_blocksAfter; ///< to be opened in the graph in front once it is drawn
};

} // namespace gelens
