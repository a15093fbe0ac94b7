// Arithmetic, logic and comparison; reductions, activations and normalisations have files of their own.

#include "engine/formats/onnx/import_arithmetic_parts.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace gelens::onnx_import {

Error unsupported(const ImportContext& context, const std::string& text)
{
    Error error = context.error(text);
    error.code = ErrorCode::Unsupported;
    return error;
}

Result<std::vector<OutputRef>> requiredInputs(const ImportContext& context, int count)
{
    std::vector<OutputRef> inputs;
    for (int i = 0; i < count; ++i) {
        if (!context.hasInput(i)) return context.error(fmt::format("input {} is missing", i));
        inputs.push_back(context.input(i));
    }
    return inputs;
}

OutputRef makeOne(ImportContext& context, std::string_view geType, const std::vector<OutputRef>& inputs, AttrMap attrs,
                  std::string_view suffix)
{
    return {context.make(geType, inputs, std::move(attrs), 1, suffix), 0};
}

ImportFunction direct(std::string geType, int inputs, AttrMap attrs)
{
    return [=](ImportContext& context) -> Status {
        GELENS_ASSIGN(const std::vector<OutputRef> sources, requiredInputs(context, inputs));
        context.setOutput(0, makeOne(context, geType, sources, attrs));
        return {};
    };
}

ImportFunction withReals(std::string geType, std::vector<RealAttr> attrs)
{
    return [=](ImportContext& context) -> Status {
        GELENS_ASSIGN(const std::vector<OutputRef> sources, requiredInputs(context, 1));
        AttrMap made;
        for (const RealAttr& attr : attrs)
            made.insert_or_assign(attr.geName, AttrValue(attrFloat(attrsOf(context), attr.onnxName, attr.otherwise)));
        context.setOutput(0, makeOne(context, geType, sources, std::move(made)));
        return {};
    };
}

namespace {

/// A damaged or senseless file may put any type where numbers belong; inference then says that the types differ.
DataType numericOr(DataType dtype, DataType otherwise)
{
    return isInteger(dtype) || isFloating(dtype) || dtype == DataType::Bool ? dtype : otherwise;
}

} // namespace

OutputRef intConstant(ImportContext& context, const IntList& values, bool isScalar, DataType dtype,
                      std::string_view suffix)
{
    const Shape shape = isScalar ? Shape{} : Shape{static_cast<std::int64_t>(values.size())};
    return context.constant(Tensor::fromInts(values, shape, dtype), suffix);
}

OutputRef realConstant(ImportContext& context, double value, DataType dtype, std::string_view suffix)
{
    const std::array<double, 1> values = {value};
    return context.constant(Tensor::fromDoubles(values, Shape{}, numericOr(dtype, DataType::Float)), suffix);
}

namespace {

/// Before opset 7 the second operand was broadcast only on request, and lined up with dim `axis` of the first.
Result<OutputRef> oldOperand(ImportContext& context)
{
    const AttrMap& attrs = attrsOf(context);
    if (context.opset() >= 7 || attrInt(attrs, "broadcast", 0) == 0 || attrs.find("axis") == attrs.end())
        return context.input(1);
    const Shape a = context.declaredShape(0), b = context.declaredShape(1);
    if (!a.hasRank() || !b.hasRank())
        return unsupported(context, "broadcasting at an axis of a tensor of unknown rank");
    const std::int64_t axis = attrInt(attrs, "axis", 0);
    const std::int64_t start = axis < 0 ? axis + a.rank() : axis;
    if (start < 0 || start + b.rank() > a.rank()) return context.error(fmt::format("axis {} does not fit", axis));
    IntList axes;
    for (std::int64_t i = b.rank(); i < a.rank() - start; ++i) axes.push_back(i);
    if (axes.empty()) return context.input(1);
    return makeOne(context, "Unsqueeze", {context.input(1)}, {{"axes", AttrValue(axes)}}, "Unsqueeze");
}

ImportFunction binary(std::string geType)
{
    return [=](ImportContext& context) -> Status {
        GELENS_TRY(requiredInputs(context, 2));
        GELENS_ASSIGN(const OutputRef second, oldOperand(context));
        context.setOutput(0, makeOne(context, geType, {context.input(0), second}));
        return {};
    };
}

/// Any number of inputs, two at a time; one input is handed through.
ImportFunction chain(std::string geType)
{
    return [=](ImportContext& context) -> Status {
        GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, std::max(1, context.inputCount())));
        if (inputs.size() == 1) {
            context.setOutput(0, makeOne(context, "Identity", inputs));
            return {};
        }
        OutputRef result = inputs[0];
        for (std::size_t i = 1; i < inputs.size(); ++i)
            result = makeOne(context, geType, {result, inputs[i]}, {}, fmt::format("{}_{}", geType, i));
        context.setOutput(0, result);
        return {};
    };
}

/// Equal declared shapes need no broadcasting, so that one AddN or AccumulateNV2 does.
bool haveOneShape(const ImportContext& context)
{
    const Shape first = context.declaredShape(0);
    if (!first.isStatic() || !first.hasRank()) return false;
    for (int i = 1; i < context.inputCount(); ++i)
        if (!(context.declaredShape(i) == first)) return false;
    return true;
}

OutputRef sumOf(ImportContext& context, const std::vector<OutputRef>& inputs, std::string_view manyType)
{
    if (inputs.size() > 2 && haveOneShape(context))
        return makeOne(context, manyType, inputs, {{"N", AttrValue(inputs.size())}}, manyType);
    OutputRef result = inputs[0];
    for (std::size_t i = 1; i < inputs.size(); ++i)
        result = makeOne(context, "Add", {result, inputs[i]}, {}, fmt::format("Add_{}", i));
    return result;
}

Status importSum(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, std::max(1, context.inputCount())));
    context.setOutput(0, inputs.size() == 1 ? makeOne(context, "Identity", inputs) : sumOf(context, inputs, "AddN"));
    return {};
}

Status importMean(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, std::max(1, context.inputCount())));
    if (inputs.size() == 1) {
        context.setOutput(0, makeOne(context, "Identity", inputs));
        return {};
    }
    const OutputRef sum = sumOf(context, inputs, "AccumulateNV2");
    const auto count = static_cast<double>(inputs.size());
    const DataType dtype = context.declaredType(0);
    if (isFloating(dtype)) {
        const OutputRef divisor = realConstant(context, count, dtype, "data1");
        context.setOutput(0, makeOne(context, "RealDiv", {sum, divisor}, {}, "RealDiv"));
    } else { // type not known yet: a scalar attribute takes the tensor's
        context.setOutput(0, makeOne(context, "Muls", {sum}, {{"value", AttrValue(1.0 / count)}}, "Muls"));
    }
    return {};
}

Status importMod(ImportContext& context)
{
    const bool isC = attrInt(attrsOf(context), "fmod", 0) != 0;
    return direct(isC ? "Mod" : "FloorMod", 2)(context);
}

Status importBitShift(ImportContext& context)
{
    const std::string direction = attrString(attrsOf(context), "direction");
    if (direction != "LEFT" && direction != "RIGHT")
        return context.error(fmt::format("direction \"{}\" is neither LEFT nor RIGHT", direction));
    return direct(direction == "LEFT" ? "LeftShift" : "RightShift", 2)(context);
}

/// Opset 1 to 5 name the type, later ones number it.
DataType castTarget(const AttrMap& attrs)
{
    const std::string name = attrString(attrs, "to");
    if (!name.empty()) return dataTypeFromName("DT_" + name);
    return dataTypeFromOnnxNumber(static_cast<int>(attrInt(attrs, "to", 0)));
}

AttrMap castAttrs(const ImportContext& context, DataType target)
{
    AttrMap attrs{{"dst_type", AttrValue(static_cast<std::int64_t>(target))}};
    if (attrInt(attrsOf(context), "saturate", 1) == 0) attrs.emplace("saturate", AttrValue(false));
    return attrs;
}

Status importCast(ImportContext& context)
{
    const DataType target = castTarget(attrsOf(context));
    if (target == DataType::Undefined) return context.error("attribute 'to' names no known data type");
    return direct("Cast", 1, castAttrs(context, target))(context);
}

Status importCastLike(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    const DataType target = context.declaredType(1);
    if (target == DataType::Undefined) {
        AttrMap attrs;
        if (attrInt(attrsOf(context), "saturate", 1) == 0) attrs.emplace("saturate", AttrValue(false));
        context.setOutput(0, makeOne(context, "CastLike", inputs, std::move(attrs)));
    } else {
        context.setOutput(0, makeOne(context, "Cast", {inputs[0]}, castAttrs(context, target)));
    }
    return {};
}

/// The lowest or highest value of a type as a constant: the bound that a Clip does not have.
Tensor extreme(DataType dtype, bool isHighest)
{
    if (isInteger(dtype)) {
        const int bits = dataTypeBits(dtype);
        if (!isSignedInteger(dtype)) // all ones; uint64's too
            return Tensor::fromInts({isHighest ? -1 : 0}, Shape{}, dtype);
        const std::int64_t highest =
            bits == 64 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (bits - 1)) - 1;
        return Tensor::fromInts({isHighest ? highest : -highest - 1}, Shape{}, dtype);
    }
    // Infinity, so that infinite elements stay as they are.
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const std::array<double, 1> value = {isHighest ? infinity : -infinity};
    return Tensor::fromDoubles(value, Shape{}, numericOr(dtype, DataType::Float));
}

/// Until opset 10 the bounds are attributes, and GE's parser casts the input to fp32 first.
Status importOldClip(ImportContext& context)
{
    const AttrMap& attrs = attrsOf(context);
    const double low = attrFloat(attrs, "min", std::numeric_limits<float>::lowest());
    const double high = attrFloat(attrs, "max", std::numeric_limits<float>::max());
    const DataType declared = context.declaredType(0);
    const DataType dtype = isFloating(declared) ? declared : DataType::Float;
    OutputRef x = context.input(0);
    if (declared == DataType::Float)
        x = makeOne(context, "Cast", {x}, {{"dst_type", AttrValue(static_cast<std::int64_t>(DataType::Float))}},
                    "cast");
    const OutputRef most = realConstant(context, high, dtype, "data1");
    const OutputRef least = realConstant(context, low, dtype, "data2");
    context.setOutput(0, makeOne(context, "ClipByValue", {x, least, most}, {}, "ClipByValue"));
    return {};
}

Status importClip(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 1));
    if (context.opset() < 11) return importOldClip(context);
    const OutputRef x = context.input(0), low = context.input(1), high = context.input(2);
    if (!low.isValid() && !high.isValid()) {
        context.setOutput(0, makeOne(context, "Identity", {x}));
        return {};
    }
    // All three have one type: whichever is known tells the others'.
    DataType dtype = context.declaredType(0);
    for (const int i : {1, 2})
        if (dtype == DataType::Undefined) dtype = context.declaredType(i);
    if (low.isValid() && high.isValid()) {
        context.setOutput(0, makeOne(context, "ClipByValue", {x, low, high}));
    } else if (dtype == DataType::Undefined) {
        context.setOutput(0, makeOne(context, low.isValid() ? "Maximum" : "Minimum", {x, low.isValid() ? low : high}));
    } else {
        const OutputRef least = low.isValid() ? low : context.constant(extreme(dtype, false), "data1");
        const OutputRef most = high.isValid() ? high : context.constant(extreme(dtype, true), "data2");
        context.setOutput(0, makeOne(context, "ClipByValue", {x, least, most}));
    }
    return {};
}

Status importIsInf(ImportContext& context)
{
    const AttrMap& attrs = attrsOf(context);
    return direct("IsInf", 1,
                  {{"detect_negative", AttrValue(attrInt(attrs, "detect_negative", 1) != 0)},
                   {"detect_positive", AttrValue(attrInt(attrs, "detect_positive", 1) != 0)}})(context);
}

/// Everything is kept: a mask of ones in the shape of x.
OutputRef fullMask(ImportContext& context, DataType dtype)
{
    const OutputRef shape = makeOne(context, "Shape", {context.input(0)},
                                    {{"dtype", AttrValue(static_cast<std::int64_t>(DataType::Int64))}}, "Shape");
    const OutputRef one = dtype == DataType::Bool ? intConstant(context, {1}, true, DataType::Bool, "data1")
                                                  : realConstant(context, 1, dtype, "data1");
    return makeOne(context, "Fill", {shape, one}, {}, "Fill");
}

/// Whether an input that decides over training may do so: it is there, and not a constant false.
bool mayTrain(const ImportContext& context)
{
    if (context.opset() < 12 || !context.hasInput(2)) return false;
    const Tensor* const training = context.constantInput(2);
    const auto value = training ? training->asInts() : std::nullopt;
    return !value || value->size() != 1 || value->front() != 0;
}

/// In inference nothing is dropped.
Status importDropout(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 1));
    if (mayTrain(context)) {
        AttrMap attrs;
        if (attrsOf(context).count("seed") != 0) attrs.emplace("seed", AttrValue(attrInt(attrsOf(context), "seed")));
        const NodeId node =
            context.make("Dropout", {inputs[0], context.input(1), context.input(2)}, std::move(attrs), 2);
        context.setOutput(0, {node, 0});
        context.setOutput(1, {node, 1});
        return {};
    }
    context.setOutput(0, makeOne(context, "Identity", inputs));
    if (!context.hasOutput(1)) return {};
    const DataType declared = context.declaredType(0);
    const DataType old = isFloating(declared) ? declared : DataType::Float;
    context.setOutput(1, fullMask(context, context.opset() >= 10 ? DataType::Bool : old));
    return {};
}

} // namespace

void importArithmetic(ImportTable& table)
{
    for (const char* const type :
         {"Abs", "Acos",  "Acosh", "Asin", "Asinh",      "Atan",  "Atanh", "Ceil", "Cos",  "Cosh", "Erf",
          "Exp", "Floor", "Log",   "Neg",  "Reciprocal", "Round", "Sign",  "Sin",  "Sinh", "Sqrt", "Tan"})
        table.add(type, direct(type, 1));
    table.add("IsNaN", direct("IsNan", 1));
    table.add("IsInf", importIsInf);
    table.add("Not", direct("LogicalNot", 1));
    table.add("BitwiseNot", direct("Invert", 1));
    constexpr std::pair<const char*, const char*> binaries[] = {
        {"Add", "Add"},
        {"Sub", "Sub"},
        {"Mul", "Mul"},
        {"Div", "RealDiv"},
        {"Pow", "Pow"},
        {"And", "LogicalAnd"},
        {"Or", "LogicalOr"},
        {"Xor", "LogicalXor"},
        {"Equal", "Equal"},
        {"Greater", "Greater"},
        {"GreaterOrEqual", "GreaterEqual"},
        {"Less", "Less"},
        {"LessOrEqual", "LessEqual"},
        {"BitwiseAnd", "BitwiseAnd"},
        {"BitwiseOr", "BitwiseOr"},
        {"BitwiseXor", "BitwiseXor"},
    };
    for (const auto& [onnxType, geType] : binaries) table.add(onnxType, binary(geType));
    table.add("Mod", importMod);
    table.add("BitShift", importBitShift);
    table.add("Max", chain("Maximum"));
    table.add("Min", chain("Minimum"));
    table.add("Sum", importSum);
    table.add("Mean", importMean);
    table.add("Cast", importCast);
    table.add("CastLike", importCastLike);
    table.add("Clip", importClip);
    table.add("Where", direct("SelectV2", 3));
    table.add("Dropout", importDropout);
    importActivation(table);
    importReduction(table);
    importNormalization(table);
}

} // namespace gelens::onnx_import
