#pragma once
// `compile --bisect QUESTION`.

#include "app/cli/command_internal.h"
#include "engine/report/run_json.h"

#include <iosfwd>

namespace gelens::cli {

/// Looks for the first pass that makes it so. Errors: a question that cannot be answered for this run.
Result<BisectReport> bisectRun(const Session& session, const Run& run, const std::string& text);

/// One line.
void printBisect(std::ostream& out, const Run& run, const BisectReport& bisected);

/// 0: it is not so at the end; 1: it is.
int statusOf(const BisectReport& bisected);

} // namespace gelens::cli
