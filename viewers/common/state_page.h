#pragma once
// What a view shows in place of content: a sentence, and what to do next.

#include "viewers/common/view.h"

#include <QStackedWidget>

class QLabel;
class QProgressBar;

namespace gelens {

/// A title, a sentence and a hint in the middle of the view.
class StatePage : public QWidget {
    Q_OBJECT
public:
    explicit StatePage(QWidget* parent = nullptr);
    /// `isBusy` adds a bar that moves.
    void setWords(const QString& title, const QString& sentence, bool isBusy = false);
    QString text() const; ///< what is written there, for tests

private:
    QLabel* m_title;
    QLabel* m_sentence;
    QProgressBar* m_bar;
};

/// Content and state page of one view, one on top of the other. Feed it in stateChanged() and runChanged().
class StateStack : public QStackedWidget {
    Q_OBJECT
public:
    explicit StateStack(QWidget* content, QWidget* parent = nullptr);
    /// Shows content when the view has a run, else the words for its state (also the words of a failed run's view).
    void follow(const View& view);
    /// The run is there but this view has nothing of it: "No fusion rule matched." and what could be done.
    void showEmpty(const QString& title, const QString& next);
    void showContent();
    bool isContent() const;
    StatePage* page() const { return m_page; }

private:
    StatePage* m_page;
};

} // namespace gelens
