#pragma once
// ONNX-style test folders: run a model on stored inputs on the simulated NPU, compare with stored outputs.

#include "engine/graph/result.h"
#include "engine/spec/compile_options.h"
#include "engine/spec/verification.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

enum class CheckOutcome { Passed, Failed, Skipped };

struct CheckOptions {
    bool runsOriginal = true;
    bool runsOptimized = true;
    CompileOptions compile;
    std::stop_token stop;
};

/// One folder: a model and its data sets.
struct CheckResult {
    std::string folder;
    CheckOutcome outcome = CheckOutcome::Skipped;
    std::string reason; ///< why it failed or was skipped; empty when it passed
    int dataSets = 0;
    std::vector<ErrorMeasure> errors; ///< of every output compared, originals first
};

/// Folders below (or at) `paths` that hold a model.onnx, sorted. Errors: a path that does not exist.
Result<std::vector<std::filesystem::path>> findTestFolders(const std::vector<std::string>& paths);

/// Never fails: what is wrong with a folder is its result. Skipped: no data set, an operator without a kernel.
CheckResult checkFolder(const std::filesystem::path& folder, const CheckOptions& options);

} // namespace gelens
