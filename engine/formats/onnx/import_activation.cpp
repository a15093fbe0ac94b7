// Activations, softmax and its kin.

#include "engine/formats/onnx/import_arithmetic_parts.h"

#include <fmt/format.h>

namespace gelens::onnx_import {
namespace {

/// The standard constants of Selu; other ones are those of an Elu with a scale.
Status importSelu(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 1));
    const bool isOld = context.opset() < 6;
    const double alpha = attrFloat(attrsOf(context), "alpha", isOld ? 1.6732 : 1.67326319217681884765625);
    const double gamma = attrFloat(attrsOf(context), "gamma", isOld ? 1.0507 : 1.05070102214813232421875);
    const bool isStandard = static_cast<float>(alpha) == 1.67326319217681884765625f &&
                            static_cast<float>(gamma) == 1.05070102214813232421875f;
    if (isStandard)
        context.setOutput(0, makeOne(context, "Selu", inputs));
    else
        context.setOutput(
            0, makeOne(context, "Elu", inputs,
                       {{"alpha", AttrValue(alpha)}, {"scale", AttrValue(gamma)}, {"input_scale", AttrValue(1.0)}}));
    return {};
}

Status importGelu(ImportContext& context)
{
    const std::string approximate = attrString(attrsOf(context), "approximate", "none");
    if (approximate != "none" && approximate != "tanh")
        return context.error(fmt::format("approximate \"{}\" is neither none nor tanh", approximate));
    return direct("GeluV2", 1, {{"approximate", AttrValue(approximate)}})(context);
}

/// GE reads a weight of rank 1 as one number for each channel, ONNX lines it up with the last dim.
Status importPRelu(ImportContext& context)
{
    GELENS_ASSIGN(std::vector<OutputRef> inputs, requiredInputs(context, 2));
    const Shape slope = context.declaredShape(1);
    const Shape x = context.declaredShape(0);
    const bool means = context.opset() >= 7 && slope.hasRank() && slope.rank() == 1 && slope.dim(0) != 1;
    if (means && !(x.hasRank() && x.rank() <= 2))
        inputs[1] = makeOne(context, "Unsqueeze", {inputs[1]}, {{"axes", AttrValue(IntList{0})}}, "Unsqueeze");
    context.setOutput(0, makeOne(context, "PRelu", inputs));
    return {};
}

/// Flattens at `axis` to a matrix, applies the operator to its rows, and restores the shape.
Status throughMatrix(ImportContext& context, std::string_view geType, AttrMap attrs, std::int64_t axis)
{
    const OutputRef x = context.input(0);
    const OutputRef matrix = makeOne(context, "Flatten", {x}, {{"axis", AttrValue(axis)}}, "Flatten");
    const OutputRef y = makeOne(context, geType, {matrix}, std::move(attrs), geType);
    const OutputRef shape =
        makeOne(context, "Shape", {x}, {{"dtype", AttrValue(static_cast<std::int64_t>(DataType::Int64))}}, "Shape");
    context.setOutput(0, makeOne(context, "Reshape", {y, shape}, {}, "Reshape"));
    return {};
}

/// Before opset 13 the dims from `axis` on were one: several axes for SoftmaxV2, when the rank is known.
ImportFunction softmax(std::string geType)
{
    return [=](ImportContext& context) -> Status {
        GELENS_TRY(requiredInputs(context, 1));
        const bool isOld = context.opset() < 13;
        const std::int64_t axis = attrInt(attrsOf(context), "axis", isOld ? 1 : -1);
        IntList axes{axis};
        if (isOld && axis != -1) {
            const Shape x = context.declaredShape(0);
            if (!x.hasRank()) return throughMatrix(context, geType, {{"axes", AttrValue(IntList{-1})}}, axis);
            const std::int64_t first = axis < 0 ? axis + x.rank() : axis;
            if (first < 0 || first > x.rank()) return context.error(fmt::format("axis {} does not exist", axis));
            // An axis at the very end leaves columns of one element.
            if (first == x.rank()) return throughMatrix(context, geType, {{"axes", AttrValue(IntList{-1})}}, axis);
            if (first != x.rank() - 1) axes.clear();
            for (std::int64_t i = first; first != x.rank() - 1 && i < x.rank(); ++i) axes.push_back(i);
        }
        AttrMap attrs{{"axes", AttrValue(axes)}};
        if (isOld && geType == "SoftmaxV2") attrs.emplace("need_fusion", AttrValue(1)); // as GE's parser does
        context.setOutput(0, makeOne(context, geType, {context.input(0)}, std::move(attrs)));
        return {};
    };
}

Status importHardmax(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 1));
    const bool isOld = context.opset() < 13;
    const std::int64_t axis = attrInt(attrsOf(context), "axis", isOld ? 1 : -1);
    const Shape x = context.declaredShape(0);
    const bool isLast = axis == -1 || (x.hasRank() && axis == x.rank() - 1);
    if (isOld && !isLast) return throughMatrix(context, "HardMax", {{"axis", AttrValue(-1)}}, axis);
    context.setOutput(0, makeOne(context, "HardMax", {context.input(0)}, {{"axis", AttrValue(axis)}}));
    return {};
}

} // namespace

void importActivation(ImportTable& table)
{
    for (const char* const type : {"HardSwish", "Mish", "Relu", "Sigmoid", "Softplus", "Softsign", "Tanh"})
        table.add(type, direct(type, 1));
    table.add("Celu", withReals("CeluV2", {{"alpha", "alpha", 1.0}}));
    table.add("Elu", withReals("Elu", {{"alpha", "alpha", 1.0}}));
    table.add("LeakyRelu", withReals("LeakyRelu", {{"alpha", "negative_slope", 0.01}}));
    table.add("ThresholdedRelu", withReals("ThresholdedRelu", {{"alpha", "alpha", 1.0}}));
    table.add("HardSigmoid", withReals("HardSigmoid", {{"alpha", "alpha", 0.2}, {"beta", "beta", 0.5}}));
    table.add("Shrink", withReals("Shrink", {{"lambd", "lambd", 0.5}, {"bias", "bias", 0.0}}));
    table.add("Swish", withReals("Swish", {{"alpha", "scale", 1.0}}));
    table.add("Selu", importSelu);
    table.add("Gelu", importGelu);
    table.add("PRelu", importPRelu);
    table.add("Softmax", softmax("SoftmaxV2"));
    table.add("LogSoftmax", softmax("LogSoftmaxV2"));
    table.add("Hardmax", importHardmax);
}

} // namespace gelens::onnx_import
