#pragma once
// Several models in one go: each compiled in a session of its own, in parallel, with one cache of kernels between them.

#include "engine/session/session.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

/// One model of several. Its run is the same as that of the model alone.
struct FleetMember {
    std::string path;
    std::shared_ptr<const Run> run; ///< null when the model could not be opened or run
    std::optional<Error> error;     ///< why; also that of a run that failed
    std::optional<int> blocks;      ///< repeated blocks (decoder layers) in it; nothing where it has none
    /// Kernels that no model before it in the list needs, and those that one does. In the order of the list, so that
    /// the figures do not depend on which thread was first.
    int compiledKernels = 0, sharedKernels = 0;
};

struct FleetOptions {
    CompileOptions compile;
    unsigned threads = 0;      ///< 0: one for each processor
    ProgressFunction progress; ///< called from several threads, one at a time
    std::stop_token stop;
};

struct Fleet {
    std::vector<FleetMember> members; ///< in the order of the paths
    int kernels = 0;                  ///< different kernels of all models together
    double milliseconds = 0;
};

/// Never fails as a whole: what is wrong with a model is its member's error.
Fleet compileModels(const std::vector<std::string>& paths, const FleetOptions& options);

/// One model to compile, wherever it comes from.
struct FleetJob {
    std::string path;          ///< names it in the report
    std::optional<int> blocks; ///< known already; else counted
    std::function<Result<std::shared_ptr<Session>>()> open;
};
Fleet compileJobs(const std::vector<FleetJob>& jobs, const FleetOptions& options);

} // namespace gelens
