#pragma once
// The debugger's own part of the window: breakpoints, what-if runs, remedies that are tried out.

#include "app/core/what_if_runs.h"
#include "viewers/common/breakpoint_list.h"

#include <QObject>

#include <deque>
#include <map>

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
    /// What a comparison shows: a model's run beside one that was kept.
    struct Comparison {
        int model = -1, kept = -1;
    };
    Comparison comparisonOf(int model) const;
    /// Opens the comparison of a kept run with its model's run, once it is there; `opened` tells its id.
    void compareWhenDone(int kept);

Q_SIGNALS:
    /// `model` is the new entry; -1: it could not be made.
    void comparisonOpened(int model, int kept);

private:
    void goToStop(int direction);
    void togglePassBreakpoint();
    void breakOnSelection();
    void compare(int id);
    void startComparison(int model, int id);
    void nextComparison();
    void whyNotFused(NodeId node);
    void findPass();
    void leaveOut(StepId step);
    void use(int id);
    void updateRuns();

    MainWindow* m_window;
    HelpTools* m_help;
    BreakpointList m_breakpoints;
    WhatIfRuns m_whatIfs;
    WhatIfView* m_whatIfView = nullptr;
    std::map<int, Comparison> m_comparisons;
    std::deque<int> m_toCompare; ///< kept runs, one after the other
    Background m_compareJob;
};

} // namespace gelens
