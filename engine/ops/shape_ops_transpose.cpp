// Operators that permute dims.

#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/shape_ops_private.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens::movement {
namespace {

constexpr const char* cann = "CANN operator library";
/// Reads of a transposed inner dim are shorter than a burst; the factor is an estimate like all times given.
constexpr double transposeFactor = 2.0;

Result<std::vector<int>> permutation(const std::vector<std::int64_t>& perm, int rank)
{
    if (static_cast<int>(perm.size()) != rank)
        return Error::invalid(fmt::format("a permutation of {} dims for a tensor of rank {}", perm.size(), rank));
    std::vector<int> order;
    std::vector<bool> isUsed(perm.size(), false);
    for (const std::int64_t number : perm) {
        const auto axis = normalizeAxis(number, rank);
        if (!axis || isUsed[static_cast<std::size_t>(*axis)])
            return Error::invalid(fmt::format("[{}] is not a permutation", listText(perm)));
        isUsed[static_cast<std::size_t>(*axis)] = true;
        order.push_back(*axis);
    }
    return order;
}

/// Copies `cells`, seen as `dims`, with the dims in `order`.
void permuteCells(std::byte* out, const std::byte* in, const std::vector<std::int64_t>& dims,
                  const std::vector<int>& order, std::int64_t width)
{
    const auto inStrides = stridesOf(dims);
    std::vector<std::int64_t> outDims, from;
    for (const int axis : order) {
        outDims.push_back(dims[static_cast<std::size_t>(axis)]);
        from.push_back(inStrides[static_cast<std::size_t>(axis)]);
    }
    copyBox(out, stridesOf(outDims), in, from, outDims, width);
}

/// Attribute with the order, or null when it is input 1.
const char* orderAttr(const std::string& type)
{
    if (type == "TransposeD") return "perm";
    if (type == "Permute") return "order";
    return nullptr;
}

Status inferTranspose(InferContext& context)
{
    const char* const attr = orderAttr(context.node().type);
    const auto perm = attr ? std::optional(attrInts(context.attrs(), attr)) : context.constantInts(1);
    const Shape& input = context.shape(0);
    if (!input.hasRank() || !perm) {
        context.setOutput(0, context.dtype(0), unknownDims(input.hasRank() ? input.rank() : -1));
        return {};
    }
    const auto order = permutation(*perm, input.rank());
    if (!order.ok()) return at(context, order.error());
    Shape result;
    for (const int axis : order.value()) appendDim(result, input, axis);
    context.setOutput(0, context.dtype(0), std::move(result));
    return {};
}

Status runTranspose(KernelContext& context)
{
    const char* const attr = orderAttr(context.opType());
    std::vector<std::int64_t> perm;
    if (attr) {
        perm = attrInts(context.attrs(), attr);
    } else {
        GELENS_ASSIGN(perm, context.ints(1));
    }
    CellMover mover(context);
    GELENS_ASSIGN(const Cells cells, mover.input(0));
    const auto order = permutation(perm, cells.shape.rank());
    if (!order.ok()) return context.error(order.error().what);
    Shape shape;
    for (const int axis : order.value()) shape.append(cells.shape.dim(axis));
    GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(0).dtype, shape));
    permuteCells(out, cells.data, cells.shape.dims(), order.value(), cells.width);
    return mover.finish();
}

// ---- DepthToSpace and SpaceToDepth ----

struct BlockLayout {
    std::int64_t block = 0;
    bool isChannelFirst = false, isColumnFirst = false; ///< CRD of DepthToSpace
    int channel = 3, height = 1, width = 2;
};

Result<BlockLayout> blockLayout(const AttrMap& attrs, const Shape& input)
{
    BlockLayout layout;
    layout.block = attrInt(attrs, "block_size", 0);
    if (layout.block < 1 || layout.block > (1 << 20))
        return Error::invalid(fmt::format("the block size is {}", layout.block));
    if (input.rank() != 4) return Error::invalid(fmt::format("{} is not a batch of images", input.text()));
    layout.isChannelFirst = attrString(attrs, "data_format", "NHWC") == "NCHW";
    layout.isColumnFirst = attrString(attrs, "mode", "DCR") == "CRD";
    if (layout.isChannelFirst) {
        layout.channel = 1;
        layout.height = 2;
        layout.width = 3;
    }
    return layout;
}

Result<Shape> blockShape(const AttrMap& attrs, const Shape& input, bool toSpace)
{
    GELENS_ASSIGN(const BlockLayout layout, blockLayout(attrs, input));
    const std::int64_t b = layout.block;
    Shape result;
    for (int i = 0; i < 4; ++i) {
        const std::int64_t dim = input.dim(i);
        if (i == 0 || b == 1) {
            appendDim(result, input, i);
            continue;
        }
        const bool isChannel = i == layout.channel;
        const std::int64_t by = isChannel ? b * b : b;
        if (dim < 0) {
            result.append(unknownDim);
        } else if (isChannel == toSpace) {
            if (dim % by != 0)
                return Error::invalid(fmt::format("dim {} of {} is no multiple of {}", i, input.text(), by));
            result.append(dim / by);
        } else {
            result.append(dim * by);
        }
    }
    return result;
}

InferFunction inferBlocks(bool toSpace)
{
    return [toSpace](InferContext& context) -> Status {
        if (!context.shape(0).hasRank()) {
            context.setOutput(0, context.dtype(0), unknownDims(4));
            return {};
        }
        auto shape = blockShape(context.attrs(), context.shape(0), toSpace);
        if (!shape.ok()) return at(context, shape.error());
        context.setOutput(0, context.dtype(0), std::move(shape).value());
        return {};
    };
}

KernelFunction runBlocks(bool toSpace)
{
    return [toSpace](KernelContext& context) -> Status {
        CellMover mover(context);
        GELENS_ASSIGN(const Cells cells, mover.input(0));
        const auto layout = blockLayout(context.attrs(), cells.shape);
        if (!layout.ok()) return context.error(layout.error().what);
        const auto shape = blockShape(context.attrs(), cells.shape, toSpace);
        if (!shape.ok()) return context.error(shape.error().what);
        GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(0).dtype, shape.value()));
        const std::int64_t b = layout.value().block, n = cells.shape[0];
        const Shape& small = toSpace ? cells.shape : shape.value(); // the side with many channels
        const Shape& large = toSpace ? shape.value() : cells.shape;
        const std::int64_t h = small.dim(layout.value().height), w = small.dim(layout.value().width),
                           c = large.dim(layout.value().channel);
        std::vector<std::int64_t> dims;
        std::vector<int> order;
        if (toSpace && layout.value().isChannelFirst) {
            dims = layout.value().isColumnFirst ? std::vector<std::int64_t>{n, c, b, b, h, w}
                                                : std::vector<std::int64_t>{n, b, b, c, h, w};
            order =
                layout.value().isColumnFirst ? std::vector<int>{0, 1, 4, 2, 5, 3} : std::vector<int>{0, 3, 4, 1, 5, 2};
        } else if (toSpace) {
            dims = layout.value().isColumnFirst ? std::vector<std::int64_t>{n, h, w, c, b, b}
                                                : std::vector<std::int64_t>{n, h, w, b, b, c};
            order =
                layout.value().isColumnFirst ? std::vector<int>{0, 1, 4, 2, 5, 3} : std::vector<int>{0, 1, 3, 2, 4, 5};
        } else if (layout.value().isChannelFirst) {
            dims = {n, c, h, b, w, b};
            order = {0, 3, 5, 1, 2, 4};
        } else {
            dims = {n, h, b, w, b, c};
            order = {0, 1, 3, 2, 4, 5};
        }
        permuteCells(out, cells.data, dims, order, cells.width);
        return mover.finish();
    };
}

OpDef base(const char* type, const char* doc)
{
    OpDef def(type);
    def.doc(doc)
        .source(cann)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Transpose)
        .formats(FormatSupport::NdOnly)
        .cost(moving(transposeFactor));
    return def;
}

} // namespace

void registerTransposeOps(OpRegistry& ops)
{
    ops.add(base("Transpose", "Dims in the order of the second input")
                .input("x")
                .input("perm")
                .output("y")
                .hasHostKernel()
                .infer(inferTranspose)
                .kernel(runTranspose));
    ops.add(base("TransposeD", "Dims in the order of `perm`")
                .input("x")
                .output("y")
                .requiredAttr("perm")
                .hasHostKernel()
                .infer(inferTranspose)
                .kernel(runTranspose));
    ops.add(base("Permute", "Dims in the order of `order`")
                .input("x")
                .output("y")
                .attr("order", IntList{0})
                .hasHostKernel()
                .infer(inferTranspose)
                .kernel(runTranspose));
    ops.add(base("DepthToSpace", "Moves blocks of channels into height and width")
                .input("x")
                .output("y")
                .requiredAttr("block_size")
                .attr("mode", "DCR")
                .attr("data_format", "NHWC")
                .infer(inferBlocks(true))
                .kernel(runBlocks(true)));
    ops.add(base("SpaceToDepth", "Moves blocks of height and width into channels")
                .input("x")
                .output("y")
                .requiredAttr("block_size")
                .attr("data_format", "NHWC")
                .infer(inferBlocks(false))
                .kernel(runBlocks(false)));
}

} // namespace gelens::movement
