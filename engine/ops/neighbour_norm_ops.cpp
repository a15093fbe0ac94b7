// Normalisation by neighbours and by chosen axes. Sums in fp64, rounded on store.

#include "engine/ops/family_helpers.h"
#include "engine/ops/reduce_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

using namespace families;

// --- LRN ---

/// Neighbours below and above a channel. ONNX's even sizes reach one further up, which depth_radius cannot say.
std::pair<std::int64_t, std::int64_t> lrnReach(const AttrMap& attrs)
{
    const std::int64_t radius = attrInt(attrs, "depth_radius", 5);
    const std::int64_t size = attrInt(attrs, "size", 2 * radius + 1);
    return {(size - 1) / 2, size / 2};
}

/// y = x / (bias + alpha · Σ x²)^beta, the sum over neighbouring channels.
Status lrnKernel(KernelContext& context)
{
    const TensorView& x = context.input(0);
    if (x.shape.rank() < 2) return context.error("x needs a rank of at least 2");
    const AttrMap& attrs = context.attrs();
    // Named copies: Clang 14 does not capture structured bindings.
    const auto reach = lrnReach(attrs);
    const auto below = reach.first, above = reach.second;
    if (below < 0 || above < 0) return context.error("the number of neighbours is negative");
    const double bias = attrFloat(attrs, "bias", 1), alpha = attrFloat(attrs, "alpha", 1),
                 beta = attrFloat(attrs, "beta", 0.5);
    const AxisSplit split(x.shape, 1);
    Status status;
    const bool known = visitFloating(x.dtype, [&]<typename T>(TypeTag<T>) {
        auto y = context.outputAs<T>(0, x.dtype, x.shape);
        if (!y.ok()) {
            status = y.error();
            return;
        }
        const T* const from = reinterpret_cast<const T*>(x.data);
        std::vector<double> sums(static_cast<std::size_t>(split.inner));
        for (std::int64_t o = 0; o < split.outer; ++o) {
            for (std::int64_t c = 0; c < split.length; ++c) {
                std::fill(sums.begin(), sums.end(), 0.0);
                const std::int64_t last = std::min(split.length - 1, c + std::min(above, split.length));
                for (std::int64_t k = std::max<std::int64_t>(0, c - below); k <= last; ++k) {
                    const T* const row = from + (o * split.length + k) * split.inner;
                    for (std::int64_t i = 0; i < split.inner; ++i)
                        sums[static_cast<std::size_t>(i)] +=
                            static_cast<double>(load(row[i])) * static_cast<double>(load(row[i]));
                }
                const std::int64_t at = (o * split.length + c) * split.inner;
                for (std::int64_t i = 0; i < split.inner; ++i) {
                    const double divisor = std::pow(bias + alpha * sums[static_cast<std::size_t>(i)], beta);
                    y.value()[at + i] =
                        store<T>(static_cast<ComputeType<T>>(static_cast<double>(load(from[at + i])) / divisor));
                }
            }
        }
    });
    return known ? status : Status(typeError(context, 0));
}

Cost lrnCost(const Node& node, const Graph& graph)
{
    const auto [below, above] = lrnReach(node.attrs);
    Cost cost = bytesOnly(node, graph);
    cost.vectorOps =
        elementsOf(inputDesc(node, graph, 0)) * static_cast<double>(std::max<std::int64_t>(0, below + above) + 14);
    return cost;
}

// --- by axes ---

template <typename C>
struct SquareFold {
    using State = double;
    static State start() { return 0; }
    static void step(State& state, C x) { state += static_cast<double>(x) * static_cast<double>(x); }
    static void join(State& state, State other) { state += other; }
};

template <typename C>
struct SumFold {
    using State = double;
    static State start() { return 0; }
    static void step(State& state, C x) { state += static_cast<double>(x); }
    static void join(State& state, State other) { state += other; }
};

Result<std::vector<int>> axesOf(const KernelContext& context, const IntList& list)
{
    const int rank = context.input(0).shape.rank();
    auto axes = normalizeAxes(list, rank);
    if (!axes.ok()) return context.error(axes.error().what);
    return axes;
}

/// y = x / max(√Σx², eps)
Status l2Normalize(KernelContext& context)
{
    const TensorView& x = context.input(0);
    GELENS_ASSIGN(const std::vector<int> axes, axesOf(context, attrInts(context.attrs(), "axis")));
    const double eps = attrFloat(context.attrs(), "eps", 1e-4);
    const Shape reduced = reducedShape(x.shape, axes, true);
    const ReducePlan plan(x.shape, axes);
    const BroadcastPlan spread(x.shape, {&x.shape, &reduced});
    Status status;
    const bool known = visitFloating(x.dtype, [&]<typename T>(TypeTag<T>) {
        using C = ComputeType<T>;
        const T* const from = reinterpret_cast<const T*>(x.data);
        std::vector<double> squares = reduceAll<SquareFold<C>>(plan, from);
        for (double& value : squares) value = std::max(std::sqrt(value), eps);
        auto y = context.outputAs<T>(0, x.dtype, x.shape);
        if (!y.ok())
            status = y.error();
        else
            binaryLoop(spread, y.value(), from, squares.data(),
                       [](C value, double norm) { return static_cast<C>(static_cast<double>(value) / norm); });
    });
    return known ? status : Status(typeError(context, 0));
}

/// y = (x - mean) / (√variance + eps)
Status meanVariance(KernelContext& context)
{
    const TensorView& x = context.input(0);
    GELENS_ASSIGN(const std::vector<int> axes, axesOf(context, attrInts(context.attrs(), "axes", {0, 2, 3})));
    const double eps = attrFloat(context.attrs(), "eps", 1e-9);
    const Shape reduced = reducedShape(x.shape, axes, true);
    const ReducePlan plan(x.shape, axes);
    const BroadcastPlan spread(x.shape, {&x.shape, &reduced});
    const auto n = static_cast<double>(plan.foldedCount());
    Status status;
    const bool known = visitFloating(x.dtype, [&]<typename T>(TypeTag<T>) {
        using C = ComputeType<T>;
        std::vector<double> means = reduceAll<SumFold<C>>(plan, reinterpret_cast<const T*>(x.data));
        for (double& mean : means) mean /= n;
        std::vector<double> centred(static_cast<std::size_t>(x.elementCount()));
        binaryLoop(spread, centred.data(), reinterpret_cast<const T*>(x.data), means.data(),
                   [](C value, double mean) { return static_cast<double>(value) - mean; });
        std::vector<double> deviations = reduceAll<SquareFold<double>>(plan, centred.data());
        for (double& deviation : deviations) deviation = std::sqrt(deviation / n) + eps;
        auto y = context.outputAs<T>(0, x.dtype, x.shape);
        if (!y.ok())
            status = y.error();
        else
            binaryLoop(spread, y.value(), centred.data(), deviations.data(),
                       [](double value, double deviation) { return static_cast<C>(value / deviation); });
    });
    return known ? status : Status(typeError(context, 0));
}

/// Σ x1·x2 / (max(|x1|, eps) · max(|x2|, eps)) along dim
Status cosineKernel(KernelContext& context)
{
    GELENS_ASSIGN(const Shape shape, binaryShape(context));
    if (shape.rank() == 0) return context.error("the inputs are scalars");
    GELENS_ASSIGN(const int axis, kernelAxis(context, attrInt(context.attrs(), "dim", 1), shape.rank()));
    const double eps = attrFloat(context.attrs(), "eps", 1e-8);
    GELENS_ASSIGN(const std::vector<double> a, context.doubles(0));
    GELENS_ASSIGN(const std::vector<double> b, context.doubles(1));
    const ReducePlan plan(shape, {axis});
    const BroadcastPlan spread(shape, {&context.input(0).shape, &context.input(1).shape});
    std::vector<double> wide(static_cast<std::size_t>(shape.elementCount().value_or(0)));
    const auto fold = [&](auto f) {
        binaryLoop(spread, wide.data(), a.data(), b.data(), f);
        return reduceAll<SumFold<double>>(plan, wide.data());
    };
    std::vector<double> result = fold([](double x, double y) { return x * y; });
    const std::vector<double> first = fold([](double x, double) { return x * x; });
    const std::vector<double> second = fold([](double, double y) { return y * y; });
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] /= std::max(std::sqrt(first[i]), eps) * std::max(std::sqrt(second[i]), eps);
    const std::vector<float> values(result.begin(), result.end());
    return context.setFloats(0, context.input(0).dtype, reducedShape(shape, {axis}, false), values);
}

Status inferCosine(InferContext& context)
{
    auto wide = broadcastShapes(context.shape(0), context.shape(1));
    if (!wide.ok()) return at(context, wide.error());
    const Shape& shape = wide.value();
    if (!shape.hasRank()) {
        context.setOutput(0, context.dtype(0), Shape::unknownRank());
        return {};
    }
    const std::optional<int> axis = normalizeAxis(attrInt(context.attrs(), "dim", 1), shape.rank());
    if (!axis) return context.error("attribute dim is no axis of the inputs");
    context.setOutput(0, context.dtype(0), reducedShape(shape, {*axis}, false));
    return {};
}

OpDef sameShape(std::string type, std::string doc, double weight, KernelFunction kernel)
{
    OpDef def(std::move(type));
    def.doc(std::move(doc)).source(canonical).input("x").output("y");
    def.unit(Unit::Vector).fusionClass(FusionClass::Other);
    def.infer(sameAsInput).cost(perInputElement(weight)).kernel(std::move(kernel));
    return def;
}

} // namespace

void registerNeighbourNormOps(OpRegistry& ops)
{
    ops.add(sameShape("LRN",
                      "y = x / (bias + alpha · Σx²)^beta over 2 · depth_radius + 1 neighbouring channels (or `size`, "
                      "an even number that ONNX allows)",
                      16, lrnKernel)
                .arithmetic(Arithmetic::SumsInFp64)
                .source("CANN operator library; size from ONNX LRN")
                .attr("depth_radius", 5)
                .attr("bias", 1.0f)
                .attr("alpha", 1.0f)
                .attr("beta", 0.5f)
                .attr("norm_region", "ACROSS_CHANNELS")
                .cost(lrnCost));
    ops.add(sameShape("L2Normalize", "y = x / max(√Σx², eps) over the axes", 4, l2Normalize)
                .arithmetic(Arithmetic::SumsInFp64)
                .attr("axis", IntList{})
                .attr("eps", 1e-4f));
    ops.add(sameShape("MVNV2", "y = (x - mean) / (√variance + eps) over the axes", 6, meanVariance)
                .arithmetic(Arithmetic::SumsInFp64)
                .attr("eps", 1e-9f)
                .attr("axes", IntList{0, 2, 3}));
    OpDef cosine("CosineSimilarity");
    cosine.arithmetic(Arithmetic::SumsInFp64);
    cosine.doc("Cosine of the angle between x1 and x2 along dim")
        .source(canonical)
        .input("input_x1")
        .input("input_x2")
        .output("output_y")
        .attr("dim", 1)
        .attr("eps", 1e-8f)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Reduce)
        .infer(inferCosine)
        .cost(perInputElement(6))
        .kernel(cosineKernel);
    ops.add(std::move(cosine));
}

} // namespace gelens
