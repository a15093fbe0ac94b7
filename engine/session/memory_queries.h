#pragma once
// Questions about the memory of a run, for views, command line and reports.

#include "engine/memory/explain_plan.h"
#include "engine/session/run.h"

#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

namespace gelens {

/// What the peak of the compiled graph (or any other position in its order) is made of.
PeakReport peakOf(const Run& run, std::int64_t position = -1);

/// What would lower the peak, most first; each figure comes from planning anew. Takes some milliseconds for each of the
/// largest `maxTensors` tensors: not for the GUI thread. Errors: Cancelled.
Result<std::vector<PeakSaving>> peakSavingsOf(const Run& run, std::size_t maxTensors = 12, std::stop_token stop = {});

/// Why two tensors of the compiled graph do not have the same bytes.
ShareVerdict whyNotShared(const Run& run, OutputRef first, OutputRef second);

/// A tensor of the compiled graph by "node:index"; a bare node name means its first output.
std::optional<OutputRef> findTensor(const Run& run, std::string_view name);

/// The same buffers placed by another policy, to lay beside the plan of the run. Errors: Cancelled.
Result<MemoryPlan> planWithPolicy(const Run& run, MemoryPolicy policy, std::stop_token stop = {});

} // namespace gelens
