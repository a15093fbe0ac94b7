#pragma once
// The debugger's own part of the window: breakpoints, what-if runs, remedies that are tried out.

#include "app/core/what_if_runs.h"
#include "viewers/common/breakpoint_list.h"

#include <QObject>

#include <set>

namespace gelens {

class HelpTools;
class MainWindow;
class WhatIfView;

class DebugTools : public QObject {
    Q_OBJECT
public:
    explicit DebugTools(MainWindow* window);

    BreakpointList* breakpoints() { return &m_breakpoints; }
    WhatIfRuns* whatIfs() { return &m_whatIfs; }
    HelpTools* help() { return m_help; }
    bool isBusy() const { return m_whatIfs.isBusy(); }

    // Called by the window while it is put together.
    void createViews();
    void createActions();
    void retranslate();
    void updateActions();
    void showCurrent();

    /// Runs a what-if of the model shown and brings the panel to the front.
    void tryOut(const CompileOptions& options, const QString& name);
    /// Models that only show two runs side by side: they come from no file of their own.
    bool isComparison(int model) const { return m_comparisons.contains(model); }

private:
    void goToStop(int direction);
    void togglePassBreakpoint();
    void breakOnSelection();
    void compare(int id);
    void findPass();
    void leaveOut(StepId step);
    void use(int id);
    void updateRuns();

    MainWindow* m_window;
    HelpTools* m_help;
    BreakpointList m_breakpoints;
    WhatIfRuns m_whatIfs;
    WhatIfView* m_whatIfView = nullptr;
    std::set<int> m_comparisons;
    Background m_compareJob;
};

} // namespace gelens
