#include "app/gui/front_views.h"

#include "viewers/common/view.h"

#include <QDockWidget>
#include <QEvent>

namespace gelens {

void FrontViews::add(QDockWidget* dock, View* view)
{
    view->setBehind(true); // until its dock says otherwise
    dock->installEventFilter(this);
    connect(dock, &QDockWidget::visibilityChanged, this,
            [this, dock, view](bool isSeen) { update(dock, view, isSeen); });
}

bool FrontViews::isOnTop(const QDockWidget* dock) const { return m_onTop.contains(dock); }

void FrontViews::update(const QDockWidget* dock, View* view, bool isSeen)
{
    // Qt tells a panel that is behind others by its place outside of the window; torn off, it floats from there.
    if (dock->isFloating()) isSeen = dock->isVisible() && m_goingWithItsWindow != dock;
    if (isSeen)
        m_onTop.insert(dock);
    else if (m_goingWithItsWindow != dock)
        m_onTop.erase(dock);
    m_goingWithItsWindow = nullptr;
    view->setBehind(!isSeen);
}

bool FrontViews::eventFilter(QObject* watched, QEvent* event)
{
    // Hidden from outside, as a window that is minimised is: the order of the tabs is what it was.
    if (event->type() == QEvent::Hide && event->spontaneous()) m_goingWithItsWindow = watched;
    return QObject::eventFilter(watched, event);
}

} // namespace gelens
