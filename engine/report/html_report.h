#pragma once
// A report as one HTML file that needs nothing else: style, figures and tables inside, no scripts, no network.

#include "engine/report/report_model.h"

#include <string>

namespace gelens {

/// UTF-8. Numbers that `compile --json` has too carry their key and exact value: <td data-figure="nodes.after"
/// data-value="318">. Light and dark follow the reader's system.
std::string reportToHtml(const ReportModel& report);

} // namespace gelens
