#pragma once
// A graph as JSON, for scripts: one object for each node, edges by name.

#include "engine/graph/graph.h"

#include <string>

namespace gelens {

/// `{"name", "graphs": [{"name", "owner", "nodes": [{"id", "name", "type", "inputs": [{"name", "from", "dtype", "shape",
/// "format"}], "outputs": […], "control": […], "attrs": {…}, "stream", "engine"}]}], "outputs": ["node:0"]}`. The root graph is
/// the first of `graphs`. Unknown dimensions are -1, an unknown rank is null. Attributes are numbers, texts, booleans and
/// lists of them; all else is said in words, and the values of constants are left out.
std::string graphToJson(const Graph& graph);

} // namespace gelens
