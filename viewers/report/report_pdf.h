#pragma once
// A report as PDF: painted page by page from the same model that the HTML is written from.

#include "engine/report/report_model.h"

#include <QString>

namespace gelens {

/// A4, text is text. Returns what went wrong, empty when the file is there. Needs a QGuiApplication; any thread.
QString writeReportPdf(const ReportModel& report, const QString& path);

} // namespace gelens
