// Differences of large graphs: matched by name, matched by structure alone, and folded from a journal.

#include "engine/session/graph_matcher.h"
#include "tests/viewers/graph_models.h"

#include <benchmark/benchmark.h>

using namespace gelens;
using namespace gelens::testing;

namespace {

void diffMatched(benchmark::State& state)
{
    GraphMaker before, after;
    const int layers = static_cast<int>(state.range(0)) / layerNodes;
    addDecoder(before, layers, scopedName);
    addDecoder(after, layers, scopedName);
    for (const NodeId id : after.graph->allNodes())
        if (after.graph->node(id).type == "Relu") after.edit.setAttr(id, "alpha", 0.5);
    for (auto _ : state) benchmark::DoNotOptimize(diffOfGraphs(*before.graph, *after.graph));
}
BENCHMARK(diffMatched)->Name("diff/matched")->Arg(5000)->Arg(20000)->Arg(100000)->Unit(benchmark::kMillisecond);

void diffRenamed(benchmark::State& state)
{
    GraphMaker before, after;
    const int layers = static_cast<int>(state.range(0)) / layerNodes;
    addDecoder(before, layers, scopedName);
    addDecoder(after, layers, PlainNames());
    for (auto _ : state) benchmark::DoNotOptimize(diffOfGraphs(*before.graph, *after.graph));
}
BENCHMARK(diffRenamed)->Name("diff/renamed")->Arg(5000)->Arg(100000)->Unit(benchmark::kMillisecond);

void diffJournal(benchmark::State& state)
{
    const auto run = makeRun(static_cast<int>(state.range(0)) / layerNodes);
    (void)run->graphAt(StepId{0});
    for (auto _ : state) benchmark::DoNotOptimize(run->diff(StepId{0}, StepId{1}));
}
BENCHMARK(diffJournal)->Name("diff/journal")->Arg(5000)->Arg(100000)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
