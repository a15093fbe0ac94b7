#pragma once
// Node-level differences between two graphs of one run, for the nodes the journal says were touched.

#include "engine/session/run.h"

namespace gelens {

GraphDiff diffOfTouched(const Graph& before, const Graph& after, const Run::Touched& touched);

/// Fields in which two nodes differ, edges included. Names of neighbours are taken from each node's own graph.
std::vector<FieldChange> nodeFieldChanges(const Graph& beforeGraph, const Node& before, const Graph& afterGraph,
                                          const Node& after);

} // namespace gelens
