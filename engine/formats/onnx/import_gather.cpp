// ONNX operators that choose elements, or write to chosen places.

#include "engine/formats/onnx/import_movement_parts.h"

#include <fmt/core.h>

#include <cstring>

namespace gelens::onnx_import {
namespace {

/// Constant indices against a known dim: what cannot run is said when the model is opened.
Status checkIndices(const ImportContext& context)
{
    const Tensor* const indices = context.constantInput(1);
    const Shape x = context.declaredShape(0);
    const std::int64_t axis = attrInt(attrsOf(context), "axis", 0);
    if (context.isInSubgraph() || !indices || !x.hasRank()) return {};
    if (axis < -x.rank() || axis >= x.rank())
        return context.error(fmt::format("axis {} does not exist in {}", axis, x.text()));
    const std::int64_t dim = x.dim(static_cast<int>(axis));
    const auto values = indices->asInts();
    if (dim < 0 || !values) return {};
    for (const std::int64_t index : *values)
        if (index < -dim || index >= dim)
            return context.error(fmt::format("index {} lies outside the {} entries of axis {}", index, dim, axis));
    return {};
}

Status importGatherV2(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 2));
    GELENS_TRY(checkIndices(context));
    const OutputRef axis = axisConstant(context, attrInt(attrsOf(context), "axis", 0), "const_data");
    context.setOutput(0,
                      makeOne(context, "GatherV2", {inputs[0], inputs[1], axis}, {{"negative_index_support", true}}));
    return {};
}

Status importGatherElements(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 2));
    context.setOutput(0, makeOne(context, "GatherElements", inputs, {{"dim", attrInt(attrsOf(context), "axis", 0)}}));
    return {};
}

Status importGatherNd(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 2));
    context.setOutput(
        0, makeOne(context, "GatherNd", inputs, {{"batch_dims", attrInt(attrsOf(context), "batch_dims", 0)}}));
    return {};
}

Status importScatterElements(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 3));
    const AttrMap& onnx = attrsOf(context);
    context.setOutput(
        0, makeOne(context, "ScatterElements", inputs,
                   {{"axis", attrInt(onnx, "axis", 0)}, {"reduction", attrString(onnx, "reduction", "none")}}));
    return {};
}

Status importScatterNd(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 3));
    const std::string reduction = attrString(attrsOf(context), "reduction", "none");
    const char* type = nullptr;
    if (reduction == "none") type = "ScatterNdUpdate";
    if (reduction == "add") type = "ScatterNdAdd";
    if (reduction == "mul") type = "ScatterNdMul";
    if (reduction == "max") type = "ScatterNdMax";
    if (reduction == "min") type = "ScatterNdMin";
    if (!type) return context.error(fmt::format("the reduction '{}' is not known", reduction));
    context.setOutput(0, makeOne(context, type, inputs));
    return {};
}

Status importTensorScatter(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 2));
    const AttrMap& onnx = attrsOf(context);
    context.setOutput(0, makeOne(context, "TensorScatter", {inputs[0], inputs[1], context.input(2)},
                                 {{"axis", attrInt(onnx, "axis", -2)}, {"mode", attrString(onnx, "mode", "linear")}}));
    return {};
}

/// One element of a constant vector as a scalar.
Tensor elementOf(const Tensor& vector, std::size_t i)
{
    Tensor element;
    element.desc = TensorDesc(vector.desc.dtype, Shape{});
    if (vector.desc.dtype == DataType::String) {
        element.strings = {vector.strings[i]};
        return element;
    }
    const std::size_t width = vector.data.size() / 2;
    element.data = Bytes::copyOf(vector.data.data() + i * width, width);
    return element;
}

/// ONNX has off and on value in one vector; GE takes them apart, and takes negative indices as no class.
Status importOneHot(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 3));
    OutputRef off, on;
    const Tensor* const values = context.constantInput(2);
    const bool isSplittable = values && values->isPresent() && values->elementCount() == 2 &&
                              (values->desc.dtype == DataType::String || dataTypeBits(values->desc.dtype) >= 8);
    if (isSplittable) {
        const Tensor both = *values;
        off = context.constant(elementOf(both, 0), "off_value");
        on = context.constant(elementOf(both, 1), "on_value");
    } else {
        const NodeId split =
            context.make("Split", {axisConstant(context, 0, "split_dim"), inputs[2]}, {{"num_split", 2}}, 2, "split");
        off = {split, 0};
        on = {split, 1};
    }
    context.setOutput(0, makeOne(context, "OneHot", {inputs[0], inputs[1], on, off},
                                 {{"axis", attrInt(attrsOf(context), "axis", -1)}, {"negative_index_support", true}},
                                 "OneHot"));
    return {};
}

Status importTopK(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    const OutputRef k = context.hasInput(1) ? context.input(1) : axisConstant(context, attrInt(onnx, "k", 0), "k");
    const NodeId node = context.make("TopK", {x[0], k},
                                     {{"dim", attrInt(onnx, "axis", -1)},
                                      {"largest", attrInt(onnx, "largest", 1) != 0},
                                      {"sorted", attrInt(onnx, "sorted", 1) != 0},
                                      {"indices_dtype", static_cast<std::int64_t>(DataType::Int64)}},
                                     2);
    takeOutputs(context, node, 2);
    return {};
}

Status importNonZero(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    context.setOutput(0, makeOne(context, "NonZero", x, {{"transpose", true}, {"dtype", DataType::Int64}}));
    return {};
}

/// As GE's plug-in: where the condition holds, then gather there.
Status importCompress(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 2));
    const AttrMap& onnx = attrsOf(context);
    const bool hasAxis = onnx.find("axis") != onnx.end();
    OutputRef x = inputs[0];
    if (!hasAxis) x = makeOne(context, "Reshape", {x, intVector(context, {-1}, "flat")}, {}, "flatten");
    const OutputRef places = makeOne(context, "Where", {inputs[1]}, {}, "where");
    const OutputRef indices = makeOne(context, "Squeeze", {places}, {{"axis", IntList{1}}}, "squeeze");
    const OutputRef axis = axisConstant(context, attrInt(onnx, "axis", 0), "axis");
    context.setOutput(0,
                      makeOne(context, "GatherV2", {x, indices, axis}, {{"negative_index_support", true}}, "compress"));
    return {};
}

Status importUnique(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    IntList axes;
    if (onnx.find("axis") != onnx.end()) axes.push_back(attrInt(onnx, "axis"));
    const NodeId node = context.make(
        "UniqueWithCountsExt2", {x[0], intVector(context, axes, "axis")},
        {{"sorted", attrInt(onnx, "sorted", 1) != 0}, {"out_idx", DataType::Int64}, {"return_inverse", true}}, 4);
    // ONNX: values, first places, group of each element, counts.
    context.setOutput(0, {node, 0});
    context.setOutput(1, {node, 1});
    context.setOutput(2, {node, 3});
    context.setOutput(3, {node, 2});
    return {};
}

} // namespace

void importGather(ImportTable& table)
{
    table.add("Gather", importGatherV2);
    table.add("GatherElements", importGatherElements);
    table.add("GatherND", importGatherNd);
    table.add("Scatter", importScatterElements);
    table.add("ScatterElements", importScatterElements);
    table.add("ScatterND", importScatterNd);
    table.add("TensorScatter", importTensorScatter);
    table.add("OneHot", importOneHot);
    table.add("TopK", importTopK);
    table.add("NonZero", importNonZero);
    table.add("Compress", importCompress);
    table.add("Unique", importUnique);
}

} // namespace gelens::onnx_import
