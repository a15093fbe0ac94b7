#pragma once
// The memory map and the task timeline of a run as pictures and as tables, the same from the window and the command line.

#include "engine/session/run.h"

#include <string>

namespace gelens {

struct ChartOptions {
    bool isDark = false;
    bool isBefore = false;               ///< timeline: the imported model, operator by operator
    double width = 1600, height = 900;   ///< pixels; a timeline is as high as its rows ask for, at most about this
    const MemoryPlan* overlay = nullptr; ///< memory: another plan of the same buffers, as outlines
};

/// Task order across, address up: a rectangle for each buffer of the feature map, what lies free below the highest one
/// shaded, the curve of live bytes, the lower bound, the peak. Real text; same run, same bytes.
std::string memoryToSvg(const Run& run, const ChartOptions& options = {});
/// One line for each buffer: name, kind, producer, region offset, sizes, life, stream, note.
std::string memoryToCsv(const Run& run);

/// Streams and units over estimated time, events as arrows, the critical path outlined. Tasks that are thinner than a
/// third of a pixel and follow each other on a track become one rectangle.
std::string timelineToSvg(const Run& run, const ChartOptions& options = {});
/// One line for each task: number, name, type, unit, stream, cores, start, duration, parts, bound, critical. Times are
/// estimates, which the headings say.
std::string timelineToCsv(const Run& run, const ChartOptions& options = {});

} // namespace gelens
