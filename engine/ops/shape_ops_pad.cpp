// Operators that add a border, or cut one off.

#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/shape_ops_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace gelens::movement {
namespace {

constexpr std::int64_t maxPad = std::int64_t{1} << 40;

enum class PadMode { Constant, Edge, Reflect, Symmetric, Circular };

struct Border {
    std::int64_t before = 0, after = 0; ///< elements; negative cuts off
};

Result<PadMode> padMode(const AttrMap& attrs)
{
    const std::string mode = attrString(attrs, "mode", "constant");
    if (mode == "constant") return PadMode::Constant;
    if (mode == "edge") return PadMode::Edge;
    if (mode == "reflect" || mode == "REFLECT") return PadMode::Reflect;
    if (mode == "symmetric" || mode == "SYMMETRIC") return PadMode::Symmetric;
    if (mode == "circular" || mode == "wrap") return PadMode::Circular;
    return Error::unsupported(fmt::format("the padding mode '{}' is not known", mode));
}

/// Flat list of paddings as one border for each dim: [[b0, e0], [b1, e1] …], or all begins before all ends.
Result<std::vector<Border>> borders(const std::vector<std::int64_t>& flat, bool isContiguous, int rank)
{
    if (flat.size() != 2 * static_cast<std::size_t>(rank))
        return Error::invalid(fmt::format("{} paddings for a tensor of rank {}", flat.size(), rank));
    std::vector<Border> result;
    for (std::size_t i = 0; i < static_cast<std::size_t>(rank); ++i) {
        const Border border = isContiguous ? Border{flat[2 * i], flat[2 * i + 1]}
                                           : Border{flat[i], flat[i + static_cast<std::size_t>(rank)]};
        if (std::abs(border.before) > maxPad || std::abs(border.after) > maxPad)
            return Error::limit("a padding is larger than 2^40");
        result.push_back(border);
    }
    return result;
}

Result<Shape> paddedShape(const Shape& input, const std::vector<Border>& pads)
{
    Shape result;
    for (int i = 0; i < input.rank(); ++i) {
        const Border pad = pads[static_cast<std::size_t>(i)];
        if (pad.before == 0 && pad.after == 0) {
            appendDim(result, input, i);
            continue;
        }
        const std::int64_t dim = input.dim(i) < 0 ? unknownDim : input.dim(i) + pad.before + pad.after;
        if (input.dim(i) >= 0 && dim < 0)
            return Error::invalid(fmt::format("the paddings {} and {} cut more than dim {} of {}", pad.before,
                                              pad.after, i, input.text()));
        result.append(dim);
    }
    return result;
}

std::vector<std::int64_t> attrPaddings(const AttrMap& attrs)
{
    std::vector<std::int64_t> flat = attrInts(attrs, "paddings");
    const auto found = attrs.find("paddings");
    if (found != attrs.end())
        if (const auto* pairs = found->second.as<std::vector<IntList>>())
            for (const IntList& pair : *pairs) flat.insert(flat.end(), pair.begin(), pair.end());
    return flat;
}

Status inferPad(InferContext& context)
{
    const Shape& input = context.shape(0);
    const auto flat =
        context.node().type == "PadD" ? std::optional(attrPaddings(context.attrs())) : context.constantInts(1);
    if (!input.hasRank() || !flat) {
        context.setOutput(0, context.dtype(0), unknownDims(input.hasRank() ? input.rank() : -1));
        return {};
    }
    const auto pads = borders(*flat, attrBool(context.attrs(), "paddings_contiguous", true), input.rank());
    if (!pads.ok()) return at(context, pads.error());
    auto shape = paddedShape(input, pads.value());
    if (!shape.ok()) return at(context, shape.error());
    context.setOutput(0, context.dtype(0), std::move(shape).value());
    return {};
}

/// Index in the source for each index of the padded dim.
std::vector<std::int64_t> sourceIndices(std::int64_t dim, Border pad, PadMode mode)
{
    std::vector<std::int64_t> from(static_cast<std::size_t>(dim + pad.before + pad.after));
    const std::int64_t period = mode == PadMode::Reflect ? 2 * (dim - 1) : mode == PadMode::Symmetric ? 2 * dim : dim;
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::int64_t at = static_cast<std::int64_t>(i) - pad.before;
        if (at < 0 || at >= dim) {
            if (mode == PadMode::Edge || period == 0) {
                at = std::clamp<std::int64_t>(at, 0, dim - 1);
            } else {
                at = ((at % period) + period) % period;
                if (at >= dim) at = mode == PadMode::Reflect ? period - at : period - 1 - at;
            }
        }
        from[i] = at;
    }
    return from;
}

/// The part of the input that the border does not cut off goes to its place; the rest keeps the fill value.
void copyInside(const Cells& cells, const std::vector<Border>& pads, const std::vector<std::int64_t>& outDims,
                std::byte* out)
{
    const auto inStrides = stridesOf(cells.shape.dims()), outStrides = stridesOf(outDims);
    std::vector<std::int64_t> counts;
    std::int64_t from = 0, to = 0;
    for (std::size_t i = 0; i < pads.size(); ++i) {
        const std::int64_t cutBefore = std::max<std::int64_t>(0, -pads[i].before);
        const std::int64_t cutAfter = std::max<std::int64_t>(0, -pads[i].after);
        counts.push_back(cells.shape[i] - cutBefore - cutAfter);
        if (counts.back() <= 0) return;
        from += cutBefore * inStrides[i];
        to += std::max<std::int64_t>(0, pads[i].before) * outStrides[i];
    }
    copyBox(out + to * cells.width, outStrides, cells.data + from * cells.width, inStrides, counts, cells.width);
}

void copyMapped(const Cells& cells, const std::vector<Border>& pads, PadMode mode,
                const std::vector<std::int64_t>& outDims, std::byte* out)
{
    std::vector<std::vector<std::int64_t>> maps;
    for (std::size_t i = 0; i < pads.size(); ++i) maps.push_back(sourceIndices(cells.shape[i], pads[i], mode));
    const auto strides = stridesOf(cells.shape.dims());
    const std::size_t last = outDims.size() - 1;
    const std::int64_t rows = product(outDims, 0, last), length = outDims[last], width = cells.width;
    // The run that is copied as it is, between the two borders.
    const std::int64_t runBegin = std::clamp<std::int64_t>(pads[last].before, 0, length);
    const std::int64_t runEnd = std::clamp<std::int64_t>(pads[last].before + cells.shape[last], runBegin, length);
    std::vector<std::int64_t> index(last, 0);
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t base = 0;
        for (std::size_t d = 0; d < last; ++d) base += maps[d][static_cast<std::size_t>(index[d])] * strides[d];
        const std::byte* const from = cells.data + base * width;
        std::byte* const to = out + row * length * width;
        const auto copyCell = [&](std::int64_t i) {
            std::memcpy(to + i * width, from + maps[last][static_cast<std::size_t>(i)] * width,
                        static_cast<std::size_t>(width));
        };
        for (std::int64_t i = 0; i < runBegin; ++i) copyCell(i);
        if (runEnd > runBegin)
            std::memcpy(to + runBegin * width, from + maps[last][static_cast<std::size_t>(runBegin)] * width,
                        static_cast<std::size_t>((runEnd - runBegin) * width));
        for (std::int64_t i = runEnd; i < length; ++i) copyCell(i);
        for (std::size_t d = last; d-- > 0;) {
            if (++index[d] < outDims[d]) break;
            index[d] = 0;
        }
    }
}

Status runBorders(KernelContext& context, const std::vector<Border>& pads, PadMode mode, int fillInput)
{
    CellMover mover(context);
    GELENS_ASSIGN(const Cells cells, mover.input(0));
    const DataType dtype = context.input(0).dtype;
    const auto shape = paddedShape(cells.shape, pads);
    if (!shape.ok()) return context.error(shape.error().what);
    const bool hasFill = mode == PadMode::Constant && fillInput >= 0 && context.hasInput(fillInput);
    const std::byte* fill = nullptr;
    if (hasFill) {
        GELENS_ASSIGN(const Cells value, mover.input(fillInput));
        if (value.count != 1 || value.width != cells.width)
            return context.error("the fill value must be one element of the input's type");
        fill = value.data;
    }
    GELENS_ASSIGN(std::byte* const out, mover.output(0, dtype, shape.value(), mode == PadMode::Constant && !hasFill));
    const auto& dims = shape.value().dims();
    const std::int64_t count = product(dims);
    if (hasFill) fillCells(out, fill, count, cells.width);
    if (count > 0) {
        if (mode == PadMode::Constant || dims.empty()) {
            copyInside(cells, pads, dims, out);
        } else if (cells.count == 0) {
            return context.error(fmt::format("an empty tensor {} has no edge to repeat", cells.shape.text()));
        } else {
            copyMapped(cells, pads, mode, dims, out);
        }
    }
    return mover.finish();
}

Status runPad(KernelContext& context)
{
    std::vector<std::int64_t> flat;
    if (context.opType() == "PadD") {
        flat = attrPaddings(context.attrs());
    } else {
        GELENS_ASSIGN(flat, context.ints(1));
    }
    const auto pads =
        borders(flat, attrBool(context.attrs(), "paddings_contiguous", true), context.input(0).shape.rank());
    if (!pads.ok()) return context.error(pads.error().what);
    const auto mode = padMode(context.attrs());
    if (!mode.ok()) return context.error(mode.error().what);
    return runBorders(context, pads.value(), mode.value(), 2);
}

// ---- CenterCropPad ----

/// Borders that bring each of `axes` to the wanted size, centred; an odd rest goes behind (pad) or is cut before less.
Result<std::vector<Border>> centredBorders(const Shape& input, const AttrMap& attrs,
                                           const std::vector<std::int64_t>& sizes)
{
    std::vector<std::int64_t> axes = attrInts(attrs, "axes");
    if (axes.empty())
        for (int i = 0; i < input.rank(); ++i) axes.push_back(i);
    if (axes.size() != sizes.size())
        return Error::invalid(fmt::format("{} sizes for {} axes", sizes.size(), axes.size()));
    std::vector<Border> pads(static_cast<std::size_t>(input.rank()));
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const auto axis = normalizeAxis(axes[i], input.rank());
        if (!axis)
            return Error::invalid(fmt::format("axis {} does not exist in a tensor of rank {}", axes[i], input.rank()));
        if (sizes[i] < 0 || sizes[i] > maxPad) return Error::invalid(fmt::format("the wanted size is {}", sizes[i]));
        const std::int64_t change = sizes[i] - input.dim(*axis);
        const std::int64_t before = change >= 0 ? change / 2 : -(-change / 2);
        pads[static_cast<std::size_t>(*axis)] = {before, change - before};
    }
    return pads;
}

Status inferCenterCropPad(InferContext& context)
{
    const Shape& input = context.shape(0);
    const auto sizes = context.constantInts(1);
    if (!input.hasRank()) {
        context.setOutput(0, context.dtype(0), Shape::unknownRank());
        return {};
    }
    std::vector<std::int64_t> axes = attrInts(context.attrs(), "axes");
    const bool hasAxes = !axes.empty();
    Shape result = hasAxes ? input : unknownDims(input.rank());
    if (!hasAxes)
        for (int i = 0; i < input.rank(); ++i) axes.push_back(i);
    if (sizes && sizes->size() != axes.size())
        return context.error(fmt::format("{} sizes for {} axes", sizes->size(), axes.size()));
    for (std::size_t i = 0; i < axes.size(); ++i) {
        GELENS_ASSIGN(const int axis, axisOf(context, axes[i], input.rank()));
        if (sizes && (*sizes)[i] < 0) return context.error(fmt::format("the wanted size is {}", (*sizes)[i]));
        result.setDim(static_cast<std::size_t>(axis), sizes ? (*sizes)[i] : unknownDim);
        result.setSymbol(static_cast<std::size_t>(axis), {});
    }
    context.setOutput(0, context.dtype(0), std::move(result));
    return {};
}

Status runCenterCropPad(KernelContext& context)
{
    GELENS_ASSIGN(const auto sizes, context.ints(1));
    const auto pads = centredBorders(context.input(0).shape, context.attrs(), sizes);
    if (!pads.ok()) return context.error(pads.error().what);
    return runBorders(context, pads.value(), PadMode::Constant, -1);
}

OpDef base(const char* type, const char* doc, const char* source = "CANN operator library")
{
    OpDef def(type);
    def.doc(doc)
        .source(source)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Other)
        .formats(FormatSupport::NdOnly)
        .cost(moving());
    return def;
}

} // namespace

void registerPadOps(OpRegistry& ops)
{
    ops.add(base("PadV3", "A border of a constant, or of the input's own elements (edge, reflect, symmetric, "
                          "circular); negative sizes cut")
                .arithmetic(Arithmetic::None)
                .input("x")
                .input("paddings")
                .optionalInput("constant_values")
                .output("y")
                .attr("mode", "constant")
                .attr("paddings_contiguous", true)
                .infer(inferPad)
                .kernel(runPad));
    ops.add(base("PadV2", "A border of a constant")
                .arithmetic(Arithmetic::None)
                .input("x")
                .input("paddings")
                .input("constant_values")
                .output("y")
                .infer(inferPad)
                .kernel(runPad));
    ops.add(base("Pad", "A border of zeros")
                .arithmetic(Arithmetic::None)
                .input("x")
                .input("paddings")
                .output("y")
                .infer(inferPad)
                .kernel(runPad));
    ops.add(base("PadD", "A border of zeros")
                .arithmetic(Arithmetic::None)
                .input("x")
                .output("y")
                .requiredAttr("paddings")
                .infer(inferPad)
                .kernel(runPad));
    ops.add(base("MirrorPad", "A border of mirrored elements: REFLECT without, SYMMETRIC with the edge itself")
                .arithmetic(Arithmetic::None)
                .input("x")
                .input("paddings")
                .output("y")
                .requiredAttr("mode")
                .infer(inferPad)
                .kernel(runPad));
    ops.add(
        base("CenterCropPad", "Cuts or zero-pads `axes` around the centre to the wanted sizes", "ONNX CenterCropPad-18")
            .input("x")
            .input("shape")
            .output("y")
            .attr("axes", AttrValue(IntList{}))
            .infer(inferCenterCropPad)
            .kernel(runCenterCropPad));
}

} // namespace gelens::movement
