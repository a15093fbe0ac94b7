#pragma once
// PNG, PDF and the window's languages for the command line, loaded from a library beside the program when they are needed.

#include "engine/graph/result.h"
#include "engine/report/graph_drawing.h"
#include "engine/report/report_model.h"

#include <functional>
#include <string>

namespace gelens::cli {

/// Writes a drawing in the form that the file's ending asks for. Says so in one sentence when the library is missing.
Status writePictureFile(const GraphDrawing& drawing, const std::string& path, bool isDark);
/// The same for a chart that is an SVG already.
Status writeChartFile(const std::string& svg, const std::string& path);
/// A report as PDF.
Status writeReportFile(const ReportModel& report, const std::string& path);
/// Calls `use` with the words of a report in a language of the window ("zh_CN").
Status withReportWords(const std::string& language, const std::function<void(const ReportWords&)>& use);

} // namespace gelens::cli
