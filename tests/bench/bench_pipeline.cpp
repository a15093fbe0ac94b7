// The whole compile: llama-7b itself, and decoders of about 1,000, 10,000 and 100,000 operators, whose time must grow with
// their size alone. "slope" is the exponent between a size and the one before it (1 = linear), by processor time, which other
// work on the machine does not change; the models come from the generator of the samples.

#include "engine/session/cards.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>

using namespace gelens;

namespace {

/// A decoder of that many layers, written once a process; 38 operators a layer and 31 around them.
std::string decoder(int layers)
{
    static std::map<int, std::string> made;
    std::string& path = made[layers];
    if (!path.empty()) return path;
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "gelens-bench";
    std::filesystem::create_directories(folder);
    path = (folder / fmt::format("decoder-{}.onnx", layers)).string();
    const std::string command = fmt::format("'{}/make_samples' --llama-layers {} '{}'", GELENS_BIN_DIR, layers, path);
    if (std::system(command.c_str()) != 0) path = "";
    return path;
}

std::map<std::int64_t, double> bestOf; ///< operators → least processor milliseconds, for the slope

void compileModel(benchmark::State& state, const std::string& path, const char* soc)
{
    CompileOptions options;
    options.soc = soc;
    double best = 0, bestCpu = 0, bestRead = 0, rules = 0;
    int before = 0, after = 0;
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        auto session = Session::open(path, options);
        if (!session.ok()) {
            state.SkipWithError(session.error().message().c_str());
            return;
        }
        const double read = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        const std::clock_t processor = std::clock();
        auto run = (*session)->run(options);
        const double cpu = 1000.0 * static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
        if (!run.ok() || (*run)->failed) {
            state.SkipWithError(run.ok() ? (*run)->error->message().c_str() : run.error().message().c_str());
            return;
        }
        bestCpu = bestCpu == 0 ? cpu : std::min(bestCpu, cpu);
        const RunStatistics& statistics = (*run)->statistics;
        double fusion = 0;
        for (const Step& step : (*run)->steps)
            if (!step.rule.empty()) fusion += step.milliseconds;
        if (best == 0 || statistics.engineMilliseconds < best) {
            best = statistics.engineMilliseconds;
            rules = fusion;
        }
        bestRead = bestRead == 0 ? read : std::min(bestRead, read);
        before = statistics.nodes.before.value_or(0);
        after = statistics.nodes.after;
    }
    state.counters["operators"] = before;
    state.counters["operators_after"] = after;
    state.counters["engine_ms"] = best;
    state.counters["read_ms"] = bestRead;
    state.counters["rules_us_per_node"] = 1000 * rules / std::max(before, 1);
    state.counters["engine_cpu_ms"] = bestCpu;
    state.counters["cpu_us_per_node"] = 1000 * bestCpu / std::max(before, 1);
    const auto smaller = bestOf.lower_bound(before);
    if (smaller != bestOf.begin()) {
        const auto& [operators, milliseconds] = *std::prev(smaller);
        state.counters["slope"] =
            std::log(bestCpu / milliseconds) / std::log(static_cast<double>(before) / static_cast<double>(operators));
    }
    bestOf[before] = bestCpu;
}

void llama(benchmark::State& state, const char* soc)
{
    compileModel(state, std::string(GELENS_SAMPLES_DIR) + "/llama-7b.onnx", soc);
}
void layers(benchmark::State& state) { compileModel(state, decoder(static_cast<int>(state.range(0))), "Ascend910B1"); }

/// llama-7b split over cards: all parts, in parallel.
void cards(benchmark::State& state)
{
    FleetOptions options;
    options.compile.cards = static_cast<int>(state.range(0));
    double slowest = 0;
    for (auto _ : state) {
        auto session = Session::open(std::string(GELENS_SAMPLES_DIR) + "/llama-7b.onnx", options.compile);
        auto fleet = session.ok() ? compileCards(**session, options) : Result<Fleet>(session.error());
        if (!fleet.ok()) {
            state.SkipWithError(fleet.error().message().c_str());
            return;
        }
        slowest = 0;
        for (const FleetMember& member : fleet->members)
            if (member.run) slowest = std::max(slowest, member.run->statistics.engineMilliseconds);
    }
    state.counters["slowest_card_ms"] = slowest;
}

BENCHMARK_CAPTURE(llama, llama_7b, "Ascend910B1")
    ->Name("pipeline/llama-7b/1247/910B1")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(10);
BENCHMARK_CAPTURE(llama, llama_7b_310, "Ascend310P3")
    ->Name("pipeline/llama-7b/1247/310P3")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(10);
// 26, 262 and 2,630 layers: 1,019, 9,987 and 99,971 operators.
BENCHMARK(layers)->Name("pipeline/decoder_layers")->Arg(26)->Arg(262)->Unit(benchmark::kMillisecond)->Iterations(5);
BENCHMARK(layers)->Name("pipeline/decoder_layers")->Arg(2630)->Unit(benchmark::kMillisecond)->Iterations(2);
BENCHMARK(cards)->Name("pipeline/llama-7b/cards")->Arg(2)->Arg(4)->Arg(8)->Unit(benchmark::kMillisecond)->Iterations(3);

} // namespace

int main(int argc, char** argv)
{
    setenv("GELENS_RESOURCES", GELENS_SOURCE_DIR "/resources", 0);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
