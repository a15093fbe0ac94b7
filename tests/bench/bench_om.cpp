// Loading llama-7b: from its ONNX file through the whole compile, and from the OM file that this compile wrote, straight to
// its tasks. Both in one run, since machines drift: the light load has to stay below a tenth of the full one or 10 ms.
// A person loads a file once: `first` is the first load of a process, in as many processes as it has iterations.

#include "engine/formats/om/om_writer.h"
#include "engine/session/session.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

using namespace gelens;

namespace {

double bestFull = 0, bestLight = 0; ///< milliseconds
constexpr const char* firstFlag = "--first-load";

/// From the path to a finished run; nothing when it fails or goes the other way.
struct Load {
    double milliseconds = 0;
    std::shared_ptr<const Run> run;
    std::string error;
};

Load loadOnce(const std::string& path, const char* mode)
{
    CompileOptions options;
    const auto start = std::chrono::steady_clock::now();
    auto session = Session::open(path, options);
    auto run = session.ok() ? (*session)->run(options) : Result<std::shared_ptr<const Run>>(session.error());
    Load load;
    load.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (run.ok() && !(*run)->failed && (*run)->mode == mode)
        load.run = *run;
    else
        load.error = run.ok() ? "the run failed or took the other way" : run.error().message();
    return load;
}

std::shared_ptr<const Run> load(benchmark::State& state, const std::string& path, const char* mode, double& best)
{
    Load loaded = loadOnce(path, mode);
    if (!loaded.run) {
        state.SkipWithError(loaded.error.c_str());
        return nullptr;
    }
    best = best == 0 ? loaded.milliseconds : std::min(best, loaded.milliseconds);
    state.SetIterationTime(loaded.milliseconds / 1000); // the end of the run is no part of the load
    return loaded.run;
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
    }
    state.counters["best_ms"] = bestLight;
    state.counters["allowed_ms"] = std::max(bestFull / 10, 10.0);
    state.counters["file_bytes"] = static_cast<double>(std::filesystem::file_size(path));
}

/// Milliseconds that another process of this program needs for its first load; 0 when it fails.
double firstLoadOf(const std::string& path, const char* mode)
{
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    FILE* const pipe = ::popen(fmt::format("'{}' {} '{}' {}", program, firstFlag, path, mode).c_str(), "r");
    double milliseconds = 0;
    if (!pipe) return 0;
    const bool isRead = std::fscanf(pipe, "%lf", &milliseconds) == 1;
    return ::pclose(pipe) == 0 && isRead ? milliseconds : 0;
}

void first(benchmark::State& state, const std::string& path, const char* mode, double& best, double allowed)
{
    std::vector<double> all;
    for (auto _ : state) {
        all.push_back(path.empty() ? 0 : firstLoadOf(path, mode));
        if (all.back() == 0) return state.SkipWithError("the other process failed");
        state.SetIterationTime(all.back() / 1000);
    }
    std::sort(all.begin(), all.end());
    best = all.front();
    state.counters["best_ms"] = best;
    state.counters["median_ms"] = all[all.size() / 2];
    if (allowed > 0) state.counters["allowed_ms"] = allowed;
}

double bestFirstFull = 0, bestFirstLight = 0;

void firstFull(benchmark::State& state)
{
    first(state, std::string(GELENS_SAMPLES_DIR) + "/llama-7b.onnx", "full", bestFirstFull, 0);
}

void firstLight(benchmark::State& state)
{
    first(state, omFile(), "light", bestFirstLight, std::max(bestFirstFull / 10, 10.0));
}

BENCHMARK(full)->Name("load/llama-7b/full")->Unit(benchmark::kMillisecond)->Iterations(20)->UseManualTime();
BENCHMARK(light)->Name("load/llama-7b/light")->Unit(benchmark::kMillisecond)->Iterations(50)->UseManualTime();
BENCHMARK(firstFull)->Name("load/llama-7b/full/first")->Unit(benchmark::kMillisecond)->Iterations(15)->UseManualTime();
BENCHMARK(firstLight)
    ->Name("load/llama-7b/light/first")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(15)
    ->UseManualTime();

} // namespace

int main(int argc, char** argv)
{
    if (argc == 4 && std::strcmp(argv[1], firstFlag) == 0) {
        const Load load = loadOnce(argv[2], argv[3]);
        if (load.run) std::printf("%.3f\n", load.milliseconds);
        return load.run ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    std::error_code ignored;
    std::filesystem::remove(std::filesystem::temp_directory_path() / fmt::format("gelens_bench_{}.om", getpid()),
                            ignored);
}
