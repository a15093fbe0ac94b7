// Pooling.

#include "engine/formats/onnx/import_cube_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens::onnx_import {

void importPooling(ImportTable&);

namespace {

/// kernel_shape with the lists that go with it checked against it.
Result<IntList> kernelShape(const ImportContext& context)
{
    const AttrMap& onnx = attrsOf(context);
    const IntList kernel = attrInts(onnx, "kernel_shape");
    if (kernel.empty()) return context.error("attribute 'kernel_shape' is missing");
    if (kernel.size() > 3) return unsupported(context, fmt::format("{} spatial axes are not supported", kernel.size()));
    for (const char* const name : {"strides", "dilations"}) {
        const IntList list = attrInts(onnx, name);
        if (!list.empty() && list.size() != kernel.size())
            return context.error(
                fmt::format("attribute '{}' has {} entries for {} spatial axes", name, list.size(), kernel.size()));
    }
    const IntList pads = attrInts(onnx, "pads");
    if (!pads.empty() && pads.size() != 2 * kernel.size())
        return context.error(
            fmt::format("attribute 'pads' has {} entries for {} spatial axes", pads.size(), kernel.size()));
    return kernel;
}

const char* paddingMode(const std::string& autoPad)
{
    if (autoPad == "VALID") return "VALID";
    return autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER" ? "SAME" : "CALCULATED";
}

bool isDilated(const ImportContext& context)
{
    const IntList dilations = attrInts(attrsOf(context), "dilations");
    return std::any_of(dilations.begin(), dilations.end(), [](std::int64_t d) { return d != 1; });
}

/// What both poolings of one or two spatial axes have. GE has no word for SAME_LOWER and dilations: they stay as
/// attributes of ours where a model uses them.
AttrMap planarAttrs(const ImportContext& context, const IntList& kernel)
{
    const AttrMap& onnx = attrsOf(context);
    const int spatial = static_cast<int>(kernel.size());
    const std::string autoPad = attrString(onnx, "auto_pad", "NOTSET");
    AttrMap attrs{{"ksize", withBatchAndChannels(kernel, spatial, 1)},
                  {"strides", withBatchAndChannels(attrInts(onnx, "strides"), spatial, 1)},
                  {"padding_mode", paddingMode(autoPad)},
                  {"pads", pairedPads(context, spatial)},
                  {"data_format", "NCHW"},
                  {"global_pooling", false},
                  {"ceil_mode", attrInt(onnx, "ceil_mode") != 0}};
    if (autoPad == "SAME_LOWER") attrs["auto_pad"] = autoPad;
    if (isDilated(context)) attrs["dilations"] = withBatchAndChannels(attrInts(onnx, "dilations"), spatial, 1);
    return attrs;
}

Status planarPool(ImportContext& context, const char* type, AttrMap attrs, bool isLine)
{
    OutputRef x = context.input(0);
    if (isLine) x = addRowAxis(context, x, "unsqueeze");
    const OutputRef y = makeOne(context, type, {x}, std::move(attrs), type);
    context.setOutput(0, isLine ? dropRowAxis(context, y, "squeeze") : y);
    return {};
}

/// MaxPoolWithIndices keeps the spatial axes as they are: the indices count in x.
Status maxPoolWithIndices(ImportContext& context, const IntList& kernel)
{
    const AttrMap& onnx = attrsOf(context);
    const IntList pads = attrInts(onnx, "pads");
    IntList pairs;
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        pairs.push_back(pads.empty() ? 0 : pads[i]);
        pairs.push_back(pads.empty() ? 0 : pads[kernel.size() + i]);
    }
    IntList strides = attrInts(onnx, "strides");
    if (strides.empty()) strides.assign(kernel.size(), 1);
    const std::string autoPad = attrString(onnx, "auto_pad", "NOTSET");
    AttrMap attrs{{"ksize", kernel},
                  {"strides", strides},
                  {"pads", pairs},
                  {"data_format", "NCHW"},
                  {"padding_mode", paddingMode(autoPad)},
                  {"ceil_mode", attrInt(onnx, "ceil_mode") != 0},
                  {"storage_order", attrInt(onnx, "storage_order")}};
    if (autoPad == "SAME_LOWER") attrs["auto_pad"] = autoPad;
    if (isDilated(context)) attrs["dilations"] = attrInts(onnx, "dilations");
    const NodeId node = context.make("MaxPoolWithIndices", {context.input(0)}, std::move(attrs), 2);
    context.setOutput(0, {node, 0});
    context.setOutput(1, {node, 1});
    return {};
}

AttrMap volumeAttrs(const ImportContext& context, const IntList& kernel)
{
    const AttrMap& onnx = attrsOf(context);
    AttrMap attrs{{"ksize", withBatchAndChannels(kernel, 3, 1)},
                  {"strides", withBatchAndChannels(attrInts(onnx, "strides"), 3, 1)},
                  {"pads", pairedPads(context, 3)},
                  {"data_format", "NCDHW"}};
    const std::string autoPad = attrString(onnx, "auto_pad", "NOTSET");
    if (autoPad != "NOTSET") attrs["auto_pad"] = autoPad;
    return attrs;
}

Status importMaxPool(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 1));
    GELENS_ASSIGN(const IntList kernel, kernelShape(context));
    if (context.hasOutput(1)) return maxPoolWithIndices(context, kernel);
    if (kernel.size() < 3) return planarPool(context, "MaxPoolV3", planarAttrs(context, kernel), kernel.size() == 1);
    const AttrMap& onnx = attrsOf(context);
    AttrMap attrs = volumeAttrs(context, kernel);
    attrs["padding"] = paddingMode(attrString(onnx, "auto_pad", "NOTSET"));
    attrs["dilation"] = withBatchAndChannels(attrInts(onnx, "dilations"), 3, 1);
    attrs["ceil_mode"] = attrInt(onnx, "ceil_mode") != 0 ? 1 : 0;
    context.setOutput(0, makeOne(context, "MaxPool3D", {context.input(0)}, std::move(attrs)));
    return {};
}

Status importAveragePool(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 1));
    GELENS_ASSIGN(const IntList kernel, kernelShape(context));
    const AttrMap& onnx = attrsOf(context);
    const bool includesPadding = attrInt(onnx, "count_include_pad") != 0;
    if (kernel.size() < 3) {
        AttrMap attrs = planarAttrs(context, kernel);
        attrs["exclusive"] = !includesPadding;
        attrs["divisor_override"] = 0;
        return planarPool(context, "AvgPoolV2", std::move(attrs), kernel.size() == 1);
    }
    AttrMap attrs = volumeAttrs(context, kernel);
    attrs["ceil_mode"] = attrInt(onnx, "ceil_mode") != 0;
    attrs["count_include_pad"] = includesPadding;
    attrs["divisor_override"] = 0;
    if (isDilated(context)) attrs["dilations"] = withBatchAndChannels(attrInts(onnx, "dilations"), 3, 1);
    context.setOutput(0, makeOne(context, "AvgPool3D", {context.input(0)}, std::move(attrs)));
    return {};
}

/// Attributes that keep to the spatial axes.
AttrMap spatialAttrs(const ImportContext& context, const IntList& kernel)
{
    const AttrMap& onnx = attrsOf(context);
    const IntList pads = attrInts(onnx, "pads");
    IntList pairs;
    for (std::size_t i = 0; i < kernel.size() && !pads.empty(); ++i) {
        pairs.push_back(pads[i]);
        pairs.push_back(pads[kernel.size() + i]);
    }
    IntList strides = attrInts(onnx, "strides");
    if (strides.empty()) strides.assign(kernel.size(), 1);
    return {{"ksize", kernel}, {"strides", strides}, {"pads", pairs}};
}

Status importLpPool(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 1));
    GELENS_ASSIGN(const IntList kernel, kernelShape(context));
    const AttrMap& onnx = attrsOf(context);
    AttrMap attrs = spatialAttrs(context, kernel);
    attrs["p"] = attrInt(onnx, "p", 2);
    attrs["data_format"] = "NCHW";
    if (const std::string autoPad = attrString(onnx, "auto_pad", "NOTSET"); autoPad != "NOTSET")
        attrs["auto_pad"] = autoPad;
    if (attrInt(onnx, "ceil_mode") != 0) attrs["ceil_mode"] = true;
    if (isDilated(context)) attrs["dilations"] = attrInts(onnx, "dilations");
    context.setOutput(0, makeOne(context, "LpPool", {context.input(0)}, std::move(attrs)));
    return {};
}

Status importGlobalLpPool(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 1));
    context.setOutput(0,
                      makeOne(context, "GlobalLpPool", {context.input(0)}, {{"p", attrInt(attrsOf(context), "p", 2)}}));
    return {};
}

Status importMaxUnpool(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    GELENS_ASSIGN(const IntList kernel, kernelShape(context));
    context.setOutput(
        0, makeOne(context, "MaxUnpool", {inputs[0], inputs[1], context.input(2)}, spatialAttrs(context, kernel)));
    return {};
}

Status importMaxRoiPool(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    const IntList pooled = attrInts(attrsOf(context), "pooled_shape");
    if (pooled.size() != 2) return context.error("attribute 'pooled_shape' needs two entries");
    context.setOutput(
        0, makeOne(context, "MaxRoiPool", inputs,
                   {{"pooled_shape", pooled}, {"spatial_scale", attrFloat(attrsOf(context), "spatial_scale", 1)}}));
    return {};
}

} // namespace

void importPooling(ImportTable& table)
{
    table.add("MaxPool", importMaxPool);
    table.add("AveragePool", importAveragePool);
    table.add("GlobalAveragePool", direct("GlobalAveragePool", 1));
    table.add("GlobalMaxPool", direct("GlobalMaxPool", 1));
    table.add("LpPool", importLpPool);
    table.add("GlobalLpPool", importGlobalLpPool);
    table.add("MaxUnpool", importMaxUnpool);
    table.add("MaxRoiPool", importMaxRoiPool);
}

} // namespace gelens::onnx_import
