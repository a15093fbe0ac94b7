#pragma once
// The whole run at a glance: one bar for each step.

#include "viewers/common/view.h"

namespace gelens {

/// Height by the logarithm of edits, colour by stage, thin for steps that changed nothing. A click goes to a step,
/// dragging scrubs, hovering names it; Left and Right go by step, with Ctrl by change, Home and End to the ends.
class StepStrip : public View {
    Q_OBJECT
public:
    explicit StepStrip(QWidget* parent = nullptr);

    /// "step 41 of 128 · 14 changed this graph"
    QString summary() const;
    /// The step whose bar lies at x; invalid outside and without a run.
    StepId stepAt(double x) const;
    /// Where a step's bar lies.
    QRectF barRect(StepId step) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void runChanged() override;
    void stepChanged() override { update(); }
    void stateChanged() override { update(); }
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

    int m_changedSteps = 0;
    double m_largest = 1; ///< log of the most edits of any step
    StepId m_hovered{-1};
};

} // namespace gelens
