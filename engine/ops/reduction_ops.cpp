// Reductions over axes. fp16, bf16 and fp32 are summed in fp64 and rounded once: the error of a tree of fp32 adds,
// which the vector unit makes, is closer to that than to a running fp32 sum. Integers wrap around.

#include "engine/ops/family_helpers.h"
#include "engine/ops/op_families.h"
#include "engine/ops/reduce_engine.h"

#include <cmath>
#include <limits>

namespace gelens {

ReducePlan::ReducePlan(const Shape& shape, const std::vector<int>& axes)
{
    std::vector<bool> folded(static_cast<std::size_t>(shape.rank()), false);
    for (const int axis : axes) folded[static_cast<std::size_t>(axis)] = true;
    std::vector<bool> kinds;
    for (int i = 0; i < shape.rank(); ++i) {
        const bool kind = folded[static_cast<std::size_t>(i)];
        const std::int64_t dim = shape.dim(i);
        (kind ? m_foldedCount : m_outputCount) *= dim;
        if (dim == 1) continue;
        if (!kinds.empty() && kinds.back() == kind) {
            m_dims.back() *= dim;
        } else {
            m_dims.push_back(dim);
            kinds.push_back(kind);
        }
    }
    if (m_dims.empty()) {
        m_dims.push_back(1);
        kinds.push_back(false);
    }
    m_outStrides.assign(m_dims.size(), 0);
    std::int64_t stride = 1;
    for (std::size_t d = m_dims.size(); d-- > 0;) {
        if (kinds[d]) continue;
        m_outStrides[d] = stride;
        stride *= m_dims[d];
    }
    for (const std::int64_t dim : m_dims) m_rowCount *= dim;
    if (m_rowCount > 0) m_rowCount /= m_dims.back();
}

namespace {

using namespace families;

/// Type in which sums are kept: double for floats, 64 bits modulo 2^64 for integers.
template <typename C>
using Total = std::conditional_t<std::is_floating_point_v<C>, double, std::uint64_t>;

template <typename C>
Total<C> totalOf(C value)
{
    if constexpr (std::is_floating_point_v<C>)
        return value;
    else if constexpr (std::is_signed_v<C>)
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    else
        return static_cast<std::uint64_t>(value);
}

// Folds. finish(state, n) gives the result in the compute type (integers come out modulo their range).

template <typename C>
struct Sum {
    using State = Total<C>;
    static State start() { return 0; }
    static void step(State& state, C x) { state += totalOf(x); }
    static void join(State& state, State other) { state += other; }
    static C finish(State state, std::int64_t) { return static_cast<C>(state); }
};

template <typename C>
struct Mean : Sum<C> {
    static C finish(typename Sum<C>::State state, std::int64_t n)
    {
        if constexpr (std::is_floating_point_v<C>)
            return static_cast<C>(state / static_cast<double>(n));
        else if (n == 0)
            return 0;
        else if constexpr (std::is_signed_v<C>)
            return static_cast<C>(static_cast<std::int64_t>(state) / n);
        else
            return static_cast<C>(state / static_cast<std::uint64_t>(n));
    }
};

template <typename C>
struct SumOfSquares : Sum<C> {
    static void step(typename Sum<C>::State& state, C x) { state += totalOf(x) * totalOf(x); }
};

template <typename C>
struct SumOfMagnitudes : Sum<C> {
    static void step(typename Sum<C>::State& state, C x)
    {
        if constexpr (std::is_floating_point_v<C>)
            state += std::fabs(static_cast<double>(x));
        else if constexpr (std::is_signed_v<C>)
            state += x < 0 ? 0 - totalOf(x) : totalOf(x);
        else
            state += x;
    }
};

template <typename C>
struct Product {
    using State = Total<C>;
    static State start() { return 1; }
    static void step(State& state, C x) { state *= totalOf(x); }
    static void join(State& state, State other) { state *= other; }
    static C finish(State state, std::int64_t) { return static_cast<C>(state); }
};

// Over nothing: the lowest (highest) value of the type. NaN wins over everything.
template <typename C>
struct Largest {
    using State = C;
    static State start()
    {
        using Limits = std::numeric_limits<C>;
        return Limits::has_infinity ? static_cast<C>(-Limits::infinity()) : Limits::lowest();
    }
    static void step(State& state, C x) { state = x > state || x != x ? x : state; }
    static void join(State& state, State other) { step(state, other); }
    static C finish(State state, std::int64_t) { return state; }
};

template <typename C>
struct Smallest {
    using State = C;
    static State start()
    {
        using Limits = std::numeric_limits<C>;
        return Limits::has_infinity ? Limits::infinity() : Limits::max();
    }
    static void step(State& state, C x) { state = x < state || x != x ? x : state; }
    static void join(State& state, State other) { step(state, other); }
    static C finish(State state, std::int64_t) { return state; }
};

template <typename C>
struct LogOfSum : Sum<C> {
    static C finish(typename Sum<C>::State state, std::int64_t)
    {
        return static_cast<C>(std::log(static_cast<double>(state)));
    }
};

/// ln(Σ e^x), scaled by the largest x seen so far.
template <typename C>
struct LogOfSumOfExp {
    struct State {
        double largest = -std::numeric_limits<double>::infinity();
        double sum = 0;
    };
    static State start() { return {}; }
    static void add(State& state, double largest, double sum)
    {
        if (sum == 0) return;
        if (largest == state.largest) {
            state.sum += sum;
        } else if (largest < state.largest) {
            state.sum += sum * std::exp(largest - state.largest);
        } else { // larger, or NaN
            state.sum = state.sum == 0 ? sum : state.sum * std::exp(state.largest - largest) + sum;
            state.largest = largest;
        }
    }
    static void step(State& state, C x)
    {
        const auto value = static_cast<double>(x);
        if (value != -std::numeric_limits<double>::infinity()) add(state, value, 1);
    }
    static void join(State& state, const State& other) { add(state, other.largest, other.sum); }
    static C finish(const State& state, std::int64_t) { return static_cast<C>(state.largest + std::log(state.sum)); }
};

/// Axes of a node: input `axes`, or the attribute `axes` (of the D forms). No axes: all, or none when
/// noop_with_empty_axes. Nothing when the input is not constant.
std::optional<IntList> inferAxes(const InferContext& context, const char* attribute)
{
    if (attribute) return attrInts(context.attrs(), attribute);
    if (!context.hasInput(1)) return IntList{};
    return context.constantInts(1);
}

bool emptyMeansNone(const AttrMap& attrs) { return attrBool(attrs, "noop_with_empty_axes", true); }

std::vector<int> allAxes(int rank)
{
    std::vector<int> axes;
    for (int i = 0; i < rank; ++i) axes.push_back(i);
    return axes;
}

Shape unknownShape(int rank) { return Shape(std::vector<std::int64_t>(static_cast<std::size_t>(rank), unknownDim)); }

/// Shape of a result whose axes come as a tensor of unknown values: only the rank may be known.
Shape shapeOfUnknownAxes(const InferContext& context, bool keepDims)
{
    const Shape& x = context.shape(0);
    if (!x.hasRank()) return Shape::unknownRank();
    if (keepDims) return unknownShape(x.rank());
    const Shape& axes = context.shape(1);
    if (!axes.isStatic() || axes.elementCount().value_or(0) == 0) return Shape::unknownRank();
    return unknownShape(static_cast<int>(std::max<std::int64_t>(0, x.rank() - axes.elementCount().value())));
}

InferFunction reduceInference(const char* axesAttribute, const char* keepAttribute)
{
    return [=](InferContext& context) -> Status {
        const bool keepDims = attrBool(context.attrs(), keepAttribute, false);
        const Shape& x = context.shape(0);
        const std::optional<IntList> axes = inferAxes(context, axesAttribute);
        if (!axes) {
            context.setOutput(0, context.dtype(0), shapeOfUnknownAxes(context, keepDims));
            return {};
        }
        if (axes->empty() && !axesAttribute && emptyMeansNone(context.attrs())) return sameAsInput(context);
        if (!x.hasRank()) {
            context.setOutput(0, context.dtype(0), axes->empty() && !keepDims ? Shape{} : Shape::unknownRank());
            return {};
        }
        auto normal = axes->empty() ? Result<std::vector<int>>(allAxes(x.rank())) : normalizeAxes(*axes, x.rank());
        if (!normal.ok()) return at(context, normal.error());
        context.setOutput(0, context.dtype(0), reducedShape(x, normal.value(), keepDims));
        return {};
    };
}

Result<std::vector<int>> kernelAxes(const KernelContext& context, const char* attribute)
{
    const int rank = context.input(0).shape.rank();
    IntList axes;
    if (attribute) {
        axes = attrInts(context.attrs(), attribute);
    } else if (context.hasInput(1)) {
        GELENS_ASSIGN(axes, context.ints(1));
    }
    if (axes.empty() && !attribute && emptyMeansNone(context.attrs())) return std::vector<int>{};
    if (axes.empty()) return allAxes(rank);
    auto normal = normalizeAxes(axes, rank);
    if (!normal.ok()) return context.error(normal.error().what);
    return normal;
}

/// Runs Fold<C> and then `after` on each result.
template <template <typename> class Fold, typename After>
Status runReduce(KernelContext& context, const char* axesAttribute, const char* keepAttribute, After after)
{
    const TensorView& x = context.input(0);
    GELENS_ASSIGN(const std::vector<int> axes, kernelAxes(context, axesAttribute));
    const Shape shape = reducedShape(x.shape, axes, attrBool(context.attrs(), keepAttribute, false));
    const ReducePlan plan(x.shape, axes);
    Status status;
    const bool known = visitArithmetic(x.dtype, [&]<typename T>(TypeTag<T>) {
        using C = ComputeType<T>;
        auto y = context.outputAs<T>(0, x.dtype, axes.empty() ? x.shape : shape);
        if (!y.ok()) {
            status = y.error();
            return;
        }
        const auto states = reduceAll<Fold<C>>(plan, reinterpret_cast<const T*>(x.data));
        for (std::size_t i = 0; i < states.size(); ++i)
            y.value()[i] = store<T>(after(Fold<C>::finish(states[i], plan.foldedCount())));
    });
    return known ? status : Status(typeError(context, 0));
}

constexpr auto unchanged = [](auto x) { return x; };

/// Bool goes through bytes: the largest is "any", the smallest "all".
template <bool any>
Status runBool(KernelContext& context, const char* axesAttribute)
{
    const TensorView& x = context.input(0);
    if (x.dtype != DataType::Bool) return typeError(context, 0);
    GELENS_ASSIGN(const std::vector<int> axes, kernelAxes(context, axesAttribute));
    const Shape shape = reducedShape(x.shape, axes, attrBool(context.attrs(), "keep_dims", false));
    const ReducePlan plan(x.shape, axes);
    GELENS_ASSIGN(Bool8* const y, context.outputAs<Bool8>(0, DataType::Bool, shape));
    using Fold = std::conditional_t<any, Largest<std::uint8_t>, Smallest<std::uint8_t>>;
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(x.elementCount()));
    unaryLoop(bytes.data(), reinterpret_cast<const Bool8*>(x.data), x.elementCount(), [](bool value) { return value; });
    const auto states = reduceAll<Fold>(plan, bytes.data());
    for (std::size_t i = 0; i < states.size(); ++i) y[i] = Bool8(states[i] != 0);
    return {};
}

template <template <typename> class Fold>
Status runExtreme(KernelContext& context, const char* axesAttribute)
{
    if (context.input(0).dtype == DataType::Bool)
        return runBool<std::is_same_v<Fold<float>, Largest<float>>>(context, axesAttribute);
    return runReduce<Fold>(context, axesAttribute, "keep_dims", unchanged);
}

OpDef reduction(std::string type, std::string doc, double weight, KernelFunction kernel)
{
    OpDef def(std::move(type));
    def.doc(std::move(doc)).source(canonical).input("x").optionalInput("axes").output("y").attr("keep_dims", false);
    def.unit(Unit::Vector).fusionClass(FusionClass::Reduce).arithmetic(Arithmetic::SumsInFp64);
    def.infer(reduceInference(nullptr, "keep_dims")).cost(perInputElement(weight)).kernel(std::move(kernel));
    return def;
}

/// The form with axes as attribute.
OpDef reductionD(std::string type, std::string doc, KernelFunction kernel)
{
    OpDef def(std::move(type));
    def.doc(std::move(doc)).source(canonical).input("x").output("y").requiredAttr("axes").attr("keep_dims", false);
    def.unit(Unit::Vector).fusionClass(FusionClass::Reduce).arithmetic(Arithmetic::SumsInFp64);
    def.infer(reduceInference("axes", "keep_dims")).cost(perInputElement(1)).kernel(std::move(kernel));
    return def;
}

/// Both forms of a plain reduction.
template <typename Run>
void addBoth(OpRegistry& ops, const std::string& type, const std::string& doc, Run run, bool hasHostKernel = false)
{
    OpDef def = reduction(type, doc + " over the axes", 1, [run](KernelContext& c) { return run(c, nullptr); });
    def.attr("noop_with_empty_axes", true);
    if (hasHostKernel) def.hasHostKernel();
    ops.add(std::move(def));
    ops.add(reductionD(type + "D", doc + " over the axes", [run](KernelContext& c) { return run(c, "axes"); }));
}

/// p-norm: p = 0, 1, 2, any number, ±infinity (as text "inf" in older nodes).
Status lpNorm(KernelContext& context)
{
    const AttrMap& attrs = context.attrs();
    const auto found = attrs.find("p");
    const std::int64_t* const whole = found == attrs.end() ? nullptr : found->second.as<std::int64_t>();
    const double p = whole ? static_cast<double>(*whole) : attrFloat(attrs, "p", 2);
    const auto root = []<typename C>(C x) -> C { return static_cast<C>(std::sqrt(static_cast<double>(x))); };
    if (p == 1) return runReduce<SumOfMagnitudes>(context, "axes", "keepdim", unchanged);
    if (p == 2) return runReduce<SumOfSquares>(context, "axes", "keepdim", root);
    return context.error("only the norms with p = 1 and p = 2 are supported");
}

OpDef norm(std::string type, AttrValue p)
{
    OpDef def(std::move(type));
    def.doc("The p-norm over the axes: sum of magnitudes (p = 1) or root of the sum of squares (p = 2)")
        .source(canonical)
        .input("x")
        .output("y")
        .attr("p", std::move(p))
        .attr("axes", IntList{})
        .attr("keepdim", false)
        .attr("epsilon", 1e-12f);
    def.unit(Unit::Vector).fusionClass(FusionClass::Reduce).arithmetic(Arithmetic::SumsInFp64);
    def.infer(reduceInference("axes", "keepdim")).cost(perInputElement(2)).kernel(lpNorm);
    return def;
}

} // namespace

void registerReductionOps(OpRegistry& ops)
{
    addBoth(ops, "ReduceSum", "Sum",
            [](KernelContext& c, const char* axes) { return runReduce<Sum>(c, axes, "keep_dims", unchanged); });
    addBoth(ops, "ReduceMean", "Mean",
            [](KernelContext& c, const char* axes) { return runReduce<Mean>(c, axes, "keep_dims", unchanged); });
    addBoth(
        ops, "ReduceProd", "Product",
        [](KernelContext& c, const char* axes) { return runReduce<Product>(c, axes, "keep_dims", unchanged); }, true);
    addBoth(ops, "ReduceMax", "Largest element",
            [](KernelContext& c, const char* axes) { return runExtreme<Largest>(c, axes); });
    addBoth(ops, "ReduceMin", "Smallest element",
            [](KernelContext& c, const char* axes) { return runExtreme<Smallest>(c, axes); });
    ops.add(reduction("ReduceAny", "Whether any element is true, over the axes", 1,
                      [](KernelContext& c) { return runBool<true>(c, nullptr); })
                .arithmetic(Arithmetic::None)
                .attr("noop_with_empty_axes", false));
    ops.add(reduction("ReduceAll", "Whether all elements are true, over the axes", 1,
                      [](KernelContext& c) { return runBool<false>(c, nullptr); })
                .arithmetic(Arithmetic::None)
                .attr("noop_with_empty_axes", false));
    ops.add(reduction("ReduceLogSum", "ln of the sum over the axes", 1, [](KernelContext& c) {
                return runReduce<LogOfSum>(c, nullptr, "keep_dims", unchanged);
            }).attr("noop_with_empty_axes", false));
    ops.add(reduction("ReduceLogSumExp", "ln of the sum of e^x over the axes", 8, [](KernelContext& c) {
                return runReduce<LogOfSumOfExp>(c, nullptr, "keep_dims", unchanged);
            }).attr("noop_with_empty_axes", false));

    OpDef squares("SquareSumV1");
    squares.arithmetic(Arithmetic::SumsInFp64);
    squares.doc("Sum of squares over the axes")
        .source(canonical)
        .input("x")
        .output("y")
        .requiredAttr("axis")
        .attr("keep_dims", true)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Reduce)
        .infer(reduceInference("axis", "keep_dims"))
        .cost(perInputElement(2))
        .kernel([](KernelContext& c) { return runReduce<SumOfSquares>(c, "axis", "keep_dims", unchanged); });
    ops.add(std::move(squares));
    ops.add(norm("LpNorm", AttrValue(2)));
    ops.add(norm("LpNormV2", AttrValue(2.0f)));
    registerScanOps(ops);
    registerLossOps(ops);
}

} // namespace gelens
