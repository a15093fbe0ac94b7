#include "engine/passes/pipeline.h"

#include <algorithm>

namespace gelens {

// The order is the meaning: see the stage table of GE's own compile (graph manager, "PreRun"). Phases are GE's.
std::vector<PassEntry> fullPipeline(const RuleSet& rules, const CompileOptions& options, const SocSpec& soc)
{
    std::vector<PassEntry> entries;
    const auto add = [&](PassEntry entry) { entries.push_back(std::move(entry)); };
    const auto addRules = [&](RuleGroup group, const std::string& phase) {
        for (PassEntry& entry : fusionRulePasses(rules, group, phase)) add(std::move(entry));
        if (!entries.empty()) entries.back().endsPhase = true;
    };

    // A4 NormalizeGraph
    add(netOutputPass());
    // A7 Prepare: shapes, folding
    add(condRemovePass());
    add(inferShapePass());
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
    early.endsPhase = true;
    add(std::move(early));
    // A8 OptimizeOriginalGraph
    addRules(RuleGroup::Graph, "PreRunAfterOptimizeOriginalGraph");
    // A12 RefineRunningFormat
    add(heavyFormatPropagationPass());
    add(transNodeInsertionPass());
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

    for (const std::string& name : options.disabledPasses)
        std::erase_if(entries, [&](const PassEntry& entry) { return entry.info.id == name; });
    (void)soc;
    return entries;
}

} // namespace gelens
