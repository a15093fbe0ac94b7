#pragma once
// Options and figures of runs in the language of the window.

#include "engine/session/what_if.h"

#include <QString>

namespace gelens::words {

/// "SoC Ascend910B1 → Ascend310P3", "rule FlashAttentionFusion on", "L1 1,081,344 B".
QString optionChange(const OptionChange& change);
/// All changes on one line; "same options" when there is none.
QString optionChanges(const std::vector<OptionChange>& changes);
QString figure(const std::string& figure); ///< of FigureChange
QString figureValue(FigureChange::Unit unit, double value);
/// "−12.5 %", "+38", "same".
QString figureDifference(const FigureChange& change);
QString memoryPolicy(MemoryPolicy policy);
QString precision(PrecisionMode precision);

} // namespace gelens::words
