// Quantised operators and recurrent networks.

#include "engine/formats/onnx/import_cube_parts.h"

#include <fmt/format.h>

namespace gelens::onnx_import {
namespace {

// ---- quantisation ----

/// output_dtype (ONNX's number) as GE's name; empty when the model does not state it.
std::string outputType(const ImportContext& context)
{
    const std::int64_t number = attrInt(attrsOf(context), "output_dtype");
    return number == 0 ? std::string() : std::string(dataTypeName(dataTypeFromOnnxNumber(static_cast<int>(number))));
}

Status importQuantizeLinear(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    const AttrMap& onnx = attrsOf(context);
    std::string dtype = outputType(context);
    if (dtype.empty() && context.hasInput(2) && context.declaredType(2) != DataType::Undefined)
        dtype = dataTypeName(context.declaredType(2));
    AttrMap attrs{{"dtype", dtype}, {"axis", attrInt(onnx, "axis", 1)}};
    if (const std::int64_t block = attrInt(onnx, "block_size"); block != 0) attrs["block_size"] = block;
    if (attrInt(onnx, "saturate", 1) == 0) attrs["saturate"] = 0;
    context.setOutput(0, makeOne(context, "Quantize", {inputs[0], inputs[1], context.input(2)}, std::move(attrs)));
    return {};
}

Status importDequantizeLinear(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    const AttrMap& onnx = attrsOf(context);
    AttrMap attrs{{"axis", attrInt(onnx, "axis", 1)}};
    if (const std::string dtype = outputType(context); !dtype.empty()) attrs["dtype"] = dtype;
    if (const std::int64_t block = attrInt(onnx, "block_size"); block != 0) attrs["block_size"] = block;
    context.setOutput(0,
                      makeOne(context, "DequantizeLinear", {inputs[0], inputs[1], context.input(2)}, std::move(attrs)));
    return {};
}

Status importDynamicQuantizeLinear(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 1));
    const NodeId node = context.make("DynamicQuantizeLinear", inputs, {}, 3);
    for (int i = 0; i < 3; ++i) context.setOutput(i, {node, i});
    return {};
}

Status importMatMulInteger(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    context.setOutput(0, makeOne(context, "MatMulInteger", {inputs[0], inputs[1], context.input(2), context.input(3)}));
    return {};
}

Status importQLinearMatMul(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 8));
    context.setOutput(0, makeOne(context, "QLinearMatMul", inputs));
    return {};
}

/// Attributes of the integer convolutions, which run 1 to 3 spatial axes as they are.
Result<AttrMap> integerConvAttrs(const ImportContext& context, int weightInput)
{
    const int spatial = spatialAxes(context, weightInput);
    GELENS_ASSIGN(AttrMap attrs, convolutionAttrs(context, spatial));
    attrs.erase("offset_x");
    attrs["data_format"] = spatial == 3 ? "NCDHW" : "NCHW";
    if (spatial == 1) { // without the row axis of the 2-D form
        for (const char* const name : {"strides", "dilations"}) {
            IntList list = attrInts(attrs, name);
            list.erase(list.begin());
            attrs[name] = list;
        }
        IntList pads = attrInts(attrs, "pads");
        pads.erase(pads.begin(), pads.begin() + 2);
        attrs["pads"] = pads;
    }
    return attrs;
}

Status importConvInteger(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    GELENS_ASSIGN(AttrMap attrs, integerConvAttrs(context, 1));
    context.setOutput(0, makeOne(context, "ConvInteger", {inputs[0], inputs[1], context.input(2), context.input(3)},
                                 std::move(attrs)));
    return {};
}

Status importQLinearConv(ImportContext& context)
{
    GELENS_ASSIGN(std::vector<OutputRef> inputs, requiredInputs(context, 8));
    if (attrInt(attrsOf(context), "channels_last") != 0) return unsupported(context, "channels_last is not supported");
    GELENS_ASSIGN(AttrMap attrs, integerConvAttrs(context, 3));
    inputs.push_back(context.input(8));
    context.setOutput(0, makeOne(context, "QLinearConv", inputs, std::move(attrs)));
    return {};
}

// ---- recurrent ----

OutputRef transposed(ImportContext& context, OutputRef value, const IntList& perm, const std::string& suffix)
{
    return makeOne(context, "Transpose", {value, intConstant(context, perm, false, DataType::Int64, suffix + "_perm")},
                   {}, suffix);
}

/// RNN, GRU and LSTM; `outputs` includes y. With layout 1 the batch comes first: transposes around the operator.
ImportFunction recurrent(const char* type, int inputs, int outputs, int gates)
{
    return [=](ImportContext& context) -> Status {
        GELENS_TRY(requiredInputs(context, 3));
        const AttrMap& onnx = attrsOf(context);
        std::int64_t hidden = attrInt(onnx, "hidden_size");
        if (hidden <= 0) {
            const Shape r = context.declaredShape(2);
            if (r.hasRank() && r.rank() == 3 && r.dim(1) > 0) hidden = r.dim(1) / gates;
            if (hidden <= 0) return context.error("attribute 'hidden_size' is missing");
        }
        AttrMap attrs{{"activation_alpha", attrFloats(onnx, "activation_alpha")},
                      {"activation_beta", attrFloats(onnx, "activation_beta")},
                      {"activations", attrStrings(onnx, "activations")},
                      {"clip", attrFloat(onnx, "clip", -1)},
                      {"direction", attrString(onnx, "direction", "forward")},
                      {"hidden_size", hidden}};
        if (gates == 3) attrs["linear_before_reset"] = attrInt(onnx, "linear_before_reset");
        if (gates == 4) attrs["input_forget"] = attrInt(onnx, "input_forget");
        const bool batchFirst = attrInt(onnx, "layout") != 0;
        std::vector<OutputRef> operands;
        for (int i = 0; i < inputs; ++i) {
            OutputRef value = context.input(i);
            const bool isTimed = i == 0 || i == 5 || i == 6; // x and the initial states
            if (batchFirst && isTimed && value.isValid())
                value = transposed(context, value, {1, 0, 2}, fmt::format("transpose_{}", i));
            operands.push_back(value);
        }
        const NodeId node = context.make(type, operands, std::move(attrs), outputs, type);
        for (int i = 0; i < outputs; ++i) {
            if (!context.hasOutput(i)) continue;
            OutputRef value{node, i};
            if (batchFirst)
                value = transposed(context, value, i == 0 ? IntList{2, 0, 1, 3} : IntList{1, 0, 2},
                                   fmt::format("transpose_y{}", i));
            context.setOutput(i, value);
        }
        return {};
    };
}

} // namespace

void importQuantRecurrent(ImportTable& table)
{
    for (const char* const domain : {"", "com.microsoft"}) {
        table.add("QuantizeLinear", importQuantizeLinear, domain);
        table.add("DequantizeLinear", importDequantizeLinear, domain);
    }
    table.add("DynamicQuantizeLinear", importDynamicQuantizeLinear);
    table.add("MatMulInteger", importMatMulInteger);
    table.add("QLinearMatMul", importQLinearMatMul);
    table.add("ConvInteger", importConvInteger);
    table.add("QLinearConv", importQLinearConv);
    table.add("QLinearConv", importQLinearConv, "com.microsoft");
    table.add("RNN", recurrent("CommonRNN", 6, 2, 1));
    table.add("GRU", recurrent("CommonGRU", 6, 2, 3));
    table.add("LSTM", recurrent("CommonLSTM", 8, 3, 4));
}

} // namespace gelens::onnx_import
