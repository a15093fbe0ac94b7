#pragma once
// The memory plan as an attribute of a model, so that an OM file of ours is loaded without planning again.
// Private to this folder.

#include "engine/graph/graph.h"
#include "engine/graph/result.h"
#include "engine/spec/memory_plan.h"

namespace gelens::om {

/// Attributes of the models that this program writes.
inline constexpr const char* madeByAttr = "_gelens_made_by";
inline constexpr const char* filledAttr = "_gelens_filled"; ///< what the writer derived; see om_finish.h
inline constexpr const char* planAttr = "_gelens_plan";
inline constexpr const char* kernelNamesAttr = "_gelens_kernel_names";
inline constexpr const char* madeBy = "GE Lens, a simulator: this file carries no device binaries";

/// Nodes are written as positions in the order of the root graph.
AttrValue planToAttr(const Graph& graph, const MemoryPlan& plan);
/// Errors: a number out of its range, an address outside its region. The result never leads out of the graph.
Result<MemoryPlan> planFromAttr(const Graph& graph, const AttrValue& value);

} // namespace gelens::om
