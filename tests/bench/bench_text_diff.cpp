// Two 20 MB dumps with 77 edits among renumbered ids and offsets: the aim is 0.2 s.
#include "engine/session/text_diff.h"
#include "tests/bench/dump_pair.h"

#include <benchmark/benchmark.h>

using namespace gelens;

static void diffOfDumps(benchmark::State& state)
{
    const bench::DumpPair pair = bench::makeDumpPair(static_cast<std::size_t>(state.range(0)) << 20, 77);
    const auto before = DumpText::of(pair.before, "before"), after = DumpText::of(pair.after, "after");
    for (auto _ : state) {
        const auto diff = diffTexts(*before, *after);
        if (!diff.ok() || diff->changes.size() != 77) state.SkipWithError("not 77 changes");
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(pair.before.size() + pair.after.size()));
}
BENCHMARK(diffOfDumps)->Name("text_diff/megabytes")->Arg(20)->Unit(benchmark::kMillisecond)->UseRealTime();

BENCHMARK_MAIN();
