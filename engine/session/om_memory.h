#pragma once
// The memory plan that an OM file states by the offsets on its operators.

#include "engine/graph/graph.h"
#include "engine/spec/memory_plan.h"
#include "engine/spec/om_details.h"
#include "engine/spec/step.h"

#include <vector>

namespace gelens {

/// The plan as the file has it: its own record where there is one, else rebuilt from offsets, sizes and readers.
/// Tensors without an offset have no buffer, and the plan is not complete then. What is odd becomes a message.
MemoryPlan planFromOm(const Graph& graph, const OmDetails& om, std::vector<Message>& messages);

} // namespace gelens
