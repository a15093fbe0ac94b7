#pragma once
// The order of all passes, and the runner that turns it into steps.

#include "engine/passes/passes.h"

#include <functional>
#include <string>
#include <vector>

namespace gelens {

/// Every pass of a full compile in order: memory, tasks and launch included. Rules become one entry each.
/// Rules that are switched off keep their entry, so that the refusal is explained.
std::vector<PassEntry> fullPipeline(const RuleSet& rules, const FusionSwitch& switches);

/// Watches a run. Called on the compile thread; must not change the graph.
class PipelineObserver {
public:
    virtual ~PipelineObserver() = default;
    /// Returning false skips the pass, unless what follows needs it; its step is still listed, marked as skipped.
    virtual bool beforePass(const PassInfo&, const Graph&, int /*index*/, int /*total*/) { return true; }
    /// Why the last pass was skipped: "as the options of the run ask". The step says so.
    virtual std::string skipReason() const { return "as its observer asked"; }
    /// The pass runs now; `step` has everything but what the pass is going to do.
    virtual void passBegins(const Step& /*step*/, const Graph&) {}
    virtual void afterStep(const Step&, const Graph&) {}
    /// How long the passes had to wait for it so far; no step is charged for it.
    virtual double heldMilliseconds() const { return 0; }
};

/// Runs the entries on the graph and appends one step for each to `steps` (which already holds step 0).
/// An error of a pass stops the run: its step carries the message, earlier steps stay. A broken invariant inside a
/// pass comes back as ErrorCode::Internal naming the pass; it never leaves this function as an exception.
Status runPipeline(const std::vector<PassEntry>& entries, GraphEditor& edit, PassContext& context,
                   std::vector<Step>& steps, const std::vector<PipelineObserver*>& observers);

/// Counts that every step carries.
GraphStatistics statisticsOf(const Graph& graph);

} // namespace gelens
