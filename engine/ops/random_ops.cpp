// Random numbers. One generator serves all: given the seed attributes and the run's seed, results repeat on every
// machine.

#include "engine/ops/element_types.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/random_ops_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

namespace gelens {
namespace {

using movement::checkOutput;

/// SplitMix64 (Steele, Lea, Flood 2014): one multiplication chain for each number, no state to warm up.
class Generator {
public:
    explicit Generator(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next()
    {
        m_state += 0x9E3779B97F4A7C15u;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    /// Evenly in [0, 1).
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    /// Standard normal by Box and Muller; the second value of each pair is kept.
    double normal()
    {
        if (m_hasSpare) {
            m_hasSpare = false;
            return m_spare;
        }
        const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform())), angle = 2.0 * std::numbers::pi * uniform();
        m_spare = radius * std::sin(angle);
        m_hasSpare = true;
        return radius * std::cos(angle);
    }

private:
    std::uint64_t m_state;
    double m_spare = 0;
    bool m_hasSpare = false;
};

/// Both seeds zero: the run's own seed, told apart by node.
Generator generatorFor(const KernelContext& context)
{
    const auto seed = static_cast<std::uint64_t>(attrInt(context.attrs(), "seed", 0));
    const auto seed2 = static_cast<std::uint64_t>(attrInt(context.attrs(), "seed2", 0));
    if (seed != 0 || seed2 != 0) return Generator(seed * 0x9E3779B97F4A7C15u + seed2);
    std::uint64_t hash = context.seed ^ 0xCBF29CE484222325u;
    for (const char c : context.nodeName()) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    return Generator(hash);
}

DataType outputType(const AttrMap& attrs, DataType otherwise)
{
    const auto dtype = static_cast<DataType>(attrInt(attrs, "dtype", static_cast<std::int64_t>(otherwise)));
    return dtype == DataType::Undefined ? otherwise : dtype;
}

Status inferDrawn(InferContext& context)
{
    const DataType dtype = outputType(context.attrs(), DataType::Float);
    const auto dims = context.constantInts(0);
    if (!dims) {
        const Shape& wanted = context.shape(0);
        const bool hasLength = wanted.hasRank() && wanted.rank() == 1 && wanted[0] >= 0 && wanted[0] < 64;
        context.setOutput(0, dtype, movement::unknownDims(hasLength ? static_cast<int>(wanted[0]) : -1));
        return {};
    }
    for (const std::int64_t dim : *dims)
        if (dim < 0) return context.error(fmt::format("the wanted shape has the dim {}", dim));
    GELENS_TRY(checkOutput(context, dtype, Shape(*dims)));
    context.setOutput(0, dtype, Shape(*dims));
    return {};
}

/// Fills a tensor of the wanted shape with draw(generator).
template <typename Draw>
Status writeDrawn(KernelContext& context, DataType dtype, const Shape& shape, Draw draw)
{
    GELENS_TRY(checkOutput(context, dtype, shape));
    Generator generator = generatorFor(context);
    Status status;
    const bool isKnown = visitNumeric(dtype, [&]<typename T>(TypeTag<T>) {
        auto out = context.outputAs<T>(0, dtype, shape);
        if (!out.ok()) {
            status = out.error();
            return;
        }
        const std::int64_t count = shape.elementCount().value_or(0);
        for (std::int64_t i = 0; i < count; ++i) out.value()[i] = saturateTo<T>(draw(generator, i));
    });
    return isKnown
               ? status
               : Status(context.error(fmt::format("random numbers of {} are not possible", dataTypeShortName(dtype))));
}

template <typename Draw>
KernelFunction drawn(Draw draw)
{
    return [draw](KernelContext& context) -> Status {
        GELENS_ASSIGN(const auto dims, context.ints(0));
        return writeDrawn(context, outputType(context.attrs(), DataType::Float), Shape(dims), draw);
    };
}

// ---- Multinomial: class numbers drawn by unnormalised log probabilities ----

Status inferMultinomial(InferContext& context)
{
    const Shape& logits = context.shape(0);
    if (logits.hasRank() && logits.rank() != 2) return context.error(fmt::format("{} is not a matrix", logits.text()));
    Shape shape;
    shape.append(logits.hasRank() ? logits.dim(0) : unknownDim,
                 logits.hasRank() ? logits.symbol(0) : std::string_view());
    shape.append(movement::constantInt(context, 1).value_or(unknownDim));
    context.setOutput(0, outputType(context.attrs(), DataType::Int64), std::move(shape));
    return {};
}

Status runMultinomial(KernelContext& context)
{
    const Shape& shape = context.input(0).shape;
    if (shape.rank() != 2) return context.error(fmt::format("{} is not a matrix", shape.text()));
    GELENS_ASSIGN(const std::vector<double> logits, context.doubles(0));
    GELENS_ASSIGN(const std::int64_t samples, movement::scalarInt(context, 1));
    const std::int64_t classes = shape[1];
    if (samples < 0 || classes < 1) return context.error(fmt::format("{} samples of {} classes", samples, classes));
    std::vector<double> sums(logits.size());
    for (std::int64_t row = 0; row < shape[0]; ++row) {
        const double* const from = logits.data() + row * classes;
        const double top = *std::max_element(from, from + classes);
        double sum = 0;
        for (std::int64_t i = 0; i < classes; ++i)
            sums[static_cast<std::size_t>(row * classes + i)] = sum += std::exp(from[i] - top);
    }
    const DataType dtype = outputType(context.attrs(), DataType::Int64);
    return writeDrawn(context, dtype, Shape{shape[0], samples}, [&](Generator& generator, std::int64_t i) {
        const auto begin = sums.begin() + i / samples * classes, end = begin + classes;
        const auto found = std::upper_bound(begin, end, generator.uniform() * *(end - 1));
        return static_cast<double>(std::min<std::int64_t>(found - begin, classes - 1));
    });
}

// ---- Bernoulli ----

Status inferBernoulli(InferContext& context)
{
    context.setOutput(0, outputType(context.attrs(), context.dtype(0)), context.shape(0));
    return {};
}

Status runBernoulli(KernelContext& context)
{
    GELENS_ASSIGN(const std::vector<double> chances, context.doubles(0));
    return writeDrawn(context, outputType(context.attrs(), context.input(0).dtype), context.input(0).shape,
                      [&chances](Generator& generator, std::int64_t i) {
                          return generator.uniform() < chances[static_cast<std::size_t>(i)] ? 1.0 : 0.0;
                      });
}

// ---- Dropout: in training an element is dropped with the given chance, and the others are scaled up ----

Status inferDropout(InferContext& context)
{
    context.setOutput(0, context.dtype(0), context.shape(0));
    context.setOutput(1, DataType::Bool, context.shape(0));
    return {};
}

Status runDropout(KernelContext& context)
{
    const TensorView& x = context.input(0);
    double ratio = attrFloat(context.attrs(), "ratio", 0.5);
    if (context.hasInput(1)) {
        GELENS_ASSIGN(const auto values, context.doubles(1));
        if (values.size() == 1) ratio = values[0];
    }
    bool isTraining = attrBool(context.attrs(), "training_mode", false);
    if (context.hasInput(2)) {
        GELENS_ASSIGN(const std::int64_t flag, movement::scalarInt(context, 2));
        isTraining = flag != 0;
    }
    if (!(ratio >= 0 && ratio < 1)) return context.error(fmt::format("the ratio is {}", ratio));
    const bool drops = isTraining && ratio > 0;
    const auto count = static_cast<std::size_t>(x.elementCount());
    std::vector<std::uint8_t> kept(count, 1);
    if (!drops) {
        GELENS_TRY(movement::passThrough(context, 0, 0, x.shape));
    } else {
        Generator generator = generatorFor(context);
        GELENS_ASSIGN(std::vector<float> values, context.floats(0));
        const float scale = static_cast<float>(1.0 / (1.0 - ratio));
        for (std::size_t i = 0; i < count; ++i) {
            kept[i] = generator.uniform() >= ratio ? 1 : 0;
            values[i] = kept[i] != 0 ? values[i] * scale : 0.0f;
        }
        GELENS_TRY(context.setFloats(0, x.dtype, x.shape, values));
    }
    if (context.outputCount() > 1) {
        GELENS_ASSIGN(std::byte* const mask, context.output(1, DataType::Bool, x.shape));
        if (count > 0) std::memcpy(mask, kept.data(), count);
    }
    return {};
}

OpDef base(const char* type, const char* doc, const char* source = "CANN operator library")
{
    OpDef def(type);
    def.doc(doc)
        .source(source)
        .unit(Unit::AiCpu)
        .fusionClass(FusionClass::Opaque)
        .formats(FormatSupport::NdOnly)
        .isStateful()
        .cost(elementwise(16));
    return def;
}

} // namespace

void registerRandomOps(OpRegistry& ops)
{
    const auto floatType = AttrValue(DataType::Float);
    ops.add(base("RandomUniform", "Numbers evenly in [0, 1)")
                .arithmetic(Arithmetic::Fp64)
                .input("shape")
                .output("y")
                .attr("dtype", floatType)
                .attr("seed", 0)
                .attr("seed2", 0)
                .infer(inferDrawn)
                .kernel(drawn([](Generator& generator, std::int64_t) { return generator.uniform(); })));
    ops.add(base("RandomStandardNormal", "Numbers of the standard normal distribution")
                .arithmetic(Arithmetic::Fp64)
                .input("shape")
                .output("y")
                .attr("dtype", floatType)
                .attr("seed", 0)
                .attr("seed2", 0)
                .infer(inferDrawn)
                .kernel(drawn([](Generator& generator, std::int64_t) { return generator.normal(); })));
    ops.add(base("Multinomial", "Class numbers drawn by unnormalised log probabilities")
                .arithmetic(Arithmetic::Fp64)
                .input("logits")
                .input("num_samples")
                .output("y")
                .attr("dtype", DataType::Int64)
                .attr("seed", 0)
                .attr("seed2", 0)
                .infer(inferMultinomial)
                .kernel(runMultinomial));
    ops.add(base("Bernoulli", "1 with the chance that the element gives, else 0", "ONNX Bernoulli-15")
                .arithmetic(Arithmetic::Fp64)
                .input("x")
                .output("y")
                .attr("dtype", DataType::Undefined)
                .attr("seed", 0)
                .attr("seed2", 0)
                .infer(inferBernoulli)
                .kernel(runBernoulli));
    ops.add(base("Dropout",
                 "The input; in training with elements dropped by chance and the others scaled up, and the mask of "
                 "those kept",
                 "ONNX Dropout-13")
                .unit(Unit::Vector)
                .fusionClass(FusionClass::ElementWise)
                .input("x")
                .optionalInput("ratio")
                .optionalInput("training_mode")
                .output("y")
                .output("mask")
                .attr("ratio", 0.5)
                .attr("seed", 0)
                .attr("seed2", 0)
                .infer(inferDropout)
                .kernel(runDropout));
    registerStringOps(ops);
    registerTfIdfOps(ops);
    registerSignalOps(ops);
}

} // namespace gelens
