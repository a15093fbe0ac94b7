// Functions of one number. fp16 and bf16 compute in fp32 and round on store; fp64 stays fp64.

#include "engine/ops/family_helpers.h"

#include <cmath>

namespace gelens {
namespace {

using namespace families;

constexpr auto negate = []<typename T>(T x) -> T {
    if constexpr (std::is_integral_v<T>)
        return static_cast<T>(Wrapping<T>(0) - static_cast<Wrapping<T>>(x));
    else
        return -x;
};

constexpr auto absolute = []<typename T>(T x) -> T {
    if constexpr (std::is_unsigned_v<T>)
        return x;
    else if constexpr (std::is_integral_v<T>)
        return x < 0 ? negate(x) : x; // the smallest number stays as it is: it has no opposite
    else
        return std::fabs(x);
};

/// -1, 0 or 1; NaN stays NaN.
constexpr auto sign = []<typename T>(T x) -> T {
    if constexpr (std::is_floating_point_v<T>)
        if (std::isnan(x)) return x;
    return static_cast<T>((x > 0) - (x < 0));
};

constexpr auto square = []<typename T>(T x) { return wrap(x, x, [](auto a, auto b) { return a * b; }); };

/// Integers are whole already.
template <typename F>
KernelFunction rounding(F f)
{
    return unaryArithmetic([f]<typename T>(T x) -> T {
        if constexpr (std::is_floating_point_v<T>)
            return f(x);
        else
            return x;
    });
}

/// Exp and Log share three attributes: `base` (-1 means e), `scale` and `shift`.
struct Affine {
    double base, scale, shift;
    explicit Affine(const AttrMap& attrs)
        : base(attrFloat(attrs, "base", -1)), scale(attrFloat(attrs, "scale", 1)), shift(attrFloat(attrs, "shift", 0))
    {
    }
    bool isPlain() const { return base == -1 && scale == 1 && shift == 0; }
};

Status exponential(KernelContext& context)
{
    const Affine affine(context.attrs());
    if (affine.isPlain()) return unaryFloat([](auto x) { return std::exp(x); })(context);
    const double logBase = affine.base == -1 ? 1.0 : std::log(affine.base);
    return unaryFloat([=]<typename T>(T x) {
        return std::exp(static_cast<T>(logBase) * (static_cast<T>(affine.scale) * x + static_cast<T>(affine.shift)));
    })(context);
}

Status logarithm(KernelContext& context)
{
    const Affine affine(context.attrs());
    if (affine.isPlain()) return unaryFloat([](auto x) { return std::log(x); })(context);
    const double factor = affine.base == -1 ? 1.0 : 1.0 / std::log(affine.base);
    return unaryFloat([=]<typename T>(T x) {
        return std::log(static_cast<T>(affine.scale) * x + static_cast<T>(affine.shift)) * static_cast<T>(factor);
    })(context);
}

OpDef withAffine(OpDef def) { return def.attr("base", -1.0f).attr("scale", 1.0f).attr("shift", 0.0f); }

/// y = f(x) on floats, by name.
template <typename F>
void addFloat(OpRegistry& ops, const char* type, const char* doc, double weight, F f)
{
    ops.add(unary(type, doc, weight, unaryFloat(f)));
}

/// decimals > 0 rounds to that many digits after the point, < 0 before it.
Status roundKernel(KernelContext& context)
{
    const std::int64_t decimals = attrInt(context.attrs(), "decimals", 0);
    if (decimals == 0) return rounding([](auto x) { return std::nearbyint(x); })(context);
    const double factor = std::pow(10.0, static_cast<double>(decimals));
    return rounding([factor]<typename T>(T x) {
        return static_cast<T>(std::nearbyint(static_cast<double>(x) * factor) / factor);
    })(context);
}

void registerTrigonometry(OpRegistry& ops)
{
    addFloat(ops, "Sin", "Sine, radians", 8, [](auto x) { return std::sin(x); });
    addFloat(ops, "Cos", "Cosine, radians", 8, [](auto x) { return std::cos(x); });
    addFloat(ops, "Tan", "Tangent, radians", 10, [](auto x) { return std::tan(x); });
    addFloat(ops, "Asin", "Arc sine", 10, [](auto x) { return std::asin(x); });
    addFloat(ops, "Acos", "Arc cosine", 10, [](auto x) { return std::acos(x); });
    addFloat(ops, "Atan", "Arc tangent", 10, [](auto x) { return std::atan(x); });
    addFloat(ops, "Sinh", "Hyperbolic sine", 8, [](auto x) { return std::sinh(x); });
    addFloat(ops, "Cosh", "Hyperbolic cosine", 8, [](auto x) { return std::cosh(x); });
    addFloat(ops, "Asinh", "Inverse hyperbolic sine", 10, [](auto x) { return std::asinh(x); });
    addFloat(ops, "Acosh", "Inverse hyperbolic cosine", 10, [](auto x) { return std::acosh(x); });
    addFloat(ops, "Atanh", "Inverse hyperbolic tangent", 10, [](auto x) { return std::atanh(x); });
}

} // namespace

void registerUnaryMathOps(OpRegistry& ops)
{
    ops.add(unary("Neg", "y = -x", 1, unaryArithmetic(negate)));
    ops.add(unary("Abs", "y = |x|", 1, unaryArithmetic(absolute)));
    ops.add(unary("Sign", "-1, 0 or 1", 2, unaryArithmetic(sign)));
    ops.add(unary("Square", "y = x²", 1, unaryArithmetic(square)));
    ops.add(unary("Floor", "The largest whole number not above x", 1, rounding([](auto x) { return std::floor(x); })));
    ops.add(unary("Ceil", "The smallest whole number not below x", 1, rounding([](auto x) { return std::ceil(x); })));
    ops.add(unary("Trunc", "x without its fraction", 1, rounding([](auto x) { return std::trunc(x); })));
    ops.add(unary("Rint", "The nearest whole number, the even one of two", 1,
                  rounding([](auto x) { return std::nearbyint(x); })));
    ops.add(unary("Round", "The nearest number of `decimals` digits, the even one of two", 1, roundKernel)
                .attr("decimals", 0));
    ops.add(withAffine(unary("Exp", "y = base ^ (scale · x + shift); base -1 means e", 4, exponential)));
    ops.add(withAffine(unary("Log", "y = log_base(scale · x + shift); base -1 means e", 4, logarithm)));
    addFloat(ops, "Expm1", "y = e^x - 1", 5, [](auto x) { return std::expm1(x); });
    addFloat(ops, "Log1p", "y = ln(1 + x)", 5, [](auto x) { return std::log1p(x); });
    addFloat(ops, "Sqrt", "Square root", 2, [](auto x) { return std::sqrt(x); });
    ops.add(unary("Rsqrt", "y = 1 / √x", 3, unaryFloat([](auto x) { return 1 / std::sqrt(x); })).hasHostKernel());
    addFloat(ops, "Reciprocal", "y = 1 / x", 2, [](auto x) { return 1 / x; });
    addFloat(ops, "Inv", "y = 1 / x", 2, [](auto x) { return 1 / x; });
    addFloat(ops, "Erf", "Gauss error function", 8, [](auto x) { return std::erf(x); });
    addFloat(ops, "Erfc", "y = 1 - erf(x)", 8, [](auto x) { return std::erfc(x); });
    registerTrigonometry(ops);
}

} // namespace gelens
