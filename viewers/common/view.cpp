#include "viewers/common/view.h"

#include <QMetaObject>
#include <QShowEvent>

namespace gelens {

View::View(QWidget* parent) : QWidget(parent) {}

void View::setRun(std::shared_ptr<const Run> run)
{
    if (run == m_run) return;
    m_run = std::move(run);
    m_state = m_run ? EmptyState::Ready : EmptyState::NoRun;
    m_stateText.clear();
    m_shown = m_compared = m_run ? m_run->lastStep() : StepId{0};
    m_selection = {};
    changed(RunChange | StepChange | SelectionChange | StateChange);
}

void View::setStep(StepId shown, StepId compared)
{
    if (shown == m_shown && compared == m_compared) return;
    m_shown = shown;
    m_compared = compared;
    changed(StepChange);
}

void View::setSelection(const Selection& selection)
{
    if (selection == m_selection) return;
    m_selection = selection;
    changed(SelectionChange);
}

void View::setEmptyState(EmptyState state, const QString& text)
{
    m_state = state;
    m_stateText = text;
    changed(StateChange);
}

void View::setPurpose(const QString& purpose, const QString& next)
{
    if (purpose == m_purpose && next == m_purposeNext) return;
    m_purpose = purpose;
    m_purposeNext = next;
    changed(StateChange);
}

void View::changed(int what)
{
    m_pending |= what;
    if (!isVisible() || m_isQueued) return;
    // Several changes of one event (a new run, its step, its selection) become one update.
    m_isQueued = true;
    QMetaObject::invokeMethod(this, &View::deliver, Qt::QueuedConnection);
}

void View::deliver()
{
    m_isQueued = false;
    if (!isVisible()) return;
    const int pending = std::exchange(m_pending, 0);
    if (pending & StateChange) stateChanged();
    if (pending & RunChange) runChanged();
    if (pending & StepChange) stepChanged();
    if (pending & SelectionChange) selectionChanged();
}

void View::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_pending != 0) deliver();
}

} // namespace gelens
