#pragma once
// The memory plan that an OM file states by the offsets on its operators.

#include "engine/graph/graph.h"
#include "engine/spec/memory_plan.h"
#include "engine/spec/om_details.h"
#include "engine/spec/step.h"

#include <memory>
#include <vector>

namespace gelens {

/// The plan as the file has it: its own record where there is one, else rebuilt from offsets, sizes and readers.
/// Tensors without an offset have no buffer, and the plan is not complete then. What is odd becomes a message.
MemoryPlan planFromOm(const Graph& graph, const OmDetails& om, std::vector<Message>& messages);

/// The plan that a dump states by the offsets on its operators, as GE writes them from memory assignment on. Its block
/// reaches to the end of the last tensor, since a dump does not say how large it is. Null where no operator has an offset.
std::shared_ptr<const MemoryPlan> planFromOffsets(const Graph& graph);

} // namespace gelens
