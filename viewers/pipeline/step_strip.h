#pragma once
// The whole run at a glance: one bar for each step.

#include "viewers/common/background.h"
#include "viewers/common/view.h"

#include <optional>
#include <set>

class QAction;
class QLineEdit;
class QToolButton;

namespace gelens {

class BreakpointList;

/// Height by the logarithm of edits, colour by stage, thin for steps that changed nothing. A click goes to a step,
/// dragging scrubs, hovering names it; Left and Right go by step, with Ctrl by change, Home and End to the ends. Steps can
/// be left out: those that changed nothing, those whose pass a text does not name, those that do not touch the selected
/// node; keys then go along what is left. The step shown always keeps its bar. Breakpoints stand above their bars.
class StepStrip : public View {
    Q_OBJECT
public:
    explicit StepStrip(QWidget* parent = nullptr);

    /// "step 41 of 128 · 14 changed this graph"
    QString summary() const;
    QString shownName(int room) const; ///< the path to the shown step, as much of it as has room
    /// The step whose bar lies at x; invalid outside and without a run.
    StepId stepAt(double x) const;
    /// Where a step's bar lies.
    QRectF barRect(StepId step) const;
    /// Steps that have a bar, in order.
    const std::vector<int>& visibleSteps() const { return m_visible; }
    void setBreakpoints(BreakpointList* list);
    QLineEdit* filterLine() const { return m_filter; }
    QToolButton* changedOnly() const { return m_changedOnly; }
    QToolButton* touchesSelection() const { return m_touches; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void runChanged() override;
    void stepChanged() override { choose(); }
    void selectionChanged() override;
    void resizeEvent(QResizeEvent* event) override;
    void stateChanged() override
    {
        placeTools();
        update();
    }
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRectF barArea() const;
    QString toolTipOf(StepId step) const;
    void go(StepId step);
    void goToChange(int direction);
    void goBy(int direction); ///< to the next bar
    void choose();            ///< which steps have a bar
    void updateTouching();
    void retranslate();
    void placeTools();
    int rowHeight() const;

    QLineEdit* m_filter;
    QAction* m_find;
    QToolButton *m_changedOnly, *m_touches;
    BreakpointList* m_breakpoints = nullptr;
    Background m_search;
    std::optional<std::set<StepId>> m_touching; ///< nothing: no such filter
    std::vector<int> m_visible;
    int m_changedSteps = 0;
    double m_largest = 1; ///< log of the most edits of any step
    StepId m_hovered{-1};
};

} // namespace gelens
