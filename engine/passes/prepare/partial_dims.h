#pragma once
// Dims that are known in part: shape arithmetic on tensors of which only some dims are known.

#include "engine/graph/graph.h"

#include <functional>
#include <optional>
#include <vector>

namespace gelens {

/// Integers of a scalar or a list, -1 where one is not known.
using PartialInts = std::vector<std::int64_t>;

/// What a node of shape arithmetic (Shape, Gather, Unsqueeze, Concat …) gives when its operands are known in part;
/// nothing for other nodes, and where nothing is known. `operand(i)` gives input i, whole or in part.
std::optional<PartialInts> partialValue(const Node& node, const Graph& graph,
                                        const std::function<std::optional<PartialInts>(int)>& operand);

/// Dims of a Reshape to `wanted`: those that inference knows already, else those that `wanted` states outright. A 0 or a
/// -1 in it stays unknown.
Shape reshapedDims(const Shape& inferred, const PartialInts& wanted);

} // namespace gelens
