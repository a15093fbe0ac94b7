// Matrix products and convolutions, in the forms that GE's own ONNX parser gives them.

#include "engine/formats/onnx/import_cube_parts.h"

#include <fmt/format.h>

namespace gelens::onnx_import {

void importPooling(ImportTable&);

int spatialAxes(const ImportContext& context, int weightInput)
{
    if (const Tensor* const weight = context.constantInput(weightInput)) return weight->desc.shape.rank() - 2;
    const Shape weight = context.declaredShape(weightInput);
    if (weight.hasRank() && weight.rank() > 2) return weight.rank() - 2;
    for (const char* const name : {"kernel_shape", "strides", "dilations"})
        if (const IntList list = attrInts(attrsOf(context), name); !list.empty()) return static_cast<int>(list.size());
    if (const IntList pads = attrInts(attrsOf(context), "pads"); !pads.empty())
        return static_cast<int>(pads.size() / 2);
    const Shape x = context.declaredShape(0);
    return x.hasRank() && x.rank() > 2 ? x.rank() - 2 : 2;
}

IntList withBatchAndChannels(const IntList& list, int spatial, std::int64_t fallback, std::int64_t front)
{
    IntList result{front, front};
    if (spatial == 1) result.push_back(front);
    if (list.empty())
        result.insert(result.end(), static_cast<std::size_t>(spatial), fallback);
    else
        result.insert(result.end(), list.begin(), list.end());
    return result;
}

IntList pairedPads(const ImportContext& context, int spatial)
{
    const IntList pads = attrInts(attrsOf(context), "pads");
    const auto count = static_cast<std::size_t>(spatial);
    IntList result;
    if (spatial == 1) result = {0, 0};
    for (std::size_t i = 0; i < count; ++i) {
        result.push_back(pads.size() == 2 * count ? pads[i] : 0);
        result.push_back(pads.size() == 2 * count ? pads[count + i] : 0);
    }
    return result;
}

Result<AttrMap> convolutionAttrs(const ImportContext& context, int spatial)
{
    if (spatial < 1 || spatial > 3)
        return unsupported(context, fmt::format("{} spatial axes are not supported", spatial));
    const AttrMap& onnx = attrsOf(context);
    for (const char* const name : {"kernel_shape", "strides", "dilations", "output_padding"}) {
        const IntList list = attrInts(onnx, name);
        if (!list.empty() && list.size() != static_cast<std::size_t>(spatial))
            return context.error(
                fmt::format("attribute '{}' has {} entries for {} spatial axes", name, list.size(), spatial));
    }
    const IntList pads = attrInts(onnx, "pads");
    if (!pads.empty() && pads.size() != 2 * static_cast<std::size_t>(spatial))
        return context.error(fmt::format("attribute 'pads' has {} entries for {} spatial axes", pads.size(), spatial));
    return AttrMap{{"strides", withBatchAndChannels(attrInts(onnx, "strides"), spatial, 1)},
                   {"pads", pairedPads(context, spatial)},
                   {"dilations", withBatchAndChannels(attrInts(onnx, "dilations"), spatial, 1)},
                   {"groups", attrInt(onnx, "group", 1)},
                   {"data_format", spatial == 3 ? "NCDHW" : "NCHW"},
                   {"auto_pad", attrString(onnx, "auto_pad", "NOTSET")},
                   {"offset_x", 0}};
}

OutputRef addRowAxis(ImportContext& context, OutputRef value, std::string_view suffix)
{
    return makeOne(context, "Unsqueeze", {value}, {{"axes", IntList{2}}}, suffix);
}

OutputRef dropRowAxis(ImportContext& context, OutputRef value, std::string_view suffix)
{
    return makeOne(context, "Squeeze", {value}, {{"axis", IntList{2}}}, suffix);
}

namespace {

// GE's parser leaves these on every matrix product.
AttrMap productAttrs(const char* first, bool transposesFirst, const char* second, bool transposesSecond)
{
    return {{first, transposesFirst},
            {second, transposesSecond},
            {"offset_x", 0},
            {"enable_uncache", 0},
            {"fixed_shift_value", 42}};
}

Status importMatMul(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    context.setOutput(0, makeOne(context, "BatchMatMulV2", {inputs[0], inputs[1], {}, {}},
                                 productAttrs("adj_x1", false, "adj_x2", false)));
    return {};
}

OutputRef scaled(ImportContext& context, OutputRef value, double factor, std::string_view suffix)
{
    if (factor == 1) return value;
    return makeOne(context, "Muls", {value}, {{"value", factor}}, suffix);
}

Status importGemm(ImportContext& context)
{
    GELENS_ASSIGN(const OutputRef y, gemmOf(context));
    context.setOutput(0, y);
    return {};
}

} // namespace

Result<OutputRef> gemmOf(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    const AttrMap& attrs = attrsOf(context);
    const double alpha = attrFloat(attrs, "alpha", 1), beta = attrFloat(attrs, "beta", 1);
    OutputRef y = makeOne(
        context, "MatMulV2", {inputs[0], inputs[1], {}, {}},
        productAttrs("transpose_x1", attrInt(attrs, "transA") != 0, "transpose_x2", attrInt(attrs, "transB") != 0),
        "MatMulV2");
    y = scaled(context, y, alpha, "alpha");
    if (context.hasInput(2) && beta != 0)
        y = makeOne(context, "Add", {y, scaled(context, context.input(2), beta, "beta")}, {}, "add");
    return y;
}

namespace {

Status importEinsum(ImportContext& context)
{
    const std::string equation = attrString(attrsOf(context), "equation");
    if (equation.empty()) return context.error("attribute 'equation' is missing");
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, context.inputCount()));
    if (inputs.empty()) return context.error("needs at least one input");
    context.setOutput(0, makeOne(context, "Einsum", inputs,
                                 {{"equation", equation}, {"N", static_cast<std::int64_t>(inputs.size())}}));
    return {};
}

Status importConv(ImportContext& context)
{
    GELENS_ASSIGN(const OutputRef y, convolutionOf(context));
    context.setOutput(0, y);
    return {};
}

} // namespace

namespace {

/// GE's operators take the kernel's size from the weight alone, so a kernel_shape that says otherwise is caught here.
Status checkKernelShape(const ImportContext& context, int spatial)
{
    const IntList kernel = attrInts(attrsOf(context), "kernel_shape");
    const Shape weight = context.declaredShape(1);
    if (kernel.size() != static_cast<std::size_t>(spatial) || weight.rank() != spatial + 2) return {};
    for (int i = 0; i < spatial; ++i) {
        const std::int64_t dim = weight.dim(i + 2);
        if (dim >= 0 && dim != kernel[static_cast<std::size_t>(i)])
            return context.error(
                fmt::format("kernel_shape {} differs from the weight {}", Shape(kernel).text(), weight.text()));
    }
    return {};
}

} // namespace

Result<OutputRef> convolutionOf(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    const int spatial = spatialAxes(context, 1);
    GELENS_TRY(checkKernelShape(context, spatial));
    GELENS_ASSIGN(AttrMap attrs, convolutionAttrs(context, spatial));
    if (spatial != 3) attrs["fixed_shift_value"] = 0;
    OutputRef x = inputs[0], filter = inputs[1];
    if (spatial == 1) {
        x = addRowAxis(context, x, "unsqueeze_x");
        filter = addRowAxis(context, filter, "unsqueeze_w");
    }
    const OutputRef y = makeOne(context, spatial == 3 ? "Conv3D" : "Conv2D", {x, filter, context.input(2), {}},
                                std::move(attrs), "Conv");
    return spatial == 1 ? dropRowAxis(context, y, "squeeze") : y;
}

namespace {

Status importConvTranspose(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 2));
    const int spatial = spatialAxes(context, 1);
    GELENS_TRY(checkKernelShape(context, spatial));
    GELENS_ASSIGN(AttrMap attrs, convolutionAttrs(context, spatial));
    attrs["output_padding"] = withBatchAndChannels(attrInts(attrsOf(context), "output_padding"), spatial, 0, 0);
    IntList outputShape = attrInts(attrsOf(context), "output_shape");
    if (outputShape.size() == static_cast<std::size_t>(spatial) + 2)
        outputShape.erase(outputShape.begin(), outputShape.begin() + 2);
    if (!outputShape.empty()) {
        if (outputShape.size() != static_cast<std::size_t>(spatial))
            return context.error(fmt::format("attribute 'output_shape' has {} entries for {} spatial axes",
                                             outputShape.size(), spatial));
        if (spatial == 1) outputShape.insert(outputShape.begin(), 1);
        attrs["output_shape"] = outputShape;
    }
    OutputRef x = inputs[0], filter = inputs[1];
    if (spatial == 1) {
        x = addRowAxis(context, x, "unsqueeze_x");
        filter = addRowAxis(context, filter, "unsqueeze_w");
    }
    const OutputRef size = intConstant(context, IntList(spatial == 3 ? 5 : 4, 0), false, DataType::Int64, "Const");
    const char* const type = spatial == 3 ? "Conv3DTranspose" : "Conv2DTranspose";
    const OutputRef y = makeOne(context, type, {size, x, filter, context.input(2), {}}, std::move(attrs), type);
    context.setOutput(0, spatial == 1 ? dropRowAxis(context, y, "squeeze") : y);
    return {};
}

Status importDeformConv(ImportContext& context)
{
    GELENS_ASSIGN(const std::vector<OutputRef> inputs, requiredInputs(context, 3));
    if (spatialAxes(context, 1) != 2) return unsupported(context, "only two spatial axes are supported");
    GELENS_ASSIGN(AttrMap attrs, convolutionAttrs(context, 2));
    attrs.erase("offset_x");
    attrs.erase("auto_pad");
    attrs["offset_group"] = attrInt(attrsOf(context), "offset_group", 1);
    context.setOutput(0,
                      makeOne(context, "DeformConv",
                              {inputs[0], inputs[1], inputs[2], context.input(3), context.input(4)}, std::move(attrs)));
    return {};
}

} // namespace

void importCube(ImportTable& table)
{
    table.add("MatMul", importMatMul);
    table.add("Gemm", importGemm);
    table.add("Einsum", importEinsum);
    table.add("Conv", importConv);
    table.add("ConvTranspose", importConvTranspose);
    table.add("DeformConv", importDeformConv);
    table.add("Det", direct("MatrixDeterminant", 1));
    importPooling(table);
}

} // namespace gelens::onnx_import
