#include "app/cli/command_internal.h"
#include "engine/session/check.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <mutex>
#include <ostream>
#include <thread>

namespace gelens::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
    std::vector<std::string> folders;
    std::string soc = CompileOptions().soc;
    bool original = false, optimized = false, both = false, asJson = false;
};

const char* outcomeName(CheckOutcome outcome)
{
    switch (outcome) {
    case CheckOutcome::Passed: return "passed";
    case CheckOutcome::Failed: return "failed";
    case CheckOutcome::Skipped: break;
    }
    return "skipped";
}

/// Folders are independent of each other, so each processor takes the next one.
std::vector<CheckResult> checkAll(const std::vector<std::filesystem::path>& folders, const CheckOptions& options)
{
    std::vector<CheckResult> results(folders.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < folders.size(); i = next++) results[i] = checkFolder(folders[i], options);
    };
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
    work();
    threads.clear();
    return results;
}

double worst(const CheckResult& result)
{
    double value = 0;
    for (const ErrorMeasure& error : result.errors) value = std::max(value, error.maxAbs);
    return value;
}

int execute(const Arguments& arguments, const Environment& environment)
{
    const auto folders = findTestFolders(arguments.folders);
    if (!folders.ok()) return environment.fail(folders.error());
    CheckOptions options;
    options.compile.soc = arguments.soc;
    if (const auto soc = loadSoc(options.compile); !soc.ok()) return environment.fail(soc.error());
    const bool isChosen = arguments.original || arguments.optimized;
    options.runsOriginal = arguments.both || arguments.original || !isChosen;
    options.runsOptimized = arguments.both || arguments.optimized || !isChosen;
    const std::vector<CheckResult> results = checkAll(*folders, options);

    int counts[3] = {};
    for (const CheckResult& result : results) ++counts[static_cast<int>(result.outcome)];
    const int passed = counts[0], failed = counts[1], skipped = counts[2];
    if (arguments.asJson) {
        Json rows = Json::array();
        for (const CheckResult& result : results)
            rows.push_back({{"folder", result.folder},
                            {"outcome", outcomeName(result.outcome)},
                            {"reason", result.reason},
                            {"data_sets", result.dataSets},
                            {"max_abs", std::isfinite(worst(result)) ? Json(worst(result)) : Json(nullptr)}});
        environment.out << Json{{"totals", {{"passed", passed}, {"failed", failed}, {"skipped", skipped}}},
                                {"folders", std::move(rows)}}
                               .dump(2, ' ', false, Json::error_handler_t::replace)
                        << '\n';
    } else {
        for (const CheckResult& result : results)
            environment.out << fmt::format("{:<8} {}{}\n", outcomeName(result.outcome), result.folder,
                                           result.reason.empty() ? "" : ": " + result.reason);
        environment.out << fmt::format("{} passed, {} failed, {} skipped\n", passed, failed, skipped);
    }
    return failed > 0 ? Differs : Done;
}

} // namespace

Command checkCommand(CLI::App& parent, const Environment& environment)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app =
        parent.add_subcommand("check", "run ONNX test folders on the simulated NPU and compare the outputs");
    app->add_option("DIR", arguments->folders, "folders with model.onnx and test_data_set_N, or folders of such")
        ->required();
    app->add_option("--soc", arguments->soc, "SoC to compile for")->capture_default_str();
    app->add_flag("--original", arguments->original, "only the model as it is");
    app->add_flag("--optimized", arguments->optimized, "only the compiled model");
    app->add_flag("--both", arguments->both, "both (the default)");
    app->add_flag("--json", arguments->asJson, "print one JSON object");
    return {app, [arguments, environment] { return execute(*arguments, environment); }};
}

} // namespace gelens::cli
