// Two 20 MB dumps with 77 edits among renumbered ids and offsets: the aim is 0.2 s.
#include "engine/session/text_diff.h"
#include "tests/bench/dump_pair.h"

#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>

using namespace gelens;

static void diffOfDumps(benchmark::State& state)
{
    const bench::DumpPair pair = bench::makeDumpPair(static_cast<std::size_t>(state.range(0)) << 20, 77);
    const auto before = DumpText::of(pair.before, "before"), after = DumpText::of(pair.after, "after");
    for (auto _ : state) {
        const auto diff = diffTexts(*before, *after);
        if (!diff.ok() || diff->changes.size() != 77) state.SkipWithError("not 77 changes");
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(pair.before.size() + pair.after.size()));
}
BENCHMARK(diffOfDumps)->Name("text_diff/megabytes")->Arg(20)->Unit(benchmark::kMillisecond)->UseRealTime();

/// Two files as the window opens them: mapped, never read as a whole.
static void diffOfFiles(benchmark::State& state)
{
    const auto folder = std::filesystem::temp_directory_path() / "gelens_bench_text_diff";
    std::filesystem::create_directories(folder);
    std::size_t bytes = 0;
    {
        const bench::DumpPair pair = bench::makeDumpPair(static_cast<std::size_t>(state.range(0)) << 20, 77);
        std::ofstream(folder / "before.pbtxt", std::ios::binary) << pair.before;
        std::ofstream(folder / "after.pbtxt", std::ios::binary) << pair.after;
        bytes = pair.before.size() + pair.after.size();
    }
    for (auto _ : state) {
        const auto before = DumpText::open((folder / "before.pbtxt").string()),
                   after = DumpText::open((folder / "after.pbtxt").string());
        const auto diff = before.ok() && after.ok() ? diffTexts(**before, **after)
                                                    : Result<TextDiff>(Error::io("not opened", folder.string()));
        if (!diff.ok() || diff->changes.size() != 77) state.SkipWithError("not 77 changes");
    }
    std::filesystem::remove_all(folder);
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(bytes));
}
BENCHMARK(diffOfFiles)
    ->Name("text_diff/files/megabytes")
    ->Arg(300)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(3);

BENCHMARK_MAIN();
