// CANN's own quantisation operators. Part of the quantisation family.

#include "engine/ops/cost_helpers.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/quantization_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace gelens {
namespace {

Result<double (*)(double)> rounding(const KernelContext& context)
{
    std::string mode = attrString(context.attrs(), "round_mode", "Round");
    std::transform(mode.begin(), mode.end(), mode.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    using Function = double (*)(double);
    if (mode == "round" || mode == "rint") return Function([](double v) { return std::nearbyint(v); });
    if (mode == "floor") return Function([](double v) { return std::floor(v); });
    if (mode == "ceil") return Function([](double v) { return std::ceil(v); });
    if (mode == "trunc") return Function([](double v) { return std::trunc(v); });
    return context.error(fmt::format("round_mode '{}' is not known", mode));
}

Status inferQuant(InferContext& context)
{
    const DataType type = typeAttr(context.attrs(), "dst_type", DataType::Int8);
    if (const auto range = quantRange(type); !range.ok()) return context.error(range.error().what);
    context.setOutput(0, type, context.shape(0));
    return {};
}

/// y = saturate(round(x · scale + offset)); scales and offsets by element.
template <typename Scale, typename Offset>
Status quantise(KernelContext& context, Scale scaleOf, Offset offsetOf)
{
    const TensorView& x = context.input(0);
    const DataType type = typeAttr(context.attrs(), "dst_type", DataType::Int8);
    const auto range = quantRange(type);
    if (!range.ok()) return context.error(range.error().what);
    GELENS_ASSIGN(const auto round, rounding(context));
    GELENS_ASSIGN(const FloatOperand values, FloatOperand::of(context, 0));
    const bool isSquared = attrBool(context.attrs(), "sqrt_mode");
    std::vector<double> y(static_cast<std::size_t>(x.elementCount()));
    for (std::size_t i = 0; i < y.size(); ++i) {
        float scale = scaleOf(i);
        if (isSquared) scale *= scale;
        const double value = values[i] * scale + offsetOf(i);
        y[i] = range->isFloat ? value : round(value);
    }
    storeQuantized(y, type, *range, true);
    return writeDoubles(context, 0, type, x.shape, y);
}

Status ascendQuantKernel(KernelContext& context)
{
    const auto scale = static_cast<float>(attrFloat(context.attrs(), "scale", 1));
    const auto offset = static_cast<float>(attrFloat(context.attrs(), "offset"));
    return quantise(
        context, [=](std::size_t) { return scale; }, [=](std::size_t) { return offset; });
}

Status ascendQuantV2Kernel(KernelContext& context)
{
    const auto plan =
        ScalePlan::make(context.input(0).shape, context.input(1).shape, attrInt(context.attrs(), "axis", -1), 0);
    if (!plan.ok()) return context.error(plan.error().what);
    GELENS_ASSIGN(const std::vector<float> scales, context.floats(1));
    std::vector<float> offsets;
    if (context.hasInput(2)) {
        GELENS_ASSIGN(offsets, context.floats(2));
        if (offsets.size() != scales.size()) return context.error("scale and offset differ in size");
    }
    const auto at = [&](std::size_t i) { return static_cast<std::size_t>((*plan)(static_cast<std::int64_t>(i))); };
    return quantise(
        context, [&](std::size_t i) { return scales[at(i)]; },
        [&](std::size_t i) { return offsets.empty() ? 0.0f : offsets[at(i)]; });
}

// ---- AscendDequant: int32 sums times a scale for each channel ----

DataType dequantType(const AttrMap& attrs)
{
    return typeAttr(attrs, attrs.contains("dst_type") ? "dst_type" : "dtype", DataType::Float);
}

Status inferDequant(InferContext& context)
{
    context.setOutput(0, dequantType(context.attrs()), context.shape(0));
    return {};
}

Status ascendDequantKernel(KernelContext& context)
{
    const TensorView &x = context.input(0), &scale = context.input(1);
    std::vector<float> scales;
    if (scale.dtype == DataType::UInt64) // the low word holds the bits of an fp32
        for (const std::uint64_t word : scale.as<std::uint64_t>())
            scales.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(word)));
    else {
        GELENS_ASSIGN(scales, context.floats(1));
    }
    const std::int64_t axis = x.shape.rank() >= 4 ? 1 : -1; // channels of NCHW, columns of a matrix
    const auto plan = ScalePlan::make(x.shape, Shape{static_cast<std::int64_t>(scales.size())}, axis, 0);
    if (!plan.ok()) return context.error(plan.error().what);
    GELENS_ASSIGN(const std::vector<double> values, context.doubles(0));
    const bool isSquared = attrBool(context.attrs(), "sqrt_mode"), hasRelu = attrBool(context.attrs(), "relu_flag");
    std::vector<float> y(values.size());
    for (std::size_t i = 0; i < y.size(); ++i) {
        float factor = scales[static_cast<std::size_t>((*plan)(static_cast<std::int64_t>(i)))];
        if (isSquared) factor *= factor;
        y[i] = static_cast<float>(values[i]) * factor;
        if (hasRelu) y[i] = std::max(y[i], 0.0f);
    }
    return context.setFloats(0, dequantType(context.attrs()), x.shape, y);
}

Status ascendAntiQuantKernel(KernelContext& context)
{
    GELENS_ASSIGN(std::vector<float> values, context.floats(0));
    auto scale = static_cast<float>(attrFloat(context.attrs(), "scale", 1));
    const auto offset = static_cast<float>(attrFloat(context.attrs(), "offset"));
    if (attrBool(context.attrs(), "sqrt_mode")) scale *= scale;
    for (float& value : values) value = (value + offset) * scale;
    return context.setFloats(0, dequantType(context.attrs()), context.input(0).shape, values);
}

// ---- DynamicQuant: one scale for each row ----

Status inferDynamicQuant(InferContext& context)
{
    const Shape& x = context.shape(0);
    context.setOutput(0, typeAttr(context.attrs(), "dst_type", DataType::Int8), x);
    Shape rows = Shape::unknownRank();
    if (x.hasRank()) {
        if (x.rank() < 1) return context.error("x has no axes");
        rows = Shape();
        for (int i = 0; i + 1 < x.rank(); ++i) appendDim(rows, x, i);
    }
    context.setOutput(1, DataType::Float, rows);
    return {};
}

Status dynamicQuantKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    if (x.shape.rank() < 1) return context.error("x has no axes");
    const DataType type = typeAttr(context.attrs(), "dst_type", DataType::Int8);
    const auto range = quantRange(type);
    if (!range.ok()) return context.error(range.error().what);
    GELENS_ASSIGN(std::vector<float> values, context.floats(0));
    const std::int64_t length = x.shape.dim(-1);
    if (context.hasInput(1)) {
        GELENS_ASSIGN(const std::vector<float> smooth, context.floats(1));
        if (static_cast<std::int64_t>(smooth.size()) != length)
            return context.error("smooth_scales does not fit the last axis");
        for (std::size_t i = 0; i < values.size(); ++i) values[i] *= smooth[i % smooth.size()];
    }
    Shape rows;
    for (int i = 0; i + 1 < x.shape.rank(); ++i) rows.append(x.shape.dim(i));
    std::vector<double> y(values.size());
    std::vector<float> scales(static_cast<std::size_t>(rows.elementCount().value_or(0)));
    for (std::size_t row = 0; row < scales.size() && length > 0; ++row) {
        const float* const from = values.data() + static_cast<std::int64_t>(row) * length;
        float largest = 0;
        for (std::int64_t i = 0; i < length; ++i) largest = std::max(largest, std::fabs(from[i]));
        scales[row] = largest / static_cast<float>(range->highest);
        for (std::int64_t i = 0; i < length; ++i) {
            const double quotient = scales[row] == 0 ? 0 : from[i] / scales[row];
            y[static_cast<std::size_t>(static_cast<std::int64_t>(row) * length + i)] =
                range->isFloat ? quotient : std::nearbyint(quotient);
        }
    }
    storeQuantized(y, type, *range, true);
    GELENS_TRY(writeDoubles(context, 0, type, x.shape, y));
    return context.outputCount() > 1 ? context.setFloats(1, DataType::Float, rows, scales) : Status();
}

OpDef quantOp(const char* type, const char* doc)
{
    OpDef def(type);
    def.doc(doc).source("CANN operator library").unit(Unit::Vector).fusionClass(FusionClass::ElementWise);
    return def;
}

} // namespace

void registerAscendQuantOps(OpRegistry& registry)
{
    registry.add(quantOp("AscendQuant", "y = saturate(round(x · scale + offset)) in fp32, scale squared in sqrt_mode; "
                                        "dst_type is GE's number of the result type")
                     .input("x")
                     .output("y")
                     .requiredAttr("scale")
                     .requiredAttr("offset")
                     .attr("sqrt_mode", false)
                     .attr("round_mode", "Round")
                     .attr("dst_type", 2)
                     .infer(inferQuant)
                     .cost(elementwise(3))
                     .kernel(ascendQuantKernel));
    registry.add(quantOp("AscendQuantV2",
                         "y = saturate(round(x · scale + offset)) with tensors of scales and offsets along axis")
                     .input("x")
                     .input("scale")
                     .optionalInput("offset")
                     .output("y")
                     .attr("sqrt_mode", false)
                     .attr("round_mode", "round")
                     .attr("dst_type", 2)
                     .attr("axis", -1)
                     .infer(inferQuant)
                     .cost(elementwise(3))
                     .kernel(ascendQuantV2Kernel));
    registry.add(quantOp("AscendDequant", "y = x · deq_scale for int32 sums, by channel (axis 1 of 4-D tensors, else "
                                          "the last) or one for all; optional Relu")
                     .input("x")
                     .input("deq_scale")
                     .output("y")
                     .attr("sqrt_mode", false)
                     .attr("relu_flag", false)
                     .attr("dtype", 0)
                     .infer(inferDequant)
                     .cost(elementwise(2))
                     .kernel(ascendDequantKernel));
    registry.add(quantOp("AscendAntiQuant", "y = (x + offset) · scale")
                     .input("x")
                     .output("y")
                     .requiredAttr("scale")
                     .requiredAttr("offset")
                     .attr("dtype", 0)
                     .attr("sqrt_mode", false)
                     .infer(inferDequant)
                     .cost(elementwise(2))
                     .kernel(ascendAntiQuantKernel));
    registry.add(quantOp("DynamicQuant", "Quantises each row of the last axis by its largest magnitude: scale = max|x| "
                                         "/ largest, y = round(x / scale)")
                     .input("x")
                     .optionalInput("smooth_scales")
                     .optionalInput("group_index")
                     .output("y")
                     .output("scale")
                     .attr("dst_type", 2)
                     .fusionClass(FusionClass::Reduce)
                     .infer(inferDynamicQuant)
                     .cost(perInputElement(4))
                     .kernel(dynamicQuantKernel));
}

} // namespace gelens
