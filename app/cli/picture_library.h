#pragma once
// PNG and PDF for the command line: the window's own writer, loaded from a library beside the program when it is needed.

#include "engine/graph/result.h"
#include "engine/report/graph_drawing.h"

#include <string>

namespace gelens::cli {

/// Writes a drawing in the form that the file's ending asks for. Says so in one sentence when the library is missing.
Status writePictureFile(const GraphDrawing& drawing, const std::string& path, bool isDark);
/// The same for a chart that is an SVG already.
Status writeChartFile(const std::string& svg, const std::string& path);

} // namespace gelens::cli
