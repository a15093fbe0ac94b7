// Normalisations.

#include "engine/formats/onnx/import_arithmetic_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens::onnx_import {
namespace {

/// Training before opset 14 shows by the outputs that only training has.
bool isTraining(const ImportContext& context)
{
    if (context.opset() >= 14) return attrInt(attrsOf(context), "training_mode", 0) != 0;
    for (int i = 1; i < context.outputCount(); ++i)
        if (context.hasOutput(i)) return attrInt(attrsOf(context), "is_test", 0) == 0;
    return false;
}

Status importBatchNorm(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 5));
    const AttrMap& onnx = attrsOf(context);
    if (attrInt(onnx, "spatial", 1) == 0)
        return unsupported(context, "statistics for each element instead of each channel");
    const bool training = isTraining(context);
    AttrMap attrs{{"epsilon", AttrValue(attrFloat(onnx, "epsilon", 1e-5))},
                  {"data_format", AttrValue("NCHW")},
                  {"is_training", AttrValue(training)},
                  {"exponential_avg_factor", AttrValue(training ? 1 - attrFloat(onnx, "momentum", 0.9) : 1.0)},
                  {"onnx", AttrValue("onnx")}}; // GE's parser leaves this mark
    const NodeId node = context.make("BatchNorm", inputs, std::move(attrs), 6);
    for (int i = 0; i < std::min(context.outputCount(), 5); ++i) context.setOutput(i, {node, i});
    return {};
}

Status importInstanceNorm(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 3));
    const NodeId node = context.make(
        "InstanceNorm", inputs,
        {{"data_format", AttrValue("NCHW")}, {"epsilon", AttrValue(attrFloat(attrsOf(context), "epsilon", 1e-5))}}, 3);
    context.setOutput(0, {node, 0});
    return {};
}

Status importLayerNorm(ImportContext& context)
{
    GELENS_ASSIGN(std::vector<OutputRef> inputs, requiredInputs(context, 2));
    inputs.push_back(context.input(2));
    const std::int64_t axis = attrInt(attrsOf(context), "axis", -1);
    const NodeId node = context.make("LayerNormV3", inputs,
                                     {{"begin_norm_axis", AttrValue(axis)},
                                      {"begin_params_axis", AttrValue(axis)},
                                      {"epsilon", AttrValue(attrFloat(attrsOf(context), "epsilon", 1e-5))}},
                                     3);
    for (int i = 0; i < std::min(context.outputCount(), 3); ++i) context.setOutput(i, {node, i});
    return {};
}

Status importGroupNorm(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 3));
    const std::int64_t groups = attrInt(attrsOf(context), "num_groups", 0);
    if (groups <= 0) return context.error("num_groups is not positive");
    const NodeId node = context.make("GroupNorm", inputs,
                                     {{"num_groups", AttrValue(groups)},
                                      {"data_format", AttrValue("NCHW")},
                                      {"eps", AttrValue(attrFloat(attrsOf(context), "epsilon", 1e-5))}},
                                     3);
    context.setOutput(0, {node, 0});
    return {};
}

/// RmsNorm normalises the dims that gamma has; a smaller scale gets leading dims of 1.
Status importRmsNorm(ImportContext& context)
{
    GELENS_ASSIGN(std::vector<OutputRef> inputs, requiredInputs(context, 2));
    const std::int64_t axis = attrInt(attrsOf(context), "axis", -1);
    const Shape x = context.declaredShape(0), scale = context.declaredShape(1);
    if (axis >= 0 && !x.hasRank()) return unsupported(context, "an axis from the front of a tensor of unknown rank");
    const std::int64_t wanted = axis < 0 ? -axis : x.rank() - axis;
    if (x.hasRank() && (wanted <= 0 || wanted > x.rank()))
        return context.error(fmt::format("axis {} does not exist", axis));
    if (scale.hasRank() && scale.rank() > wanted) return context.error("the scale has more dims than are normalised");
    if (scale.hasRank() && scale.rank() < wanted) {
        IntList axes;
        for (std::int64_t i = 0; i < wanted - scale.rank(); ++i) axes.push_back(i);
        inputs[1] = makeOne(context, "Unsqueeze", {inputs[1]}, {{"axes", AttrValue(axes)}}, "Unsqueeze");
    }
    const NodeId node =
        context.make("RmsNorm", inputs, {{"epsilon", AttrValue(attrFloat(attrsOf(context), "epsilon", 1e-5))}}, 2);
    context.setOutput(0, {node, 0});
    return {};
}

/// ONNX divides alpha by the number of neighbours.
Status importLrn(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    const std::int64_t size = attrInt(onnx, "size", 0);
    if (size <= 0) return context.error("size is not positive");
    AttrMap attrs{{"depth_radius", AttrValue((size - 1) / 2)},
                  {"bias", AttrValue(attrFloat(onnx, "bias", 1.0))},
                  {"alpha", AttrValue(attrFloat(onnx, "alpha", 1e-4) / static_cast<double>(size))},
                  {"beta", AttrValue(attrFloat(onnx, "beta", 0.75))},
                  {"norm_region", AttrValue("ACROSS_CHANNELS")}};
    if (size % 2 == 0) attrs.emplace("size", AttrValue(size));
    context.setOutput(0, makeOne(context, "LRN", {context.input(0)}, std::move(attrs)));
    return {};
}

Status importLpNormalization(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 1));
    const std::int64_t axis = attrInt(attrsOf(context), "axis", -1);
    const std::int64_t p = attrInt(attrsOf(context), "p", 2);
    const OutputRef x = context.input(0);
    constexpr double tiny = 1e-12; // a norm of 0 leaves zeros
    if (p == 2) {
        context.setOutput(
            0, makeOne(context, "L2Normalize", {x}, {{"axis", AttrValue(IntList{axis})}, {"eps", AttrValue(tiny)}}));
        return {};
    }
    if (p != 1) return context.error(fmt::format("p is {}, not 1 or 2", p));
    const OutputRef norm =
        makeOne(context, "LpNormV2", {x},
                {{"p", AttrValue(1.0f)}, {"axes", AttrValue(IntList{axis})}, {"keepdim", AttrValue(true)}}, "LpNormV2");
    // Where the norm is 0 so is x: 0 / 0 must not become NaN.
    context.setOutput(0, makeOne(context, "DivNoNan", {x, norm}, {}, "DivNoNan"));
    return {};
}

Status importMvn(ImportContext& context)
{
    return direct("MVNV2", 1,
                  {{"eps", AttrValue(1e-9)}, {"axes", AttrValue(attrInts(attrsOf(context), "axes", {0, 2, 3}))}})(
        context);
}

} // namespace

void importNormalization(ImportTable& table)
{
    table.add("BatchNormalization", importBatchNorm);
    table.add("InstanceNormalization", importInstanceNorm);
    table.add("LayerNormalization", importLayerNorm);
    table.add("GroupNormalization", importGroupNorm);
    table.add("RMSNormalization", importRmsNorm);
    table.add("LRN", importLrn);
    table.add("LpNormalization", importLpNormalization);
    table.add("MeanVarianceNormalization", importMvn);
}

} // namespace gelens::onnx_import
