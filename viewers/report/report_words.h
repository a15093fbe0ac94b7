#pragma once
// The words of a report in the language of the window.

#include "engine/report/report_model.h"

namespace gelens {

/// Texts are looked up at once, so that the words may be used off the GUI thread.
ReportWords reportWords();

} // namespace gelens
