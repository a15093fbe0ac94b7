// Operators that take elements or slices at given places.

#include "engine/ops/gather_ops_private.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace gelens {
namespace movement {
namespace {

constexpr const char* cann = "CANN operator library";

Error outside(const KernelContext& context, std::int64_t index, std::int64_t dim)
{
    return context.error(fmt::format("index {} lies outside a dim of {}", index, dim));
}

/// Negative indices count from the end.
bool normalizeIndex(std::int64_t& index, std::int64_t dim)
{
    if (index < -dim || index >= dim) return false;
    if (index < 0) index += dim;
    return true;
}

// ---- GatherV2, Gather, GatherV2D ----

struct GatherAxes {
    std::optional<std::int64_t> axis;
    std::int64_t batchDims = 0;
};

template <typename Context>
std::optional<std::int64_t> attrAxis(const std::string& type, const Context& context)
{
    if (type == "Gather") return attrInt(context.attrs(), "batch_dims", 0);
    if (type == "GatherV2D") return attrInt(context.attrs(), "axis", 0);
    return std::nullopt;
}

Status inferGather(InferContext& context)
{
    const Shape& x = context.shape(0);
    const Shape& indices = context.shape(1);
    auto axisNumber = attrAxis(context.node().type, context);
    if (!axisNumber) axisNumber = constantInt(context, 2);
    std::int64_t batch = attrInt(context.attrs(), "batch_dims", 0);
    if (!x.hasRank() || !indices.hasRank()) {
        context.setOutput(0, context.dtype(0), Shape::unknownRank());
        return {};
    }
    if (batch < 0) batch += indices.rank();
    if (batch < 0 || batch > indices.rank()) return context.error("batch_dims does not fit the indices");
    if (!axisNumber) {
        context.setOutput(0, context.dtype(0), unknownDims(x.rank() + indices.rank() - 1 - static_cast<int>(batch)));
        return {};
    }
    GELENS_ASSIGN(const int axis, axisOf(context, *axisNumber, x.rank()));
    if (batch > axis) return context.error("batch_dims lies behind the axis");
    Shape result;
    for (int i = 0; i < axis; ++i) appendDim(result, x, i);
    for (int i = static_cast<int>(batch); i < indices.rank(); ++i) appendDim(result, indices, i);
    for (int i = axis + 1; i < x.rank(); ++i) appendDim(result, x, i);
    context.setOutput(0, context.dtype(0), std::move(result));
    return {};
}

Status runGather(KernelContext& context)
{
    auto axisNumber = attrAxis(context.opType(), context);
    if (!axisNumber) {
        GELENS_ASSIGN(axisNumber, scalarInt(context, 2));
    }
    CellMover mover(context);
    GELENS_ASSIGN(const Cells cells, mover.input(0));
    GELENS_ASSIGN(std::vector<std::int64_t> indices, context.ints(1));
    const Shape& indexShape = context.input(1).shape;
    const auto& dims = cells.shape.dims();
    GELENS_ASSIGN(const int axisIndex, axisOf(context, *axisNumber, cells.shape.rank()));
    std::int64_t batch = attrInt(context.attrs(), "batch_dims", 0);
    if (batch < 0) batch += indexShape.rank();
    if (batch < 0 || batch > indexShape.rank() || batch > axisIndex)
        return context.error("batch_dims does not fit the indices");
    for (int i = 0; i < batch; ++i)
        if (indexShape.dim(i) != cells.shape.dim(i)) return context.error("batch dims of data and indices differ");
    const auto axis = static_cast<std::size_t>(axisIndex), batchCount = static_cast<std::size_t>(batch);
    for (std::int64_t& index : indices)
        if (!normalizeIndex(index, dims[axis])) return outside(context, index, dims[axis]);
    std::vector<std::int64_t> result(dims.begin(), dims.begin() + axisIndex);
    result.insert(result.end(), indexShape.dims().begin() + batch, indexShape.dims().end());
    result.insert(result.end(), dims.begin() + axisIndex + 1, dims.end());
    GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(0).dtype, Shape(result)));
    const std::int64_t batches = product(dims, 0, batchCount), outer = product(dims, batchCount, axis);
    const std::int64_t bytes = product(dims, axis + 1, dims.size()) * cells.width;
    const std::int64_t each = product(indexShape.dims(), batchCount, indexShape.dims().size());
    std::byte* to = out;
    if (bytes > 0)
        for (std::int64_t b = 0; b < batches; ++b)
            for (std::int64_t o = 0; o < outer; ++o) {
                const std::byte* const from = cells.data + (b * outer + o) * dims[axis] * bytes;
                for (std::int64_t i = 0; i < each; ++i, to += bytes)
                    std::memcpy(to, from + indices[static_cast<std::size_t>(b * each + i)] * bytes,
                                static_cast<std::size_t>(bytes));
            }
    return mover.finish();
}

// ---- GatherElements ----

Status inferGatherElements(InferContext& context)
{
    const Shape& x = context.shape(0);
    const Shape& indices = context.shape(1);
    if (x.hasRank() && indices.hasRank()) {
        if (x.rank() != indices.rank())
            return context.error(fmt::format("data {} and indices {} have different ranks", x.text(), indices.text()));
        GELENS_TRY(axisOf(context, attrInt(context.attrs(), "dim", 0), x.rank()));
    }
    context.setOutput(0, context.dtype(0), indices);
    return {};
}

Status runGatherElements(KernelContext& context)
{
    CellMover mover(context);
    GELENS_ASSIGN(const Cells cells, mover.input(0));
    GELENS_ASSIGN(const std::vector<std::int64_t> indices, context.ints(1));
    const Shape& shape = context.input(1).shape;
    const auto& dims = cells.shape.dims();
    if (shape.rank() != cells.shape.rank()) return context.error("data and indices have different ranks");
    GELENS_ASSIGN(const int axisIndex, axisOf(context, attrInt(context.attrs(), "dim", 0), cells.shape.rank()));
    const auto axis = static_cast<std::size_t>(axisIndex);
    for (std::size_t i = 0; i < dims.size(); ++i)
        if (i != axis && shape[i] > dims[i])
            return context.error(fmt::format("indices {} reach beyond data {}", shape.text(), cells.shape.text()));
    GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(0).dtype, shape));
    const auto strides = stridesOf(dims);
    std::vector<std::int64_t> at(dims.size(), 0);
    std::int64_t base = 0; // offset of the position without the axis
    for (std::size_t k = 0; k < indices.size(); ++k) {
        std::int64_t index = indices[k];
        if (!normalizeIndex(index, dims[axis])) return outside(context, index, dims[axis]);
        std::memcpy(out + static_cast<std::int64_t>(k) * cells.width,
                    cells.data + (base + index * strides[axis]) * cells.width, static_cast<std::size_t>(cells.width));
        for (std::size_t d = dims.size(); d-- > 0;) {
            const std::int64_t step = d == axis ? 0 : strides[d];
            base += step;
            if (++at[d] < shape[d]) break;
            base -= step * shape[d];
            at[d] = 0;
        }
    }
    return mover.finish();
}

// ---- GatherNd ----

Status inferGatherNd(InferContext& context)
{
    const Shape& x = context.shape(0);
    const Shape& indices = context.shape(1);
    const std::int64_t batch = attrInt(context.attrs(), "batch_dims", 0);
    if (!x.hasRank() || !indices.hasRank() || (indices.rank() > 0 && indices.dim(-1) < 0)) {
        context.setOutput(0, context.dtype(0), Shape::unknownRank());
        return {};
    }
    if (indices.rank() < 1 || batch < 0 || batch >= indices.rank())
        return context.error("batch_dims does not fit the indices");
    const std::int64_t depth = indices.dim(-1);
    if (depth < 1 || batch + depth > x.rank())
        return context.error(fmt::format("indices of {} numbers for a tensor of rank {}", depth, x.rank()));
    Shape result;
    for (int i = 0; i < indices.rank() - 1; ++i) appendDim(result, indices, i);
    for (int i = static_cast<int>(batch + depth); i < x.rank(); ++i) appendDim(result, x, i);
    context.setOutput(0, context.dtype(0), std::move(result));
    return {};
}

Status runGatherNd(KernelContext& context)
{
    CellMover mover(context);
    GELENS_ASSIGN(const Cells cells, mover.input(0));
    GELENS_ASSIGN(const std::vector<std::int64_t> indices, context.ints(1));
    const auto& dims = cells.shape.dims();
    const auto& indexDims = context.input(1).shape.dims();
    const std::int64_t batch = attrInt(context.attrs(), "batch_dims", 0);
    if (indexDims.empty() || batch < 0 || batch >= static_cast<std::int64_t>(indexDims.size()))
        return context.error("batch_dims does not fit the indices");
    const std::int64_t depth = indexDims.back();
    if (depth < 1 || batch + depth > static_cast<std::int64_t>(dims.size()))
        return context.error(fmt::format("indices of {} numbers for a tensor of rank {}", depth, dims.size()));
    const auto batchCount = static_cast<std::size_t>(batch), first = static_cast<std::size_t>(batch + depth);
    for (std::size_t i = 0; i < batchCount; ++i)
        if (indexDims[i] != dims[i]) return context.error("batch dims of data and indices differ");
    std::vector<std::int64_t> result(indexDims.begin(), indexDims.end() - 1);
    result.insert(result.end(), dims.begin() + static_cast<std::ptrdiff_t>(first), dims.end());
    GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(0).dtype, Shape(result)));
    const std::int64_t batches = product(dims, 0, batchCount);
    const std::int64_t each = product(indexDims, batchCount, indexDims.size() - 1);
    const std::int64_t bytes = product(dims, first, dims.size()) * cells.width;
    const auto strides = stridesOf(dims);
    const std::int64_t perBatch = product(dims, batchCount, dims.size());
    const std::int64_t* number = indices.data();
    std::byte* to = out;
    for (std::int64_t b = 0; b < batches; ++b)
        for (std::int64_t i = 0; i < each; ++i, to += bytes) {
            std::int64_t offset = b * perBatch;
            for (std::int64_t d = 0; d < depth; ++d) {
                const auto k = static_cast<std::size_t>(batch + d);
                std::int64_t index = *number++;
                if (!normalizeIndex(index, dims[k])) return outside(context, index, dims[k]);
                offset += index * strides[k];
            }
            if (bytes > 0) std::memcpy(to, cells.data + offset * cells.width, static_cast<std::size_t>(bytes));
        }
    return mover.finish();
}

OpDef base(const char* type, const char* doc)
{
    OpDef def(type);
    def.doc(doc)
        .source(cann)
        .unit(Unit::Vector)
        .fusionClass(FusionClass::Gather)
        .formats(FormatSupport::NdOnly)
        .cost([](const Node& node, const Graph& graph) {
            // Only the chosen slices are read, and the indices.
            Cost cost = bytesOnly(node, graph);
            cost.bytesRead = cost.bytesWritten + bytesOf(inputDesc(node, graph, 1));
            return cost;
        });
    return def;
}

} // namespace
} // namespace movement

void registerGatherOps(OpRegistry& ops)
{
    using namespace movement;
    ops.add(base("GatherV2",
                 "Slices of x at `indices` along the axis of the third input; negative indices count from the end")
                .input("x")
                .input("indices")
                .input("axis")
                .output("y")
                .attr("batch_dims", 0)
                .attr("is_preprocessed", false)
                .attr("negative_index_support", false)
                .hasHostKernel()
                .infer(inferGather)
                .kernel(runGather));
    ops.add(base("GatherV2D", "Slices of x at `indices` along `axis`")
                .input("x")
                .input("indices")
                .output("y")
                .requiredAttr("axis")
                .infer(inferGather)
                .kernel(runGather));
    ops.add(base("Gather", "Slices of x at `indices` along the first axis behind the batch dims")
                .input("x")
                .input("indices")
                .output("y")
                .attr("validate_indices", true)
                .attr("batch_dims", 0)
                .attr("is_preprocessed", false)
                .attr("negative_index_support", false)
                .infer(inferGather)
                .kernel(runGather));
    ops.add(base("GatherElements", "The element at the index along `dim`, for each place of the indices")
                .input("x")
                .input("index")
                .output("y")
                .attr("dim", 0)
                .infer(inferGatherElements)
                .kernel(runGatherElements));
    ops.add(base("GatherNd", "Slices of x at index tuples (batch_dims as in ONNX GatherND)")
                .input("x")
                .input("indices")
                .output("y")
                .attr("batch_dims", 0)
                .infer(inferGatherNd)
                .kernel(runGatherNd));
    registerScatterOps(ops);
    registerSelectOps(ops);
    registerUniqueOps(ops);
}

} // namespace gelens
