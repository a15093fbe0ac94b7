#pragma once
// The breakpoints of the window, shared by every view that shows or sets them.

#include "engine/session/breakpoints.h"
#include "viewers/common/background.h"

#include <QObject>
#include <QString>

#include <memory>
#include <set>
#include <vector>

namespace gelens {

/// Breakpoints outlive models and runs; where they stop is worked out for the run that is shown, off the GUI thread.
class BreakpointList : public QObject {
    Q_OBJECT
public:
    struct Entry {
        Breakpoint breakpoint;
        std::vector<BreakpointHit> hits; ///< in the run shown; empty while they are looked for
        QString error;                   ///< why it cannot be looked for; it stops nowhere then
        bool isSearched = false;         ///< `hits` belong to the run shown
    };

    explicit BreakpointList(QObject* parent = nullptr) : QObject(parent), m_search(this) {}

    const std::vector<Entry>& entries() const { return m_entries; }
    std::vector<Breakpoint> breakpoints() const;
    /// Returns why it is refused; empty when it was added. One that is there already is switched on instead.
    QString add(const Breakpoint& breakpoint);
    void remove(int index);
    void setEnabled(int index, bool isEnabled);
    /// Returns why the change is refused.
    QString replace(int index, const Breakpoint& breakpoint);
    void setAll(std::vector<Breakpoint> breakpoints);
    /// Adds a breakpoint on a step's pass, or takes away those that are there.
    void togglePass(const std::string& pass);
    bool hasPass(const std::string& pass) const;

    void setRun(std::shared_ptr<const Run> run);
    const std::shared_ptr<const Run>& run() const { return m_run; }
    bool isSearching() const { return m_search.isRunning(); }

    /// An enabled breakpoint stops at the step.
    bool stopsAt(StepId step) const { return m_stops.contains(step); }
    /// The nearest stop behind (direction > 0) or before a step; invalid when there is none.
    StepId nextStop(StepId from, int direction) const;
    /// What stops there, one line for each breakpoint.
    QStringList reasonsAt(StepId step) const;

Q_SIGNALS:
    void changed();     ///< the breakpoints themselves: to be saved
    void hitsChanged(); ///< where they stop

private:
    void search();
    void updateStops();

    std::vector<Entry> m_entries;
    std::shared_ptr<const Run> m_run;
    std::set<StepId> m_stops;
    Background m_search;
};

/// "pass", "node", … in the language of the window; and a breakpoint in one line.
QString breakpointKindText(BreakpointKind kind);
QString breakpointText(const Breakpoint& breakpoint);

} // namespace gelens
