#pragma once
// Which figures of a run stand for something. Where a run did not get to the plan or to the tasks, or was read from dumps,
// its statistics hold zeros that nobody measured.

#include "engine/session/run.h"

namespace gelens {

/// Dumps bring no plan, no tasks and no chip.
inline bool isCompiled(const Run& run) { return !run.soc.name.empty(); }

inline bool hasEndedEarly(const Run& run) { return run.failed || run.wasCancelled || run.isUnderWay; }

/// Memory was planned, if only to find that nothing needs any.
inline bool hasMemoryFigures(const Run& run)
{
    return isCompiled(run) && (!hasEndedEarly(run) || !run.plan.buffers.empty());
}

/// Tasks were made and timed.
inline bool hasTaskFigures(const Run& run)
{
    return isCompiled(run) && (!hasEndedEarly(run) || !run.timeline.items.empty());
}

} // namespace gelens
