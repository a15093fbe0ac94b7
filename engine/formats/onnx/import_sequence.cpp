// ONNX control flow, sequences, random numbers, strings and signals.

#include "engine/formats/onnx/import_movement_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace gelens::onnx_import {
namespace {

// ---- control flow ----

Status importIf(ImportContext& context)
{
    GELENS_ASSIGN(const auto condition, requiredInputs(context, 1));
    const NodeId node = context.make("If", condition, {}, context.outputCount());
    GELENS_TRY(context.importSubgraph("then_branch", node));
    GELENS_TRY(context.importSubgraph("else_branch", node));
    takeOutputs(context, node, context.outputCount());
    return {};
}

/// All inputs in ONNX's order (absent ones as empty slots), so that input k of the node is input k of the body.
std::vector<OutputRef> allInputs(const ImportContext& context, int atLeast)
{
    std::vector<OutputRef> inputs;
    for (int i = 0; i < std::max(atLeast, context.inputCount()); ++i) inputs.push_back(context.input(i));
    return inputs;
}

Status importLoop(ImportContext& context)
{
    const auto inputs = allInputs(context, 2);
    const auto carried = static_cast<std::int64_t>(inputs.size()) - 2;
    if (carried > context.outputCount()) return context.error("fewer outputs than values that go round");
    const NodeId node = context.make("Loop", inputs, {{"loop_carried", carried}}, context.outputCount());
    GELENS_TRY(context.importSubgraph("body", node));
    takeOutputs(context, node, context.outputCount());
    return {};
}

Status importScan(ImportContext& context)
{
    const AttrMap& onnx = attrsOf(context);
    const bool isOld = context.opset() < 9;
    if (isOld && context.hasInput(0)) return unsupported(context, "sequence lengths of Scan-8");
    auto inputs = allInputs(context, 1);
    if (isOld) inputs.erase(inputs.begin());
    const std::int64_t scanned = attrInt(onnx, "num_scan_inputs", 0);
    const std::int64_t states = static_cast<std::int64_t>(inputs.size()) - scanned;
    if (scanned < 1 || states < 0 || states > context.outputCount())
        return context.error("inputs and outputs do not fit num_scan_inputs");
    AttrMap attrs{{"num_scan_inputs", scanned}, {"num_states", states}, {"batched", isOld}};
    for (const char* const name :
         {"scan_input_axes", "scan_output_axes", "scan_input_directions", "scan_output_directions"})
        if (const IntList list = attrInts(onnx, name); !list.empty()) attrs[name] = list;
    if (isOld)
        if (const IntList list = attrInts(onnx, "directions"); !list.empty()) attrs["scan_input_directions"] = list;
    const NodeId node = context.make("Scan", inputs, std::move(attrs), context.outputCount());
    GELENS_TRY(context.importSubgraph("body", node));
    takeOutputs(context, node, context.outputCount());
    return {};
}

// ---- sequences and optionals ----

Status importSequenceConstruct(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, std::max(1, context.inputCount())));
    context.setOutput(0, makeOne(context, "SequenceConstruct", inputs));
    return {};
}

Status importSequenceEmpty(ImportContext& context)
{
    context.setOutput(0,
                      makeOne(context, "SequenceEmpty", {}, {{"dtype", typeAttr(context, "dtype", DataType::Float)}}));
    return {};
}

Status importSequenceInsert(ImportContext& context)
{
    GELENS_ASSIGN(auto inputs, requiredInputs(context, 2));
    inputs.push_back(context.input(2));
    context.setOutput(0, makeOne(context, "SequenceInsert", inputs));
    return {};
}

Status importSequenceErase(ImportContext& context)
{
    GELENS_ASSIGN(auto inputs, requiredInputs(context, 1));
    inputs.push_back(context.input(1));
    context.setOutput(0, makeOne(context, "SequenceErase", inputs));
    return {};
}

Status importSplitToSequence(ImportContext& context)
{
    GELENS_ASSIGN(auto inputs, requiredInputs(context, 1));
    inputs.push_back(context.input(1));
    const AttrMap& onnx = attrsOf(context);
    context.setOutput(0,
                      makeOne(context, "SplitToSequence", inputs,
                              {{"axis", attrInt(onnx, "axis", 0)}, {"keepdims", attrInt(onnx, "keepdims", 1) != 0}}));
    return {};
}

Status importConcatFromSequence(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    context.setOutput(0,
                      makeOne(context, "ConcatFromSequence", inputs,
                              {{"axis", attrInt(onnx, "axis", 0)}, {"new_axis", attrInt(onnx, "new_axis", 0) != 0}}));
    return {};
}

Status importSequenceMap(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, std::max(1, context.inputCount())));
    const NodeId node = context.make("SequenceMap", inputs, {}, context.outputCount());
    GELENS_TRY(context.importSubgraph("body", node));
    takeOutputs(context, node, context.outputCount());
    return {};
}

ImportFunction optional(const char* type)
{
    return [type](ImportContext& context) -> Status {
        context.setOutput(0, makeOne(context, type, {context.input(0)}));
        return {};
    };
}

// ---- random numbers ----

/// ONNX's seed is a float; its bits make a number that is not 0, since 0 means "none" in GE.
std::int64_t seedOf(const ImportContext& context)
{
    const AttrMap& onnx = attrsOf(context);
    if (onnx.find("seed") == onnx.end()) return 0;
    const double seed = attrFloat(onnx, "seed", 0);
    const bool isWhole = std::abs(seed) < 2e9 && std::floor(seed) == seed;
    const auto number = static_cast<std::int64_t>(isWhole ? seed : std::fmod(seed * 65536, 2e9));
    return number == 0 ? 1 : number;
}

/// value * scale + offset, each step only where it changes something.
OutputRef scaled(ImportContext& context, OutputRef value, double scale, double offset, DataType dtype)
{
    if (scale != 1) value = makeOne(context, "Mul", {value, realConstant(context, scale, dtype, "scale")}, {}, "Mul");
    if (offset != 0) value = makeOne(context, "Add", {value, realConstant(context, offset, dtype, "mean")}, {}, "Add");
    return value;
}

/// RandomNormal and RandomUniform, whose shape is an attribute or that of the input (…Like).
ImportFunction random(bool isNormal, bool isLike)
{
    return [isNormal, isLike](ImportContext& context) -> Status {
        const AttrMap& onnx = attrsOf(context);
        OutputRef shape;
        DataType dtype = typeAttr(context, "dtype", DataType::Float);
        if (isLike) {
            GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
            if (context.declaredType(0) != DataType::Undefined)
                dtype = typeAttr(context, "dtype", context.declaredType(0));
            shape = makeOne(context, "Shape", x, {{"dtype", static_cast<std::int64_t>(DataType::Int64)}}, "shape");
        } else {
            shape = intVector(context, attrInts(onnx, "shape"), "shape");
        }
        const char* const type = isNormal ? "RandomStandardNormal" : "RandomUniform";
        const OutputRef drawn = makeOne(context, type, {shape}, {{"dtype", dtype}, {"seed", seedOf(context)}}, type);
        const double low = attrFloat(onnx, "low", 0), high = attrFloat(onnx, "high", 1);
        context.setOutput(
            0, isNormal ? scaled(context, drawn, attrFloat(onnx, "scale", 1), attrFloat(onnx, "mean", 0), dtype)
                        : scaled(context, drawn, high - low, low, dtype));
        return {};
    };
}

Status importMultinomial(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    const OutputRef samples = axisConstant(context, attrInt(onnx, "sample_size", 1), "num_samples");
    context.setOutput(0, makeOne(context, "Multinomial", {x[0], samples},
                                 {{"dtype", typeAttr(context, "dtype", DataType::Int32)}, {"seed", seedOf(context)}}));
    return {};
}

Status importBernoulli(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    context.setOutput(0,
                      makeOne(context, "Bernoulli", x,
                              {{"dtype", typeAttr(context, "dtype", DataType::Undefined)}, {"seed", seedOf(context)}}));
    return {};
}

// ---- strings ----

Status importStringSplit(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    const NodeId node =
        context.make("StringSplit", x,
                     {{"delimiter", attrString(onnx, "delimiter")}, {"maxsplit", attrInt(onnx, "maxsplit", -1)}}, 2);
    takeOutputs(context, node, 2);
    return {};
}

Status importStringNormalizer(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    context.setOutput(0, makeOne(context, "StringNormalizer", x,
                                 {{"stopwords", attrStrings(onnx, "stopwords")},
                                  {"is_case_sensitive", attrInt(onnx, "is_case_sensitive", 0) != 0},
                                  {"case_change_action", attrString(onnx, "case_change_action", "NONE")},
                                  {"locale", attrString(onnx, "locale", "C")}}));
    return {};
}

Status importTfIdf(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    AttrMap attrs;
    for (const char* const name : {"max_gram_length", "max_skip_count", "min_gram_length", "mode", "ngram_counts",
                                   "ngram_indexes", "pool_int64s", "pool_strings", "weights"})
        if (const auto found = attrsOf(context).find(name); found != attrsOf(context).end())
            attrs.emplace(name, found->second);
    context.setOutput(0, makeOne(context, "TfIdfVectorizer", x, std::move(attrs)));
    return {};
}

Status importRegexFullMatch(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    context.setOutput(0, makeOne(context, "RegexFullMatch", x, {{"pattern", attrString(attrsOf(context), "pattern")}}));
    return {};
}

// ---- signals ----

ImportFunction window(const char* type)
{
    return [type](ImportContext& context) -> Status {
        GELENS_ASSIGN(const auto size, requiredInputs(context, 1));
        context.setOutput(0, makeOne(context, type, size,
                                     {{"periodic", attrInt(attrsOf(context), "periodic", 1) != 0},
                                      {"dtype", typeAttr(context, "output_datatype", DataType::Float)}}));
        return {};
    };
}

Status importMelWeightMatrix(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 5));
    context.setOutput(0, makeOne(context, "MelWeightMatrix", inputs,
                                 {{"dtype", typeAttr(context, "output_datatype", DataType::Float)}}));
    return {};
}

Status importDft(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    // The axis became an input, with another default, in opset 20.
    const std::int64_t axis = context.opset() >= 20 ? -2 : attrInt(onnx, "axis", 1);
    context.setOutput(0, makeOne(context, "DFT", {x[0], context.input(1), context.input(2)},
                                 {{"axis", axis},
                                  {"inverse", attrInt(onnx, "inverse", 0) != 0},
                                  {"onesided", attrInt(onnx, "onesided", 0) != 0}}));
    return {};
}

Status importStft(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 2));
    context.setOutput(0, makeOne(context, "STFT", {inputs[0], inputs[1], context.input(2), context.input(3)},
                                 {{"onesided", attrInt(attrsOf(context), "onesided", 1) != 0}}));
    return {};
}

} // namespace

void importSequence(ImportTable& table)
{
    table.add("If", importIf);
    table.add("Loop", importLoop);
    table.add("Scan", importScan);
    table.add("SequenceConstruct", importSequenceConstruct);
    table.add("SequenceEmpty", importSequenceEmpty);
    table.add("SequenceInsert", importSequenceInsert);
    table.add("SequenceErase", importSequenceErase);
    table.add("SequenceAt", direct("SequenceAt", 2));
    table.add("SequenceLength", direct("SequenceLength", 1));
    table.add("SplitToSequence", importSplitToSequence);
    table.add("ConcatFromSequence", importConcatFromSequence);
    table.add("SequenceMap", importSequenceMap);
    table.add("Optional", optional("Optional"));
    table.add("OptionalHasElement", optional("OptionalHasElement"));
    table.add("OptionalGetElement", optional("OptionalGetElement"));
    table.add("RandomNormal", random(true, false));
    table.add("RandomNormalLike", random(true, true));
    table.add("RandomUniform", random(false, false));
    table.add("RandomUniformLike", random(false, true));
    table.add("Multinomial", importMultinomial);
    table.add("Bernoulli", importBernoulli);
    table.add("StringConcat", direct("StringConcat", 2));
    table.add("StringSplit", importStringSplit);
    table.add("StringNormalizer", importStringNormalizer);
    table.add("TfIdfVectorizer", importTfIdf);
    table.add("RegexFullMatch", importRegexFullMatch);
    table.add("HannWindow", window("HannWindow"));
    table.add("HammingWindow", window("HammingWindow"));
    table.add("BlackmanWindow", window("BlackmanWindow"));
    table.add("MelWeightMatrix", importMelWeightMatrix);
    table.add("DFT", importDft);
    table.add("STFT", importStft);
}

} // namespace gelens::onnx_import
