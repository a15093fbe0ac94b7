#pragma once
// The matrix product behind MatMul, BatchMatMul, GEMM, their integer and quantised forms, and fused operators.

#include "engine/ops/cube_common.h"

#include <algorithm>

namespace gelens {

/// How two operands of NumPy's matmul meet. 1-D operands get a row or column axis, dropped from the result.
struct MatMulPlan {
    Shape out;                        ///< result, unknown dims as -1
    std::vector<std::int64_t> batch;  ///< broadcast batch dims
    std::int64_t m = 1, k = 1, n = 1; ///< -1 when unknown
    bool dropM = false, dropN = false;
    bool sharedB = false; ///< b has no batch dims: batches of a may be run as one tall matrix
};

/// Plans op(a)·op(b); the error text names both shapes. Unknown dims stay unknown.
Result<MatMulPlan> planMatMul(const Shape& a, const Shape& b, bool transposeA, bool transposeB);

/// Matrix index of each batch element in an operand, for broadcast batch dims. Shapes must be static.
std::vector<std::int64_t> batchOffsets(const Shape& operand, const std::vector<std::int64_t>& batch);

/// Product in fp32 into a dense result.
void matMulFloat(const MatMulPlan& plan, const Shape& aShape, const Shape& bShape, bool transposeA, bool transposeB,
                 const float* a, const float* b, float* y);

/// Product of any element type with its own accumulator; for types that the fp32 path would falsify.
template <typename T, typename Acc>
void matMulExact(const MatMulPlan& plan, const std::vector<std::int64_t>& ao, const std::vector<std::int64_t>& bo,
                 bool ta, bool tb, const T* a, const T* b, Acc* y)
{
    const std::int64_t m = plan.m, k = plan.k, n = plan.n;
    std::fill(y, y + static_cast<std::int64_t>(ao.size()) * m * n, Acc{});
    for (std::size_t batch = 0; batch < ao.size(); ++batch) {
        const T* const pa = a + ao[batch] * m * k;
        const T* const pb = b + bo[batch] * k * n;
        Acc* const py = y + static_cast<std::int64_t>(batch) * m * n;
        for (std::int64_t i = 0; i < m; ++i) {
            for (std::int64_t p = 0; p < k; ++p) {
                const Acc left = static_cast<Acc>(ta ? pa[p * m + i] : pa[i * k + p]);
                Acc* const row = py + i * n;
                if (tb)
                    for (std::int64_t j = 0; j < n; ++j) row[j] += left * static_cast<Acc>(pb[j * k + p]);
                else
                    for (std::int64_t j = 0; j < n; ++j) row[j] += left * static_cast<Acc>(pb[p * n + j]);
            }
        }
    }
}

/// Attributes under any of their names (transpose_x1, adj_x1, transpose_a …).
bool transposesFirst(const AttrMap& attrs);
bool transposesSecond(const AttrMap& attrs);

/// Sizes of the product for the clock, from descriptors of inputs `a` and `b`.
Cost matMulCost(const Node& node, const Graph& graph, int a, int b);

} // namespace gelens
