// Reductions, positions of extremes, running sums, losses.

#include "engine/formats/onnx/import_arithmetic_parts.h"

#include <fmt/format.h>

namespace gelens::onnx_import {
namespace {

bool keepsDims(const ImportContext& context) { return attrInt(attrsOf(context), "keepdims", 1) != 0; }

bool isNoop(const ImportContext& context) { return attrInt(attrsOf(context), "noop_with_empty_axes", 0) != 0; }

/// Axes became an input with opset 18, for ReduceSum with 13.
bool axesAreInput(const ImportContext& context)
{
    return context.opset() >= (context.onnx().opType == "ReduceSum" ? 13 : 18);
}

/// Axes as far as the import can see them; nothing when they are computed.
std::optional<IntList> knownAxes(const ImportContext& context)
{
    if (!axesAreInput(context)) return attrInts(attrsOf(context), "axes");
    if (!context.hasInput(1)) return IntList{};
    const Tensor* const value = context.constantInput(1);
    return value ? value->asInts() : std::nullopt;
}

OutputRef axesOperand(ImportContext& context)
{
    if (axesAreInput(context) && context.hasInput(1)) return context.input(1);
    return intConstant(context, axesAreInput(context) ? IntList{} : attrInts(attrsOf(context), "axes"), false,
                       DataType::Int32, "data1");
}

OutputRef reduce(ImportContext& context, std::string_view geType, OutputRef x)
{
    const OutputRef axes = axesOperand(context);
    return makeOne(context, geType, {x, axes},
                   {{"keep_dims", AttrValue(keepsDims(context))}, {"noop_with_empty_axes", AttrValue(isNoop(context))}},
                   geType);
}

ImportFunction reduction(std::string geType)
{
    return [=](ImportContext& context) -> Status {
        GELENS_TRY(requiredInputs(context, 1));
        context.setOutput(0, reduce(context, geType, context.input(0)));
        return {};
    };
}

/// Sum of magnitudes (p = 1), or root of the sum of squares (p = 2).
ImportFunction norm(int p)
{
    return [=](ImportContext& context) -> Status {
        GELENS_TRY(requiredInputs(context, 1));
        const OutputRef x = context.input(0);
        const std::optional<IntList> axes = knownAxes(context);
        if (axes && axes->empty() && isNoop(context)) { // the norm of each element by itself
            context.setOutput(0, makeOne(context, "Abs", {x}));
        } else if (axes) {
            context.setOutput(0, makeOne(context, "LpNormV2", {x},
                                         {{"p", AttrValue(static_cast<float>(p))},
                                          {"axes", AttrValue(*axes)},
                                          {"keepdim", AttrValue(keepsDims(context))}}));
        } else {
            const OutputRef terms = makeOne(context, p == 1 ? "Abs" : "Square", {x}, {}, p == 1 ? "Abs" : "Square");
            const OutputRef sum = reduce(context, "ReduceSum", terms);
            context.setOutput(0, p == 1 ? sum : makeOne(context, "Sqrt", {sum}, {}, "Sqrt"));
        }
        return {};
    };
}

Status importSumSquare(ImportContext& context)
{
    GELENS_TRY(requiredInputs(context, 1));
    const OutputRef squares = makeOne(context, "Square", {context.input(0)}, {}, "Square");
    context.setOutput(0, reduce(context, "ReduceSum", squares));
    return {};
}

ImportFunction extremePosition(std::string geType)
{
    return [=](ImportContext& context) -> Status {
        GELENS_TRY(requiredInputs(context, 1));
        const std::int64_t axis = attrInt(attrsOf(context), "axis", 0);
        const OutputRef dimension = intConstant(context, {axis}, true, DataType::Int32, "dimension");
        AttrMap attrs{{"dtype", AttrValue(DataType::Int64)}};
        if (attrInt(attrsOf(context), "select_last_index", 0) != 0) attrs.emplace("select_last_index", AttrValue(true));
        const OutputRef index = makeOne(context, geType, {context.input(0), dimension}, std::move(attrs), geType);
        context.setOutput(0, keepsDims(context) ? makeOne(context, "Unsqueeze", {index},
                                                          {{"axes", AttrValue(IntList{axis})}}, "Unsqueeze")
                                                : index);
        return {};
    };
}

ImportFunction scan(std::string geType)
{
    return [=](ImportContext& context) -> Status {
        GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
        context.setOutput(0, makeOne(context, geType, inputs,
                                     {{"exclusive", AttrValue(attrInt(attrsOf(context), "exclusive", 0) != 0)},
                                      {"reverse", AttrValue(attrInt(attrsOf(context), "reverse", 0) != 0)}}));
        return {};
    };
}

/// Losses have a second output in GE, of which ONNX knows only the log-probabilities.
ImportFunction loss(std::string geType)
{
    return [=](ImportContext& context) -> Status {
        GELENS_ASSIGN(std::vector<OutputRef> inputs, requiredInputs(context, 2));
        inputs.push_back(context.input(2));
        AttrMap attrs{{"reduction", AttrValue(attrString(attrsOf(context), "reduction", "mean"))}};
        if (attrsOf(context).count("ignore_index") != 0)
            attrs.emplace("ignore_index", AttrValue(attrInt(attrsOf(context), "ignore_index")));
        const NodeId node = context.make(geType, inputs, std::move(attrs), 2);
        context.setOutput(0, {node, 0});
        context.setOutput(1, {node, 1});
        return {};
    };
}

} // namespace

void importReduction(ImportTable& table)
{
    for (const char* const type :
         {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceLogSum", "ReduceLogSumExp"})
        table.add(type, reduction(type));
    table.add("ReduceL1", norm(1));
    table.add("ReduceL2", norm(2));
    table.add("ReduceSumSquare", importSumSquare);
    table.add("ArgMax", extremePosition("ArgMaxV2"));
    table.add("ArgMin", extremePosition("ArgMin"));
    table.add("CumSum", scan("Cumsum"));
    table.add("CumProd", scan("Cumprod"));
    table.add("NegativeLogLikelihoodLoss", loss("NLLLoss"));
    table.add("SoftmaxCrossEntropyLoss", loss("SoftmaxCrossEntropyLoss"));
}

} // namespace gelens::onnx_import
