#pragma once
// A graph that was imported from ONNX as GE holds it right after parsing, for the dumps made before shape inference.

#include "engine/graph/graph.h"

namespace gelens {

/// Our import states shapes and types where they follow from the file, so that the viewers can show them. GE's parser
/// does not: until inference its descriptors are the defaults, but for what its plug-ins set. A graph that came from
/// a GE file is left as it is.
Graph asParsedByGe(const Graph& imported);

} // namespace gelens
