#pragma once
// The matrix product behind MatMul, BatchMatMul, GEMM, their integer and quantised forms, and fused operators.

#include "engine/ops/cube_common.h"

namespace gelens {

/// How two operands of NumPy's matmul meet. 1-D operands get a row or column axis, dropped from the result.
struct MatMulPlan {
    Shape out;                      ///< result, unknown dims as -1
    std::vector<std::int64_t> batch; ///< broadcast batch dims
    std::int64_t m = 1, k = 1, n = 1; ///< -1 when unknown
    bool dropM = false, dropN = false;
    bool sharedB = false;           ///< b has no batch dims: batches of a may be run as one tall matrix
};

/// Plans op(a)·op(b); the error text names both shapes. Unknown dims stay unknown.
Result<MatMulPlan> planMatMul(const Shape& a, const Shape& b, bool transposeA, bool transposeB);

/// Matrix index of each batch element in an operand, for broadcast batch dims. Shapes must be static.
std::vector<std::int64_t> batchOffsets(const Shape& operand, const std::vector<std::int64_t>& batch);

/// Product in fp32 into a dense result.
void matMulFloat(const MatMulPlan& plan, const Shape& aShape, const Shape& bShape, bool transposeA, bool transposeB,
                 const float* a, const float* b, float* y);

/// Attributes under any of their names (transpose_x1, adj_x1, transpose_a …).
bool transposesFirst(const AttrMap& attrs);
bool transposesSecond(const AttrMap& attrs);

/// Sizes of the product for the clock, from descriptors of inputs `a` and `b`.
Cost matMulCost(const Node& node, const Graph& graph, int a, int b);

} // namespace gelens
