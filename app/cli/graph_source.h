#pragma once
// A graph named on the command line: a file of any format, or FOLDER:PHASE of a dump folder.

#include "engine/formats/dump_folder.h"
#include "engine/graph/result.h"

#include <string>

namespace gelens::cli {

/// Errors are one sentence with the file or the phase.
Result<ModelDocument> openGraph(const std::string& text);

} // namespace gelens::cli
