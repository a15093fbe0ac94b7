#pragma once
// The lightweight path: an OM file that carries its plan goes straight to its tasks and is launched. Nothing is
// compiled; memory is planned again only where shapes were not known when the file was made.

#include "engine/session/session.h"
#include "engine/spec/om_details.h"

#include <memory>
#include <stop_token>

namespace gelens {

/// Fills steps, plan, tasks and timeline of `run`, whose first step (the graph as read) is there. Kernels that the file
/// brings for a real chip are shown and timed by estimate. `heldMilliseconds`: how long the observer
/// let it stand. Errors: Cancelled, or a broken invariant as Internal.
Status runLight(Run& run, const Graph& graph, const OmDetails& om, KernelCache& kernels, RunObserver* observer,
                const ProgressFunction& progress, std::stop_token stop, double* heldMilliseconds = nullptr);

/// The file's task list over a plan: markers (start and end of the model) left out, addresses by the plan.
TaskList tasksFromOm(const Graph& graph, const MemoryPlan& plan, const OmDetails& om, std::vector<Message>& messages);

} // namespace gelens
