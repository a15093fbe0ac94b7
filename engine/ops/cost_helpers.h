#pragma once
// Costs that many operators share. Unknown dims count as 1; nothing here fails.

#include "engine/ops/op_def.h"

namespace gelens {

/// Elements of a descriptor, unknown dims as 1.
double elementsOf(const TensorDesc& desc);
/// Storage bytes of a descriptor, unknown dims as 1; 0 for types without a size.
double bytesOf(const TensorDesc& desc);
/// Descriptor of what feeds input i (the slot's own when unconnected).
const TensorDesc& inputDesc(const Node& node, const Graph& graph, int i);
const TensorDesc& outputDesc(const Node& node, int i);

/// Bytes of all connected inputs and all outputs; no arithmetic.
Cost bytesOnly(const Node& node, const Graph& graph);

/// `weight` vector operations for each element of the first output, and all bytes. Weights by kind: add, mul,
/// compare, select 1; divide, sqrt 2; exp, log 4; sin, tanh, erf 8; pow 12. They count instructions of the usual
/// polynomial on the vector unit, and are an estimate like all times that the simulator gives.
CostFunction elementwise(double weight);
/// `weight` operations for each element of the first input (reductions, normalisations), and all bytes.
CostFunction perInputElement(double weight);
/// Bytes only, for operators that move data; `strided` > 1 where the access is strided.
CostFunction moving(double strided = 1);

} // namespace gelens
