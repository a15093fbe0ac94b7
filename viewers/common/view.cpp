#include "viewers/common/view.h"

#include <QMetaObject>
#include <QShowEvent>

#include <utility>

namespace gelens {

View::View(QWidget* parent) : QWidget(parent) {}

void View::setRun(std::shared_ptr<const Run> run)
{
    if (run == m_newest.run) return;
    m_newest = {};
    if (run) {
        m_newest.shown = m_newest.compared = run->lastStep();
        m_newest.state = EmptyState::Ready;
    }
    m_newest.run = std::move(run);
    changed(Everything);
    if (m_isBehind && m_told.run) tell({}, Everything);
}

void View::setStep(StepId shown, StepId compared)
{
    if (shown == m_newest.shown && compared == m_newest.compared) return;
    m_newest.shown = shown;
    m_newest.compared = compared;
    changed(StepChange);
}

void View::setSelection(const Selection& selection)
{
    if (selection == m_newest.selection) return;
    m_newest.selection = selection;
    changed(SelectionChange);
}

void View::setEmptyState(EmptyState state, const QString& text)
{
    m_newest.state = state;
    m_newest.stateText = text;
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
    if (!isInFront() || m_isQueued) return;
    // Several changes of one event (a new run, its step, its selection) become one update.
    m_isQueued = true;
    QMetaObject::invokeMethod(this, &View::deliver, Qt::QueuedConnection);
}

void View::deliver()
{
    m_isQueued = false;
    if (isInFront()) tell(m_newest, std::exchange(m_pending, 0));
}

void View::tell(const Content& content, int what)
{
    m_told = content;
    if (what & StateChange) stateChanged();
    if (what & RunChange) runChanged();
    if (what & StepChange) stepChanged();
    if (what & SelectionChange) selectionChanged();
}

void View::setBehind(bool isBehind)
{
    if (isBehind == std::exchange(m_isBehind, isBehind) || !isInFront()) return;
    if (m_newest.run == m_told.run) { // there and back again is nowhere
        m_pending &= ~RunChange;
        if (m_newest.shown == m_told.shown && m_newest.compared == m_told.compared) m_pending &= ~StepChange;
        if (m_newest.selection == m_told.selection) m_pending &= ~SelectionChange;
    }
    // Not at once: while a layout is put together panels come up and go again within one event.
    if (m_pending != 0) changed(0);
    Q_EMIT cameToFront();
}

void View::catchUp()
{
    if (m_pending != 0) deliver();
}

void View::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (!isInFront()) return;
    catchUp();
    Q_EMIT cameToFront();
}

const View* View::of(const QWidget& widget)
{
    for (const QWidget* at = &widget; at != nullptr; at = at->parentWidget())
        if (const auto* view = qobject_cast<const View*>(at)) return view;
    return nullptr;
}

bool View::isSeen(const QWidget& widget)
{
    const View* view = of(widget);
    return widget.isVisible() && (view == nullptr || view->isInFront());
}

} // namespace gelens
