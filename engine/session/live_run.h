#pragma once
// A run that can be held while it goes on: between two passes, or inside one right behind a record of its journal.

#include "engine/session/breakpoints.h"
#include "engine/session/session.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

/// Where a run was halted, and why.
struct Halt {
    std::shared_ptr<const Run> run;       ///< the steps so far; the last may be in the middle of its pass
    bool isInside = false;                ///< the last step is still under way
    StepId verifying{-1};                 ///< the passes are done, and the numbers of this step are next; invalid else
    std::size_t edits = 0;                ///< that the last step has made so far
    std::string edit;                     ///< the record just written, one line; empty where none was
    NodeId node;                          ///< that the record or the breakpoint speaks of
    std::optional<Breakpoint> breakpoint; ///< what halted it; nothing when a person did
    std::string what;                     ///< node, tensor, pass, rule or value that the breakpoint stopped at
};

/// Holds the compile thread of the run that it is given to as observer. The thread that asks never waits.
class LiveRun : public RunObserver {
public:
    /// `onHalt` is called on the compile thread just before it waits. Cancelling `stop` wakes it up.
    LiveRun(std::function<void(Halt)> onHalt, std::stop_token stop);
    ~LiveRun() override;

    // From any thread:
    /// Halts at the next edit, pass or step to be verified, whichever comes first.
    void pause();
    /// Goes on to the next breakpoint, or to the end.
    void resume();
    /// Goes on by one record of the journal; in a lightweight run and while numbers are verified, by one step.
    void stepEdit();
    /// Goes on to the end of the pass, or of the next one that changes something; where there are none, by one step.
    void finishPass();
    bool isHalted() const;
    /// What halts the run; those that are switched off do not. Counts of hits begin anew.
    void setBreakpoints(const std::vector<Breakpoint>& breakpoints);

    void passBegins(const RunPosition& position) override;
    void passEdited(const RunPosition& position) override;
    void passEnded(const RunPosition& position) override;
    void stepVerifies(const RunPosition& position) override;

private:
    enum class Until { Breakpoint, Edit, PassEnd, Anything };
    class Stops;
    void command(Until until);
    void halt(const RunPosition& position, bool isInside, Halt why);
    bool haltsAtStop(const RunPosition& position, bool isInside, std::optional<Halt> why);
    void takeBreakpoints();

    std::function<void(Halt)> m_onHalt;
    std::stop_token m_stop;
    std::atomic<Until> m_until{Until::Breakpoint};
    std::atomic<bool> m_hasNewStops{false};
    mutable std::mutex m_mutex; ///< of what follows, but for m_stops
    std::condition_variable_any m_wake;
    bool m_isHalted = false;
    std::vector<Breakpoint> m_newBreakpoints;
    std::unique_ptr<Stops> m_stops; ///< of the compile thread
};

} // namespace gelens
