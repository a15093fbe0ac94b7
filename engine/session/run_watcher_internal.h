#pragma once
// Between the runner of passes and whoever watches a run: where it stands, and what it looks like there.

#include "engine/fusion/rule_set.h"
#include "engine/graph/graph_editor.h"
#include "engine/passes/pipeline.h"
#include "engine/session/session.h"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace gelens {

/// Hands each step to the user's observer, keeps the graph as imported once its shapes are known, reports progress.
class RunWatcher final : public PipelineObserver, private RunPosition {
public:
    RunWatcher(const Run& run, const RuleSet& rules, GraphEditor& edit, RunObserver* observer,
               const ProgressFunction& progress);

    bool beforePass(const PassInfo& pass, const Graph& graph, int index, int total) override;
    std::string skipReason() const override;
    void passBegins(const Step& step, const Graph& graph) override;
    void afterStep(const Step& step, const Graph& graph) override;
    double heldMilliseconds() const override;

    /// Where the passes leave the plan of the memory; that of the run until then.
    void watchPlan(const MemoryPlan& plan) { m_plan = &plan; }
    /// Step 0 with shapes; null until they are known.
    const std::shared_ptr<const Graph>& imported() const { return m_imported; }

    static bool isNamed(const std::vector<std::string>& names, const PassInfo& pass);

private:
    void tell(void (RunObserver::*what)(const RunPosition&));
    const Step& step() const override { return m_isWithin ? m_step : m_run.steps.back(); }
    const Graph& graph() const override { return m_edit.graph(); }
    const Journal& journal() const override { return m_edit.journal(); }
    std::int64_t plannedPeak() const override { return m_plan->totals.featureMapPeak; }
    bool isLightweight() const override { return m_run.mode == "light"; }
    std::shared_ptr<const Run> snapshot() const override;

    const Run& m_run;
    const RuleSet& m_rules;
    const MemoryPlan* m_plan; ///< empty until its pass has run
    GraphEditor& m_edit;
    RunObserver* m_observer;
    const ProgressFunction& m_progress;
    std::chrono::steady_clock::time_point m_lastProgress{};
    std::chrono::steady_clock::duration m_held{}; ///< in calls that may stand for as long as a person looks
    std::shared_ptr<const Graph> m_imported;
    Step m_step; ///< under way
    bool m_isWithin = false, m_isByOption = false;
    mutable Graph m_replayed;
    mutable std::size_t m_replayedTo = 0;
};

/// A run whose passes are done, while its numbers are verified.
class VerifyPosition final : public RunPosition {
public:
    /// All must outlive it.
    VerifyPosition(const Run& run, const Verification& soFar, StepId next);

    const Step& step() const override { return m_run.step(m_next); }
    const Graph& graph() const override { return *m_graph; }
    const Journal& journal() const override { return m_run.journal(); }
    std::shared_ptr<const Run> snapshot() const override;

private:
    const Run& m_run;
    const Verification& m_soFar;
    StepId m_next;
    std::shared_ptr<const Graph> m_graph; ///< at the end
};

} // namespace gelens
