#pragma once
// A drawing as a file. The same drawing and theme give the same bytes, in the window and on the command line.

#include "engine/graph/result.h"
#include "engine/report/graph_drawing.h"

#include <string>

namespace gelens {

/// The file's ending chooses: .svg, .dot, .png, .pdf. May be called off the GUI thread. PNG and PDF need a
/// QGuiApplication. PDF has real text; a PNG has two pixels for each scene pixel, fewer where a side would be longer
/// than most programs open.
Status writePicture(const GraphDrawing& drawing, const std::string& path, bool isDark);

} // namespace gelens
