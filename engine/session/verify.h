#pragma once
// Proves a run with numbers: every step's graph against the imported one, and the device against both.

#include "engine/session/session.h"

namespace gelens {

/// Executes the imported graph, the graph after every step that changed something, and the task list on the simulated
/// device in several legal orders, all on the same seeded inputs. Where weights or kernels are missing it does not run
/// and says why. Cancelling gives a verification that did not run.
/// A run that reaches a limit on memory, or weights that never were there, was not verified either.
/// What verification cannot run on the device (sizes that are known at run time only, too much memory) it proves on the
/// interpreter alone and says so in `deviceSkipReason`.
Verification verifyRun(const Run& run, const ProgressFunction& progress, std::stop_token stop);

} // namespace gelens
