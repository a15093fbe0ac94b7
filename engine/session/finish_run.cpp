#include "engine/session/finish_run.h"

#include "engine/fusion/chains.h"
#include "engine/memory/plan.h"
#include "engine/npu/clock.h"
#include "engine/passes/pipeline.h"
#include "engine/schedule/tasks.h"

#include <algorithm>
#include <map>

namespace gelens {

std::vector<std::pair<std::string, int>> operatorHistogram(const Graph& graph)
{
    std::map<std::string, int> counts;
    for (const GraphId id : graph.liveSubgraphs())
        graph.forEachNode(id, [&](const Node& node) {
            if (isOperator(node)) ++counts[node.type];
        });
    std::vector<std::pair<std::string, int>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return sorted;
}

namespace {

std::int64_t counterOf(const Step& step, std::string_view name)
{
    for (const auto& [counter, value] : step.counters)
        if (counter == name) return value;
    return 0;
}

/// A step that tried a rule carries the rule's id in its counters' verdicts; places come from the fused ones.
std::vector<FusionSummary> summarizeFusions(const Run& run, const RuleSet& rules)
{
    std::vector<FusionSummary> summaries;
    for (const Step& step : run.steps) {
        if (step.rule.empty()) continue;
        const std::int64_t matched = counterOf(step, "matched");
        if (matched == 0) continue;
        FusionSummary summary;
        summary.rule = step.rule;
        summary.gePass = step.pass;
        if (const Rule* rule = rules.find(step.rule)) summary.summary = rule->summary;
        summary.matched = static_cast<int>(matched);
        summary.effective = static_cast<int>(counterOf(step, "effective"));
        for (const FusionVerdict& verdict : step.verdicts)
            if (verdict.fused) summary.places.emplace_back(verdict.nodeNames, verdict.intoName);
        summaries.push_back(std::move(summary));
    }
    return summaries;
}

/// The imported model run as it is: one kernel and one task for each operator, launched from the host one by one,
/// every intermediate tensor with an allocation of its own.
Status measureBefore(Run& run, const Graph& imported, std::stop_token stop)
{
    RunStatistics& statistics = run.statistics;
    statistics.histogramBefore = operatorHistogram(imported);
    statistics.nodes.before = statisticsOf(imported).operators;
    LifetimeOptions lifetimes;
    lifetimes.inPlace = InPlaceRule::Imported;
    GELENS_ASSIGN(MemoryPlan plan, computeLifetimes(imported, lifetimes));
    MemoryOptions options;
    options.policy = MemoryPolicy::Simple; // only sizes matter here: nothing is shared before
    options.lifetimes = lifetimes;
    options.stop = stop;
    GELENS_TRY(placeBuffers(imported, plan, options));
    statistics.intermediateTensors.before = plan.totals.intermediateTensors;
    statistics.memoryBefore = plan.totals.unshared;
    KernelCache alone; // the imported model compiles nothing into the shared cache
    const StreamAssignment streams = assignStreams(imported, plan.order);
    GELENS_ASSIGN(run.tasksBefore,
                  generateTasks(imported, plan, streams, alone, {.isImported = true, .soc = &run.soc}));
    statistics.tasks.before = run.tasksBefore.kernelTaskCount();
    ClockOptions clock;
    clock.isHostLaunched = true;
    clock.stop = stop;
    GELENS_ASSIGN(run.timelineBefore, simulateTime(imported, run.tasksBefore, run.soc, clock));
    statistics.latencyUs.before = run.timelineBefore.totalUs;
    run.planBefore = std::move(plan);
    return Status::success();
}

void measureAfter(Run& run, const Graph& compiled)
{
    RunStatistics& statistics = run.statistics;
    statistics.histogramAfter = operatorHistogram(compiled);
    statistics.nodes.after = statisticsOf(compiled).operators;
    const MemoryTotals& totals = run.plan.totals;
    statistics.intermediateTensors.after = totals.intermediateTensors;
    statistics.memoryAfter = totals.featureMapPeak;
    statistics.memoryGeAfter = totals.gePeak;
    statistics.memoryUnsharedAfter = totals.unshared;
    statistics.memoryLowerBound = totals.lowerBound;
    statistics.weightBytes = totals.weights;
    statistics.tasks.after = run.tasks.kernelTaskCount();
    statistics.latencyUs.after = run.timeline.totalUs;
    statistics.compiledKernels = run.tasks.compiledKernels;
    statistics.sharedKernels = run.tasks.sharedKernels;
    if (totals.unshared > 0)
        statistics.memoryReuseRate =
            1.0 - static_cast<double>(totals.featureMapPeak) / static_cast<double>(totals.unshared);
}

} // namespace

Status finishRun(Run& run, const std::shared_ptr<const Graph>& imported, const RuleSet& rules,
                 const FusionSwitch& switches, std::stop_token stop)
{
    const std::shared_ptr<const Graph> compiled = run.graphAt(run.lastStep());
    run.fusions = summarizeFusions(run, rules);
    measureAfter(run, *compiled);
    if (run.failed || imported == nullptr) return Status::success();
    if (const Status status = measureBefore(run, *imported, stop); !status.ok()) {
        if (status.error().isCancelled()) return status;
        run.messages.push_back({Severity::Warning, "run.no-before", status.error().message(), run.modelPath, {}});
    }
    RunStatistics& statistics = run.statistics;
    if (statistics.nodes.before.value_or(0) > 0)
        statistics.fusionRate = 1.0 - static_cast<double>(statistics.nodes.after) / *statistics.nodes.before;
    if (statistics.latencyUs.before) statistics.gain = latencyGain(run.timelineBefore, run.timeline);
    FusionEnvironment environment;
    environment.soc = &run.soc;
    environment.switches = &switches;
    environment.stop = stop;
    std::vector<FusionVerdict> verdicts;
    for (const Step& step : run.steps) verdicts.insert(verdicts.end(), step.verdicts.begin(), step.verdicts.end());
    run.chains = findChains(*compiled, rules, environment, verdicts);
    return Status::success();
}

} // namespace gelens
