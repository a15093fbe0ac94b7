#include "engine/ops/cost_helpers.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/quantization_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gelens {

Result<QuantRange> quantRange(DataType type)
{
    switch (type) {
    case DataType::Int8: return QuantRange{-128, 127, false};
    case DataType::UInt8: return QuantRange{0, 255, false};
    case DataType::Int16: return QuantRange{-32768, 32767, false};
    case DataType::UInt16: return QuantRange{0, 65535, false};
    case DataType::Int32: return QuantRange{-2147483648.0, 2147483647.0, false};
    case DataType::Int4: return QuantRange{-8, 7, false};
    case DataType::UInt4: return QuantRange{0, 15, false};
    case DataType::Int2: return QuantRange{-2, 1, false};
    case DataType::UInt2: return QuantRange{0, 3, false};
    case DataType::Float8E4M3FN: return QuantRange{-448, 448, true};
    case DataType::Float8E4M3FNUZ: return QuantRange{-240, 240, true};
    case DataType::Float8E5M2:
    case DataType::Float8E5M2FNUZ: return QuantRange{-57344, 57344, true};
    case DataType::Float4E2M1: return QuantRange{-6, 6, true};
    case DataType::HiFloat8: return QuantRange{-32768, 32768, true};
    default: return Error::invalid(fmt::format("{} is no quantised type", dataTypeShortName(type)));
    }
}

void storeQuantized(std::vector<double>& values, DataType type, const QuantRange& range, bool saturates)
{
    // Half a step beyond the largest number rounds away from it.
    const double edge = type == DataType::Float8E4M3FN ? 464 : type == DataType::Float8E4M3FNUZ ? 248 : 61440;
    for (double& value : values) {
        if (std::isnan(value)) {
            if (!range.isFloat) value = 0;
            continue;
        }
        if (range.isFloat && !saturates && std::fabs(value) >= edge) {
            if (std::fabs(value) == 464) continue; // a tie, and the largest number is even
            value = type == DataType::Float8E5M2 ? std::copysign(std::numeric_limits<double>::infinity(), value)
                                                 : std::numeric_limits<double>::quiet_NaN();
            continue;
        }
        value = std::clamp(value, range.lowest, range.highest);
    }
}

Status writeDoubles(KernelContext& context, int i, DataType type, const Shape& shape, const std::vector<double>& values)
{
    if (!isInteger(type) && !isFloating(type))
        return context.error(fmt::format("cannot store numbers as {}", dataTypeShortName(type)));
    GELENS_ASSIGN(std::byte* const data, context.output(i, type, shape));
    const Tensor packed = Tensor::fromDoubles(values, shape, type);
    std::copy(packed.data.span().begin(), packed.data.span().end(), data);
    return {};
}

Result<ScalePlan> ScalePlan::make(const Shape& x, const Shape& scale, std::int64_t axis, std::int64_t blockSize)
{
    ScalePlan plan;
    if (scale.elementCount() == 1 && (blockSize == 0 || x.elementCount() == 1)) return plan;
    const auto at = normalizeAxis(axis, x.rank());
    if (!at) return Error::invalid(fmt::format("axis {} does not exist in {}", axis, x.text()));
    plan.m_isSingle = false;
    plan.m_length = x.dim(*at);
    for (int i = *at + 1; i < x.rank(); ++i) plan.m_inner *= x.dim(i);
    plan.m_inner = std::max<std::int64_t>(plan.m_inner, 1);
    plan.m_length = std::max<std::int64_t>(plan.m_length, 1);
    if (scale.rank() == 1 && scale.dim(0) == x.dim(*at) && blockSize == 0) return plan;
    bool fits = scale.rank() == x.rank();
    for (int i = 0; fits && i < x.rank(); ++i) fits = i == *at || scale.dim(i) == x.dim(i);
    if (fits && scale.dim(*at) >= 1) {
        plan.m_blocks = scale.dim(*at);
        plan.m_block = blockSize > 0 ? blockSize : (plan.m_length + plan.m_blocks - 1) / plan.m_blocks;
        plan.m_isBlocked = true;
        fits = (plan.m_length + plan.m_block - 1) / plan.m_block <= plan.m_blocks;
    }
    if (!fits)
        return Error::invalid(
            fmt::format("scales of shape {} fit neither axis {} of {} nor its blocks", scale.text(), *at, x.text()));
    return plan;
}

DataType typeAttr(const AttrMap& attrs, std::string_view name, DataType otherwise)
{
    const auto found = attrs.find(name);
    if (found == attrs.end()) return otherwise;
    if (const auto* text = found->second.as<std::string>()) return text->empty() ? otherwise : dataTypeFromName(*text);
    if (const auto* type = found->second.as<DataType>()) return *type;
    if (const auto* number = found->second.as<std::int64_t>()) return static_cast<DataType>(*number);
    return otherwise;
}

namespace {

// ---- Quantize ----

DataType quantizedType(const AttrMap& attrs, DataType zeroPoint)
{
    return typeAttr(attrs, "dtype", zeroPoint == DataType::Undefined ? DataType::UInt8 : zeroPoint);
}

Status inferQuantize(InferContext& context)
{
    const DataType type = quantizedType(context.attrs(), context.hasInput(2) ? context.dtype(2) : DataType::Undefined);
    if (const auto range = quantRange(type); !range.ok()) return context.error(range.error().what);
    context.setOutput(0, type, context.shape(0));
    return {};
}

Status quantizeKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    const DataType type =
        quantizedType(context.attrs(), context.hasInput(2) ? context.input(2).dtype : DataType::Undefined);
    const auto range = quantRange(type);
    if (!range.ok()) return context.error(range.error().what);
    const auto plan = ScalePlan::make(x.shape, context.input(1).shape, attrInt(context.attrs(), "axis", 1),
                                      attrInt(context.attrs(), "block_size"));
    if (!plan.ok()) return context.error(plan.error().what);
    GELENS_ASSIGN(const FloatOperand values, FloatOperand::of(context, 0));
    GELENS_ASSIGN(const FloatOperand scales, FloatOperand::of(context, 1));
    std::vector<double> zeros;
    if (context.hasInput(2)) {
        if (context.input(2).elementCount() != context.input(1).elementCount())
            return context.error("scales and zero_points differ in size");
        GELENS_ASSIGN(zeros, context.doubles(2));
    }
    std::vector<double> y(static_cast<std::size_t>(x.elementCount()));
    for (std::size_t i = 0; i < y.size(); ++i) {
        const auto at = static_cast<std::size_t>((*plan)(static_cast<std::int64_t>(i)));
        const float quotient = values[i] / scales[at];
        y[i] = (range->isFloat ? static_cast<double>(quotient) : static_cast<double>(std::nearbyint(quotient))) +
               (zeros.empty() ? 0 : zeros[at]);
    }
    storeQuantized(y, type, *range, attrInt(context.attrs(), "saturate", 1) != 0);
    return writeDoubles(context, 0, type, x.shape, y);
}

// ---- DequantizeLinear ----

Status inferDequantize(InferContext& context)
{
    context.setOutput(0, typeAttr(context.attrs(), "dtype", context.dtype(1)), context.shape(0));
    return {};
}

Status dequantizeKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    const auto plan = ScalePlan::make(x.shape, context.input(1).shape, attrInt(context.attrs(), "axis", 1),
                                      attrInt(context.attrs(), "block_size"));
    if (!plan.ok()) return context.error(plan.error().what);
    GELENS_ASSIGN(const std::vector<double> values, context.doubles(0));
    GELENS_ASSIGN(const FloatOperand scales, FloatOperand::of(context, 1));
    std::vector<double> zeros;
    if (context.hasInput(2)) {
        if (context.input(2).elementCount() != context.input(1).elementCount())
            return context.error("x_scale and x_zero_point differ in size");
        GELENS_ASSIGN(zeros, context.doubles(2));
    }
    const DataType type = typeAttr(context.attrs(), "dtype", context.input(1).dtype);
    GELENS_ASSIGN(FloatResult y, FloatResult::make(context, 0, type, x.shape));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto at = static_cast<std::size_t>((*plan)(static_cast<std::int64_t>(i)));
        y.data()[i] = static_cast<float>(values[i] - (zeros.empty() ? 0 : zeros[at])) * scales[at];
    }
    return y.finish(context);
}

// ---- DynamicQuantizeLinear ----

Status inferDynamic(InferContext& context)
{
    context.setOutput(0, DataType::UInt8, context.shape(0));
    context.setOutput(1, DataType::Float, Shape{});
    context.setOutput(2, DataType::UInt8, Shape{});
    return {};
}

Status dynamicKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    GELENS_ASSIGN(const FloatOperand values, FloatOperand::of(context, 0));
    float lowest = 0, highest = 0; // the range always holds zero
    const auto count = static_cast<std::size_t>(x.elementCount());
    for (std::size_t i = 0; i < count; ++i) {
        lowest = std::min(lowest, values[i]);
        highest = std::max(highest, values[i]);
    }
    const float scale = highest == lowest ? 1.0f : (highest - lowest) / 255.0f;
    const float zero = std::nearbyint(std::clamp(-lowest / scale, 0.0f, 255.0f));
    std::vector<double> y(count);
    for (std::size_t i = 0; i < count; ++i) y[i] = std::clamp(std::nearbyint(values[i] / scale) + zero, 0.0f, 255.0f);
    GELENS_TRY(writeDoubles(context, 0, DataType::UInt8, x.shape, y));
    if (context.outputCount() > 1) GELENS_TRY(writeDoubles(context, 1, DataType::Float, Shape{}, {scale}));
    if (context.outputCount() > 2) GELENS_TRY(writeDoubles(context, 2, DataType::UInt8, Shape{}, {zero}));
    return {};
}

} // namespace

void registerQuantizationOps(OpRegistry& registry)
{
    registry.add(
        OpDef("Quantize")
            .doc("y = saturate(round half to even(x / scales) + zero_points), the quotient in fp32. scales: one, one "
                 "for each index of axis, or (block_size, the simulator's) one for each block of it. dtype is the "
                 "type of y, else that of zero_points, else uint8; 16-bit, 4-bit, 2-bit and fp8 types are extensions")
            .source("CANN operator library; blocks and saturate of ONNX QuantizeLinear-23")
            .input("x")
            .input("scales")
            .optionalInput("zero_points")
            .output("y")
            .attr("dtype", "")
            .attr("axis", 1)
            .attr("block_size", 0)
            .attr("saturate", 1)
            .unit(Unit::Vector)
            .fusionClass(FusionClass::ElementWise)
            .infer(inferQuantize)
            .cost(elementwise(4))
            .kernel(quantizeKernel));
    registry.add(
        OpDef("DequantizeLinear")
            .doc("y = (x − x_zero_point) · x_scale in fp32, rounded into dtype, else into the type of x_scale; scales "
                 "as in Quantize")
            .source("simulator (ONNX DequantizeLinear-23)")
            .input("x")
            .input("x_scale")
            .optionalInput("x_zero_point")
            .output("y")
            .attr("dtype", "")
            .attr("axis", 1)
            .attr("block_size", 0)
            .unit(Unit::Vector)
            .fusionClass(FusionClass::ElementWise)
            .infer(inferDequantize)
            .cost(elementwise(2))
            .kernel(dequantizeKernel));
    registry.add(
        OpDef("DynamicQuantizeLinear")
            .arithmetic(Arithmetic::Fp32)
            .doc("Quantises to uint8 over the range of x, which is taken to hold zero; gives y, scale and zero point")
            .source("simulator (ONNX DynamicQuantizeLinear-11)")
            .input("x")
            .output("y")
            .output("y_scale")
            .output("y_zero_point")
            .unit(Unit::Vector)
            .fusionClass(FusionClass::Reduce)
            .infer(inferDynamic)
            .cost(elementwise(6))
            .kernel(dynamicKernel));
    registerQuantizedProductOps(registry);
    registerAscendQuantOps(registry);
}

} // namespace gelens
