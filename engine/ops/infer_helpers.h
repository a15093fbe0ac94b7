#pragma once
// Inference functions that many operators share.

#include "engine/ops/op_def.h"

#include <string_view>
#include <vector>

namespace gelens {

/// Output 0 has type and shape of input 0.
Status sameAsInput(InferContext& context);
/// The same shape with a fixed type.
InferFunction sameShapeAs(DataType dtype);
/// Output 0: the broadcast of all connected inputs, type of the first. Inputs of different types are an error.
Status broadcastInputs(InferContext& context);
/// Broadcast of inputs 0 and 1 with a fixed type (comparisons).
InferFunction broadcastTo(DataType dtype);
/// Broadcast of inputs 0 and 1, type of input 0, without a check of the second type (Pow, BitShift).
Status broadcastOfTwo(InferContext& context);

/// Axes as positive, sorted, unique numbers; an error names the axis that does not exist.
Result<std::vector<int>> normalizeAxes(const std::vector<std::int64_t>& axes, int rank);
/// `shape` reduced over `axes` (positive, sorted): kept as 1 or dropped.
Shape reducedShape(const Shape& shape, const std::vector<int>& axes, bool keepDims);

/// The error of a Result<Shape> with the node's name as place.
Error at(const InferContext& context, const Error& error);

} // namespace gelens
