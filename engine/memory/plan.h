#pragma once
// The memory plan of a graph: lifetimes, then addresses by a policy, then a check.

#include "engine/memory/lifetimes.h"
#include "engine/memory/plan_item.h"
#include "engine/spec/compile_options.h"

#include <stop_token>

namespace gelens {

struct MemoryOptions {
    MemoryPolicy policy = MemoryPolicy::Best;
    LifetimeOptions lifetimes;
    /// GE's own options, for its policy: `ge.exec.memoryOptimizationPolicy` = MemoryPriority, `ge.exec.disableReuseMemory`.
    bool isGeMemoryPriority = false, isGeReuseOff = false;
    /// Budget of `Best` and `Optimal`, counted in items looked at by the search, so that the same input gives the same plan.
    /// 0 = the policy's own: about 15 ms for Best, some seconds for Optimal and for a capacity that must be met.
    std::int64_t searchSteps = 0;
    double timeLimitSeconds = 0; ///< wall clock for the search; 0 = none
    std::stop_token stop;
};

/// Plans the root graph. Best takes the least peak of all policies within its budget; every plan passed the validator.
/// Inputs are packed by size, smallest first, outputs largest first, weights in order; each region from 0.
/// Errors: a cycle, an order that is not one, Cancelled.
Result<MemoryPlan> planMemory(const Graph& graph, const MemoryOptions& options = {});

/// Places the buffers of a plan that has lifetimes (computeLifetimes) and fills its totals.
Status placeBuffers(const Graph& graph, MemoryPlan& plan, const MemoryOptions& options);

/// Places bare items, as planMemory does for buffers. `capacity` > 0: stop as soon as the peak fits.
PlanResult planItems(const std::vector<PlanItem>& items, const MemoryOptions& options, std::int64_t capacity = 0,
                     std::string* policyTaken = nullptr);

} // namespace gelens
