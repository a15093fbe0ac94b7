#pragma once
// Two runs side by side, and a run against a list of fusions that it must make.

#include "app/cli/command_internal.h"
#include "engine/report/fusion_gate.h"

namespace gelens::cli {

/// The options of the second run: those of the first with the ones in `text` ("--soc Ascend310P3") put over them.
Result<RunArguments> againstArguments(const RunArguments& base, const std::string& text);

/// Operators, memory, tasks, latency of both runs, and the fusions that only one of them has.
void printComparison(std::ostream& out, const Run& first, const Run& second);

/// Done when every fusion of the file fired often enough; else prints a table to the error stream and gives Differs.
int checkExpectedFusions(const Environment& environment, const Run& run, const std::string& file);

/// The file of --expect-fusions; an error names it.
Result<std::vector<FusionExpectation>> expectedFusions(const std::string& file);

} // namespace gelens::cli
