#pragma once
// What is worked out once the pipeline has stopped: figures before and after, fusion summaries, chains left over.

#include "engine/fusion/fusion_switch.h"
#include "engine/fusion/rule_set.h"
#include "engine/session/run.h"

#include <memory>
#include <stop_token>

namespace gelens {

/// Operators of all graphs by GE type, most frequent first, then by name.
std::vector<std::pair<std::string, int>> operatorHistogram(const Graph& graph);

/// Fills statistics, fusions and chains. `imported` is the graph of step 0 with shapes; null when the run stopped before
/// shapes were known, then every figure "before" stays absent.
Status finishRun(Run& run, const std::shared_ptr<const Graph>& imported, const RuleSet& rules,
                 const FusionSwitch& switches, std::stop_token stop);

} // namespace gelens
