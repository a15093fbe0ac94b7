#pragma once
// Entry functions of all passes. The order they run in is pipeline.cpp's.

#include "engine/passes/pass.h"

namespace gelens {

// prepare/
PassEntry netOutputPass();
PassEntry condRemovePass();
PassEntry inferShapePass();
PassEntry replaceWithEmptyConstPass();
PassEntry dimensionComputePass();
PassEntry constantFoldingPass();
PassEntry noUseReshapeRemovePass();
PassEntry dropOutPass();
PassEntry unchangedTransposeRemovePass();
PassEntry identityPass();
PassEntry prunePass();

// fusion/: one entry for each rule of a group, in priority order
std::vector<PassEntry> fusionRulePasses(const RuleSet& rules, const FusionSwitch& switches, RuleGroup group,
                                        const std::string& phase);

// layout/
PassEntry heavyFormatPropagationPass();
PassEntry transNodeInsertionPass();

// optimize/
PassEntry commonSubexpressionEliminationPass();
PassEntry sameTransdataBreadthFusionPass();
PassEntry transOpSymmetryEliminationPass();
PassEntry castRemovePass();
PassEntry stageOneConstantFoldingPass();
PassEntry removeSameConstPass();
PassEntry stageOnePrunePass();

// build/
PassEntry enginePlacerPass();
PassEntry logicalStreamPass();
PassEntry memoryAssignerPass();
PassEntry taskGeneratorPass();
PassEntry launchPass();

} // namespace gelens
