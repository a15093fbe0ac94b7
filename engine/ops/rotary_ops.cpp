// Rotary position embedding. Part of the fused family.

#include "engine/ops/cost_helpers.h"
#include "engine/ops/cube_common.h"
#include "engine/ops/fused_private.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

namespace gelens {
namespace {

enum RotaryMode { Half = 0, Interleave = 1 };

/// One row: y = x·cos + rotated(x)·sin. Half pairs element i with i + D/2, interleave with its neighbour.
void rotateRow(const float* x, const float* cosine, std::int64_t cosineStep, const float* sine, std::int64_t sineStep,
               std::int64_t size, int mode, float* y)
{
    const std::int64_t half = size / 2;
    for (std::int64_t i = 0; i < half; ++i) {
        const std::int64_t first = mode == Interleave ? 2 * i : i, second = mode == Interleave ? 2 * i + 1 : i + half;
        const float a = x[first], b = x[second];
        y[first] = a * cosine[first * cosineStep] - b * sine[first * sineStep];
        y[second] = b * cosine[second * cosineStep] + a * sine[second * sineStep];
    }
}

/// Where rows of a tensor lie: logical axes with strides, the last one dense.
struct RowAxes {
    std::vector<std::int64_t> dims, strides; // without the last axis
    std::int64_t size = 1;
    Shape logical() const
    {
        Shape shape{std::vector<std::int64_t>(dims)};
        shape.append(size);
        return shape;
    }
};

RowAxes denseRows(const Shape& shape)
{
    RowAxes rows;
    rows.size = shape.dim(-1);
    std::int64_t stride = rows.size;
    for (int i = shape.rank() - 2; i >= 0; --i) {
        rows.dims.insert(rows.dims.begin(), shape.dim(i));
        rows.strides.insert(rows.strides.begin(), stride);
        stride *= shape.dim(i);
    }
    return rows;
}

/// q and k of a packed [B, S, 3, N, D] (or flat) tensor, as [2, B, N, S, D].
Result<RowAxes> packedRows(const Shape& shape, std::int64_t heads)
{
    std::int64_t size = 0;
    if (shape.rank() == 5 && shape.dim(2) == 3) {
        heads = shape.dim(3);
        size = shape.dim(4);
    } else if (shape.rank() == 3 && heads > 0 && shape.dim(2) % (3 * heads) == 0) {
        size = shape.dim(2) / (3 * heads);
    } else {
        return Error::invalid(fmt::format("x of shape {} does not hold 3 x {} heads", shape.text(), heads));
    }
    RowAxes rows;
    rows.size = size;
    const std::int64_t width = 3 * heads * size;
    rows.dims = {2, shape.dim(0), heads, shape.dim(1)};
    rows.strides = {heads * size, shape.dim(1) * width, size, width};
    return rows;
}

Status rotate(const KernelContext& context, const RowAxes& rows, const float* x, int cosineSlot, int sineSlot, int mode,
              float* y)
{
    if (rows.size % 2 != 0) return context.error(fmt::format("head size {} is odd", rows.size));
    const Shape logical = rows.logical();
    for (const int slot : {cosineSlot, sineSlot})
        if (!broadcastsTo(context.input(slot).shape, logical))
            return context.error(fmt::format("input {} of shape {} does not broadcast to {}", slot,
                                             context.input(slot).shape.text(), logical.text()));
    GELENS_ASSIGN(const FloatOperand cosine, FloatOperand::of(context, cosineSlot));
    GELENS_ASSIGN(const FloatOperand sine, FloatOperand::of(context, sineSlot));
    const auto cs = broadcastStrides(context.input(cosineSlot).shape, logical);
    const auto ss = broadcastStrides(context.input(sineSlot).shape, logical);
    std::int64_t count = 1;
    for (const std::int64_t dim : rows.dims) count *= dim;
    std::vector<std::int64_t> index(rows.dims.size(), 0);
    for (std::int64_t row = 0; row < count; ++row) {
        std::int64_t at = 0, c = 0, s = 0;
        for (std::size_t axis = 0; axis < index.size(); ++axis) {
            at += index[axis] * rows.strides[axis];
            c += index[axis] * cs[axis];
            s += index[axis] * ss[axis];
        }
        rotateRow(x + at, cosine.data() + c, cs.back(), sine.data() + s, ss.back(), rows.size, mode, y + at);
        for (std::size_t axis = index.size(); axis-- > 0;) {
            if (++index[axis] < rows.dims[axis]) break;
            index[axis] = 0;
        }
    }
    return {};
}

Status inferLikeInputs(InferContext& context)
{
    for (int i = 0; i < context.outputCount(); ++i) context.setOutput(i, context.dtype(i), context.shape(i));
    return {};
}

Status rotaryKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    if (x.shape.rank() < 1) return context.error("x has no axes");
    const std::int64_t mode = attrInt(context.attrs(), "mode");
    if (mode != Half && mode != Interleave) return context.error(fmt::format("mode {} is not supported", mode));
    const bool isPacked = attrString(context.attrs(), "input_layout") == "BS3ND";
    Result<RowAxes> rows = isPacked ? packedRows(x.shape, attrInt(context.attrs(), "head_num")) : denseRows(x.shape);
    if (!rows.ok()) return context.error(rows.error().what);
    GELENS_ASSIGN(const std::vector<float> source, context.floats(0)); // a copy: y may lie over x
    std::vector<float> y = source;
    GELENS_TRY(rotate(context, *rows, source.data(), 1, 2, static_cast<int>(mode), y.data()));
    return context.setFloats(0, x.dtype, x.shape, y);
}

Status rotaryMulKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    if (x.shape.rank() < 1) return context.error("x has no axes");
    const std::string mode = attrString(context.attrs(), "rotary_mode", "half");
    if (mode != "half" && mode != "interleave")
        return context.error(fmt::format("rotary_mode '{}' is not supported", mode));
    GELENS_ASSIGN(const std::vector<float> source, context.floats(0));
    std::vector<float> y = source;
    GELENS_TRY(rotate(context, denseRows(x.shape), source.data(), 1, 2, mode == "half" ? Half : Interleave, y.data()));
    return context.setFloats(0, x.dtype, x.shape, y);
}

Status applyRotaryKernel(KernelContext& context)
{
    const std::string mode = attrString(context.attrs(), "rotary_mode", "half");
    if (mode != "half" && mode != "interleave")
        return context.error(fmt::format("rotary_mode '{}' is not supported", mode));
    std::vector<float> results[2];
    for (const int slot : {0, 1}) {
        if (context.input(slot).shape.rank() < 1) return context.error("query and key need axes");
        GELENS_ASSIGN(const std::vector<float> source, context.floats(slot));
        results[slot] = source;
        GELENS_TRY(rotate(context, denseRows(context.input(slot).shape), source.data(), 2, 3,
                          mode == "half" ? Half : Interleave, results[slot].data()));
    }
    for (const int slot : {0, 1})
        if (slot < context.outputCount())
            GELENS_TRY(context.setFloats(slot, context.input(slot).dtype, context.input(slot).shape, results[slot]));
    return {};
}

} // namespace

void registerRotaryOps(OpRegistry& registry)
{
    registry.add(
        OpDef("RotaryPositionEmbedding")
            .doc("y = x·cos + rotate(x)·sin along the last axis; rotate is (−second half, first half) in mode 0, "
                 "(−odd, even) neighbours in mode 1. cos and sin broadcast to x. In fp32, one rounding on storage; "
                 "y may lie over x. input_layout BS3ND (the simulator's): x is a packed [B, S, 3, N, D] or "
                 "[B, S, 3·N·D] of q, k and v; q and k are rotated, with cos and sin broadcast to "
                 "[2, B, N, S, D], and v stays as it is")
            .source("CANN operator library; packed layout of the simulator")
            .input("x")
            .input("cos")
            .input("sin")
            .output("y")
            .attr("mode", 0)
            .attr("input_layout", "")
            .attr("head_num", 0)
            .unit(Unit::Vector)
            .fusionClass(FusionClass::Other)
            .mayRunInPlace()
            .formats(FormatSupport::Matrices)
            .infer(inferLikeInputs)
            .cost(elementwise(3))
            .kernel(rotaryKernel));
    registry.add(OpDef("RotaryMul")
                     .arithmetic(Arithmetic::Fp32)
                     .doc("y = x·r1 + rotate(x)·r2 along the last axis, as RotaryPositionEmbedding")
                     .source("CANN operator library")
                     .input("x")
                     .input("r1")
                     .input("r2")
                     .output("y")
                     .attr("rotary_mode", "half")
                     .unit(Unit::Vector)
                     .fusionClass(FusionClass::Other)
                     .mayRunInPlace()
                     .infer(inferLikeInputs)
                     .cost(elementwise(3))
                     .kernel(rotaryMulKernel));
    registry.add(
        OpDef("ApplyRotaryPosEmb")
            .doc("RotaryPositionEmbedding of query and key at once, in place; cos and sin broadcast to each. In "
                 "fp32, one rounding on storage")
            .source("CANN operator library")
            .input("query")
            .input("key")
            .input("cos")
            .input("sin")
            .output("query")
            .output("key")
            .attr("layout", 1)
            .attr("rotary_mode", "half")
            .unit(Unit::Vector)
            .fusionClass(FusionClass::Other)
            .mayRunInPlace(0, 0)
            .mayRunInPlace(1, 1)
            .infer(inferLikeInputs)
            .cost([](const Node& node, const Graph& graph) {
                Cost cost = bytesOnly(node, graph);
                cost.vectorOps = 3 * (elementsOf(outputDesc(node, 0)) + elementsOf(outputDesc(node, 1)));
                return cost;
            })
            .kernel(applyRotaryKernel));
}

} // namespace gelens
