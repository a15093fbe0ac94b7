#pragma once
// Inputs that make sense to a model: what reads an input tells what values it may hold.

#include "engine/graph/graph.h"
#include "engine/ops/tensor_view.h"

#include <cstdint>
#include <map>
#include <string>

namespace gelens {

/// One tensor for each Data node of the root graph, by name; the same seed gives the same values on every machine.
/// Unknown dims become `unknownDim` (default 1).
/// - floats: uniform in [-1, 1]; where a square root or logarithm reads them: [0.1, 1.1];
/// - an input that ends, through casts, views and slices, as the indices of a Gather or OneHot: integers within
///   the rows of its table; names with "position" count up from 0 along the last axis;
/// - masks (bool, or integers whose name says "mask"): mostly ones, at least the first of each row;
/// - other integers: 0 … 7, so that they serve as small counts, axes and token types; strings: "a", "b", ….
std::map<std::string, HostTensor> randomInputs(const Graph& graph, std::uint64_t seed, std::int64_t unknownDim = 1);

} // namespace gelens
