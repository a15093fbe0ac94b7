#pragma once
// Sentences about buffers: where one lives, and why two of them do not share memory.

#include "engine/session/run.h"

#include <QString>

namespace gelens {

class MemoryPicture;

/// Why two buffers have memory of their own, or that they share, or that they could. One or two sentences.
QString whyNotShared(const Run& run, int first, int second);
/// Name, size and life in one line.
QString bufferLine(const Run& run, int buffer);
/// Name, kind, address, size, lifetime, who else uses the place, the planner's note: one fact a line.
QString bufferFacts(const Run& run, const MemoryPicture& picture, int buffer);
/// "41 '/layers.0/MatMul'": a position in the task order.
QString positionText(const Run& run, std::int64_t position);

} // namespace gelens
