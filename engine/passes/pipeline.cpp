#include "engine/passes/pipeline.h"

namespace gelens {

// The order is the meaning: see the stage table of GE's own compile (graph manager, "PreRun"). Phases are GE's.
std::vector<PassEntry> fullPipeline(const RuleSet& rules, const FusionSwitch& switches)
{
    std::vector<PassEntry> entries;
    const auto add = [&](PassEntry entry) { entries.push_back(std::move(entry)); };
    const auto addRules = [&](RuleGroup group, const std::string& phase) {
        for (PassEntry& entry : fusionRulePasses(rules, switches, group, phase)) add(std::move(entry));
    };

    // A4 NormalizeGraph
    add(netOutputPass());
    // A7 Prepare: shapes, folding
    add(inferShapePass());
    add(condRemovePass());
    add(replaceWithEmptyConstPass());
    add(dimensionComputePass());
    add(constantFoldingPass());
    // A7 PrepareOptimize
    add(noUseReshapeRemovePass());
    add(dropOutPass());
    add(unchangedTransposeRemovePass());
    add(identityPass());
    add(prunePass());
    // Duplicates hide patterns from the rules (a shared norm input squared twice), so they are merged once before them
    // and once in stage 1 as GE does.
    PassEntry early = commonSubexpressionEliminationPass();
    early.info.phase = "PreRunAfterPrepare";
    add(std::move(early));
    // A8 OptimizeOriginalGraph
    addRules(RuleGroup::BeforeQuant, "PreRunAfterOptimizeOriginalGraph");
    addRules(RuleGroup::Graph, "PreRunAfterOptimizeOriginalGraph");
    // A12 RefineRunningFormat
    addRules(RuleGroup::AfterJudge, "PreRunAfterRefineRunningFormat");
    add(heavyFormatPropagationPass());
    add(transNodeInsertionPass());
    addRules(RuleGroup::SecondRound, "PreRunAfterRefineRunningFormat");
    // A16 Optimize1
    add(commonSubexpressionEliminationPass());
    add(sameTransdataBreadthFusionPass());
    add(transOpSymmetryEliminationPass());
    add(castRemovePass());
    add(stageOneConstantFoldingPass());
    add(removeSameConstPass());
    add(stageOnePrunePass());
    // B2 EnginePlacer, B6 OptimizeSubGraph
    add(enginePlacerPass());
    addRules(RuleGroup::Ub, "PreRunAfterOptimizeSubgraph");
    // Build
    add(logicalStreamPass());
    add(memoryAssignerPass());
    add(taskGeneratorPass());
    add(launchPass());

    for (std::size_t i = 0; i < entries.size(); ++i)
        entries[i].endsPhase = i + 1 == entries.size() || entries[i + 1].info.phase != entries[i].info.phase;
    return entries;
}

} // namespace gelens
