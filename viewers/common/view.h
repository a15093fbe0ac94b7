#pragma once
// Base of every view: it shows one run, at one step, with one selection, and asks for changes instead of making them.

#include "engine/session/run.h"

#include <QWidget>

#include <memory>

namespace gelens {

/// What is selected, everywhere at once. Unset parts stay at their "nothing" value; a view reads what concerns it.
struct Selection {
    NodeId node; ///< in the id space of the run
    OutputRef tensor;
    int task = -1;            ///< index in run.tasks
    int buffer = -1;          ///< index in run.plan.buffers
    int chain = -1;           ///< index in run.chains
    std::vector<NodeId> more; ///< further nodes of a multiple selection, `node` not included

    static Selection ofNode(NodeId id)
    {
        Selection selection;
        selection.node = id;
        return selection;
    }
    bool isEmpty() const
    {
        return !node.isValid() && !tensor.isValid() && task < 0 && buffer < 0 && chain < 0 && more.empty();
    }
    bool operator==(const Selection&) const = default;
};

/// Why a view has nothing to show.
enum class EmptyState { NoRun, Loading, Failed, Ready };

/// What is handed over is taken in at once by a view in front, the changes of one event together; any other takes in the
/// newest when it comes to the front, and works for nothing that passes until then.
class View : public QWidget {
    Q_OBJECT
public:
    explicit View(QWidget* parent = nullptr);

    /// Hands over a run (null = nothing open).
    void setRun(std::shared_ptr<const Run> run);
    /// Step shown (the "after" graph) and the step it is compared with (normally the one before).
    void setStep(StepId shown, StepId compared);
    void setSelection(const Selection& selection);
    /// Shows a sentence in place of content while a model loads or after it failed.
    void setEmptyState(EmptyState state, const QString& text = {});

    /// What will be seen here once a model is open, and what to do for it: shown while none is.
    void setPurpose(const QString& purpose, const QString& next);
    const QString& purpose() const { return m_purpose; }
    const QString& purposeNext() const { return m_purposeNext; }

    // As the view was told, so that they go with what it shows: the hub knows what is newer.
    const std::shared_ptr<const Run>& run() const { return m_told.run; }
    StepId shownStep() const { return m_told.shown; }
    StepId comparedStep() const { return m_told.compared; }
    const Selection& selection() const { return m_told.selection; }
    EmptyState emptyState() const { return m_told.state; }
    const QString& emptyText() const { return m_told.stateText; }
    /// A change was handed over that the view is about to be told of.
    bool hasPendingChanges() const { return m_isQueued; }

    /// A part of what is to be seen is still being worked out off the GUI thread.
    virtual bool isBusy() const { return false; }

    /// A person sees it. Of panels the window tells that (setBehind); else Qt knows.
    bool isInFront() const { return isVisible() && !m_isBehind; }
    /// For Qt a panel behind another tab is visible.
    void setBehind(bool isBehind);
    /// Takes in now what comes with the next event otherwise. Does nothing unless it is in front.
    void catchUp();
    /// The view that a widget belongs to; null: none.
    static const View* of(const QWidget& widget);
    /// Whether a person sees a widget, be it a view, in one, or in none.
    static bool isSeen(const QWidget& widget);

Q_SIGNALS:
    void cameToFront();
    /// The user chose something here; the hub spreads it.
    void selectionRequested(const gelens::Selection& selection);
    void stepRequested(gelens::StepId step);
    /// Short text for the status bar.
    void statusMessage(const QString& text);

protected:
    // Called on the GUI thread, only while the view is in front, in this order and only for what changed. One that is behind
    // is told that its run is gone, so that it keeps none in memory that is of no use to anybody.
    virtual void stateChanged() {}
    virtual void runChanged() {}
    virtual void stepChanged() {}
    virtual void selectionChanged() {}

    void showEvent(QShowEvent* event) override;

private:
    enum Change { RunChange = 1, StepChange = 2, SelectionChange = 4, StateChange = 8, Everything = 15 };
    struct Content {
        std::shared_ptr<const Run> run;
        StepId shown{0}, compared{0};
        Selection selection;
        EmptyState state = EmptyState::NoRun;
        QString stateText;
    };
    void changed(int what);
    void deliver();
    void tell(const Content& content, int what);

    Content m_newest, m_told;
    QString m_purpose, m_purposeNext;
    int m_pending = 0; ///< in what the newest differs from what was told
    bool m_isQueued = false;
    bool m_isBehind = false;
};

} // namespace gelens

Q_DECLARE_METATYPE(gelens::Selection)
