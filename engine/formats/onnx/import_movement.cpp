// ONNX operators that give elements another place or shape.

#include "engine/formats/onnx/import_movement_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace gelens::onnx_import {
namespace {

std::optional<IntList> constantList(const ImportContext& context, int i)
{
    const Tensor* const value = context.constantInput(i);
    return value ? value->asInts() : std::nullopt;
}

// ---- views ----

Status importReshape(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    // Before opset 5 the shape was an attribute.
    const OutputRef shape =
        context.hasInput(1) ? context.input(1) : intVector(context, attrInts(onnx, "shape"), "shape");
    context.setOutput(0, makeOne(context, "Reshape", {x[0], shape}, {{"allowzero", attrInt(onnx, "allowzero", 0)}}));
    return {};
}

Status importShape(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    OutputRef value = makeOne(context, "Shape", x, {{"dtype", static_cast<std::int64_t>(DataType::Int64)}});
    const bool hasStart = attrInt(onnx, "start", 0) != 0, hasEnd = onnx.find("end") != onnx.end();
    if (hasStart || hasEnd) {
        const OutputRef begin = intVector(context, {attrInt(onnx, "start", 0)}, "begin");
        const OutputRef end =
            intVector(context, {attrInt(onnx, "end", std::numeric_limits<std::int64_t>::max())}, "end");
        value = makeOne(context, "StridedSliceV2",
                        {value, begin, end, intVector(context, {0}, "axes"), intVector(context, {1}, "strides")});
    }
    context.setOutput(0, value);
    return {};
}

Status importSize(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    context.setOutput(0, makeOne(context, "Size", x, {{"dtype", static_cast<std::int64_t>(DataType::Int64)}}));
    return {};
}

Status importSqueeze(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    if (context.opset() >= 13 || context.hasInput(1))
        context.setOutput(0, makeOne(context, "SqueezeV3", {x[0], context.input(1)}));
    else
        context.setOutput(0, makeOne(context, "Squeeze", x, {{"axis", attrInts(attrsOf(context), "axes")}}));
    return {};
}

Status importUnsqueeze(ImportContext& context)
{
    if (context.opset() >= 13 || context.hasInput(1)) {
        GELENS_ASSIGN(const auto inputs, requiredInputs(context, 2));
        context.setOutput(0, makeOne(context, "UnsqueezeV3", inputs));
        return {};
    }
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    context.setOutput(0, makeOne(context, "Unsqueeze", x, {{"axes", attrInts(attrsOf(context), "axes")}}));
    return {};
}

Status importFlatten(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    context.setOutput(0, makeOne(context, "Flatten", x, {{"axis", attrInt(attrsOf(context), "axis", 1)}}));
    return {};
}

// ---- Transpose, DepthToSpace ----

Status importTranspose(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    IntList perm = attrInts(attrsOf(context), "perm");
    const Shape shape = context.declaredShape(0);
    if (perm.empty() && shape.hasRank()) {
        perm.resize(static_cast<std::size_t>(shape.rank()));
        std::iota(perm.rbegin(), perm.rend(), std::int64_t{0});
    } else if (perm.empty() && !shape.hasRank()) {
        // Reversed dims of a tensor of unknown rank: rank-1, …, 1, 0.
        const OutputRef minusOne = axisConstant(context, -1, "minus_one");
        const OutputRef rank = makeOne(context, "Rank", x);
        const OutputRef last = makeOne(context, "Add", {rank, minusOne}, {}, "last");
        const OutputRef order = makeOne(context, "Range", {last, minusOne, minusOne}, {}, "perm");
        context.setOutput(0, makeOne(context, "Transpose", {x[0], order}, {}, "Transpose"));
        return {};
    }
    const auto rank = static_cast<std::int64_t>(perm.size());
    const OutputRef order = context.constant(Tensor::fromInts(std::move(perm), Shape{rank}, DataType::Int32), "Const");
    context.setOutput(0, makeOne(context, "Transpose", {x[0], order}));
    return {};
}

ImportFunction blocks(const char* type)
{
    return [type](ImportContext& context) -> Status {
        GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
        AttrMap attrs{{"block_size", attrInt(attrsOf(context), "blocksize", 0)}, {"data_format", "NCHW"}};
        if (std::string_view(type) == "DepthToSpace") attrs["mode"] = attrString(attrsOf(context), "mode", "DCR");
        context.setOutput(0, makeOne(context, type, x, std::move(attrs)));
        return {};
    };
}

// ---- Concat, Split ----

Status importConcat(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, std::max(1, context.inputCount())));
    const std::int64_t axis = attrInt(attrsOf(context), "axis", 1); // 1 was the default of the oldest form
    context.setOutput(0, makeOne(context, "ConcatD", inputs,
                                 {{"concat_dim", axis}, {"N", static_cast<std::int64_t>(inputs.size())}}));
    return {};
}

/// Sizes of ONNX's uneven split into `parts`: all equal but the last, which is smaller.
IntList unevenSizes(std::int64_t dim, int parts)
{
    const std::int64_t each = (dim + parts - 1) / parts;
    IntList sizes;
    for (std::int64_t left = dim; static_cast<int>(sizes.size()) < parts; left -= sizes.back())
        sizes.push_back(std::max<std::int64_t>(0, std::min(each, left)));
    return sizes;
}

Status importSplit(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    const std::int64_t axis = attrInt(onnx, "axis", 0);
    const int parts = context.outputCount();
    if (parts < 1) return context.error("has no outputs");
    const OutputRef dim = axisConstant(context, axis, "split_dim");
    OutputRef sizes = context.input(1);
    AttrMap attrs{{"num_split", static_cast<std::int64_t>(parts)}};
    if (!sizes.isValid() && !attrInts(onnx, "split").empty())
        sizes = intVector(context, attrInts(onnx, "split"), "size_splits");
    if (!sizes.isValid() && attrInt(onnx, "num_outputs", 0) > 0) {
        if (attrInt(onnx, "num_outputs") != parts)
            return context.error(fmt::format("num_outputs is not the number of outputs, {}", parts));
        const Shape shape = context.declaredShape(0);
        const std::int64_t place = axis < 0 ? axis + shape.rank() : axis;
        const bool isKnown =
            shape.hasRank() && place >= 0 && place < shape.rank() && shape.dim(static_cast<int>(place)) >= 0;
        if (isKnown)
            sizes = intVector(context, unevenSizes(shape.dim(static_cast<int>(place)), parts), "size_splits");
        else
            attrs["uneven"] = true;
    }
    const NodeId node = sizes.isValid() ? context.make("SplitV", {x[0], sizes, dim}, std::move(attrs), parts)
                                        : context.make("Split", {dim, x[0]}, std::move(attrs), parts);
    takeOutputs(context, node, parts);
    return {};
}

// ---- Slice, Pad ----

Status importSlice(ImportContext& context)
{
    if (context.opset() >= 10 || context.hasInput(1)) {
        GELENS_ASSIGN(auto inputs, requiredInputs(context, 3));
        inputs.push_back(context.input(3));
        inputs.push_back(context.input(4));
        context.setOutput(0, makeOne(context, "StridedSliceV2", inputs));
        return {};
    }
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    const IntList starts = attrInts(onnx, "starts"), ends = attrInts(onnx, "ends");
    IntList axes = attrInts(onnx, "axes");
    if (axes.empty()) {
        axes.resize(starts.size());
        std::iota(axes.begin(), axes.end(), std::int64_t{0});
    }
    if (starts.size() != ends.size() || axes.size() != starts.size())
        return context.error("starts, ends and axes have different lengths");
    context.setOutput(
        0, makeOne(context, "StridedSliceV2",
                   {x[0], intVector(context, starts, "begin"), intVector(context, ends, "end"),
                    intVector(context, axes, "axes"), intVector(context, IntList(starts.size(), 1), "strides")}));
    return {};
}

/// GE names ONNX's "wrap" "circular".
std::string padMode(const ImportContext& context)
{
    const std::string mode = attrString(attrsOf(context), "mode", "constant");
    return mode == "wrap" ? "circular" : mode;
}

/// Pads of some axes only, spread over all dims: a vector of 2 x rank (begins, then ends).
Result<OutputRef> spreadPads(ImportContext& context)
{
    const Shape shape = context.declaredShape(0);
    if (!shape.hasRank()) return unsupported(context, "pads of some axes need an input of known rank");
    const int rank = shape.rank();
    const auto axes = constantList(context, 3), pads = constantList(context, 1);
    if (axes && pads) {
        if (pads->size() != 2 * axes->size()) return context.error("pads and axes do not fit");
        IntList all(static_cast<std::size_t>(2 * rank), 0);
        for (std::size_t i = 0; i < axes->size(); ++i) {
            const std::int64_t axis = (*axes)[i] < 0 ? (*axes)[i] + rank : (*axes)[i];
            if (axis < 0 || axis >= rank)
                return context.error(fmt::format("axis {} does not exist in a tensor of rank {}", (*axes)[i], rank));
            all[static_cast<std::size_t>(axis)] = (*pads)[i];
            all[static_cast<std::size_t>(axis + rank)] = (*pads)[i + axes->size()];
        }
        return intVector(context, all, "paddings");
    }
    // The axes are known only at run time: scatter the pads to (axis mod rank) and (axis mod rank) + rank.
    const DataType type = context.declaredType(3) == DataType::Int32 ? DataType::Int32 : DataType::Int64;
    const OutputRef ranks = intConstant(context, {rank}, true, type, "rank");
    const OutputRef begins = makeOne(context, "FloorMod", {context.input(3), ranks}, {}, "axes");
    const OutputRef ends = makeOne(context, "Add", {begins, ranks}, {}, "end_axes");
    const OutputRef places = makeOne(context, "ConcatD", {begins, ends}, {{"concat_dim", 0}, {"N", 2}}, "places");
    const OutputRef zeros = intVector(context, IntList(static_cast<std::size_t>(2 * rank), 0), "zeros");
    return makeOne(context, "ScatterElements", {zeros, places, context.input(1)}, {}, "paddings");
}

Status importPad(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    const AttrMap& onnx = attrsOf(context);
    if (context.hasInput(1)) {
        OutputRef pads = context.input(1);
        if (context.hasInput(3)) {
            GELENS_ASSIGN(pads, spreadPads(context));
        }
        context.setOutput(0, makeOne(context, "PadV3", {x[0], pads, context.input(2)},
                                     {{"mode", padMode(context)}, {"paddings_contiguous", false}}, "PadV3"));
        return {};
    }
    // Up to opset 10 all are attributes; GE's plug-in pairs begin and end of each dim.
    IntList pads = attrInts(onnx, "pads");
    if (pads.empty()) pads = attrInts(onnx, "paddings");
    IntList paired;
    const std::size_t rank = pads.size() / 2;
    if (pads.size() % 2 != 0) return context.error("the pads are no pairs");
    for (std::size_t i = 0; i < rank; ++i) {
        paired.push_back(pads[i]);
        paired.push_back(pads[i + rank]);
    }
    const DataType declared = context.declaredType(0);
    const OutputRef value = realConstant(context, attrFloat(onnx, "value", 0),
                                         declared == DataType::Undefined ? DataType::Float : declared, "value");
    context.setOutput(0, makeOne(context, "PadV3", {x[0], intVector(context, paired, "paddings"), value},
                                 {{"mode", padMode(context)}}));
    return {};
}

Status importCenterCropPad(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 2));
    context.setOutput(0, makeOne(context, "CenterCropPad", inputs, {{"axes", attrInts(attrsOf(context), "axes")}}));
    return {};
}

// ---- tensors from shapes ----

Status importConstantOfShape(ImportContext& context)
{
    GELENS_ASSIGN(const auto dims, requiredInputs(context, 1));
    const double zero = 0;
    Tensor value = Tensor::fromDoubles(std::span(&zero, 1), Shape{}, DataType::Float);
    if (const Tensor* const given = attrTensor(attrsOf(context), "value")) {
        if (given->elementCount() != 1) return context.error("the value must have one element");
        value = *given;
        value.desc.setShape(Shape{});
    }
    context.setOutput(0, makeOne(context, "Fill", {dims[0], context.constant(std::move(value), "data1")}));
    return {};
}

/// A list that old forms have as attribute and new ones as input.
ImportFunction withList(const char* geType)
{
    return [geType](ImportContext& context) -> Status {
        GELENS_ASSIGN(const auto inputs, requiredInputs(context, 2));
        context.setOutput(0, makeOne(context, geType, inputs));
        return {};
    };
}

Status importTile(ImportContext& context)
{
    if (context.inputCount() == 3) return unsupported(context, "the form of opset 1, with one tile and axis");
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 2));
    context.setOutput(0, makeOne(context, "Tile", inputs));
    return {};
}

Status importEyeLike(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    AttrMap attrs{{"k", attrInt(attrsOf(context), "k", 0)}};
    const DataType dtype = typeAttr(context, "dtype", DataType::Undefined);
    if (dtype != DataType::Undefined) attrs["dtype"] = dtype;
    context.setOutput(0, makeOne(context, "EyeLike", x, std::move(attrs)));
    return {};
}

Status importTrilu(ImportContext& context)
{
    GELENS_ASSIGN(const auto x, requiredInputs(context, 1));
    context.setOutput(
        0, makeOne(context, "Trilu", {x[0], context.input(1)}, {{"upper", attrInt(attrsOf(context), "upper", 1)}}));
    return {};
}

Status importReverseSequence(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 2));
    const AttrMap& onnx = attrsOf(context);
    context.setOutput(
        0, makeOne(context, "ReverseSequence", inputs,
                   {{"seq_dim", attrInt(onnx, "time_axis", 0)}, {"batch_dim", attrInt(onnx, "batch_axis", 1)}}));
    return {};
}

Status importCol2Im(ImportContext& context)
{
    GELENS_ASSIGN(const auto inputs, requiredInputs(context, 3));
    const AttrMap& onnx = attrsOf(context);
    const IntList dilations = attrInts(onnx, "dilations"), pads = attrInts(onnx, "pads"),
                  strides = attrInts(onnx, "strides");
    const auto block = constantList(context, 2);
    const bool isSymmetric = pads.empty() || (pads.size() == 4 && pads[0] == pads[2] && pads[1] == pads[3]);
    if (block && block->size() == 2 && isSymmetric) {
        const auto orElse = [](const IntList& list, std::int64_t value) {
            return list.empty() ? IntList{value, value} : list;
        };
        context.setOutput(0, makeOne(context, "Col2im", {inputs[0], inputs[1]},
                                     {{"kernel_size", *block},
                                      {"dilation", orElse(dilations, 1)},
                                      {"stride", orElse(strides, 1)},
                                      {"padding", pads.empty() ? IntList{0, 0} : IntList{pads[0], pads[1]}}}));
        return {};
    }
    context.setOutput(
        0, makeOne(context, "Col2imNd", inputs, {{"dilation", dilations}, {"padding", pads}, {"stride", strides}}));
    return {};
}

} // namespace

DataType typeAttr(const ImportContext& context, std::string_view name, DataType otherwise)
{
    const std::int64_t number = attrInt(attrsOf(context), name, 0);
    return number == 0 ? otherwise : dataTypeFromOnnxNumber(static_cast<int>(number));
}

OutputRef intVector(ImportContext& context, const IntList& values, std::string_view suffix)
{
    return intConstant(context, values, false, DataType::Int64, suffix);
}

OutputRef axisConstant(ImportContext& context, std::int64_t axis, std::string_view suffix)
{
    return intConstant(context, {axis}, true, DataType::Int32, suffix);
}

void takeOutputs(ImportContext& context, NodeId node, int count)
{
    for (int k = 0; k < count; ++k) context.setOutput(k, {node, k});
}

void importShapes(ImportTable& table)
{
    table.add("Reshape", importReshape);
    table.add("Shape", importShape);
    table.add("Size", importSize);
    table.add("Squeeze", importSqueeze);
    table.add("Unsqueeze", importUnsqueeze);
    table.add("Flatten", importFlatten);
    table.add("Identity", direct("Identity", 1));
    table.add("Transpose", importTranspose);
    table.add("DepthToSpace", blocks("DepthToSpace"));
    table.add("SpaceToDepth", blocks("SpaceToDepth"));
    table.add("Concat", importConcat);
    table.add("Split", importSplit);
    table.add("Slice", importSlice);
    table.add("Pad", importPad);
    table.add("CenterCropPad", importCenterCropPad);
    table.add("ConstantOfShape", importConstantOfShape);
    table.add("Expand", withList("Expand"));
    table.add("Tile", importTile);
    table.add("Range", direct("Range", 3));
    table.add("EyeLike", importEyeLike);
    table.add("Trilu", importTrilu);
    table.add("ReverseSequence", importReverseSequence);
    table.add("Col2Im", importCol2Im);
}

void importMovement(ImportTable& table)
{
    importShapes(table);
    importGather(table);
    importImage(table);
}

} // namespace gelens::onnx_import
