// Quantised operators of com.microsoft as what they mean: dequantise, compute in fp32, quantise.

#include "engine/formats/onnx/import_contrib_parts.h"

#include <fmt/format.h>

namespace gelens::onnx_import {
namespace {

constexpr const char* microsoft = "com.microsoft";

OutputRef dequantized(ImportContext& context, int x, int scale, int zero, std::string_view suffix)
{
    return makeOne(context, "DequantizeLinear", {context.input(x), context.input(scale), context.input(zero)},
                   {{"axis", -1}}, suffix);
}

OutputRef quantized(ImportContext& context, OutputRef x, int scale, int zero)
{
    // Without a zero point the result has the type of the first operand; of unknown ones, uint8.
    const DataType type = context.declaredType(context.hasInput(zero) ? zero : 0);
    const std::string dtype =
        type == DataType::Undefined || isFloating(type) ? std::string() : std::string(dataTypeName(type));
    return makeOne(context, "Quantize", {x, context.input(scale), context.input(zero)},
                   {{"dtype", dtype}, {"axis", -1}}, "quantize");
}

/// a, a_scale, a_zero, b, b_scale, b_zero, c_scale, c_zero.
ImportFunction binary(const char* type)
{
    return [type](ImportContext& context) -> Status {
        for (const int needed : {0, 1, 3, 4, 6})
            if (!context.hasInput(needed)) return context.error(fmt::format("input {} is missing", needed));
        const OutputRef a = dequantized(context, 0, 1, 2, "dequantize_a"),
                        b = dequantized(context, 3, 4, 5, "dequantize_b");
        context.setOutput(0, quantized(context, makeOne(context, type, {a, b}, {}, type), 6, 7));
        return {};
    };
}

using Middle = Result<OutputRef> (*)(ImportContext& context, OutputRef x);

/// x, x_scale, x_zero, y_scale, y_zero with something in between.
ImportFunction unary(Middle middle)
{
    return [middle](ImportContext& context) -> Status {
        for (const int needed : {0, 1, 3})
            if (!context.hasInput(needed)) return context.error(fmt::format("input {} is missing", needed));
        if (attrInt(attrsOf(context), "channels_last") != 0)
            return unsupported(context, "channels_last is not supported");
        GELENS_ASSIGN(const OutputRef y, middle(context, dequantized(context, 0, 1, 2, "dequantize")));
        context.setOutput(0, quantized(context, y, 3, 4));
        return {};
    };
}

Result<OutputRef> sigmoid(ImportContext& context, OutputRef x)
{
    return makeOne(context, "Sigmoid", {x}, {}, "Sigmoid");
}

Result<OutputRef> leakyRelu(ImportContext& context, OutputRef x)
{
    return makeOne(context, "LeakyRelu", {x}, {{"negative_slope", attrFloat(attrsOf(context), "alpha", 0.01)}},
                   "LeakyRelu");
}

Result<OutputRef> softmax(ImportContext& context, OutputRef x)
{
    const std::int64_t axis = attrInt(attrsOf(context), "axis", -1);
    const Shape shape = context.declaredShape(0);
    IntList axes{axis};
    if (attrInt(attrsOf(context), "opset", 13) < 13) { // all axes from `axis` on, together
        if (!shape.hasRank()) {
            if (axis != -1) return unsupported(context, "the old softmax of a tensor of unknown rank");
        } else {
            axes.clear();
            for (std::int64_t i = axis < 0 ? axis + shape.rank() : axis; i < shape.rank(); ++i) axes.push_back(i);
        }
    }
    return makeOne(context, "SoftmaxV2", {x}, {{"axes", axes}}, "SoftmaxV2");
}

Result<OutputRef> globalAverage(ImportContext& context, OutputRef x)
{
    return makeOne(context, "GlobalAveragePool", {x}, {}, "GlobalAveragePool");
}

Result<OutputRef> average(ImportContext& context, OutputRef x)
{
    const AttrMap& onnx = attrsOf(context);
    const IntList kernel = attrInts(onnx, "kernel_shape");
    if (kernel.size() != 2) return unsupported(context, "only two spatial axes are supported");
    const std::string autoPad = attrString(onnx, "auto_pad", "NOTSET");
    AttrMap attrs{{"ksize", withBatchAndChannels(kernel, 2, 1)},
                  {"strides", withBatchAndChannels(attrInts(onnx, "strides"), 2, 1)},
                  {"padding_mode", "CALCULATED"},
                  {"pads", pairedPads(context, 2)},
                  {"data_format", "NCHW"},
                  {"global_pooling", false},
                  {"ceil_mode", attrInt(onnx, "ceil_mode") != 0},
                  {"exclusive", attrInt(onnx, "count_include_pad") == 0},
                  {"divisor_override", 0}};
    if (autoPad != "NOTSET") attrs["auto_pad"] = autoPad;
    return makeOne(context, "AvgPoolV2", {x}, std::move(attrs), "AvgPoolV2");
}

/// y_scale, y_zero, then x, scale, zero for each operand.
Status importConcat(ImportContext& context)
{
    const int count = (context.inputCount() - 2) / 3;
    if (count < 1 || context.inputCount() != 2 + 3 * count) return context.error("inputs do not come in threes");
    std::vector<OutputRef> parts;
    for (int i = 0; i < count; ++i)
        parts.push_back(dequantized(context, 2 + 3 * i, 3 + 3 * i, 4 + 3 * i, fmt::format("dequantize_{}", i)));
    const OutputRef joined = makeOne(context, "ConcatD", parts,
                                     {{"concat_dim", attrInt(attrsOf(context), "axis")}, {"N", count}}, "ConcatD");
    const DataType type = context.declaredType(context.hasInput(1) ? 1 : 2);
    context.setOutput(0,
                      makeOne(context, "Quantize", {joined, context.input(0), context.input(1)},
                              {{"dtype", type == DataType::Undefined ? std::string() : std::string(dataTypeName(type))},
                               {"axis", -1}},
                              "quantize"));
    return {};
}

/// a, b, a_scale, b_scale, a_zero, b_zero, bias: the integer product as a product of what the integers mean.
Status importMatMulIntegerToFloat(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 4));
    const OutputRef a = dequantized(context, 0, 2, 4, "dequantize_a"),
                    b = dequantized(context, 1, 3, 5, "dequantize_b");
    OutputRef y = makeOne(context, "BatchMatMulV2", {a, b, {}, {}},
                          {{"adj_x1", false}, {"adj_x2", false}, {"offset_x", 0}}, "MatMul");
    if (context.hasInput(6)) y = makeOne(context, "Add", {y, context.input(6)}, {}, "add");
    context.setOutput(0, y);
    return {};
}

/// a, b, b_scale, b_zero, bias: a is quantised by its own range first.
Status importDynamicQuantizeMatMul(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 3));
    const NodeId range = context.make("DynamicQuantizeLinear", {context.input(0)}, {}, 3);
    const OutputRef a =
        makeOne(context, "DequantizeLinear", {OutputRef{range, 0}, OutputRef{range, 1}, OutputRef{range, 2}},
                {{"axis", -1}}, "dequantize_a");
    const OutputRef b = dequantized(context, 1, 2, 3, "dequantize_b");
    OutputRef y = makeOne(context, "BatchMatMulV2", {a, b, {}, {}},
                          {{"adj_x1", false}, {"adj_x2", false}, {"offset_x", 0}}, "MatMul");
    if (context.hasInput(4)) y = makeOne(context, "Add", {y, context.input(4)}, {}, "add");
    context.setOutput(0, y);
    return {};
}

} // namespace

void importContribQuant(ImportTable& table)
{
    table.add("QLinearAdd", binary("Add"), microsoft);
    table.add("QLinearMul", binary("Mul"), microsoft);
    table.add("QLinearSigmoid", unary(sigmoid), microsoft);
    table.add("QLinearLeakyRelu", unary(leakyRelu), microsoft);
    table.add("QLinearSoftmax", unary(softmax), microsoft);
    table.add("QLinearGlobalAveragePool", unary(globalAverage), microsoft);
    table.add("QLinearAveragePool", unary(average), microsoft);
    table.add("QLinearConcat", importConcat, microsoft);
    table.add("MatMulIntegerToFloat", importMatMulIntegerToFloat, microsoft);
    table.add("DynamicQuantizeMatMul", importDynamicQuantizeMatMul, microsoft);
}

} // namespace gelens::onnx_import
