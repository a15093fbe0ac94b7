#pragma once
// Figures of a report: memory over time, tasks over time. Private to this folder.

#include "engine/report/report_model.h"

namespace gelens::report {

/// Time across (task order), address up; the peak is marked. Empty without a plan.
std::string memorySvg(const Run& run, const std::string& timeTitle, const std::string& addressTitle,
                      const std::string& peakTitle);
/// One track for each stream, coloured by unit. Empty without tasks.
std::string timelineSvg(const Run& run, const std::string& axisTitle, const std::string& streamTitle);

/// 1234567 → "1,234,567".
std::string grouped(std::int64_t value);
std::string bytesText(std::int64_t bytes);
std::string microsecondsText(double value);

} // namespace gelens::report
