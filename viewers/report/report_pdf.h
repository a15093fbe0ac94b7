#pragma once
// A report as PDF: painted page by page from the same model that the HTML is written from.

#include "engine/report/report_model.h"

#include <QString>

class QPdfWriter;

namespace gelens {

/// A4, text is text. Returns what went wrong, empty when the file is there. Needs a QGuiApplication; any thread.
QString writeReportPdf(const ReportModel& report, const QString& path);

/// Paints the pages onto a writer whose pages have their size and margins; false when nothing can be painted there.
bool paintReport(const ReportModel& report, QPdfWriter& writer);
/// A4 with the report's margins.
void setReportPages(QPdfWriter& writer);

} // namespace gelens
