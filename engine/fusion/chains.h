#pragma once
// Kernels that stand side by side in a finished graph and were not fused, with the reason for each pair.

#include "engine/fusion/fusion_environment.h"
#include "engine/fusion/rule_set.h"
#include "engine/graph/graph.h"
#include "engine/spec/chain.h"
#include "engine/spec/fusion_verdict.h"

#include <vector>

namespace gelens {

/// A link is a data edge between two kernels (views between them count as nothing) whose operator classes a rule or
/// autofusion names as neighbours. A chain is a maximal run of links along first data inputs; each link is in one
/// chain, and equal chains of repeated blocks are one entry with a count. The order is that of the graph. `verdicts`
/// are those of the run (all steps); those that speak of nodes that are gone are passed over. O(nodes + verdicts).
std::vector<Chain> findChains(const Graph& graph, const RuleSet& rules, const FusionEnvironment& environment,
                              const std::vector<FusionVerdict>& verdicts);

} // namespace gelens
