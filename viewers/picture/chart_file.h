#pragma once
// A chart of the report library as a file: its SVG as it is, or painted into a PNG or a PDF.

#include "engine/graph/result.h"

#include <string>

namespace gelens {

/// The file's ending chooses: .svg, .png (two pixels for each of the chart's) or .pdf (real text). PNG and PDF need a
/// QGuiApplication.
Status writeChart(const std::string& svg, const std::string& path);
/// Writes text as it is.
Status writeText(const std::string& text, const std::string& path);

} // namespace gelens
