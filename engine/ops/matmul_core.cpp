#include "engine/ops/matmul_core.h"

#include "engine/ops/cost_helpers.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {
namespace {

/// Shape with at least two axes: 1-D operands get one (front for a, back for b).
Shape asMatrix(const Shape& shape, bool isFirst)
{
    if (shape.rank() != 1) return shape;
    Shape matrix;
    if (isFirst) matrix.append(1);
    appendDim(matrix, shape, 0);
    if (!isFirst) matrix.append(1);
    return matrix;
}

Shape withoutLastTwo(const Shape& shape)
{
    Shape batch;
    for (int i = 0; i + 2 < shape.rank(); ++i) appendDim(batch, shape, i);
    return batch;
}

} // namespace

Result<MatMulPlan> planMatMul(const Shape& aGiven, const Shape& bGiven, bool transposeA, bool transposeB)
{
    MatMulPlan plan;
    plan.m = plan.k = plan.n = unknownDim;
    if (!aGiven.hasRank() || !bGiven.hasRank()) {
        plan.out = Shape::unknownRank();
        return plan;
    }
    if (aGiven.rank() == 0 || bGiven.rank() == 0)
        return Error::invalid(
            fmt::format("a scalar cannot be multiplied as a matrix ({} x {})", aGiven.text(), bGiven.text()));
    plan.dropM = aGiven.rank() == 1;
    plan.dropN = bGiven.rank() == 1;
    // A vector has no second axis to exchange.
    const bool ta = transposeA && !plan.dropM, tb = transposeB && !plan.dropN;
    const Shape a = asMatrix(aGiven, true), b = asMatrix(bGiven, false);
    plan.m = a.dim(ta ? -1 : -2);
    plan.k = a.dim(ta ? -2 : -1);
    const std::int64_t kb = b.dim(tb ? -1 : -2);
    plan.n = b.dim(tb ? -2 : -1);
    if (dimsContradict(plan.k, kb))
        return Error::invalid(fmt::format("inner dims differ: {}{} x {}{}", aGiven.text(), ta ? " transposed" : "",
                                          bGiven.text(), tb ? " transposed" : ""));
    if (plan.k < 0) plan.k = kb;
    auto batch = broadcastShapes(withoutLastTwo(a), withoutLastTwo(b));
    if (!batch.ok())
        return Error::invalid(fmt::format("batch dims of {} and {} cannot be broadcast", aGiven.text(), bGiven.text()));
    plan.batch = batch->dims();
    plan.out = *batch;
    if (!plan.dropM) appendDim(plan.out, a, ta ? -1 : -2);
    if (!plan.dropN) appendDim(plan.out, b, tb ? -2 : -1);
    plan.sharedB = b.rank() == 2;
    return plan;
}

std::vector<std::int64_t> batchOffsets(const Shape& operand, const std::vector<std::int64_t>& batch)
{
    Shape own;
    for (int i = 0; i + 2 < operand.rank(); ++i) own.append(operand.dim(i));
    const Shape wanted{std::vector<std::int64_t>(batch)};
    const std::vector<std::int64_t> strides = broadcastStrides(own, wanted);
    const std::int64_t count = wanted.elementCount().value_or(0);
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(count));
    std::vector<std::int64_t> index(batch.size(), 0);
    std::int64_t offset = 0;
    for (std::int64_t& at : offsets) {
        at = offset;
        for (std::size_t axis = batch.size(); axis-- > 0;) {
            offset += strides[axis];
            if (++index[axis] < batch[axis]) break;
            offset -= strides[axis] * batch[axis];
            index[axis] = 0;
        }
    }
    return offsets;
}

void matMulFloat(const MatMulPlan& plan, const Shape& aShape, const Shape& bShape, bool transposeA, bool transposeB,
                 const float* a, const float* b, float* y)
{
    const bool ta = transposeA && !plan.dropM, tb = transposeB && !plan.dropN;
    const Shape sa = asMatrix(aShape, true), sb = asMatrix(bShape, false);
    const std::int64_t batches = Shape(std::vector<std::int64_t>(plan.batch)).elementCount().value_or(0);
    if (plan.sharedB && !ta) {
        gemmFloat(false, tb, batches * plan.m, plan.n, plan.k, a, b, y);
        return;
    }
    const std::vector<std::int64_t> ao = batchOffsets(sa, plan.batch), bo = batchOffsets(sb, plan.batch);
    for (std::int64_t i = 0; i < batches; ++i) {
        const auto at = static_cast<std::size_t>(i);
        gemmFloat(ta, tb, plan.m, plan.n, plan.k, a + ao[at] * plan.m * plan.k, b + bo[at] * plan.k * plan.n,
                  y + i * plan.m * plan.n);
    }
}

bool transposesFirst(const AttrMap& attrs)
{
    return attrBool(attrs, "transpose_x1") || attrBool(attrs, "adj_x1") || attrBool(attrs, "transpose_a");
}

bool transposesSecond(const AttrMap& attrs)
{
    return attrBool(attrs, "transpose_x2") || attrBool(attrs, "adj_x2") || attrBool(attrs, "transpose_b");
}

Cost matMulCost(const Node& node, const Graph& graph, int a, int b)
{
    Cost cost = bytesOnly(node, graph);
    const auto plan = planMatMul(inputDesc(node, graph, a).originShape, inputDesc(node, graph, b).originShape,
                                 transposesFirst(node.attrs), transposesSecond(node.attrs));
    if (!plan.ok() || !plan->out.hasRank()) return cost;
    cost.m = std::max<std::int64_t>(plan->m, 1);
    cost.k = std::max<std::int64_t>(plan->k, 1);
    cost.n = std::max<std::int64_t>(plan->n, 1);
    cost.batch = 1;
    for (const std::int64_t dim : plan->batch)
        if (dim > 0) cost.batch *= dim;
    if (plan->sharedB && !transposesFirst(node.attrs)) { // one tall product
        cost.m *= cost.batch;
        cost.batch = 1;
    }
    cost.cubeMacs = static_cast<double>(cost.m) * static_cast<double>(cost.k) * static_cast<double>(cost.n) *
                    static_cast<double>(cost.batch);
    return cost;
}

} // namespace gelens
