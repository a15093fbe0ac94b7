// Benchmarks of memory planning; the number at the end of a name is that of the tensors.

#include "engine/memory/lower_bound.h"
#include "engine/memory/plan.h"
#include "engine/memory/planners/greedy.h"
#include "engine/memory/planners/simple.h"

#include <benchmark/benchmark.h>

#include <random>

using namespace gelens;

namespace {

/// Tensors as a graph makes them: about `live` alive at any time, some for long.
std::vector<PlanItem> graphLike(int count, int live)
{
    std::mt19937_64 random(1);
    std::vector<PlanItem> items;
    for (int i = 0; i < count; ++i) {
        const bool isLong = random() % 64 == 0;
        const auto length =
            1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(isLong ? 16 * live : live));
        items.push_back({i, i + length, 512 * (1 + static_cast<std::int64_t>(random() % 4096))});
    }
    return items;
}

void greedy(benchmark::State& state)
{
    const auto items = graphLike(static_cast<int>(state.range(0)), 48);
    const std::int64_t bound = lowerBound(items).bytes;
    PlanResult plan;
    for (auto _ : state) benchmark::DoNotOptimize(plan = planGreedy(items));
    state.counters["peak/bound"] = static_cast<double>(plan.peak) / static_cast<double>(bound);
}

void simple(benchmark::State& state)
{
    const auto items = graphLike(static_cast<int>(state.range(0)), 48);
    for (auto _ : state) benchmark::DoNotOptimize(planSimple(items));
}

void best(benchmark::State& state)
{
    const auto items = graphLike(static_cast<int>(state.range(0)), 24);
    const std::int64_t bound = lowerBound(items).bytes;
    PlanResult plan;
    for (auto _ : state) benchmark::DoNotOptimize(plan = planItems(items, {}));
    state.counters["peak/bound"] = static_cast<double>(plan.peak) / static_cast<double>(bound);
}

} // namespace

BENCHMARK(greedy)->Name("memory/greedy")->Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(simple)->Name("memory/simple")->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);
BENCHMARK(best)->Name("memory/best")->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
