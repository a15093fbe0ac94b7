#pragma once
// A drawn graph as SVG (real text, one <text> for each line; opens in browsers and Inkscape) and as DOT.

#include "engine/report/graph_drawing.h"

#include <string>

namespace gelens {

/// The same drawing gives the same bytes, in the window and on the command line.
std::string graphToSvg(const GraphDrawing& drawing, bool isDark);

/// Boxes and edges for Graphviz, open blocks as clusters; places are left to Graphviz.
std::string graphToDot(const GraphDrawing& drawing);

} // namespace gelens
