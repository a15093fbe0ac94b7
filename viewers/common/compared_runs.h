#pragma once
// Two runs of one model side by side: there are their graphs and figures, but no plan of tasks, no rules and no chains.

#include "viewers/models/run_figures.h"

namespace gelens {

/// Whether it stands for two runs; a folder of dumps has graphs of files, too, but no chip.
inline bool comparesRuns(const Run& run) { return run.sourceOf(StepId{0}) != nullptr && isCompiled(run); }

} // namespace gelens
