#pragma once
// The engine speaks in codes; here they get names for people, in the language of the window.

#include "engine/session/run.h"
#include "engine/spec/compile_options.h"
#include "engine/spec/fusion_verdict.h"
#include "engine/spec/memory_plan.h"
#include "engine/spec/step.h"
#include "engine/spec/timeline.h"
#include "engine/spec/unit.h"

#include <QString>

#include <string>
#include <string_view>

namespace gelens::words {

QString text(std::string_view utf8); ///< engine text as it is
QString stage(Stage stage);          ///< "Graph compilation"
/// What happens in one of GE's dump phases ("Graph fusion" for PreRunAfterOptimizeOriginalGraph); the name itself when
/// it is not one we know.
QString phase(std::string_view gePhase);
/// A pass by its own name; what stands in the place of one where graphs of several sources are compared, in words.
QString pass(std::string_view name);
/// What a dumped phase shows, in the language of the window.
QString phaseMeaning(const StepSource& source);
/// The rows that a step's file belongs to: process, graph and part, in the language of the window.
QString stepGroup(const StepSource& source);
QString unit(Unit unit);
QString reason(Reason reason);            ///< "L1 limit"
QString reasonClass(ReasonClass reasons); ///< "Capacity"
QString severity(Severity severity);
QString bufferKind(BufferKind kind);
QString bound(Bound bound);
QString mode(std::string_view mode); ///< "full compilation"

} // namespace gelens::words
