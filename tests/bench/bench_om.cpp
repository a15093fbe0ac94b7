// Loading llama-7b: from its ONNX file through the whole compile, and from the OM file that this compile wrote, straight to
// its tasks. Both in one run, since machines drift: the light load has to stay below a tenth of the full one or 10 ms.

#include "engine/formats/om/om_writer.h"
#include "engine/session/session.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>

using namespace gelens;

namespace {

double bestFull = 0, bestLight = 0; ///< milliseconds

std::shared_ptr<const Run> load(benchmark::State& state, const std::string& path, const char* mode, double& best)
{
    CompileOptions options;
    const auto start = std::chrono::steady_clock::now();
    auto session = Session::open(path, options);
    auto run = session.ok() ? (*session)->run(options) : Result<std::shared_ptr<const Run>>(session.error());
    const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (!run.ok() || (*run)->failed || (*run)->mode != mode) {
        state.SkipWithError(run.ok() ? "the run failed or took the other way" : run.error().message().c_str());
        return nullptr;
    }
    best = best == 0 ? ms : std::min(best, ms);
    state.PauseTiming(); // the end of the run is no part of the load
    auto result = *run;
    session = Error::cancelled();
    return result;
}

/// llama-7b as an OM file; empty when it could not be written.
std::string omFile()
{
    static const std::string path = [] {
        auto session = Session::open(std::string(GELENS_SAMPLES_DIR) + "/llama-7b.onnx");
        auto run = session.ok() ? (*session)->run({}) : Result<std::shared_ptr<const Run>>(session.error());
        if (!run.ok() || (*run)->failed) return std::string();
        const auto file = std::filesystem::temp_directory_path() / fmt::format("gelens_bench_{}.om", getpid());
        const auto graph = (*run)->graphAt((*run)->lastStep());
        const bool isWritten =
            writeOm({*graph, (*run)->plan, (*run)->tasks, (*run)->soc.name, (*run)->sourceFormat}, file).ok();
        return isWritten ? file.string() : std::string();
    }();
    return path;
}

void full(benchmark::State& state)
{
    for (auto _ : state) {
        const auto run = load(state, std::string(GELENS_SAMPLES_DIR) + "/llama-7b.onnx", "full", bestFull);
        if (!run) return;
        state.counters["operators"] = run->statistics.nodes.before.value_or(0);
        state.ResumeTiming();
    }
    state.counters["best_ms"] = bestFull;
}

void light(benchmark::State& state)
{
    const std::string path = omFile();
    if (path.empty()) return state.SkipWithError("the OM file could not be written");
    for (auto _ : state) {
        const auto run = load(state, path, "light", bestLight);
        if (!run) return;
        state.counters["tasks"] = static_cast<double>(run->tasks.tasks.size());
        state.ResumeTiming();
    }
    state.counters["best_ms"] = bestLight;
    state.counters["allowed_ms"] = std::max(bestFull / 10, 10.0);
    state.counters["file_bytes"] = static_cast<double>(std::filesystem::file_size(path));
}

BENCHMARK(full)->Name("load/llama-7b/full")->Unit(benchmark::kMillisecond)->Iterations(20);
BENCHMARK(light)->Name("load/llama-7b/light")->Unit(benchmark::kMillisecond)->Iterations(50);

} // namespace

int main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    std::error_code ignored;
    std::filesystem::remove(std::filesystem::temp_directory_path() / fmt::format("gelens_bench_{}.om", getpid()),
                            ignored);
}
