// Operators that write elements or slices to given places of a copy of a tensor.

#include "engine/ops/element_types.h"
#include "engine/ops/gather_ops_private.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace gelens::movement {
namespace {

constexpr const char* cann = "CANN operator library";

enum class Reduction { None, Add, Sub, Mul, Max, Min };

Result<Reduction> reductionOf(const std::string& name)
{
    if (name == "none" || name.empty() || name == "update") return Reduction::None;
    if (name == "add") return Reduction::Add;
    if (name == "mul") return Reduction::Mul;
    if (name == "max") return Reduction::Max;
    if (name == "min") return Reduction::Min;
    return Error::unsupported(fmt::format("the reduction '{}' is not known", name));
}

template <typename C>
C combine(Reduction reduction, C a, C b)
{
    switch (reduction) {
    case Reduction::None: return b;
    case Reduction::Add: return static_cast<C>(a + b);
    case Reduction::Sub: return static_cast<C>(a - b);
    case Reduction::Mul: return static_cast<C>(a * b);
    case Reduction::Max: return a < b ? b : a;
    case Reduction::Min: return b < a ? b : a;
    }
    return b;
}

/// Combines `count` elements of `from` into `to`, both of type dtype. False when the type cannot be computed with.
bool combineRun(Reduction reduction, DataType dtype, std::byte* to, const std::byte* from, std::int64_t count)
{
    if (dtype == DataType::Bool && (reduction == Reduction::Max || reduction == Reduction::Min ||
                                    reduction == Reduction::Add || reduction == Reduction::Mul)) {
        const bool isOr = reduction == Reduction::Max || reduction == Reduction::Add;
        for (std::int64_t i = 0; i < count; ++i) to[i] = isOr ? to[i] | from[i] : to[i] & from[i];
        return true;
    }
    return visitArithmetic(dtype, [&]<typename T>(TypeTag<T>) {
        T* const out = reinterpret_cast<T*>(to);
        const T* const in = reinterpret_cast<const T*>(from);
        for (std::int64_t i = 0; i < count; ++i) out[i] = store<T>(combine(reduction, load(out[i]), load(in[i])));
    });
}

/// A copy of input `i` as output 0, to be scattered into.
struct Target {
    std::byte* data = nullptr;
    std::vector<std::int64_t> dims;
    std::int64_t width = 0;
    DataType dtype = DataType::Undefined;
};

Result<Target> copiedTarget(KernelContext& context, CellMover& mover, int i)
{
    GELENS_ASSIGN(const Cells cells, mover.input(i));
    const DataType dtype = context.input(i).dtype;
    GELENS_ASSIGN(std::byte* const out, mover.output(0, dtype, cells.shape));
    if (cells.count > 0 && out != cells.data)
        std::memmove(out, cells.data, static_cast<std::size_t>(cells.count * cells.width));
    return Target{out, cells.shape.dims(), cells.width, dtype};
}

bool normalizeIndex(std::int64_t& index, std::int64_t dim)
{
    if (index < -dim || index >= dim) return false;
    if (index < 0) index += dim;
    return true;
}

/// Writes or combines a run of `count` cells.
Status put(const KernelContext& context, const Target& target, Reduction reduction, std::int64_t offset,
           const std::byte* from, std::int64_t count)
{
    std::byte* const to = target.data + offset * target.width;
    if (reduction == Reduction::None) {
        std::memcpy(to, from, static_cast<std::size_t>(count * target.width));
        return {};
    }
    if (combineRun(reduction, target.dtype, to, from, count)) return {};
    return context.error(fmt::format("type {} cannot be combined", dataTypeShortName(target.dtype)));
}

Status checkUpdates(const KernelContext& context, int updates)
{
    if (context.input(updates).dtype == context.input(0).dtype) return {};
    return context.error(fmt::format("updates are {}, data are {}", dataTypeShortName(context.input(updates).dtype),
                                     dataTypeShortName(context.input(0).dtype)));
}

// ---- ScatterElements ----

Status inferScatterElements(InferContext& context)
{
    const Shape& data = context.shape(0);
    const Shape& indices = context.shape(1);
    if (data.hasRank() && indices.hasRank() && data.rank() != indices.rank())
        return context.error(fmt::format("data {} and indices {} have different ranks", data.text(), indices.text()));
    if (data.hasRank()) GELENS_TRY(axisOf(context, attrInt(context.attrs(), "axis", 0), data.rank()));
    return sameAsInput(context);
}

Status runScatterElements(KernelContext& context)
{
    const auto reduction = reductionOf(attrString(context.attrs(), "reduction", "none"));
    if (!reduction.ok()) return context.error(reduction.error().what);
    GELENS_TRY(checkUpdates(context, 2));
    CellMover mover(context);
    GELENS_ASSIGN(const Target target, copiedTarget(context, mover, 0));
    GELENS_ASSIGN(const Cells updates, mover.input(2));
    GELENS_ASSIGN(const std::vector<std::int64_t> indices, context.ints(1));
    const Shape& shape = context.input(1).shape;
    if (shape.dims() != updates.shape.dims())
        return context.error(fmt::format("indices {} and updates {} differ", shape.text(), updates.shape.text()));
    if (shape.dims().size() != target.dims.size()) return context.error("data and indices have different ranks");
    GELENS_ASSIGN(const int axisIndex,
                  axisOf(context, attrInt(context.attrs(), "axis", 0), static_cast<int>(target.dims.size())));
    const auto axis = static_cast<std::size_t>(axisIndex);
    for (std::size_t i = 0; i < target.dims.size(); ++i)
        if (i != axis && shape[i] > target.dims[i])
            return context.error(fmt::format("indices {} reach beyond the data", shape.text()));
    const auto strides = stridesOf(target.dims);
    std::vector<std::int64_t> at(target.dims.size(), 0);
    std::int64_t base = 0;
    for (std::size_t k = 0; k < indices.size(); ++k) {
        std::int64_t index = indices[k];
        if (!normalizeIndex(index, target.dims[axis]))
            return context.error(fmt::format("index {} lies outside a dim of {}", index, target.dims[axis]));
        GELENS_TRY(put(context, target, reduction.value(), base + index * strides[axis],
                       updates.data + static_cast<std::int64_t>(k) * target.width, 1));
        for (std::size_t d = at.size(); d-- > 0;) {
            const std::int64_t step = d == axis ? 0 : strides[d];
            base += step;
            if (++at[d] < shape[d]) break;
            base -= step * shape[d];
            at[d] = 0;
        }
    }
    return mover.finish();
}

// ---- ScatterNd… ----

/// Slices of `updates` go to the index tuples of input `indexInput`.
Status scatterSlices(KernelContext& context, CellMover& mover, const Target& target, Reduction reduction,
                     int indexInput, int updateInput)
{
    GELENS_ASSIGN(const Cells updates, mover.input(updateInput));
    GELENS_ASSIGN(const std::vector<std::int64_t> indices, context.ints(indexInput));
    const auto& indexDims = context.input(indexInput).shape.dims();
    const std::int64_t depth = indexDims.empty() ? 0 : indexDims.back();
    if (depth < 1 || depth > static_cast<std::int64_t>(target.dims.size()))
        return context.error(fmt::format("indices of {} numbers for a tensor of rank {}", depth, target.dims.size()));
    const std::int64_t slices = product(indexDims, 0, indexDims.size() - 1);
    const std::int64_t run = product(target.dims, static_cast<std::size_t>(depth), target.dims.size());
    if (updates.count != slices * run)
        return context.error(
            fmt::format("updates {} do not hold {} slices of {} elements", updates.shape.text(), slices, run));
    const auto strides = stridesOf(target.dims);
    for (std::int64_t s = 0; s < slices; ++s) {
        std::int64_t offset = 0;
        for (std::int64_t d = 0; d < depth; ++d) {
            const auto k = static_cast<std::size_t>(d);
            std::int64_t index = indices[static_cast<std::size_t>(s * depth + d)];
            if (!normalizeIndex(index, target.dims[k]))
                return context.error(fmt::format("index {} lies outside a dim of {}", index, target.dims[k]));
            offset += index * strides[k];
        }
        if (run > 0) GELENS_TRY(put(context, target, reduction, offset, updates.data + s * run * target.width, run));
    }
    return {};
}

KernelFunction runScatterNdInto(Reduction reduction)
{
    return [reduction](KernelContext& context) -> Status {
        GELENS_TRY(checkUpdates(context, 2));
        CellMover mover(context);
        GELENS_ASSIGN(const Target target, copiedTarget(context, mover, 0));
        GELENS_TRY(scatterSlices(context, mover, target, reduction, 1, 2));
        return mover.finish();
    };
}

Status inferScatterNdInto(InferContext& context)
{
    const Shape& data = context.shape(0);
    const Shape& indices = context.shape(1);
    if (data.hasRank() && indices.hasRank() && indices.rank() > 0 && indices.dim(-1) > data.rank())
        return context.error(
            fmt::format("indices of {} numbers for a tensor of rank {}", indices.dim(-1), data.rank()));
    return sameAsInput(context);
}

Status inferScatterNd(InferContext& context)
{
    const auto dims = context.constantInts(2);
    if (!dims) {
        const Shape& wanted = context.shape(2);
        const bool hasLength = wanted.hasRank() && wanted.rank() == 1 && wanted[0] >= 0 && wanted[0] < 64;
        context.setOutput(0, context.dtype(1), unknownDims(hasLength ? static_cast<int>(wanted[0]) : -1));
        return {};
    }
    for (const std::int64_t dim : *dims)
        if (dim < 0) return context.error(fmt::format("the wanted shape has the dim {}", dim));
    GELENS_TRY(checkOutput(context, context.dtype(1), Shape(*dims)));
    context.setOutput(0, context.dtype(1), Shape(*dims));
    return {};
}

Status runScatterNd(KernelContext& context)
{
    GELENS_ASSIGN(const auto dims, context.ints(2));
    const DataType dtype = context.input(1).dtype;
    CellMover mover(context);
    GELENS_ASSIGN(std::byte* const out, mover.output(0, dtype, Shape(dims), true));
    const Target target{out, dims, cellWidth(dtype), dtype};
    const bool isComputable = dataTypeBits(dtype) >= 8 && !isFloating(dtype) ? isInteger(dtype) : isFloating(dtype);
    GELENS_TRY(scatterSlices(context, mover, target, isComputable ? Reduction::Add : Reduction::None, 0, 1));
    return mover.finish();
}

// ---- TensorScatter: new steps into a key/value cache ----

Status runTensorScatter(KernelContext& context)
{
    GELENS_TRY(checkUpdates(context, 1));
    CellMover mover(context);
    GELENS_ASSIGN(const Target target, copiedTarget(context, mover, 0));
    GELENS_ASSIGN(const Cells updates, mover.input(1));
    const int rank = static_cast<int>(target.dims.size());
    if (updates.shape.rank() != rank || rank < 2) return context.error("cache and update have different ranks");
    GELENS_ASSIGN(const int axisIndex, axisOf(context, attrInt(context.attrs(), "axis", -2), rank));
    if (axisIndex == 0) return context.error("the axis is the batch");
    const auto axis = static_cast<std::size_t>(axisIndex);
    for (std::size_t i = 0; i < target.dims.size(); ++i)
        if (i != axis && updates.shape[i] != target.dims[i])
            return context.error(fmt::format("update {} does not fit the cache", updates.shape.text()));
    const std::int64_t batches = target.dims[0], length = target.dims[axis], steps = updates.shape[axis];
    const bool isCircular = attrString(context.attrs(), "mode", "linear") == "circular";
    std::vector<std::int64_t> starts(static_cast<std::size_t>(batches), 0);
    if (context.hasInput(2)) {
        GELENS_ASSIGN(starts, context.ints(2));
        if (static_cast<std::int64_t>(starts.size()) != batches)
            return context.error(fmt::format("{} write indices for a batch of {}", starts.size(), batches));
    }
    const std::int64_t outer = product(target.dims, 1, axis), run = product(target.dims, axis + 1, target.dims.size());
    for (std::int64_t b = 0; b < batches; ++b) {
        const std::int64_t start = starts[static_cast<std::size_t>(b)];
        if (start < 0 || (!isCircular && (start > length || steps > length - start)) || (isCircular && steps > length))
            return context.error(fmt::format("{} steps from {} do not fit a cache of {}", steps, start, length));
        for (std::int64_t o = 0; o < outer; ++o)
            for (std::int64_t s = 0; s < steps && run > 0; ++s) {
                const std::int64_t row = isCircular ? (start + s) % length : start + s;
                std::memcpy(target.data + (((b * outer + o) * length + row) * run) * target.width,
                            updates.data + (((b * outer + o) * steps + s) * run) * target.width,
                            static_cast<std::size_t>(run * target.width));
            }
    }
    return mover.finish();
}

OpDef base(const char* type, const char* doc, const char* source = cann)
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

void registerScatterOps(OpRegistry& ops)
{
    ops.add(base("ScatterElements",
                 "A copy of data with `updates` at the indices along `axis`, replaced or combined (add, mul, max, min)")
                .arithmetic(Arithmetic::RoundedSums)
                .input("data")
                .input("indices")
                .input("updates")
                .output("y")
                .attr("axis", 0)
                .attr("reduction", "none")
                .infer(inferScatterElements)
                .kernel(runScatterElements));
    const auto into = [&ops](const char* type, const char* doc, Reduction reduction, const char* source) {
        ops.add(base(type, doc, source)
                    .arithmetic(reduction == Reduction::None ? Arithmetic::None : Arithmetic::RoundedSums)
                    .input("var")
                    .input("indices")
                    .input("updates")
                    .output("var")
                    .attr("use_locking", false)
                    .infer(inferScatterNdInto)
                    .kernel(runScatterNdInto(reduction)));
    };
    into("ScatterNdUpdate", "A copy of var with slices of `updates` at index tuples", Reduction::None, cann);
    into("ScatterNdAdd", "Adds slices of `updates` at index tuples", Reduction::Add, cann);
    into("ScatterNdSub", "Subtracts slices of `updates` at index tuples", Reduction::Sub, cann);
    into("ScatterNdMax", "Larger of var and `updates` at index tuples", Reduction::Max, cann);
    into("ScatterNdMin", "Smaller of var and `updates` at index tuples", Reduction::Min, cann);
    into("ScatterNdMul", "Multiplies by slices of `updates` at index tuples", Reduction::Mul, "ONNX ScatterND-16, mul");
    ops.add(base("TensorScatterUpdate", "A copy of x with slices of `updates` at index tuples")
                .arithmetic(Arithmetic::None)
                .input("x")
                .input("indices")
                .input("updates")
                .output("y")
                .infer(inferScatterNdInto)
                .kernel(runScatterNdInto(Reduction::None)));
    ops.add(base("ScatterNd", "Slices of x at index tuples of a tensor of zeros; equal tuples add up")
                .arithmetic(Arithmetic::RoundedSums)
                .input("indices")
                .input("x")
                .input("shape")
                .output("y")
                .infer(inferScatterNd)
                .kernel(runScatterNd));
    ops.add(base("TensorScatter",
                 "A copy of the cache with new steps written from `write_indices` on, round about when circular",
                 "ONNX TensorScatter-24")
                .input("past_cache")
                .input("update")
                .optionalInput("write_indices")
                .output("present_cache")
                .attr("axis", -2)
                .attr("mode", "linear")
                .infer(sameAsInput)
                .kernel(runTensorScatter));
}

} // namespace gelens::movement
