#pragma once
// The graphs of a report, folded as the window opens them.

#include "engine/report/report_model.h"

#include <string>
#include <vector>

namespace gelens {

/// The model as read and the compiled graph, each under its caption. Takes the time of two layouts: not for the GUI thread.
std::vector<ReportGraph> reportGraphs(const Run& run, const std::string& beforeCaption,
                                      const std::string& afterCaption);

} // namespace gelens
