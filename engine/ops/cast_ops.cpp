// Changes of type, and clipping.

#include "engine/ops/family_helpers.h"
#include "engine/ops/small_float.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace gelens {
namespace {

using namespace families;

/// A float that rounds to the same half or bf16 as the double does: an inexact one gets its last bit set ("round to
/// odd"), so that it cannot fall on a tie of the narrower type.
float forNarrowing(double value)
{
    const float nearest = static_cast<float>(value);
    if (!std::isfinite(nearest) || static_cast<double>(nearest) == value) return nearest;
    auto bits = std::bit_cast<std::uint32_t>(nearest);
    if (std::fabs(static_cast<double>(nearest)) > std::fabs(value)) --bits;
    return std::bit_cast<float>(bits | 1u);
}

/// A float cut towards zero; beyond the range it saturates, NaN gives 0.
template <typename To, typename C>
To cutOff(C value)
{
    if (std::isnan(value)) return 0;
    if (value <= static_cast<C>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
    if (value >= static_cast<C>(std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
    return static_cast<To>(value);
}

/// One number from type C to type To, as ONNX Cast. Integers to narrower integers keep their low bits. Floats become
/// int32 or int64 first, saturating there, and keep the low bits of that in narrower and unsigned types: -1.0 is 255 in
/// uint8, as in ONNX Runtime (the standard leaves it open).
template <typename To, typename C>
To convert(C value)
{
    if constexpr (std::is_same_v<To, Bool8>) {
        return Bool8(value != 0);
    } else if constexpr (std::is_same_v<To, Half> || std::is_same_v<To, BFloat16>) {
        if constexpr (std::is_same_v<C, float> || sizeof(C) < 4)
            return To(static_cast<float>(value));
        else
            return To(forNarrowing(static_cast<double>(value)));
    } else if constexpr (std::is_floating_point_v<To> || std::is_integral_v<C>) {
        return static_cast<To>(value);
    } else {
        if constexpr (sizeof(To) < 4)
            return static_cast<To>(cutOff<std::int32_t>(value));
        else if constexpr (std::is_unsigned_v<To>)
            return value < 0 || sizeof(To) == 4 ? static_cast<To>(cutOff<std::int64_t>(value)) : cutOff<To>(value);
        else
            return cutOff<To>(value);
    }
}

std::string numberText(double value, bool isFloat)
{
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "INF" : "-INF";
    return isFloat ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
}

/// Numbers as text: the shortest form that reads back the same.
Status castToText(KernelContext& context)
{
    const TensorView& x = context.input(0);
    std::vector<std::string> texts;
    if (isInteger(x.dtype) && x.dtype != DataType::UInt64) {
        GELENS_ASSIGN(const std::vector<std::int64_t> values, context.ints(0));
        for (const std::int64_t value : values) texts.push_back(std::to_string(value));
    } else if (x.dtype == DataType::UInt64) {
        for (const std::uint64_t value : x.as<std::uint64_t>()) texts.push_back(std::to_string(value));
    } else {
        GELENS_ASSIGN(const std::vector<double> values, context.doubles(0));
        for (const double value : values) texts.push_back(numberText(value, x.dtype != DataType::Double));
    }
    context.setStrings(0, x.shape, std::move(texts));
    return {};
}

/// Text as a number; NaN and infinities in any case. Nothing when it is not one number.
std::optional<double> parseNumber(const std::string& text)
{
    const char* const begin = text.c_str();
    char* end = nullptr;
    const double value = std::strtod(begin, &end);
    while (*end == ' ') ++end;
    if (end == begin || *end != '\0') return std::nullopt;
    return value;
}

Status castFromText(KernelContext& context, DataType target)
{
    const TensorView& x = context.input(0);
    std::vector<double> values;
    std::vector<std::int64_t> wholes;
    for (const std::string& text : *x.strings) {
        const std::optional<double> value = parseNumber(text);
        if (!value) return context.error(fmt::format("\"{}\" is not a number", text.substr(0, 40)));
        values.push_back(*value);
        std::int64_t whole = convert<std::int64_t>(*value);
        std::from_chars(text.data(), text.data() + text.size(), whole); // all 64 bits when it is a whole number
        wholes.push_back(whole);
    }
    if (!isInteger(target) && !isFloating(target) && target != DataType::Bool)
        return context.error("cannot cast text to " + std::string(dataTypeShortName(target)));
    const Tensor result =
        isInteger(target) ? Tensor::fromInts(wholes, x.shape, target) : Tensor::fromDoubles(values, x.shape, target);
    GELENS_ASSIGN(std::byte* const y, context.output(0, target, x.shape));
    std::copy(result.data.span().begin(), result.data.span().end(), y);
    return {};
}

/// Types of at most a byte that are no plain bytes: float8, float4, int4 …; not the fast path.
Status castPacked(KernelContext& context, DataType target)
{
    const TensorView& x = context.input(0);
    if (isInteger(target) && !isFloating(x.dtype)) {
        GELENS_ASSIGN(std::vector<std::int64_t> values, context.ints(0));
        const Tensor result = Tensor::fromInts(std::move(values), x.shape, target);
        GELENS_ASSIGN(std::byte* const y, context.output(0, target, x.shape));
        std::copy(result.data.span().begin(), result.data.span().end(), y);
        return {};
    }
    if (const SmallFloat* const codec = SmallFloat::of(target)) {
        const bool saturate = attrBool(context.attrs(), "saturate", true);
        GELENS_ASSIGN(const std::vector<float> values, context.floats(0));
        GELENS_ASSIGN(std::uint8_t* const y, context.outputAs<std::uint8_t>(0, target, x.shape));
        const bool isPacked = dataTypeBits(target) == 4; // two to a byte, the first in the low half
        for (std::size_t i = 0; i < values.size(); ++i) {
            const std::uint8_t code = codec->encode(values[i], saturate);
            if (!isPacked)
                y[i] = code;
            else if (i % 2 == 0)
                y[i / 2] = code;
            else
                y[i / 2] = static_cast<std::uint8_t>(y[i / 2] | code << 4);
        }
        return {};
    }
    GELENS_ASSIGN(std::vector<double> values, context.doubles(0));
    if (isInteger(target)) {
        for (double& value : values) value = std::trunc(value);
    }
    const Tensor result = Tensor::fromDoubles(values, x.shape, target);
    GELENS_ASSIGN(std::byte* const y, context.output(0, target, x.shape));
    std::copy(result.data.span().begin(), result.data.span().end(), y);
    return {};
}

Status castTo(KernelContext& context, DataType target)
{
    const TensorView& x = context.input(0);
    if (target == x.dtype) return copyTensor(context, 0, 0);
    if (target == DataType::String) return castToText(context);
    if (x.dtype == DataType::String) return castFromText(context, target);
    Status status;
    bool isWhole = false;
    visitNumeric(x.dtype, [&]<typename From>(TypeTag<From>) {
        isWhole = visitNumeric(target, [&]<typename To>(TypeTag<To>) {
            auto y = context.outputAs<To>(0, target, x.shape);
            if (!y.ok()) {
                status = y.error();
                return;
            }
            const From* const from = reinterpret_cast<const From*>(x.data);
            const std::int64_t count = x.elementCount();
            for (std::int64_t i = 0; i < count; ++i) y.value()[i] = convert<To>(load(from[i]));
        });
    });
    if (isWhole) return status;
    const auto isNumber = [](DataType type) { return isInteger(type) || isFloating(type) || type == DataType::Bool; };
    if (!isNumber(x.dtype)) return typeError(context, 0);
    if (!isNumber(target)) return context.error("cannot cast to " + std::string(dataTypeShortName(target)));
    return castPacked(context, target);
}

DataType targetType(const AttrMap& attrs)
{
    const auto found = attrs.find("dst_type");
    if (found == attrs.end()) return DataType::Undefined;
    if (const DataType* const type = found->second.as<DataType>()) return *type;
    return static_cast<DataType>(attrInt(attrs, "dst_type", static_cast<int>(DataType::Undefined)));
}

Status inferCast(InferContext& context)
{
    const DataType target = targetType(context.attrs());
    if (target == DataType::Undefined || dataTypeName(target) == "UNDEFINED")
        return context.error("attribute dst_type names no data type");
    context.setOutput(0, target, context.shape(0));
    return {};
}

/// Scalar bounds of another type than x: what the import makes of attributes when x's type is not known to it.
Status clipByForeignBounds(KernelContext& context)
{
    GELENS_ASSIGN(const std::vector<double> low, context.doubles(1));
    GELENS_ASSIGN(const std::vector<double> high, context.doubles(2));
    if (low.size() != 1 || high.size() != 1) return context.error("the bounds have another type than x");
    const double least = low.front(), most = high.front();
    return unaryArithmetic([=]<typename T>(T value) -> T {
        const T from = saturateTo<T>(least), to = saturateTo<T>(most);
        const T raised = value < from ? from : value;
        return raised > to ? to : raised;
    })(context);
}

Status inferClip(InferContext& context)
{
    Shape shape = context.shape(0);
    for (const int i : {1, 2}) {
        auto wider = broadcastShapes(shape, context.shape(i));
        if (!wider.ok()) return at(context, wider.error());
        shape = std::move(wider).value();
    }
    context.setOutput(0, context.dtype(0), std::move(shape));
    return {};
}

/// min(max(x, low), high); NaN stays NaN. Bounds are scalars, or broadcast.
Status clipKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    const TensorView& low = context.input(1);
    const TensorView& high = context.input(2);
    if (low.dtype != x.dtype || high.dtype != x.dtype) return clipByForeignBounds(context);
    Shape shape = x.shape;
    for (const TensorView* const bound : {&low, &high}) {
        auto wider = broadcastShapes(shape, bound->shape);
        if (!wider.ok()) return context.error(wider.error().what);
        shape = std::move(wider).value();
    }
    Status status;
    const bool known = visitArithmetic(x.dtype, [&]<typename T>(TypeTag<T>) {
        auto y = context.outputAs<T>(0, x.dtype, shape);
        if (!y.ok()) {
            status = y.error();
            return;
        }
        const T* const px = reinterpret_cast<const T*>(x.data);
        const T* const pl = reinterpret_cast<const T*>(low.data);
        const T* const ph = reinterpret_cast<const T*>(high.data);
        if (low.elementCount() == 1 && high.elementCount() == 1 && shape == x.shape) {
            const auto least = load(*pl);
            const auto most = load(*ph);
            unaryLoop(y.value(), px, x.elementCount(), [=](auto value) {
                const auto raised = value < least ? least : value;
                return raised > most ? most : raised;
            });
            return;
        }
        const BroadcastPlan raise(shape, {&x.shape, &low.shape});
        binaryLoop(raise, y.value(), px, pl, [](auto value, auto least) { return value < least ? least : value; });
        const BroadcastPlan lower(shape, {&shape, &high.shape});
        binaryLoop(lower, y.value(), y.value(), ph, [](auto value, auto most) { return value > most ? most : value; });
    });
    return known ? status : Status(typeError(context, 0));
}

} // namespace

void registerCastOps(OpRegistry& ops)
{
    OpDef cast("Cast");
    cast.doc("The elements in another type: fractions are cut off, numbers beyond an integer's range saturate, "
             "integers keep their low bits.")
        .source(canonical)
        .input("x")
        .output("y")
        .requiredAttr("dst_type")
        .unit(Unit::Vector)
        .fusionClass(FusionClass::ElementWise)
        .formats(FormatSupport::AnyElement)
        .mayRunInPlace()
        .hasHostKernel()
        .infer(inferCast)
        .cost(elementwise(1))
        .kernel([](KernelContext& context) { return castTo(context, targetType(context.attrs())); });
    ops.add(std::move(cast));

    OpDef castLike("CastLike");
    castLike.doc("The elements of x in the type of target.")
        .source("ONNX CastLike, where the target's type is not known on import")
        .input("x")
        .input("target")
        .output("y")
        .unit(Unit::Vector)
        .fusionClass(FusionClass::ElementWise)
        .formats(FormatSupport::AnyElement)
        .infer([](InferContext& context) -> Status {
            context.setOutput(0, context.dtype(1), context.shape(0));
            return {};
        })
        .cost(elementwise(1))
        .kernel([](KernelContext& context) { return castTo(context, context.input(1).dtype); });
    ops.add(std::move(castLike));

    OpDef clip("ClipByValue");
    clip.doc("y = min(max(x, clip_value_min), clip_value_max)")
        .source(canonical)
        .input("x")
        .input("clip_value_min")
        .input("clip_value_max")
        .output("y")
        .unit(Unit::Vector)
        .fusionClass(FusionClass::ElementWise)
        .formats(FormatSupport::AnyElement)
        .mayRunInPlace()
        .infer(inferClip)
        .cost(elementwise(2))
        .kernel(clipKernel);
    ops.add(std::move(clip));
}

} // namespace gelens
