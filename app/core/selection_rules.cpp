#include "app/core/selection_rules.h"

#include <algorithm>

namespace gelens {
namespace {

const FusionVerdict* firstFused(const Step& step)
{
    const auto found = std::find_if(step.verdicts.begin(), step.verdicts.end(), [](const FusionVerdict& verdict) {
        return verdict.fused && verdict.into.isValid();
    });
    return found == step.verdicts.end() ? nullptr : &*found;
}

/// A fused node can keep the id of one of the nodes it was made of; going back then changes nothing.
bool names(const FusionVerdict& verdict, NodeId node)
{
    return std::find(verdict.nodes.begin(), verdict.nodes.end(), node) != verdict.nodes.end();
}

Selection forward(const Step& step, const Selection& selection)
{
    for (const FusionVerdict& verdict : step.verdicts)
        if (verdict.fused && verdict.into.isValid() && names(verdict, selection.node))
            return Selection::ofNode(verdict.into);
    return selection;
}

Selection backward(const Step& step, const Selection& selection)
{
    for (const FusionVerdict& verdict : step.verdicts) {
        if (!verdict.fused || verdict.into != selection.node || verdict.nodes.empty() || names(verdict, selection.node))
            continue;
        Selection origins = Selection::ofNode(verdict.nodes.front());
        origins.more.assign(verdict.nodes.begin() + 1, verdict.nodes.end());
        return origins;
    }
    return selection;
}

} // namespace

Selection completeSelection(const Run& run, Selection selection)
{
    if (selection.node.isValid()) return selection;
    const auto within = [](int index, std::size_t size) {
        return index >= 0 && static_cast<std::size_t>(index) < size;
    };
    if (selection.tensor.isValid()) {
        selection.node = selection.tensor.node;
    } else if (within(selection.task, run.tasks.tasks.size())) {
        selection.node = run.tasks.tasks[static_cast<std::size_t>(selection.task)].node;
    } else if (within(selection.buffer, run.plan.buffers.size())) {
        selection.tensor = run.plan.buffers[static_cast<std::size_t>(selection.buffer)].tensor;
        selection.node = selection.tensor.node;
    } else if (within(selection.chain, run.chains.size())) {
        const Chain& chain = run.chains[static_cast<std::size_t>(selection.chain)];
        if (!chain.nodes.empty()) {
            selection.node = chain.nodes.front();
            selection.more.assign(chain.nodes.begin() + 1, chain.nodes.end());
        }
    }
    return selection;
}

Selection followSelection(const Run& run, const Selection& selection, StepId from, StepId to)
{
    if (selection.isEmpty()) {
        const FusionVerdict* fused = firstFused(run.step(to));
        return fused == nullptr ? selection : Selection::ofNode(fused->into);
    }
    if (!selection.node.isValid()) return selection;
    Selection followed = selection;
    for (int at = from.value + 1; at <= to.value; ++at) followed = forward(run.step(StepId{at}), followed);
    for (int at = from.value; at > to.value; --at) followed = backward(run.step(StepId{at}), followed);
    return followed;
}

StepId correspondingStep(const Run& before, StepId step, const Run& now)
{
    if (step == before.lastStep() || step.value < 0 || step.value >= before.stepCount()) return now.lastStep();
    const auto isSame = [&](const Step& a, const Step& b) {
        return a.phase == b.phase && a.pass == b.pass && a.rule == b.rule;
    };
    const Step& wanted = before.step(step);
    int occurrence = 0;
    for (int at = 0; at < step.value; ++at) occurrence += isSame(before.step(StepId{at}), wanted);
    for (const Step& candidate : now.steps)
        if (isSame(candidate, wanted) && occurrence-- == 0) return candidate.id;
    return now.lastStep();
}

} // namespace gelens
