#pragma once
// Entry functions of all passes. The order they run in is pipeline.cpp's.

#include "engine/passes/pass.h"

namespace gelens {

// prepare/
PassEntry netOutputPass();
PassEntry condRemovePass();
PassEntry firstInferFormatPass();
PassEntry inferShapePass();
PassEntry replaceWithEmptyConstPass();
PassEntry dimensionComputePass();
PassEntry constantFoldingPass();
PassEntry potentialConstTakenEffectPass();
PassEntry secondInferFormatPass();
PassEntry condPass();
PassEntry noUseReshapeRemovePass();
PassEntry dropOutPass();
PassEntry unchangedTransposeRemovePass();
PassEntry identityPass();
PassEntry prunePass();

// fusion/: one entry for each rule of a group, in priority order
std::vector<PassEntry> fusionRulePasses(const RuleSet& rules, const FusionSwitch& switches, RuleGroup group,
                                        const std::string& phase);

/// Automatic fusion of vector operators; off unless the options carry GE's AUTOFUSE_FLAGS.
PassEntry autofusePass();

// layout/
PassEntry refineRunningPrecisionPass();
PassEntry heavyFormatPropagationPass();
PassEntry transNodeInsertionPass();

// optimize/
PassEntry precisionTransOpFusionPass();
PassEntry constantFuseSamePass();
PassEntry transOpWithoutReshapeFusionPass();
PassEntry commonSubexpressionEliminationPass();
PassEntry sameTransdataBreadthFusionPass();
PassEntry transOpSymmetryEliminationPass();
PassEntry transOpBreadthFusionPass();
PassEntry addNPass();
PassEntry castRemovePass();
PassEntry reshapeRemovePass();
PassEntry stageOneReplaceWithEmptyConstPass();
PassEntry stageOneDimensionComputePass();
PassEntry stageOneConstantFoldingPass();
PassEntry dimensionAdjustPass();
PassEntry uselessControlOutRemovePass();
PassEntry dim1TransposeToSqueezePass();
PassEntry stageOnePrunePass();
PassEntry reshapeRecoveryPass();
PassEntry removeSameConstPass();
PassEntry stageOneIdentityPass();

// build/
PassEntry enginePlacerPass();
PassEntry concatNotaskPass();
PassEntry packNotaskPass();
PassEntry logicalStreamPass();
PassEntry memoryAssignerPass();
PassEntry superKernelPass();
PassEntry taskGeneratorPass();
PassEntry launchPass();

} // namespace gelens
