// Operators of com.microsoft, and ONNX's own attention, which shares their forms.

#include "engine/formats/onnx/import_contrib_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens::onnx_import {
namespace {

constexpr const char* microsoft = "com.microsoft";

/// The first `count` inputs, absent ones unconnected.
std::vector<OutputRef> optionalInputs(const ImportContext& context, int count)
{
    std::vector<OutputRef> inputs;
    for (int i = 0; i < count; ++i) inputs.push_back(context.input(i));
    return inputs;
}

/// Node outputs that the model names; trailing ones that it does not are never made.
int usedOutputs(const ImportContext& context, int most)
{
    int used = 1;
    for (int i = 0; i < most; ++i)
        if (context.hasOutput(i)) used = i + 1;
    return used;
}

/// One operator of the simulator with the same inputs, outputs and the listed attributes.
struct Passed {
    std::vector<std::pair<const char*, std::int64_t>> ints;
    std::vector<std::pair<const char*, double>> reals;
    std::vector<const char*> lists;
};

ImportFunction passOn(const char* type, int required, int inputs, int outputs, Passed passed)
{
    return [=](ImportContext& context) -> Status {
        GELENS_TRY(requiredInputs(context, required));
        AttrMap attrs;
        for (const auto& [name, otherwise] : passed.ints) attrs[name] = attrInt(attrsOf(context), name, otherwise);
        for (const auto& [name, otherwise] : passed.reals) attrs[name] = attrFloat(attrsOf(context), name, otherwise);
        for (const char* const name : passed.lists)
            if (const IntList list = attrInts(attrsOf(context), name); !list.empty()) attrs[name] = list;
        const int used = usedOutputs(context, outputs);
        const NodeId node = context.make(type, optionalInputs(context, inputs), std::move(attrs), used);
        for (int i = 0; i < used; ++i)
            if (context.hasOutput(i)) context.setOutput(i, {node, i});
        return {};
    };
}

// ---- normalisation ----

/// input, skip, gamma, beta, bias → output, mean, inv_std_var, input_skip_bias_sum.
Status importSkipLayerNorm(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 3));
    const NodeId node = context.make(
        "AddLayerNorm", optionalInputs(context, 5),
        {{"epsilon", attrFloat(attrsOf(context), "epsilon", 1e-12)}, {"additional_output", context.hasOutput(3)}}, 4);
    for (int i = 0; i < 4; ++i)
        if (context.hasOutput(i)) context.setOutput(i, {node, i});
    return {};
}

/// input, skip, gamma, bias → output, (mean), inv_std_var, input_skip_bias_sum.
Status importSkipRmsNorm(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 3));
    OutputRef x = context.input(0);
    if (context.hasInput(3)) x = makeOne(context, "Add", {x, context.input(3)}, {}, "bias");
    const NodeId node = context.make("AddRmsNorm", {x, context.input(1), context.input(2)},
                                     {{"epsilon", attrFloat(attrsOf(context), "epsilon", 1e-12)}}, 3, "AddRmsNorm");
    context.setOutput(0, {node, 0});
    if (context.hasOutput(1)) return unsupported(context, "output 'mean' is not made");
    if (context.hasOutput(2)) context.setOutput(2, {node, 1});
    if (context.hasOutput(3)) context.setOutput(3, {node, 2});
    return {};
}

Status importSimplifiedLayerNorm(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    const NodeId node = context.make("RmsNorm", inputs, {{"epsilon", attrFloat(attrsOf(context), "epsilon", 1e-5)}}, 2);
    context.setOutput(0, {node, 0});
    if (context.hasOutput(1)) context.setOutput(1, {node, 1});
    return {};
}

// ---- activations ----

ImportFunction gelu(const char* approximate)
{
    return [approximate](ImportContext& context) -> Status {
        GELENS_TRY(requiredInputs(context, 1));
        OutputRef x = context.input(0);
        if (context.hasInput(1)) x = makeOne(context, "Add", {x, context.input(1)}, {}, "bias");
        context.setOutput(0, makeOne(context, "GeluV2", {x}, {{"approximate", approximate}}, "Gelu"));
        return {};
    };
}

// ---- products ----

Status importFusedMatMul(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    const AttrMap& onnx = attrsOf(context);
    std::vector<OutputRef> operands = inputs;
    for (const int i : {0, 1}) { // the first axis moves behind the batch axes
        if (attrInt(onnx, i == 0 ? "transBatchA" : "transBatchB") == 0) continue;
        const Shape shape = context.declaredShape(i);
        if (!shape.hasRank()) return unsupported(context, "batch axes of a tensor of unknown rank cannot be moved");
        IntList perm;
        for (int axis = 1; axis + 1 < shape.rank(); ++axis) perm.push_back(axis);
        if (shape.rank() < 3) continue;
        perm.push_back(0);
        perm.push_back(shape.rank() - 1);
        const std::string suffix = i == 0 ? "trans_a" : "trans_b";
        operands[static_cast<std::size_t>(i)] = makeOne(
            context, "Transpose",
            {inputs[static_cast<std::size_t>(i)], intConstant(context, perm, false, DataType::Int64, suffix + "_perm")},
            {}, suffix);
    }
    OutputRef y =
        makeOne(context, "BatchMatMulV2", {operands[0], operands[1], {}, {}},
                {{"adj_x1", attrInt(onnx, "transA") != 0}, {"adj_x2", attrInt(onnx, "transB") != 0}, {"offset_x", 0}},
                "MatMul");
    if (const double alpha = attrFloat(onnx, "alpha", 1); alpha != 1)
        y = makeOne(context, "Muls", {y}, {{"value", alpha}}, "alpha");
    context.setOutput(0, y);
    return {};
}

Status importFusedConv(ImportContext& context)
{
    GELENS_ASSIGN(OutputRef y, convolutionOf(context));
    if (context.hasInput(3)) y = makeOne(context, "Add", {y, context.input(3)}, {}, "add");
    GELENS_ASSIGN(y, activated(context, y, attrString(attrsOf(context), "activation"),
                               attrFloats(attrsOf(context), "activation_params")));
    context.setOutput(0, y);
    return {};
}

Status importFusedGemm(ImportContext& context)
{
    const AttrMap& onnx = attrsOf(context);
    GELENS_ASSIGN(OutputRef y, gemmOf(context));
    FloatList parameters;
    for (const char* const name : {"activation_alpha", "activation_beta"})
        if (onnx.contains(name)) parameters.push_back(static_cast<float>(attrFloat(onnx, name)));
    GELENS_ASSIGN(y, activated(context, y, attrString(onnx, "activation"), parameters));
    context.setOutput(0, y);
    return {};
}

/// Channels-last convolution: the same attributes in the other order; filters stay [Cout, Cin/g, k…].
Status importNhwcConv(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    if (spatialAxes(context, 1) != 2) return unsupported(context, "only two spatial axes are supported");
    GELENS_ASSIGN(AttrMap attrs, convolutionAttrs(context, 2));
    for (const char* const name : {"strides", "dilations"}) {
        const IntList list = attrInts(attrs, name);
        attrs[name] = IntList{1, list[2], list[3], 1};
    }
    attrs["data_format"] = "NHWC";
    attrs["_format_locked"] = true; // its tensors are the only ones of the model in this order
    OutputRef y = makeOne(context, "Conv2D", {inputs[0], inputs[1], context.input(2), {}}, std::move(attrs), "Conv");
    if (context.hasInput(3)) y = makeOne(context, "Add", {y, context.input(3)}, {}, "add");
    GELENS_ASSIGN(y, activated(context, y, attrString(attrsOf(context), "activation"),
                               attrFloats(attrsOf(context), "activation_params")));
    context.setOutput(0, y);
    return {};
}

Status importNhwcMaxPool(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    const IntList kernel = attrInts(onnx, "kernel_shape");
    if (kernel.size() != 2) return unsupported(context, "only two spatial axes are supported");
    const auto between = [](const IntList& list) {
        return list.size() == 2 ? IntList{1, list[0], list[1], 1} : IntList{1, 1, 1, 1};
    };
    const std::string autoPad = attrString(onnx, "auto_pad", "NOTSET");
    AttrMap attrs{{"ksize", between(kernel)},
                  {"strides", between(attrInts(onnx, "strides"))},
                  {"pads", pairedPads(context, 2)},
                  {"padding_mode", "CALCULATED"},
                  {"data_format", "NHWC"},
                  {"global_pooling", false},
                  {"ceil_mode", attrInt(onnx, "ceil_mode") != 0}};
    attrs["_format_locked"] = true; // as for the convolution
    if (autoPad != "NOTSET") attrs["auto_pad"] = autoPad;
    const IntList dilations = attrInts(onnx, "dilations");
    if (std::any_of(dilations.begin(), dilations.end(), [](std::int64_t d) { return d != 1; }))
        attrs["dilations"] = between(dilations);
    context.setOutput(0, makeOne(context, "MaxPoolV3", {context.input(0)}, std::move(attrs)));
    return {};
}

// ---- rotary embedding: com.microsoft puts the positions second ----

Status importMsRotary(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 4));
    const AttrMap& onnx = attrsOf(context);
    context.setOutput(0, makeOne(context, "RotaryEmbedding",
                                 {context.input(0), context.input(2), context.input(3), context.input(1)},
                                 {{"interleaved", attrInt(onnx, "interleaved")},
                                  {"num_heads", attrInt(onnx, "num_heads")},
                                  {"rotary_embedding_dim", attrInt(onnx, "rotary_embedding_dim")}}));
    return {};
}

void importAttention(ImportTable& table)
{
    const Passed attention{{{"is_causal", 0}, {"q_num_heads", 0}, {"kv_num_heads", 0}, {"qk_matmul_output_mode", 0}},
                           {{"scale", 0}, {"softcap", 0}},
                           {}};
    table.add("Attention", passOn("Attention", 3, 7, 4, attention));
    table.add("RotaryEmbedding", passOn("RotaryEmbedding", 3, 4, 1,
                                        {{{"interleaved", 0}, {"num_heads", 0}, {"rotary_embedding_dim", 0}}, {}, {}}));
    table.add("Attention",
              passOn("MsAttention", 2, 6, 2,
                     {{{"num_heads", 0}, {"unidirectional", 0}, {"do_rotary", 0}},
                      {{"mask_filter_value", -10000}, {"scale", 0}},
                      {"qkv_hidden_sizes"}}),
              microsoft);
    table.add("MultiHeadAttention",
              passOn("MsMultiHeadAttention", 1, 10, 4,
                     {{{"num_heads", 0}, {"unidirectional", 0}}, {{"mask_filter_value", -10000}, {"scale", 0}}, {}}),
              microsoft);
    table.add("GroupQueryAttention",
              passOn("MsGroupQueryAttention", 1, 12, 3,
                     {{{"num_heads", 0},
                       {"kv_num_heads", 0},
                       {"do_rotary", 0},
                       {"rotary_interleaved", 0},
                       {"local_window_size", -1},
                       {"smooth_softmax", 0}},
                      {{"scale", 0}, {"softcap", 0}},
                      {}}),
              microsoft);
    table.add("RotaryEmbedding", importMsRotary, microsoft);
}

} // namespace

Result<OutputRef> activated(ImportContext& context, OutputRef value, const std::string& name,
                            const FloatList& parameters)
{
    const auto parameter = [&](std::size_t i, double otherwise) {
        return i < parameters.size() ? static_cast<double>(parameters[i]) : otherwise;
    };
    if (name.empty()) return value;
    if (name == "Relu" || name == "Tanh" || name == "Sigmoid" || name == "HardSwish")
        return makeOne(context, name, {value}, {}, name);
    if (name == "LeakyRelu") return makeOne(context, name, {value}, {{"negative_slope", parameter(0, 0.01)}}, name);
    if (name == "HardSigmoid")
        return makeOne(context, name, {value}, {{"alpha", parameter(0, 0.2)}, {"beta", parameter(1, 0.5)}}, name);
    if (name == "Clip") {
        const OutputRef low = realConstant(context, parameter(0, -3.4028234663852886e38), DataType::Float, "min");
        const OutputRef high = realConstant(context, parameter(1, 3.4028234663852886e38), DataType::Float, "max");
        return makeOne(context, "ClipByValue", {value, low, high}, {}, name);
    }
    return unsupported(context, fmt::format("activation '{}' is not supported", name));
}

void importContrib(ImportTable& table)
{
    importAttention(table);
    importContribQuant(table);
    table.add("SkipLayerNormalization", importSkipLayerNorm, microsoft);
    table.add("SkipSimplifiedLayerNormalization", importSkipRmsNorm, microsoft);
    for (const char* const domain : {"", microsoft})
        table.add("SimplifiedLayerNormalization", importSimplifiedLayerNorm, domain);
    table.add("EmbedLayerNormalization", passOn("EmbedLayerNormalization", 1, 9, 3, {{}, {{"epsilon", 1e-12}}, {}}),
              microsoft);
    table.add("BiasGelu", gelu("none"), microsoft);
    table.add("Gelu", gelu("none"), microsoft);
    table.add("FastGelu", gelu("tanh"), microsoft);
    table.add("QuickGelu", withReals("Swish", {{"alpha", "scale", 1.702}}), microsoft);
    table.add("FusedMatMul", importFusedMatMul, microsoft);
    table.add("TransposeMatMul", importFusedMatMul, microsoft);
    table.add("FusedConv", importFusedConv, microsoft);
    table.add("FusedGemm", importFusedGemm, microsoft);
    table.add("NhwcConv", importNhwcConv, microsoft);
    table.add("NhwcFusedConv", importNhwcConv, microsoft);
    table.add("NhwcMaxPool", importNhwcMaxPool, microsoft);
    table.add("Inverse", direct("MatrixInverse", 1), microsoft);
    table.add("MatMulNBits",
              passOn("MatMulNBits", 3, 6, 1, {{{"K", 0}, {"N", 0}, {"bits", 4}, {"block_size", 0}}, {}, {}}),
              microsoft);
}

} // namespace gelens::onnx_import
