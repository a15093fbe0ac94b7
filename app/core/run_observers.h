#pragma once
// What goes along with every compile of the window: its halts, GE's dumps, a limit on the proof by numbers.

#include "engine/session/dump_writer.h"
#include "engine/session/live_run.h"

#include <atomic>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

namespace gelens {

/// What a person wants of every compile (preferences.h).
struct RunHabits {
    int verifySeconds = 0;  ///< that the proof by numbers may take; 0: no limit
    std::string dumpFolder; ///< GE's dumps go to a folder of the model's name in it; empty: none are written
    int dumpDetail = 2;     ///< as DUMP_GE_GRAPH
};

/// Stops a run that has proved for too long. Time in which the run is halted does not count.
class VerifyClock {
public:
    VerifyClock(int seconds, const LiveRun* live, std::stop_source stop);
    ~VerifyClock();
    void start(); ///< the second call and those behind it do nothing
    bool hasStopped() const { return m_hasStopped; }

private:
    int m_seconds;
    const LiveRun* m_live;
    std::stop_source m_stop;
    std::atomic<bool> m_hasStopped{false};
    std::jthread m_thread;
};

/// One observer that tells the others, dumps first: what is on disk is there when the run halts.
class RunObservers : public RunObserver {
public:
    /// `live` may be null and must outlive it.
    RunObservers(LiveRun* live, const RunHabits& habits, const std::string& model, std::stop_source stop);

    bool hasStoppedVerifying() const { return m_clock.hasStopped(); }
    /// The dump that could not be written, when there is one.
    Status dumpStatus() const;

    bool beforePass(const std::string& pass, const Graph& graph) override;
    void afterStep(const Step& step, const Graph& graph) override;
    void passBegins(const RunPosition& position) override;
    void passEdited(const RunPosition& position) override;
    void passEnded(const RunPosition& position) override;
    void stepVerifies(const RunPosition& position) override;

private:
    LiveRun* m_live;
    std::unique_ptr<DumpObserver> m_dumps;
    Status m_dumpStatus;
    VerifyClock m_clock;
};

} // namespace gelens
