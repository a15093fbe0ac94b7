// ONNX operators on images.

#include "engine/formats/onnx/import_movement_parts.h"

#include <fmt/core.h>

#include <algorithm>

namespace gelens::onnx_import {
namespace {

/// Before opset 11 coordinates were asymmetric, and nearest took the lower pixel (the upper one when shrinking).
Status importOldResize(ImportContext& context, OutputRef scales, const std::optional<std::vector<double>>& values)
{
    const std::string mode = attrString(attrsOf(context), "mode", "nearest");
    const bool shrinks = values && std::any_of(values->begin(), values->end(), [](double scale) { return scale < 1; });
    context.setOutput(0, makeOne(context, "Resize", {context.input(0), OutputRef{}, scales},
                                 {{"mode", mode == "bilinear" || mode == "trilinear" ? std::string("linear") : mode},
                                  {"coordinate_transformation_mode", "asymmetric"},
                                  {"nearest_mode", shrinks ? "ceil" : "floor"}}));
    return {};
}

Status importResize(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    if (context.opset() < 11) {
        GELENS_TRY(requiredInputs(context, 2));
        const Tensor* const scales = context.constantInput(1);
        return importOldResize(context, context.input(1), scales ? scales->asDoubles() : std::nullopt);
    }
    AttrMap attrs;
    attrs["coordinate_transformation_mode"] = attrString(onnx, "coordinate_transformation_mode", "half_pixel");
    attrs["cubic_coeff_a"] = attrFloat(onnx, "cubic_coeff_a", -0.75);
    attrs["exclude_outside"] = attrInt(onnx, "exclude_outside", 0);
    attrs["extrapolation_value"] = attrFloat(onnx, "extrapolation_value", 0);
    attrs["mode"] = attrString(onnx, "mode", "nearest");
    attrs["nearest_mode"] = attrString(onnx, "nearest_mode", "round_prefer_floor");
    if (attrInt(onnx, "antialias", 0) != 0) attrs["antialias"] = attrInt(onnx, "antialias");
    const std::string policy = attrString(onnx, "keep_aspect_ratio_policy", "stretch");
    if (policy != "stretch") attrs["keep_aspect_ratio_policy"] = policy;
    if (const IntList axes = attrInts(onnx, "axes"); !axes.empty()) attrs["axes"] = axes;
    // An empty vector stands for "not given" in opset 11.
    const auto given = [&context](int i) {
        const Tensor* const value = context.constantInput(i);
        return value && value->isPresent() && value->elementCount() == 0 ? OutputRef{} : context.input(i);
    };
    context.setOutput(0, makeOne(context, "Resize", {x[0], given(1), given(2), given(3)}, std::move(attrs)));
    return {};
}

Status importUpsample(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    if (context.hasInput(1)) {
        const Tensor* const scales = context.constantInput(1);
        return importOldResize(context, context.input(1), scales ? scales->asDoubles() : std::nullopt);
    }
    // Upsample-7 and older: the scales are attributes.
    const AttrMap& onnx = attrsOf(context);
    const FloatList list = attrFloats(onnx, "scales");
    std::vector<double> values(list.begin(), list.end());
    if (values.empty()) values = {1, 1, attrFloat(onnx, "height_scale", 1), attrFloat(onnx, "width_scale", 1)};
    const OutputRef scales =
        context.constant(Tensor::fromDoubles(values, Shape{static_cast<std::int64_t>(values.size())}), "scales");
    return importOldResize(context, scales, values);
}

Status importGridSample(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 2));
    const AttrMap& onnx = attrsOf(context);
    std::string mode = attrString(onnx, "mode", "bilinear");
    if (mode == "linear") mode = "bilinear"; // names of opset 20
    if (mode == "cubic") mode = "bicubic";
    const bool isVolume = context.declaredShape(0).rank() == 5 || context.declaredShape(1).rank() == 5;
    context.setOutput(0, makeOne(context, isVolume ? "GridSampler3D" : "GridSampler2D", inputs,
                                 {{"interpolation_mode", mode},
                                  {"padding_mode", attrString(onnx, "padding_mode", "zeros")},
                                  {"align_corners", attrInt(onnx, "align_corners", 0) != 0}}));
    return {};
}

Status importAffineGrid(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 2));
    context.setOutput(0, makeOne(context, "AffineGrid", inputs,
                                 {{"align_corners", attrInt(attrsOf(context), "align_corners", 0) != 0}}));
    return {};
}

/// GE has the number of the image in front of each region.
Status importRoiAlign(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 3));
    const AttrMap& onnx = attrsOf(context);
    const DataType declared = context.declaredType(1);
    const DataType type = declared == DataType::Undefined ? DataType::Float : declared;
    const OutputRef numbers =
        makeOne(context, "Cast", {inputs[2]}, {{"dst_type", static_cast<std::int64_t>(type)}}, "cast");
    const OutputRef column = makeOne(context, "Unsqueeze", {numbers}, {{"axes", IntList{1}}}, "unsqueeze");
    const OutputRef rois = makeOne(context, "ConcatD", {column, inputs[1]}, {{"concat_dim", 1}, {"N", 2}}, "rois");
    const std::string fallback = context.opset() >= 16 ? "half_pixel" : "output_half_pixel";
    const bool isHalfPixel = attrString(onnx, "coordinate_transformation_mode", fallback) == "half_pixel";
    context.setOutput(0, makeOne(context, "ROIAlign", {inputs[0], rois},
                                 {{"spatial_scale", attrFloat(onnx, "spatial_scale", 1)},
                                  {"pooled_height", attrInt(onnx, "output_height", 1)},
                                  {"pooled_width", attrInt(onnx, "output_width", 1)},
                                  {"sample_num", attrInt(onnx, "sampling_ratio", 0)},
                                  {"roi_end_mode", isHalfPixel ? 2 : 0},
                                  {"pool_mode", attrString(onnx, "mode", "avg")}},
                                 "ROIAlign"));
    return {};
}

Status importNonMaxSuppression(ImportContext& context)
{
    GELENS_ASSIGN(auto inputs, requiredInputs(context, 2));
    for (int i = 2; i < 5; ++i) inputs.push_back(context.input(i));
    const OutputRef found = makeOne(context, "NonMaxSuppressionV6", inputs,
                                    {{"center_point_box", attrInt(attrsOf(context), "center_point_box", 0)}});
    context.setOutput(
        0, makeOne(context, "Cast", {found}, {{"dst_type", static_cast<std::int64_t>(DataType::Int64)}}, "cast"));
    return {};
}

} // namespace

void importImage(ImportTable& table)
{
    table.add("Resize", importResize);
    table.add("Upsample", importUpsample);
    table.add("GridSample", importGridSample);
    table.add("AffineGrid", importAffineGrid);
    table.add("RoiAlign", importRoiAlign);
    table.add("NonMaxSuppression", importNonMaxSuppression);
}

} // namespace gelens::onnx_import
