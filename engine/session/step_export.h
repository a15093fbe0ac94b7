#pragma once
// Graphs of chosen steps as GE's own texts, in a folder.

#include "engine/session/session.h"

#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

enum class GraphTextForm { GeOnnx, GeProto, Readable };
std::string_view graphTextFormName(GraphTextForm form); ///< "ge_onnx", "ge_proto", "readable"

struct StepExport {
    std::vector<StepId> steps; ///< in the order in which they are written
    std::vector<GraphTextForm> forms;
    std::string folder; ///< made where it is missing
};

/// Name of one file: as GE names its dumps, so that the folder can be opened as one. The number is that of the step, the
/// phase stands where the step ends it, the pass elsewhere.
std::string stepFileName(const Run& run, StepId step, GraphTextForm form);

/// Writes steps × forms files, values of weights left out, and gives their number; `progress` counts them. Errors: the
/// folder cannot be made, the first file that cannot be written, Cancelled; what was written before stays.
Result<int> exportSteps(const Run& run, const StepExport& wanted, const ProgressFunction& progress = {},
                        std::stop_token stop = {});

} // namespace gelens
