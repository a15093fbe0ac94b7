#pragma once
// When each task of a list runs on a SoC: an event-driven clock over the cost model.

#include "engine/graph/graph.h"
#include "engine/graph/result.h"
#include "engine/npu/cost_model.h"
#include "engine/spec/task_list.h"
#include "engine/spec/timeline.h"

#include <stop_token>
#include <vector>

namespace gelens {

struct ClockOptions {
    bool isHostLaunched = false; ///< the model as it is: 15 µs for each operator, not overlapped
    std::stop_token stop;
};

/// Runs the streams against each other. Tasks that run at the same time share units by cores and memories equally;
/// waits cost nothing but their own microsecond once the event is there. Deterministic. O(tasks × streams).
/// L2: what was written or read within the last 0.7 × L2 bytes of traffic is read from L2, all else and all weights
/// from device memory; results of up to 0.7 × L2 bytes are written to L2.
/// `parts` of the timeline are those of the critical path, so they add up to `totalUs`.
/// Errors: streams that wait for each other without end, Cancelled.
Result<Timeline> simulateTime(const Graph& graph, const TaskList& tasks, const SocSpec& soc,
                              const ClockOptions& options = {});

/// What each task would take alone, in the order of the tasks (zero for events): the table behind the timeline.
std::vector<KernelTime> taskTimes(const Graph& graph, const TaskList& tasks, const SocSpec& soc,
                                  const ClockOptions& options = {});

/// Where a gain comes from: dispatch, traffic and compute of `before` minus those of `after`.
LatencyParts latencyGain(const Timeline& before, const Timeline& after);

/// Share of the time in which at least one task uses the unit. Unit: 0 … 1.
double utilization(const Timeline& timeline, Unit unit);

} // namespace gelens
