// Arithmetic of two and more operands. fp16 and bf16 compute in fp32 and round on store; integers wrap around.

#include "engine/ops/family_helpers.h"
#include "engine/ops/op_families.h"

#include <cmath>

namespace gelens {
namespace {

using namespace families;

constexpr auto add = [](auto a, auto b) { return wrap(a, b, [](auto x, auto y) { return x + y; }); };
constexpr auto subtract = [](auto a, auto b) { return wrap(a, b, [](auto x, auto y) { return x - y; }); };
constexpr auto multiply = [](auto a, auto b) { return wrap(a, b, [](auto x, auto y) { return x * y; }); };

/// The quotient rounded towards zero. Division by zero gives 0, and the one overflow wraps, so that no input traps.
template <typename T>
T truncatedQuotient(T a, T b)
{
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>)
        if (b == T(-1)) return static_cast<T>(Wrapping<T>(0) - static_cast<Wrapping<T>>(a));
    return static_cast<T>(a / b);
}

template <typename T>
T remainder(T a, T b)
{
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>)
        if (b == T(-1)) return 0;
    return static_cast<T>(a % b);
}

constexpr auto divide = []<typename T>(T a, T b) -> T {
    if constexpr (std::is_integral_v<T>)
        return truncatedQuotient(a, b);
    else
        return a / b;
};

constexpr auto divideToZero = []<typename T>(T a, T b) -> T {
    if constexpr (std::is_integral_v<T>)
        return truncatedQuotient(a, b);
    else
        return std::trunc(a / b);
};

constexpr auto floorDivide = []<typename T>(T a, T b) -> T {
    if constexpr (std::is_integral_v<T>) {
        const T quotient = truncatedQuotient(a, b);
        const bool differs = std::is_signed_v<T> && remainder(a, b) != 0 && ((a < 0) != (b < 0));
        return static_cast<T>(differs ? quotient - 1 : quotient);
    } else {
        return std::floor(a / b);
    }
};

/// The result has the sign of the divisor (Python's %).
constexpr auto floorModulo = []<typename T>(T a, T b) -> T {
    if constexpr (std::is_integral_v<T>) {
        const T rest = remainder(a, b);
        return static_cast<T>(std::is_signed_v<T> && rest != 0 && ((rest < 0) != (b < 0)) ? rest + b : rest);
    } else {
        const T rest = std::fmod(a, b);
        if (rest == 0) return std::copysign(rest, b);
        return (rest < 0) != (b < 0) ? rest + b : rest;
    }
};

/// The result has the sign of the dividend (C's %).
constexpr auto modulo = []<typename T>(T a, T b) -> T {
    if constexpr (std::is_integral_v<T>)
        return remainder(a, b);
    else
        return std::fmod(a, b);
};

// NaN in either operand gives NaN.
constexpr auto larger = []<typename T>(T a, T b) -> T { return a > b || a != a ? a : b; };
constexpr auto smaller = []<typename T>(T a, T b) -> T { return a < b || a != a ? a : b; };

/// Powers of integers: exact modulo 2^bits; a negative exponent leaves 0 except for the bases 1 and -1.
template <typename T>
T integerPower(T base, std::int64_t exponent)
{
    using W = Wrapping<T>;
    if (exponent < 0) {
        if (base == 1) return 1;
        if constexpr (std::is_signed_v<T>)
            if (base == T(-1)) return static_cast<T>(exponent % 2 == 0 ? 1 : -1);
        return 0;
    }
    W result = 1;
    W factor = static_cast<W>(base);
    for (auto rest = static_cast<std::uint64_t>(exponent); rest != 0; rest >>= 1) {
        if (rest & 1u) result *= factor;
        factor *= factor;
    }
    return static_cast<T>(result);
}

template <typename T>
T fromDouble(double value)
{
    if constexpr (std::is_integral_v<T>)
        return saturateTo<T>(std::trunc(value));
    else
        return static_cast<T>(value);
}

/// x1 ^ x2 in the type of x1; the exponent may have another type.
template <typename T, typename E>
Status power(KernelContext& context, const Shape& shape)
{
    const TensorView& a = context.input(0);
    const TensorView& b = context.input(1);
    const BroadcastPlan plan(shape, {&a.shape, &b.shape});
    GELENS_ASSIGN(T* const y, context.outputAs<T>(0, a.dtype, shape));
    const T* const base = reinterpret_cast<const T*>(a.data);
    const E* const exponent = reinterpret_cast<const E*>(b.data);
    using C = ComputeType<T>;
    if (std::is_floating_point_v<C> && b.elementCount() == 1 && load(exponent[0]) == 2) { // by far the commonest
        binaryLoop(plan, y, base, exponent, [](C x, auto) { return x * x; });
        return {};
    }
    binaryLoop(plan, y, base, exponent, [](C x, auto e) -> C {
        using Exponent = decltype(e);
        if constexpr (std::is_integral_v<C> && std::is_integral_v<Exponent>)
            return integerPower(x, static_cast<std::int64_t>(e));
        else if constexpr (std::is_integral_v<C>)
            return fromDouble<C>(std::pow(static_cast<double>(x), static_cast<double>(e)));
        else
            return std::pow(x, static_cast<C>(e));
    });
    return {};
}

Status powerKernel(KernelContext& context)
{
    GELENS_ASSIGN(const Shape shape, binaryShape(context, false));
    Status status;
    bool knowsExponent = false;
    const bool knowsBase = visitArithmetic(context.input(0).dtype, [&]<typename T>(TypeTag<T>) {
        knowsExponent = visitArithmetic(context.input(1).dtype,
                                        [&]<typename E>(TypeTag<E>) { status = power<T, E>(context, shape); });
    });
    if (!knowsBase) return typeError(context, 0);
    return knowsExponent ? status : Status(typeError(context, 1));
}

/// Sum of all inputs with broadcasting; fp16 and bf16 are summed in fp32 and rounded once.
Status sumKernel(KernelContext& context)
{
    const TensorView& first = context.input(0);
    Shape shape;
    for (int i = 0; i < context.inputCount(); ++i) {
        if (context.input(i).dtype != first.dtype) return context.error("the inputs have different types");
        auto next = broadcastShapes(shape, context.input(i).shape);
        if (!next.ok()) return context.error(next.error().what);
        shape = std::move(next).value();
    }
    Status status;
    const bool known = visitArithmetic(first.dtype, [&]<typename T>(TypeTag<T>) {
        auto y = context.outputAs<T>(0, first.dtype, shape);
        if (!y.ok()) {
            status = y.error();
            return;
        }
        using C = ComputeType<T>;
        std::vector<C> total(static_cast<std::size_t>(shape.elementCount().value_or(0)), C(0));
        for (int i = 0; i < context.inputCount(); ++i) {
            const TensorView& x = context.input(i);
            const BroadcastPlan plan(shape, {&shape, &x.shape});
            binaryLoop(plan, total.data(), total.data(), reinterpret_cast<const T*>(x.data), add);
        }
        unaryLoop(y.value(), total.data(), static_cast<std::int64_t>(total.size()), [](C value) { return value; });
    });
    return known ? status : Status(typeError(context, 0));
}

Cost sumCost(const Node& node, const Graph& graph)
{
    Cost cost = bytesOnly(node, graph);
    cost.vectorOps = elementsOf(outputDesc(node, 0)) * std::max(1, node.inputCount() - 1);
    return cost;
}

OpDef manyInputs(std::string type, std::string doc)
{
    OpDef def(std::move(type));
    def.doc(std::move(doc)).source(canonical).dynamicInput("x").output("y").attr("N", 1);
    def.unit(Unit::Vector).fusionClass(FusionClass::ElementWise).formats(FormatSupport::AnyElement).mayRunInPlace();
    def.infer(broadcastInputs).cost(sumCost).kernel(sumKernel);
    return def;
}

/// y = f(x, value of an attribute).
template <typename F>
KernelFunction withScalar(const char* attribute, F f)
{
    return [attribute, f](KernelContext& context) -> Status {
        const double value = attrFloat(context.attrs(), attribute, 0);
        return unaryArithmetic([f, value]<typename T>(T x) { return f(x, static_cast<T>(value)); })(context);
    };
}

/// y = x1 + x2 · factor, in compute types.
Status axpyKernel(KernelContext& context)
{
    const double alpha = attrFloat(context.attrs(), "alpha", 1);
    return runBinary(context, arithmeticTypes,
                     [alpha]<typename T>(T a, T b) { return add(a, multiply(b, static_cast<T>(alpha))); });
}

} // namespace

void registerArithmeticOps(OpRegistry& ops)
{
    ops.add(binary("Add", "y = x1 + x2", 1, binaryArithmetic(add)).hasHostKernel());
    ops.add(binary("AddV2", "y = x1 + x2", 1, binaryArithmetic(add)));
    ops.add(binary("Sub", "y = x1 - x2", 1, binaryArithmetic(subtract)).hasHostKernel());
    ops.add(binary("Mul", "y = x1 * x2", 1, binaryArithmetic(multiply)).hasHostKernel());
    ops.add(binary("RealDiv", "y = x1 / x2; integers are rounded towards zero", 2, binaryArithmetic(divide)));
    ops.add(binary("Div", "y = x1 / x2; integers are rounded towards zero", 2, binaryArithmetic(divide)));
    ops.add(binary("TruncateDiv", "y = x1 / x2, rounded towards zero", 2, binaryArithmetic(divideToZero)));
    ops.add(binary("FloorDiv", "y = x1 / x2, rounded down", 2, binaryArithmetic(floorDivide)).hasHostKernel());
    ops.add(binary("DivNoNan", "y = x1 / x2, and 0 where x2 is 0", 2,
                   binaryArithmetic([]<typename T>(T a, T b) { return b == 0 ? T(0) : divide(a, b); })));
    ops.add(binary("FloorMod", "Remainder with the sign of x2", 4, binaryArithmetic(floorModulo)).hasHostKernel());
    ops.add(binary("Mod", "Remainder with the sign of x1", 4, binaryArithmetic(modulo)));
    ops.add(binary("TruncateMod", "Remainder with the sign of x1", 4, binaryArithmetic(modulo)));
    ops.add(
        binary("Maximum", "The larger of x1 and x2; NaN if either is", 1, binaryArithmetic(larger)).hasHostKernel());
    ops.add(binary("Minimum", "The smaller of x1 and x2; NaN if either is", 1, binaryArithmetic(smaller)));
    ops.add(binary("Pow", "y = x1 ^ x2, in the type of x1", 12, powerKernel).infer(broadcastOfTwo));
    ops.add(binary("SquaredDifference", "y = (x1 - x2)²", 2, binaryArithmetic([](auto a, auto b) {
                       const auto difference = subtract(a, b);
                       return multiply(difference, difference);
                   })));
    ops.add(binary("Atan2", "y = angle of the point (x2, x1)", 12, [](KernelContext& context) {
        return runBinary(context, floatingTypes, [](auto a, auto b) { return std::atan2(a, b); });
    }));
    ops.add(binary("Xlogy", "y = x1 · ln x2, and 0 where x1 is 0", 5, [](KernelContext& context) {
        return runBinary(context, floatingTypes, []<typename T>(T a, T b) { return a == 0 ? T(0) : a * std::log(b); });
    }));
    ops.add(unary("Muls", "y = x · value", 1, withScalar("value", multiply)).requiredAttr("value"));
    ops.add(unary("Adds", "y = x + value", 1, withScalar("value", add)).requiredAttr("value"));
    ops.add(binary("Axpy", "y = x1 + alpha · x2", 2, axpyKernel).attr("alpha", 1.0f));
    ops.add(manyInputs("AddN", "Sum of all inputs"));
    ops.add(manyInputs("AccumulateNV2", "Sum of all inputs"));
    registerUnaryMathOps(ops);
    registerCastOps(ops);
}

} // namespace gelens
