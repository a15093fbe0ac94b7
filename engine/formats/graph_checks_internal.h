#pragma once
// Checks that every reader makes of the graph it built; private to this folder.

#include "engine/graph/graph.h"
#include "engine/graph/result.h"

namespace gelens {

/// An error that names the nodes of one cycle. Loops of the old control-flow style (NextIteration) are no error.
Status checkAcyclic(const Graph& graph);

} // namespace gelens
