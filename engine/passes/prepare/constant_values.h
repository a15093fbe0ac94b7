#pragma once
// Values that are known while compiling: constants, and what can be computed from them and from static shapes.

#include "engine/graph/graph.h"
#include "engine/graph/result.h"
#include "engine/passes/pass.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace gelens {

/// Runs the reference kernel of a node on constant inputs. Nothing when the node cannot be folded (no kernel, stateful,
/// sub-graphs, absent weights, an output above `outputLimit` bytes); an Error only for a kernel that failed on present
/// values (a model that contradicts itself).
Result<std::optional<std::vector<Tensor>>> evaluateNode(const Graph& graph, const Node& node,
                                                        const std::function<const Tensor*(int)>& constants,
                                                        std::int64_t outputLimit, std::stop_token stop);

/// What Shape, ShapeN, Rank and Size compute, when the input's shape says so; nothing for other types.
std::optional<std::vector<Tensor>> dimensionValue(const Node& node, const Graph& graph);

} // namespace gelens
