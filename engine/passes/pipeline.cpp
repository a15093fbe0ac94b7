#include "engine/passes/pipeline.h"

namespace gelens {

// The order is the meaning: see the stage table of GE's own compile (graph manager, "PreRun"). Phases are GE's.
std::vector<PassEntry> fullPipeline(const RuleSet& rules, const FusionSwitch& switches)
{
    std::vector<PassEntry> entries;
    const auto add = [&](PassEntry entry) { entries.push_back(std::move(entry)); };
    const auto addNeeded = [&](PassEntry entry) {
        entry.isNeeded = true;
        entries.push_back(std::move(entry));
    };
    const auto addRules = [&](RuleGroup group, const std::string& phase) {
        for (PassEntry& entry : fusionRulePasses(rules, switches, group, phase)) add(std::move(entry));
    };

    // A4 NormalizeGraph
    addNeeded(netOutputPass());
    // A7 Prepare: axis orders, shapes, folding
    addNeeded(firstInferFormatPass());
    addNeeded(inferShapePass());
    add(condRemovePass());
    add(replaceWithEmptyConstPass());
    add(dimensionComputePass());
    add(constantFoldingPass());
    add(potentialConstTakenEffectPass());
    add(secondInferFormatPass());
    // A7 PrepareOptimize
    add(condPass());
    add(noUseReshapeRemovePass());
    add(dropOutPass());
    add(unchangedTransposeRemovePass());
    add(identityPass());
    add(prunePass());
    // A8 OptimizeOriginalGraph
    addRules(RuleGroup::BeforeQuant, "PreRunAfterOptimizeOriginalGraph");
    addRules(RuleGroup::Graph, "PreRunAfterOptimizeOriginalGraph");
    // A10 RefineRunningPrecision, A11 AfterPrecisionRefine
    add(refineRunningPrecisionPass());
    add(precisionTransOpFusionPass());
    add(autofusePass());
    // A12 RefineRunningFormat
    addRules(RuleGroup::AfterJudge, "PreRunAfterRefineRunningFormat");
    add(heavyFormatPropagationPass());
    add(transNodeInsertionPass());
    addRules(RuleGroup::SecondRound, "PreRunAfterRefineRunningFormat");
    // A16 Optimize1: graph passes (1_1), node passes (1_2), graph passes (1_3). GE runs the node passes node by node;
    // here each runs over the whole graph, and DimensionAdjustPass once more for what Dim1TransposeToSqueezePass leaves.
    add(constantFuseSamePass());
    add(commonSubexpressionEliminationPass());
    add(sameTransdataBreadthFusionPass());
    add(transOpWithoutReshapeFusionPass());
    add(transOpBreadthFusionPass());
    add(addNPass());
    add(castRemovePass());
    add(reshapeRemovePass());
    add(transOpSymmetryEliminationPass());
    add(stageOneReplaceWithEmptyConstPass());
    add(stageOneDimensionComputePass());
    add(stageOneConstantFoldingPass());
    add(dimensionAdjustPass());
    add(uselessControlOutRemovePass());
    add(dim1TransposeToSqueezePass());
    add(dimensionAdjustPass());
    add(stageOnePrunePass());
    add(reshapeRecoveryPass());
    add(removeSameConstPass());
    add(stageOneIdentityPass());
    // B2 EnginePlacer, B6 OptimizeSubGraph
    addNeeded(enginePlacerPass());
    addRules(RuleGroup::Ub, "PreRunAfterOptimizeSubgraph");
    // C2 Optimize2
    add(concatNotaskPass());
    add(packNotaskPass());
    // Build
    addNeeded(logicalStreamPass());
    addNeeded(memoryAssignerPass());
    add(superKernelPass());
    addNeeded(taskGeneratorPass());
    addNeeded(launchPass());

    for (std::size_t i = 0; i < entries.size(); ++i)
        entries[i].endsPhase = i + 1 == entries.size() || entries[i + 1].info.phase != entries[i].info.phase;
    return entries;
}

} // namespace gelens
