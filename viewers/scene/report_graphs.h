#pragma once
// The graphs of a report, folded as the window opens them.

#include "engine/report/report_model.h"

#include <vector>

namespace gelens {

/// The model as read and the compiled graph, in the language of the words. Takes the time of two layouts: not for the
/// GUI thread.
std::vector<ReportGraph> reportGraphs(const Run& run, const ReportWords& words = {});

} // namespace gelens
