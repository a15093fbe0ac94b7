#pragma once
// What the command line finds of reports in the picture library: plain C, so that it can be looked up by name.

#include "engine/report/report_model.h"

#include <functional>
#include <string>

namespace gelens {

/// Calls `use` with the words of a report in a language of the window ("zh_CN"); they hold until it returns.
inline constexpr const char* reportWordsFunction = "gelensWithReportWords";
using WithReportWords = int (*)(const char* language, const std::function<void(const ReportWords&)>* use,
                                std::string* error);

/// A report as PDF.
inline constexpr const char* reportFunction = "gelensWriteReport";
using WriteReport = int (*)(const ReportModel* report, const char* path, std::string* error);

} // namespace gelens
