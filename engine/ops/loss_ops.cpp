// Losses over classes (axis 1). Computed in fp64, rounded on store.

#include "engine/ops/family_helpers.h"

#include <fmt/format.h>

#include <cmath>

namespace gelens {
namespace {

using namespace families;

/// [N, C, d1 … dk] as samples × classes × places.
struct ClassLayout {
    std::int64_t samples = 1, classes = 1, places = 1;
    explicit ClassLayout(const Shape& shape)
    {
        samples = shape.dim(0);
        classes = shape.dim(1);
        for (int i = 2; i < shape.rank(); ++i) places *= shape.dim(i);
    }
};

Shape withoutClasses(const Shape& scores)
{
    return scores.hasRank() ? reducedShape(scores, {1}, false) : Shape::unknownRank();
}

Result<std::string> reductionOf(const KernelContext& context)
{
    std::string reduction = attrString(context.attrs(), "reduction", "mean");
    if (reduction == "mean" || reduction == "sum" || reduction == "none") return reduction;
    return context.error(fmt::format("reduction \"{}\" is none of mean, sum, none", reduction));
}

struct Loss {
    std::vector<double> each; ///< one for each sample and place
    double total = 0, weight = 0;
};

/// -logProbability of each target class times its weight; ignored targets count nothing.
Result<Loss> negativeLogLikelihood(const KernelContext& context, const std::vector<double>& logProbability,
                                   const ClassLayout& layout)
{
    GELENS_ASSIGN(const std::vector<std::int64_t> targets, context.ints(1));
    if (static_cast<std::int64_t>(targets.size()) != layout.samples * layout.places)
        return context.error("the targets do not fit the scores");
    std::vector<double> weights;
    if (context.hasInput(2)) {
        GELENS_ASSIGN(weights, context.doubles(2));
        if (static_cast<std::int64_t>(weights.size()) != layout.classes)
            return context.error("there is not one weight for each class");
    }
    const std::int64_t ignored = attrInt(context.attrs(), "ignore_index", -100);
    Loss loss;
    loss.each.assign(targets.size(), 0.0);
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const std::int64_t target = targets[i];
        if (target == ignored) continue;
        if (target < 0 || target >= layout.classes)
            return context.error(fmt::format("target {} is not one of {} classes", target, layout.classes));
        const std::int64_t sample = static_cast<std::int64_t>(i) / layout.places;
        const std::int64_t place = static_cast<std::int64_t>(i) % layout.places;
        const double weight = weights.empty() ? 1.0 : weights[static_cast<std::size_t>(target)];
        const auto at = static_cast<std::size_t>((sample * layout.classes + target) * layout.places + place);
        loss.each[i] = -logProbability[at] * weight;
        loss.total += loss.each[i];
        loss.weight += weight;
    }
    return loss;
}

Status setDoubles(KernelContext& context, int output, DataType dtype, const Shape& shape,
                  const std::vector<double>& values)
{
    Status status;
    const bool known = visitFloating(dtype, [&]<typename T>(TypeTag<T>) {
        auto y = context.outputAs<T>(output, dtype, shape);
        if (!y.ok())
            status = y.error();
        else
            unaryLoop(y.value(), values.data(), static_cast<std::int64_t>(values.size()),
                      [](double value) { return static_cast<ComputeType<T>>(value); });
    });
    return known ? status : Status(typeError(context, 0));
}

Status setLoss(KernelContext& context, const Loss& loss)
{
    const TensorView& scores = context.input(0);
    GELENS_ASSIGN(const std::string reduction, reductionOf(context));
    if (reduction == "none") return setDoubles(context, 0, scores.dtype, withoutClasses(scores.shape), loss.each);
    return setDoubles(context, 0, scores.dtype, Shape{}, {reduction == "sum" ? loss.total : loss.total / loss.weight});
}

Status checkScores(const KernelContext& context)
{
    const TensorView& scores = context.input(0);
    if (scores.shape.rank() < 2) return context.error("the scores need a rank of at least 2");
    if (!context.hasInput(1)) return context.error("the targets are missing");
    const auto wanted = withoutClasses(scores.shape);
    if (!(context.input(1).shape == wanted))
        return context.error(fmt::format("targets of shape {} do not fit scores of shape {}",
                                         context.input(1).shape.text(), scores.shape.text()));
    return {};
}

Status nllKernel(KernelContext& context)
{
    GELENS_TRY(checkScores(context));
    GELENS_ASSIGN(const std::vector<double> scores, context.doubles(0));
    GELENS_ASSIGN(const Loss loss, negativeLogLikelihood(context, scores, ClassLayout(context.input(0).shape)));
    GELENS_TRY(setLoss(context, loss));
    if (context.outputCount() < 2) return {};
    return setDoubles(context, 1, context.input(0).dtype, Shape{}, {loss.weight});
}

void logSoftmaxOverClasses(std::vector<double>& values, const ClassLayout& layout)
{
    for (std::int64_t n = 0; n < layout.samples; ++n) {
        for (std::int64_t p = 0; p < layout.places; ++p) {
            double* const column = values.data() + n * layout.classes * layout.places + p;
            double largest = column[0];
            for (std::int64_t c = 1; c < layout.classes; ++c) largest = std::max(largest, column[c * layout.places]);
            double sum = 0;
            for (std::int64_t c = 0; c < layout.classes; ++c) sum += std::exp(column[c * layout.places] - largest);
            const double shift = largest + std::log(sum);
            for (std::int64_t c = 0; c < layout.classes; ++c) column[c * layout.places] -= shift;
        }
    }
}

Status crossEntropyKernel(KernelContext& context)
{
    GELENS_TRY(checkScores(context));
    const ClassLayout layout(context.input(0).shape);
    if (layout.classes == 0) return context.error("there are no classes");
    GELENS_ASSIGN(std::vector<double> scores, context.doubles(0));
    logSoftmaxOverClasses(scores, layout);
    GELENS_ASSIGN(const Loss loss, negativeLogLikelihood(context, scores, layout));
    GELENS_TRY(setLoss(context, loss));
    if (context.outputCount() < 2) return {};
    return setDoubles(context, 1, context.input(0).dtype, context.input(0).shape, scores);
}

InferFunction inferLoss(bool hasLogProbability)
{
    return [hasLogProbability](InferContext& context) -> Status {
        const Shape& scores = context.shape(0);
        if (scores.hasRank() && scores.rank() < 2) return context.error("the scores need a rank of at least 2");
        const bool isReduced = attrString(context.attrs(), "reduction", "mean") != "none";
        context.setOutput(0, context.dtype(0), isReduced ? Shape{} : withoutClasses(scores));
        context.setOutput(1, context.dtype(0), hasLogProbability ? scores : Shape{});
        return {};
    };
}

} // namespace

void registerLossOps(OpRegistry& ops)
{
    OpDef nll("NLLLoss");
    nll.arithmetic(Arithmetic::SumsInFp64);
    nll.doc("Negative log-likelihood of the target classes (axis 1), weighted; mean, sum or each")
        .source("CANN operator library, shapes of ONNX NegativeLogLikelihoodLoss")
        .input("x")
        .input("target")
        .optionalInput("weight")
        .output("y")
        .output("total_weight")
        .attr("reduction", "mean")
        .attr("ignore_index", -100)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Other)
        .infer(inferLoss(false))
        .cost(perInputElement(1))
        .kernel(nllKernel);
    ops.add(std::move(nll));

    OpDef entropy("SoftmaxCrossEntropyLoss");
    entropy.arithmetic(Arithmetic::SumsInFp64);
    entropy.doc("Cross entropy of softmax over the classes (axis 1) with the labels, weighted; mean, sum or each")
        .source(canonical)
        .input("scores")
        .input("labels")
        .optionalInput("weights")
        .output("loss")
        .output("log_prop")
        .attr("ignore_index", -100)
        .attr("reduction", "mean")
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Other)
        .infer(inferLoss(true))
        .cost(perInputElement(10))
        .kernel(crossEntropyKernel);
    ops.add(std::move(entropy));
}

} // namespace gelens
