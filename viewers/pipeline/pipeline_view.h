#pragma once
// The pipeline panel: stage → phase → pass, what each changed and how long it took.

#include "viewers/common/background.h"
#include "viewers/common/view.h"

#include <optional>
#include <set>

class QCheckBox;

namespace gelens {

class BreakpointList;
class PipelineFilter;
class PipelineModel;
class StateStack;
class TablePanel;

class PipelineView : public View {
    Q_OBJECT
public:
    explicit PipelineView(QWidget* parent = nullptr);

    TablePanel* panel() const { return m_panel; }
    bool isBusy() const override { return m_search.isRunning(); }
    PipelineModel* model() const { return m_model; }
    /// Marks where breakpoints stop, and sets them on passes: a click into the gutter.
    void setBreakpoints(BreakpointList* list);
    QCheckBox* changedOnly() const { return m_changedOnly; }
    QCheckBox* touchesSelection() const { return m_touches; }

Q_SIGNALS:
    /// A what-if without this step's pass is wanted.
    void leaveOutRequested(gelens::StepId step);

protected:
    void runChanged() override;
    void stepChanged() override;
    void selectionChanged() override;
    void stateChanged() override;
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void foldPasses();
    void fitColumns();
    void updateTouching();

    PipelineModel* m_model;
    BreakpointList* m_breakpoints = nullptr;
    PipelineFilter* m_filter;
    TablePanel* m_panel;
    StateStack* m_stack;
    QCheckBox* m_changedOnly;
    QCheckBox* m_touches;
    Background m_search;
};

} // namespace gelens
