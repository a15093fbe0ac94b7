#pragma once
// A timeline in the Chrome trace event format, which Perfetto and chrome://tracing open.

#include "engine/session/run.h"

#include <string>

namespace gelens {

/// One JSON object with `traceEvents`. The compiled run is process 1, the imported model (where there is one) process
/// 2; each has a track for every stream. A task is a complete event with unit, bound, kernel, cores, bytes and its
/// parts as arguments; an event between streams is an arrow from its record to its wait; cores of each unit in use and
/// the bytes moved in a microsecond are counter tracks. Times are microseconds and estimates: `otherData.estimated` is
/// true.
std::string runToTrace(const Run& run);

} // namespace gelens
