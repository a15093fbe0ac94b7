#pragma once
// Graphviz's `dot` behind the same types. It runs in a child process that is killed at the end of its budget or on a
// stop request; it is told ids and sizes only, never a label or a name.

#include "viewers/layout/layout_types.h"

namespace gelens {

/// Hubs are taken out first if `options.stubHubs`. `error` says in one sentence what went wrong: no such program, out
/// of time, an answer that is no layout. Does not look at `graphvizMaxNodes`: the caller chooses.
LayoutResult graphvizLayout(const LayoutGraph& graph, const LayoutOptions& options);

} // namespace gelens
