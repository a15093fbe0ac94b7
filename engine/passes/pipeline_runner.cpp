#include "engine/passes/pipeline.h"

#include "engine/graph/log.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace gelens {

GraphStatistics statisticsOf(const Graph& graph)
{
    GraphStatistics statistics;
    for (const GraphId id : graph.liveSubgraphs())
        graph.forEachNode(id, [&](const Node& node) {
            ++statistics.graphNodes;
            statistics.operators += isOperator(node);
            statistics.constants += isConstantType(node.type);
            for (const InputSlot& slot : node.inputs) statistics.dataEdges += slot.source.isValid();
        });
    return statistics;
}

namespace {

/// Runs one pass; an exception (a broken invariant, memory exhausted) becomes an error that names the pass.
Result<PassReport> runGuarded(const PassEntry& entry, GraphEditor& edit, PassContext& context)
{
    try {
        return entry.make()->run(edit, context);
    } catch (const std::bad_alloc&) {
        return Error::limit("not enough memory", entry.info.id);
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Internal, exception.what(), entry.info.id, {}};
    }
}

} // namespace

Status runPipeline(const std::vector<PassEntry>& entries, GraphEditor& edit, PassContext& context,
                   std::vector<Step>& steps, const std::vector<PipelineObserver*>& observers)
{
    using Clock = std::chrono::steady_clock;
    GraphStatistics statistics = statisticsOf(edit.graph());
    const int total = static_cast<int>(entries.size());
    for (int index = 0; index < total; ++index) {
        const PassEntry& entry = entries[static_cast<std::size_t>(index)];
        if (context.isCancelled()) return Error::cancelled();
        Step step;
        step.id = StepId{static_cast<std::int32_t>(steps.size())};
        step.stage = entry.info.stage;
        step.phase = entry.info.phase;
        step.pass = entry.info.id;
        step.summary = entry.info.summary;
        step.rule = entry.info.rule;
        step.isPhaseEnd = entry.endsPhase;
        step.before = statistics;
        step.firstEdit = edit.position();
        edit.setStep(step.id);
        for (PipelineObserver* observer : observers)
            if (!observer->beforePass(entry.info, edit.graph(), index, total) && !entry.isNeeded && !step.wasSkipped) {
                step.wasSkipped = true;
                step.messages.push_back(
                    {Severity::Info, "pass.skipped", "skipped, " + observer->skipReason(), entry.info.id, {}});
            }

        const auto held = [&] {
            double sum = 0;
            for (const PipelineObserver* observer : observers) sum += observer->heldMilliseconds();
            return sum;
        };
        Status status;
        const double heldBefore = held();
        const auto start = Clock::now();
        if (!step.wasSkipped) {
            for (PipelineObserver* observer : observers) observer->passBegins(step, edit.graph());
            Result<PassReport> report = runGuarded(entry, edit, context);
            if (report.ok()) {
                step.counters = std::move(report->counters);
                step.verdicts = std::move(report->verdicts);
                step.messages = std::move(report->messages);
            } else {
                status = report.error();
                step.messages.push_back({Severity::Error, "pass.failed", report.error().message(), entry.info.id, {}});
            }
        }
        step.milliseconds = std::max(
            std::chrono::duration<double, std::milli>(Clock::now() - start).count() - (held() - heldBefore), 0.0);
        step.lastEdit = edit.position();
        if (step.hasChanged()) statistics = statisticsOf(edit.graph());
        step.after = statistics;
        for (FusionVerdict& verdict : step.verdicts) verdict.step = step.id;
        steps.push_back(std::move(step));
        for (PipelineObserver* observer : observers) observer->afterStep(steps.back(), edit.graph());
        if (!status.ok()) return status;
    }
    return Status::success();
}

} // namespace gelens
