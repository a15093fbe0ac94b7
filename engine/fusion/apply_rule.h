#pragma once
// Tries one rule all over a graph.

#include "engine/fusion/fusion_environment.h"
#include "engine/fusion/fusion_index.h"
#include "engine/fusion/rule.h"
#include "engine/graph/graph_editor.h"
#include "engine/spec/fusion_verdict.h"

#include <vector>

namespace gelens {

/// Counted as GE counts in fusion_result.json: places where the pattern fits, and rewrites that succeeded.
struct RuleOutcome {
    int matched = 0;
    int effective = 0;
    std::vector<FusionVerdict> verdicts; ///< fused, refused, near misses; a limited number of each of the latter two
    bool wasCancelled = false;
    int verdictsLeftOut = 0; ///< refusals and near misses beyond the limit
};

/// Applies `rule` until nothing more fits; running it again changes nothing. Every place tried leaves a verdict with
/// all its checks; near misses of at least two pattern nodes are kept with the node at which they stopped. `index` may
/// be shared by all rules of a pass; it is brought up to date as needed.
RuleOutcome applyRule(GraphEditor& editor, const Rule& rule, const FusionEnvironment& environment, FusionIndex& index);
RuleOutcome applyRule(GraphEditor& editor, const Rule& rule, const FusionEnvironment& environment);

} // namespace gelens
