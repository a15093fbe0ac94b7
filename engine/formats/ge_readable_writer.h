#pragma once
// Writes `ge_readable_*.txt`: GE's listing of a graph for people.

#include "engine/graph/graph.h"

#include <string>

namespace gelens {

/// A graph and those that its nodes own, byte for byte as GE prints them.
std::string geReadableText(const Graph& graph, GraphId root = rootGraph);

} // namespace gelens
