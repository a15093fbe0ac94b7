#pragma once
// What the command line finds in the picture library: plain C, so that it can be looked up by name.

#include "engine/report/graph_drawing.h"

#include <string>

namespace gelens {

/// File name of the library; it lies beside the programs.
inline constexpr const char* picturePlugin = "libgelens_picture_plugin.so";
inline constexpr const char* pictureFunction = "gelensWritePicture";
/// 0, or 1 with one sentence in `error`. Starts Qt without a display where it does not run yet; call it from the main
/// thread then.
using WritePicture = int (*)(const GraphDrawing* drawing, const char* path, int isDark, std::string* error);

/// The same for a chart that is an SVG already.
inline constexpr const char* chartFunction = "gelensWriteChart";
using WriteChart = int (*)(const std::string* svg, const char* path, std::string* error);

} // namespace gelens
