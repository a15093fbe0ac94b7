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

class View : public QWidget {
    Q_OBJECT
public:
    explicit View(QWidget* parent = nullptr);

    /// Hands over a run (null = nothing open). Hidden views remember only the newest and catch up when shown.
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

    const std::shared_ptr<const Run>& run() const { return m_run; }
    StepId shownStep() const { return m_shown; }
    StepId comparedStep() const { return m_compared; }
    const Selection& selection() const { return m_selection; }
    EmptyState emptyState() const { return m_state; }
    const QString& emptyText() const { return m_stateText; }
    /// A change was handed over that the view has not been told about yet.
    bool hasPendingChanges() const { return m_isQueued; }

Q_SIGNALS:
    /// The user chose something here; the hub spreads it.
    void selectionRequested(const gelens::Selection& selection);
    void stepRequested(gelens::StepId step);
    /// Short text for the status bar.
    void statusMessage(const QString& text);

protected:
    // Called on the GUI thread, only while the view is visible, in this order and only for what changed.
    virtual void runChanged() {}
    virtual void stepChanged() {}
    virtual void selectionChanged() {}
    virtual void stateChanged() {}

    void showEvent(QShowEvent* event) override;

private:
    enum Change { RunChange = 1, StepChange = 2, SelectionChange = 4, StateChange = 8 };
    void changed(int what);
    void deliver();

    std::shared_ptr<const Run> m_run;
    StepId m_shown{0}, m_compared{0};
    Selection m_selection;
    EmptyState m_state = EmptyState::NoRun;
    QString m_stateText, m_purpose, m_purposeNext;
    int m_pending = 0;
    bool m_isQueued = false;
};

} // namespace gelens

Q_DECLARE_METATYPE(gelens::Selection)
