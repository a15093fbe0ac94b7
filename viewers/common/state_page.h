#pragma once
// What a view shows in place of content: a sentence, and what to do next.

#include "viewers/common/view.h"

#include <QStackedWidget>

#include <functional>

class QLabel;
class QProgressBar;
class QPushButton;

namespace gelens {

/// A title, a sentence and a hint in the middle of the view.
class StatePage : public QWidget {
    Q_OBJECT
public:
    explicit StatePage(QWidget* parent = nullptr);
    /// `isBusy` adds a bar that moves.
    void setWords(const QString& title, const QString& sentence, bool isBusy = false);
    /// A button for what is to be done next, below the words; gone with the next words.
    void offer(const QString& text, std::function<void()> act);
    QString text() const; ///< what is written there, for tests

private:
    QLabel* m_title;
    QLabel* m_sentence;
    QProgressBar* m_bar;
    QPushButton* m_offer;
    std::function<void()> m_act;
};

/// More than a view can show without holding up the window.
struct TooLarge {
    QString what;  ///< with count and limit: "1,200,000 boxes are to be drawn; the graph shows up to 200,000."
    QString next;  ///< what to do
    QString offer; ///< text of a button that does it; empty: none
    std::function<void()> act; ///< of the button
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
    /// The run is there and has more than the view can show.
    void showTooLarge(const TooLarge& words);
    void showContent();
    bool isContent() const;
    StatePage* page() const { return m_page; }

private:
    StatePage* m_page;
};

} // namespace gelens
