#pragma once
// `compile --bisect QUESTION`.

#include "app/cli/command_internal.h"

namespace gelens::cli {

/// Prints the first pass that makes it so. 0: it is not so at the end; 1: it is; 2: a question that cannot be answered.
int bisectRun(const Environment& environment, const Session& session, const Run& run, const std::string& text);

} // namespace gelens::cli
