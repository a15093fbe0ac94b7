#pragma once
// Writes `ge_onnx_*.pbtxt`: GE's own text form of a graph in the ONNX schema.

#include "engine/graph/graph.h"

#include <string>

namespace gelens {

/// What DUMP_GE_GRAPH asks for: everything; without strings and tensor data; names and edges only.
enum class DumpDetail { Full = 1, NoData = 2, Topology = 3 };

/// The text of a whole graph with its sub-graphs, byte for byte as GE prints one. Deterministic.
/// A tensor that shape inference has not reached is printed as GE holds it then: no dims, default type and format.
std::string geOnnxText(const Graph& graph, DumpDetail detail, GraphId root = rootGraph);

} // namespace gelens
