#pragma once
// Runs made in code: a few steps with edits, verdicts and figures, no compiler needed.

#include "engine/graph/graph_editor.h"
#include "engine/session/run.h"

#include <memory>
#include <string>

namespace gelens::test {

inline Step makeStep(int id, Stage stage, const std::string& phase, const std::string& pass, std::size_t edits,
                     int operators)
{
    Step step;
    step.id = StepId{id};
    step.stage = stage;
    step.phase = phase;
    step.pass = pass;
    step.summary = "summary of " + pass;
    step.lastEdit = edits; // shifted to its place by makeRun
    step.milliseconds = id;
    step.after.operators = operators;
    step.after.graphNodes = operators + 2;
    return step;
}

/// Six steps in four stages; steps 2 and 4 change something, "FusionPass" occurs twice.
inline std::shared_ptr<Run> makeRun()
{
    auto run = std::make_shared<Run>();
    run->modelName = "made";
    run->soc.name = "Ascend910B1"; // a run without a chip is a folder of dumps
    run->steps = {makeStep(0, Stage::Parse, "PreRunBegin", "read", 0, 10),
                  makeStep(1, Stage::Compile, "PreRunAfterPrepare", "PrunePass", 0, 10),
                  makeStep(2, Stage::Compile, "PreRunAfterOptimizeOriginalGraph", "FusionPass", 5, 6),
                  makeStep(3, Stage::Compile, "PreRunAfterOptimizeOriginalGraph", "FusionPass", 0, 6),
                  makeStep(4, Stage::Memory, "AfterAssignResource", "MemoryAssigner", 2, 6),
                  makeStep(5, Stage::Launch, "Launch", "aclrtLaunchTask", 0, 6)};
    run->steps[2].rule = "attention";
    run->steps[3].rule = "gelu";
    std::size_t at = 0;
    for (std::size_t i = 0; i < run->steps.size(); ++i) {
        Step& step = run->steps[i];
        step.firstEdit = at;
        step.lastEdit = at = at + step.lastEdit;
        step.before = i == 0 ? step.after : run->steps[i - 1].after;
    }
    FusionVerdict verdict;
    verdict.rule = "attention";
    verdict.fused = true;
    verdict.nodes = {NodeId{1}, NodeId{2}};
    verdict.nodeNames = {"a", "b"};
    verdict.nodeTypes = {"MatMul", "Softmax"};
    verdict.into = NodeId{7};
    verdict.intoName = "fused";
    verdict.step = StepId{2};
    run->steps[2].verdicts.push_back(verdict);
    run->fusions = {{"attention", "FusionPass", "attention into one kernel", 3, 1, {}},
                    {"gelu", "FusionPass", "gelu", 2, 0, {}}};
    RunStatistics& s = run->statistics;
    s.nodes = {10, 6};
    s.intermediateTensors = {8, 4};
    s.memoryBefore = 4096;
    s.memoryAfter = 1024;
    s.tasks = {10, 6};
    s.latencyUs = {100.0, 25.0};
    s.histogramBefore = {{"MatMul", 4}, {"Add", 6}};
    s.histogramAfter = {{"MatMul", 4}, {"FlashAttentionScore", 2}};
    Message warning{Severity::Warning, "onnx.unknown-op", "an operator is not known", "node 'x'", NodeId{3}};
    run->messages.push_back(warning);
    return run;
}

} // namespace gelens::test
