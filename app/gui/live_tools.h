#pragma once
// Holds a compile under way and walks through it: by edits of the journal, by passes, to breakpoints.

#include "engine/session/live_run.h"

#include <QObject>

#include <map>

class QToolButton;

namespace gelens {

class MainWindow;

class LiveTools : public QObject {
    Q_OBJECT
public:
    explicit LiveTools(MainWindow* window);

    void createActions();
    void createButtons();
    void retranslate();
    void updateActions();
    /// Where the model shown is halted, one sentence; empty when it is not.
    QString haltText() const;
    /// "halted" or "pausing …", for the place where what runs is named; empty when a run goes on.
    QString activityText() const;
    /// Why what runs cannot be held, one sentence; empty when it can.
    QString whyNoPause() const;

private:
    int shownModel() const;
    void runLive();
    void showHalt(int id, const Halt& halt);

    MainWindow* m_window;
    std::map<int, Halt> m_halts; ///< by model
    QToolButton* m_pause = nullptr;
    QToolButton* m_resume = nullptr;
};

} // namespace gelens
