#pragma once
// Tells the view of every panel whether a person sees it.

#include <QObject>

#include <set>

class QDockWidget;

namespace gelens {

class View;

/// A panel is seen when it is on top of its tabs or floats by itself, and its window is not minimised. The views in the middle
/// of the window need no telling: of them Qt's word is right.
class FrontViews : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    void add(QDockWidget* dock, View* view);
    /// On top of its tabs or floating, also while the window is minimised: what a person finds when it comes back.
    bool isOnTop(const QDockWidget* dock) const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void update(const QDockWidget* dock, View* view, bool isSeen);

    std::set<const QDockWidget*> m_onTop;
    const QObject* m_goingWithItsWindow = nullptr;
};

} // namespace gelens
