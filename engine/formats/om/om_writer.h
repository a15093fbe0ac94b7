#pragma once
// Writes a compiled graph with its plan as an OM file that CANN's tools and Netron parse. It holds no device binaries
// and says so in its attributes.

#include "engine/graph/graph.h"
#include "engine/graph/result.h"
#include "engine/spec/memory_plan.h"
#include "engine/spec/task_list.h"

#include <filesystem>
#include <string>

namespace gelens {

struct OmContent {
    const Graph& graph;
    const MemoryPlan& plan;
    const TaskList& tasks;
    std::string soc;            ///< "Ascend910B1"
    std::string originalFormat; ///< of the model it was compiled from: "ONNX"
};

/// Constants whose bytes are absent become FileConstant operators with location, offset and length. Payloads go
/// straight from where they lie to the file. The file appears under its name only once it is whole.
/// Errors: the file cannot be written; a model definition beyond protobuf's 2 GiB; a kernel that is not of an operator in
/// the outermost graph; a name that is no UTF-8 text. Each names the file, and none leaves one behind.
Status writeOm(const OmContent& content, const std::filesystem::path& path);

} // namespace gelens
