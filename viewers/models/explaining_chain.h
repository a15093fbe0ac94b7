#pragma once
// Where a refusal is explained.

#include "engine/session/run.h"

namespace gelens {

/// Index in run.chains of the unfused chain that explains why a rule was refused; -1: none. Chains stand in the last graph,
/// once for all equal blocks: the nodes are looked for in what they became, and a place in another block by rule and reason.
int explainingChain(const Run& run, const FusionVerdict& verdict);

} // namespace gelens
