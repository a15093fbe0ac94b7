// Gated activations and small fused element-wise operators. Part of the fused family.

#include "engine/ops/cost_helpers.h"
#include "engine/ops/cube_common.h"
#include "engine/ops/fused_private.h"
#include "engine/ops/infer_helpers.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

namespace gelens {
namespace {

// ---- one input, split in two halves along `dim` ----

Result<Shape> halvedShape(const AttrMap& attrs, const Shape& x, int& axis)
{
    if (!x.hasRank()) return x;
    const auto found = normalizeAxis(attrInt(attrs, "dim", -1), x.rank());
    if (!found) return Error::invalid(fmt::format("dim {} does not exist in {}", attrInt(attrs, "dim", -1), x.text()));
    axis = *found;
    Shape out = x;
    const std::int64_t size = x.dim(axis);
    if (size >= 0 && size % 2 != 0)
        return Error::invalid(fmt::format("axis {} of {} cannot be halved", axis, x.text()));
    if (size >= 0)
        out.setDim(static_cast<std::size_t>(axis), size / 2);
    else
        out.setSymbol(static_cast<std::size_t>(axis), {});
    return out;
}

Status inferHalves(InferContext& context)
{
    int axis = 0;
    auto out = halvedShape(context.attrs(), context.shape(0), axis);
    if (!out.ok()) return context.error(out.error().what);
    for (int i = 0; i < context.outputCount(); ++i) context.setOutput(i, context.dtype(0), *out);
    return {};
}

/// y = gate(first) · second, or gate(second) · first when the activation works on the second half.
Status gatedHalves(KernelContext& context, ScalarActivation gate, bool gatesSecond)
{
    const TensorView& x = context.input(0);
    int axis = 0;
    const auto out = halvedShape(context.attrs(), x.shape, axis);
    if (!out.ok()) return context.error(out.error().what);
    GELENS_ASSIGN(const FloatOperand source, FloatOperand::of(context, 0));
    GELENS_ASSIGN(FloatResult y, FloatResult::make(context, 0, x.dtype, *out));
    std::int64_t outer = 1, inner = out->dim(axis);
    for (int i = 0; i < axis; ++i) outer *= out->dim(i);
    for (int i = axis + 1; i < out->rank(); ++i) inner *= out->dim(i);
    std::vector<float> gated(context.outputCount() > 1 ? y.size() : 0);
    for (std::int64_t o = 0; o < outer; ++o) {
        const float* const first = source.data() + o * 2 * inner;
        const float* const second = first + inner;
        for (std::int64_t i = 0; i < inner; ++i) {
            const float activated = gate(gatesSecond ? second[i] : first[i], 1, 0);
            y.data()[o * inner + i] = activated * (gatesSecond ? first[i] : second[i]);
            if (!gated.empty()) gated[static_cast<std::size_t>(o * inner + i)] = activated;
        }
    }
    GELENS_TRY(y.finish(context));
    return context.outputCount() > 1 ? context.setFloats(1, x.dtype, *out, gated) : Status();
}

Status geGluKernel(KernelContext& context)
{
    const bool isTanh = attrInt(context.attrs(), "approximate", 1) == 1;
    return gatedHalves(context, findActivation(isTanh ? "GeluTanh" : "Gelu"),
                       !attrBool(context.attrs(), "activate_left"));
}

/// y = activation(x1) · x2, broadcasting.
KernelFunction gatedProduct(const char* activation)
{
    return [activation](KernelContext& context) -> Status {
        const Shape &a = context.input(0).shape, &b = context.input(1).shape;
        auto shape = broadcastShapes(a, b);
        if (!shape.ok()) return context.error(shape.error().what);
        GELENS_ASSIGN(std::vector<float> left, context.floats(0));
        GELENS_ASSIGN(const FloatOperand right, FloatOperand::of(context, 1));
        const ScalarActivation function = findActivation(activation);
        for (float& value : left) value = function(value, 1, 0);
        std::vector<float> y(static_cast<std::size_t>(shape->elementCount().value_or(0)), 0.0f);
        std::vector<float> factor(y.size(), 0.0f);
        addBroadcast(y.data(), *shape, left.data(), a);
        addBroadcast(factor.data(), *shape, right.data(), b);
        for (std::size_t i = 0; i < y.size(); ++i) y[i] *= factor[i];
        return context.setFloats(0, context.input(0).dtype, *shape, y);
    };
}

// ---- multiply-add ----

Status inferMultiplyAdd(InferContext& context)
{
    auto product = broadcastShapes(context.shape(0), context.shape(1));
    if (!product.ok()) return context.error(product.error().what);
    auto sum = broadcastShapes(*product, context.shape(2));
    if (!sum.ok()) return context.error(sum.error().what);
    context.setOutput(0, context.dtype(0), *sum);
    return {};
}

/// y = input[a] · input[b] + input[c] in fp32 (fp64 for fp64), one rounding.
KernelFunction multiplyAdd(int a, int b, int c)
{
    return [a, b, c](KernelContext& context) -> Status {
        Shape shape = context.input(0).shape;
        for (const int i : {1, 2}) {
            auto wider = broadcastShapes(shape, context.input(i).shape);
            if (!wider.ok()) return context.error(wider.error().what);
            shape = *wider;
        }
        GELENS_ASSIGN(const std::vector<double> x, context.doubles(a));
        GELENS_ASSIGN(const std::vector<double> factor, context.doubles(b));
        GELENS_ASSIGN(const std::vector<double> added, context.doubles(c));
        const auto sx = broadcastStrides(context.input(a).shape, shape),
                   sf = broadcastStrides(context.input(b).shape, shape),
                   sa = broadcastStrides(context.input(c).shape, shape);
        std::vector<double> y(static_cast<std::size_t>(shape.elementCount().value_or(0)));
        const DataType type = context.input(0).dtype;
        for (std::size_t i = 0; i < y.size(); ++i) {
            auto rest = static_cast<std::int64_t>(i);
            std::int64_t ox = 0, of = 0, oa = 0;
            for (int axis = shape.rank() - 1; axis >= 0; --axis) {
                const auto at = static_cast<std::size_t>(axis);
                const std::int64_t position = rest % shape.dim(axis);
                rest /= shape.dim(axis);
                ox += position * sx[at];
                of += position * sf[at];
                oa += position * sa[at];
            }
            const double p = x[static_cast<std::size_t>(ox)] * factor[static_cast<std::size_t>(of)];
            const double s = added[static_cast<std::size_t>(oa)];
            y[i] =
                type == DataType::Double ? p + s : static_cast<double>(static_cast<float>(p) + static_cast<float>(s));
        }
        GELENS_ASSIGN(std::byte* const data, context.output(0, type, shape));
        const Tensor packed = Tensor::fromDoubles(y, shape, type);
        std::copy(packed.data.span().begin(), packed.data.span().end(), data);
        return {};
    };
}

// ---- ConfusionTransposeD: Transpose and Reshape, in either order ----

struct Confusion {
    std::vector<int> perm;
    std::vector<std::int64_t> transposed; ///< dims that the transpose reads
    Shape out;
};

Result<Confusion> readConfusion(const AttrMap& attrs, const Shape& x)
{
    Confusion result;
    const IntList perm = attrInts(attrs, "perm"), shape = attrInts(attrs, "shape");
    const bool transposeFirst = attrBool(attrs, "transpose_first");
    const Shape stated{std::vector<std::int64_t>(shape)};
    const Shape& read = transposeFirst ? x : stated;
    if (static_cast<int>(perm.size()) != read.rank())
        return Error::invalid(fmt::format("perm has {} entries for {}", perm.size(), read.text()));
    std::vector<bool> seen(perm.size(), false);
    for (const std::int64_t axis : perm) {
        if (axis < 0 || axis >= read.rank() || seen[static_cast<std::size_t>(axis)])
            return Error::invalid("perm is no permutation");
        seen[static_cast<std::size_t>(axis)] = true;
        result.perm.push_back(static_cast<int>(axis));
    }
    if (x.isStatic() && (!stated.isStatic() || stated.elementCount() != x.elementCount()))
        return Error::invalid(fmt::format("shape {} does not hold the elements of {}", stated.text(), x.text()));
    result.transposed = read.dims();
    if (transposeFirst) {
        result.out = stated;
    } else {
        for (const int axis : result.perm) result.out.append(stated.dim(axis));
    }
    return result;
}

Status inferConfusion(InferContext& context)
{
    if (!context.shape(0).hasRank()) {
        context.setOutput(0, context.dtype(0), Shape::unknownRank());
        return {};
    }
    auto confusion = readConfusion(context.attrs(), context.shape(0));
    if (!confusion.ok()) return context.error(confusion.error().what);
    context.setOutput(0, context.dtype(0), confusion->out);
    return {};
}

Status confusionKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    const auto confusion = readConfusion(context.attrs(), x.shape);
    if (!confusion.ok()) return context.error(confusion.error().what);
    const int bits = dataTypeBits(x.dtype);
    if (bits < 8) return context.error("elements of less than a byte are not supported");
    GELENS_ASSIGN(std::byte* const y, context.output(0, x.dtype, confusion->out));
    permuteBytes(x.data, confusion->transposed, confusion->perm, static_cast<std::size_t>(bits / 8), y);
    return {};
}

} // namespace

void registerGatedOps(OpRegistry& registry)
{
    const auto vectorOp = [](const char* type, const char* doc, const char* source) {
        OpDef def(type);
        def.doc(doc).source(source).unit(Unit::Vector).fusionClass(FusionClass::Other).formats(FormatSupport::Matrices);
        return def;
    };
    registry.add(
        vectorOp("SwiGlu", "x halved along dim into a, b: y = swish(a) · b, in fp32, one rounding on storage",
                 "CANN operator library")
            .input("x")
            .output("y")
            .attr("dim", -1)
            .infer(inferHalves)
            .cost(elementwise(7))
            .kernel([](KernelContext& context) { return gatedHalves(context, findActivation("Swish"), false); }));
    registry.add(
        vectorOp("SwiGluMul",
                 "y = swish(x1) · x2 for gate and value in tensors of their own, in fp32, one rounding on storage",
                 "simulator")
            .input("x1")
            .input("x2")
            .output("y")
            .mayRunInPlace()
            .infer(broadcastInputs)
            .cost(elementwise(7))
            .kernel(gatedProduct("Swish")));
    registry.add(vectorOp("GeGluV2",
                          "x halved along dim into a, b: y = a · gelu(b), or gelu(a) · b with activate_left; "
                          "approximate 1 is the tanh form. gelu is the activated half",
                          "CANN operator library")
                     .arithmetic(Arithmetic::Fp32)
                     .input("x")
                     .output("y")
                     .output("gelu")
                     .attr("dim", -1)
                     .attr("approximate", 1)
                     .attr("activate_left", false)
                     .infer(inferHalves)
                     .cost(elementwise(12))
                     .kernel(geGluKernel));
    registry.add(vectorOp("GeGlu", "x halved along dim into a, b: y = a · gelu(b); approximate 1 is the tanh form",
                          "CANN operator library")
                     .arithmetic(Arithmetic::Fp32)
                     .input("x")
                     .output("y")
                     .output("gelu")
                     .attr("dim", -1)
                     .attr("approximate", 1)
                     .infer(inferHalves)
                     .cost(elementwise(12))
                     .kernel(geGluKernel));
    registry.add(
        vectorOp("GeGluMul",
                 "y = gelu(x1) · x2, erf form, for gate and value in tensors of their own; in fp32, one rounding",
                 "simulator")
            .input("x1")
            .input("x2")
            .output("y")
            .mayRunInPlace()
            .infer(broadcastInputs)
            .cost(elementwise(12))
            .kernel(gatedProduct("Gelu")));
    registry.add(vectorOp("FusedMulAdd", "y = x1 · x2 + x3, one rounding on storage", "CANN operator library")
                     .input("x1")
                     .input("x2")
                     .input("x3")
                     .output("y")
                     .mayRunInPlace()
                     .infer(inferMultiplyAdd)
                     .cost(elementwise(2))
                     .kernel(multiplyAdd(0, 1, 2)));
    registry.add(vectorOp("FusedMulAddN", "y = x1 · x3 + x2 with a one-element x3, one rounding on storage",
                          "CANN operator library")
                     .input("x1")
                     .input("x2")
                     .input("x3")
                     .output("y")
                     .mayRunInPlace()
                     .infer(inferMultiplyAdd)
                     .cost(elementwise(2))
                     .kernel(multiplyAdd(0, 2, 1)));
    registry.add(OpDef("ConfusionTransposeD")
                     .doc("Transpose by perm, then Reshape to shape (transpose_first), or Reshape and then Transpose")
                     .source("CANN operator library")
                     .input("x")
                     .output("y")
                     .requiredAttr("perm")
                     .requiredAttr("shape")
                     .requiredAttr("transpose_first")
                     .unit(Unit::Vector)
                     .fusionClass(FusionClass::Transpose)
                     .infer(inferConfusion)
                     .cost(moving(1 / 0.6))
                     .kernel(confusionKernel));
}

} // namespace gelens
