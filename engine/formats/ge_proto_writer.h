#pragma once
// Writes `ge_proto_*.txt`: GE's ModelDef in protobuf's text form.

#include "engine/formats/ge_onnx_writer.h"

#include <string>

namespace gelens {

/// The text of a graph with all graphs below it, byte for byte as GE prints one. Deterministic.
/// Levels 1 and 2 carry the three option attributes, values of constants only level 1.
std::string geProtoText(const Graph& graph, DumpDetail detail, GraphId root = rootGraph);

/// The same model in wire form with weights, as GE saves an `.air` file.
std::string airBytes(const Graph& graph);

} // namespace gelens
