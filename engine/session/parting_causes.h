#pragma once
// Why a run of ours and the dumps that GE wrote part at a phase, as far as the two tell.

#include "engine/session/run.h"

#include <string>
#include <vector>

namespace gelens {

/// A pass of ours that made nodes what they are where the dump has them otherwise.
struct PartingPass {
    std::string pass;
    int nodes = 0;
};

/// `diff` is from the simulated to the real graph of a phase. Looks at the steps of ours behind `agreed`, up to `parted`;
/// the pass with most nodes comes first.
std::vector<PartingPass> passesBehind(const GraphDiff& diff, const Run& simulated, StepId agreed, StepId parted);

/// What the dumps say of the fusion engine (FE) in GE's own run.
enum class GeFusion {
    Unknown,  ///< it ran, or the dumps do not tell
    NoEngine, ///< all phases were dumped and none is FE's; no operator is fused or has an attribute that FE leaves
    NoChange  ///< the phases around its graph fusion were dumped, and it added and removed no node
};
GeFusion geFusionIn(const Run& real);

/// What the two say, as the end of a sentence that says where they part: "; since X ours changed these nodes in …".
std::string causesText(const std::vector<PartingPass>& passes, const std::string& agreedPhase, GeFusion fusion);

} // namespace gelens
