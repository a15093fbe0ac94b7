// Activations. fp16 and bf16 compute in fp32 and round on store.

#include "engine/ops/family_helpers.h"
#include "engine/ops/op_families.h"

#include <cmath>

namespace gelens {
namespace {

using namespace families;

template <typename T>
T sigmoid(T x)
{
    return 1 / (1 + std::exp(-x));
}

/// ln(1 + e^x) without overflow.
template <typename T>
T softplus(T x)
{
    return std::max(x, T(0)) + std::log1p(std::exp(-std::fabs(x)));
}

template <typename T>
T geluExact(T x)
{
    constexpr T rootHalf = T(0.70710678118654752440);
    return T(0.5) * x * (1 + std::erf(x * rootHalf));
}

template <typename T>
T geluTanh(T x)
{
    constexpr T rootTwoOverPi = T(0.79788456080286535588);
    return T(0.5) * x * (1 + std::tanh(rootTwoOverPi * (x + T(0.044715) * x * x * x)));
}

/// An attribute's value, read once for each call and captured by the element function.
struct Attr {
    const AttrMap& attrs;
    double operator()(const char* name, double otherwise) const { return attrFloat(attrs, name, otherwise); }
};

/// y = f(x, a) or f(x, a, b) with attributes in x's compute type.
template <typename F>
KernelFunction withAttrs(const char* a, double defaultA, F f)
{
    return unaryFloatWith([=](const AttrMap& attrs) {
        const double va = attrFloat(attrs, a, defaultA);
        return [=]<typename T>(T x) { return f(x, static_cast<T>(va)); };
    });
}

template <typename F>
KernelFunction withAttrs(const char* a, double defaultA, const char* b, double defaultB, F f)
{
    return unaryFloatWith([=](const AttrMap& attrs) {
        const double va = attrFloat(attrs, a, defaultA);
        const double vb = attrFloat(attrs, b, defaultB);
        return [=]<typename T>(T x) { return f(x, static_cast<T>(va), static_cast<T>(vb)); };
    });
}

/// Operators whose ports are input_x → output_y.
OpDef longPorts(const std::string& type, const std::string& doc, double weight, KernelFunction kernel)
{
    OpDef def(type);
    def.doc(doc).source(canonical).input("input_x").output("output_y");
    def.unit(Unit::Vector).fusionClass(FusionClass::ElementWise).formats(FormatSupport::AnyElement).mayRunInPlace();
    def.infer(sameAsInput).cost(elementwise(weight)).kernel(std::move(kernel));
    return def;
}

void registerRectifiers(OpRegistry& ops)
{
    // NaN passes through all of these: a comparison with it is false.
    ops.add(
        unary("Relu", "y = max(x, 0)", 1, unaryArithmetic([]<typename T>(T x) -> T { return x < T(0) ? T(0) : x; })));
    ops.add(unary("Relu6", "y = min(max(x, 0), 6)", 1, unaryArithmetic([]<typename T>(T x) -> T {
                      const T raised = x < T(0) ? T(0) : x;
                      return raised > T(6) ? T(6) : raised;
                  })));
    ops.add(unary("LeakyRelu", "x where positive, else negative_slope · x", 2,
                  withAttrs("negative_slope", 0, []<typename T>(T x, T slope) { return x < 0 ? slope * x : x; }))
                .attr("negative_slope", 0.0f));
    ops.add(unary("ThresholdedRelu", "x where above alpha, else 0", 2,
                  withAttrs("alpha", 1, []<typename T>(T x, T alpha) { return x > alpha ? x : T(0); }))
                .attr("alpha", 1.0f));
    ops.add(unary("Elu", "scale · x where positive, else scale · alpha · (e^(input_scale · x) - 1)", 6,
                  unaryFloatWith([](const AttrMap& attrs) {
                      const Attr attr{attrs};
                      const double alpha = attr("alpha", 1), scale = attr("scale", 1), in = attr("input_scale", 1);
                      return [=]<typename T>(T x) -> T {
                          return static_cast<T>(scale) *
                                 (x > 0 ? x : static_cast<T>(alpha) * std::expm1(static_cast<T>(in) * x));
                      };
                  }))
                .attr("alpha", 1.0f)
                .attr("scale", 1.0f)
                .attr("input_scale", 1.0f));
    // The constants are those of "Self-Normalizing Neural Networks", as ONNX Selu gives them.
    ops.add(
        unary("Selu", "Scaled exponential unit with its standard constants", 6, unaryFloat([]<typename T>(T x) -> T {
                  constexpr T alpha = T(1.67326319217681884765625);
                  constexpr T scale = T(1.05070102214813232421875);
                  return scale * (x > 0 ? x : alpha * std::expm1(x));
              })));
    ops.add(
        unary("CeluV2", "max(x, 0) + min(0, alpha · (e^(x / alpha) - 1))", 6,
              withAttrs("alpha", 1, []<typename T>(T x, T alpha) { return x > 0 ? x : alpha * std::expm1(x / alpha); }))
            .attr("alpha", 1.0f));
    ops.add(unary("Celu", "alpha3 · max(x, 0) + min(0, alpha1 · (e^(x / alpha2) - 1))", 6,
                  unaryFloatWith([](const AttrMap& attrs) {
                      const Attr attr{attrs};
                      const double a1 = attr("alpha1", 1), a2 = attr("alpha2", 1), a3 = attr("alpha3", 1);
                      return [=]<typename T>(T x) -> T {
                          return x > 0 ? static_cast<T>(a3) * x
                                       : static_cast<T>(a1) * std::expm1(x / static_cast<T>(a2));
                      };
                  }))
                .attr("alpha1", 1.0f)
                .attr("alpha2", 1.0f)
                .attr("alpha3", 1.0f));
    ops.add(longPorts("HardShrink", "x where |x| > lambd, else 0", 2,
                      withAttrs("lambd", 0.5, []<typename T>(T x, T l) { return std::fabs(x) <= l ? T(0) : x; }))
                .attr("lambd", 0.5f));
    ops.add(
        longPorts("SoftShrink", "x moved towards 0 by lambd, 0 within lambd of it", 2,
                  withAttrs("lambd", 0.5, []<typename T>(T x, T l) { return x > l    ? x - l
                                                                            : x < -l ? x + l
                                                                                     : T(0); }))
            .attr("lambd", 0.5f));
    ops.add(longPorts("Shrink", "x moved towards 0 by bias, 0 within lambd of it", 2,
                      withAttrs("lambd", 0.5, "bias", 0,
                                []<typename T>(T x, T l, T b) { return x < -l  ? x + b
                                                                       : x > l ? x - b
                                                                               : T(0); }))
                .attr("lambd", 0.5f)
                .attr("bias", 0.0f));
}

void registerSmooth(OpRegistry& ops)
{
    ops.add(unary("Sigmoid", "y = 1 / (1 + e^-x)", 6, unaryFloat([](auto x) { return sigmoid(x); })));
    ops.add(unary("Tanh", "Hyperbolic tangent", 8, unaryFloat([](auto x) { return std::tanh(x); })));
    ops.add(unary("Softplus", "y = ln(1 + e^x)", 9, unaryFloat([](auto x) { return softplus(x); })));
    ops.add(unary("Softsign", "y = x / (1 + |x|)", 4, unaryFloat([](auto x) { return x / (1 + std::fabs(x)); })));
    ops.add(unary("LogSigmoid", "y = ln(sigmoid(x))", 9, unaryFloat([](auto x) { return -softplus(-x); })));
    ops.add(
        unary("Mish", "y = x · tanh(ln(1 + e^x))", 18, unaryFloat([](auto x) { return x * std::tanh(softplus(x)); })));
    ops.add(unary("Swish", "y = x · sigmoid(scale · x)", 7,
                  withAttrs("scale", 1, [](auto x, auto scale) { return x * sigmoid(scale * x); }))
                .attr("scale", 1.0f));
    ops.add(unary("HardSwish", "y = x · min(max(x + 3, 0), 6) / 6", 4, unaryFloat([]<typename T>(T x) -> T {
                      const T gate = x / T(6) + T(0.5);
                      return x * (gate < 0 ? T(0) : gate > 1 ? T(1) : gate);
                  })));
    ops.add(longPorts("HardSigmoid", "y = min(max(alpha · x + beta, 0), 1)", 3,
                      withAttrs("alpha", 0.16666666, "beta", 0.5,
                                []<typename T>(T x, T alpha, T beta) {
                                    const T y = alpha * x + beta;
                                    return y < 0 ? T(0) : y > 1 ? T(1) : y;
                                }))
                .attr("alpha", 0.16666666f)
                .attr("beta", 0.5f));
    ops.add(unary("Gelu", "y = x · Φ(x), Φ through tanh", 14, unaryFloat([](auto x) { return geluTanh(x); })));
    ops.add(unary("FastGelu", "y = x · sigmoid(1.702 · x)", 7,
                  unaryFloat([]<typename T>(T x) { return x * sigmoid(T(1.702) * x); })));
    ops.add(unary("GeluV2", "y = x · Φ(x); approximate is \"none\" (erf) or \"tanh\"", 12,
                  [](KernelContext& context) -> Status {
                      if (attrString(context.attrs(), "approximate", "none") == "tanh")
                          return unaryFloat([](auto x) { return geluTanh(x); })(context);
                      return unaryFloat([](auto x) { return geluExact(x); })(context);
                  })
                .attr("approximate", "none"));
}

/// A weight of rank 1 belongs to the channels (axis 1), or is one number for all; others broadcast to the right.
Shape channelAligned(const Shape& weight, const Shape& x)
{
    if (weight.rank() != 1 || !x.hasRank() || x.rank() < 2 || weight.dim(0) == 1) return weight;
    Shape aligned{};
    aligned.append(weight.dim(0));
    for (int i = 2; i < x.rank(); ++i) aligned.append(1);
    return aligned;
}

Status inferPRelu(InferContext& context)
{
    const Shape& x = context.shape(0);
    const Shape& weight = context.shape(1);
    if (weight.hasRank() && x.hasRank()) {
        auto wide = broadcastShapes(x, channelAligned(weight, x));
        if (!wide.ok()) return at(context, wide.error());
        if (wide.value().rank() != x.rank()) return context.error("the weight has a higher rank than x");
    }
    return sameAsInput(context);
}

Status preluKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    const TensorView& weight = context.input(1);
    if (x.dtype != weight.dtype) return context.error("weight and x have different types");
    const Shape aligned = channelAligned(weight.shape, x.shape);
    const auto wide = broadcastShapes(x.shape, aligned);
    if (!wide.ok() || !(wide.value() == x.shape)) return context.error("the weight does not fit x");
    const BroadcastPlan plan(x.shape, {&x.shape, &aligned});
    Status status;
    const bool known = visitArithmetic(x.dtype, [&]<typename T>(TypeTag<T>) {
        auto y = context.outputAs<T>(0, x.dtype, x.shape);
        if (!y.ok()) {
            status = y.error();
            return;
        }
        binaryLoop(plan, y.value(), reinterpret_cast<const T*>(x.data), reinterpret_cast<const T*>(weight.data),
                   []<typename C>(C value, C slope) {
                       return value < 0 ? wrap(value, slope, [](auto a, auto b) { return a * b; }) : value;
                   });
    });
    return known ? status : Status(typeError(context, 0));
}

} // namespace

void registerActivationOps(OpRegistry& ops)
{
    registerRectifiers(ops);
    registerSmooth(ops);
    registerSoftmaxOps(ops);
    OpDef prelu("PRelu");
    prelu.doc("x where positive, else weight · x. A weight of rank 1 has one number for each channel (axis 1).")
        .source(canonical)
        .input("x")
        .input("weight")
        .output("y")
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Broadcast)
        .formats(FormatSupport::AnyElement)
        .mayRunInPlace()
        .infer(inferPRelu)
        .cost(elementwise(2))
        .kernel(preluKernel);
    ops.add(std::move(prelu));
}

} // namespace gelens
