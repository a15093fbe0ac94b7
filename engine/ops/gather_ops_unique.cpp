// Distinct elements or slices.

#include "engine/ops/element_types.h"
#include "engine/ops/gather_ops_private.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

namespace gelens::movement {
namespace {

/// The input as `count` slices of `run` elements: outer x count x inner, a slice is (all outer, one, all inner).
struct Slices {
    std::int64_t outer = 1, count = 0, inner = 1;
    std::int64_t at(std::int64_t slice, std::int64_t k) const
    {
        return (k / inner * count + slice) * inner + k % inner;
    }
    std::int64_t run() const { return outer * inner; }
};

/// -1, 0 or 1 for two slices; NaNs are equal and come last.
using Compare = std::function<int(std::int64_t, std::int64_t)>;

template <typename V>
int compareValues(const V& a, const V& b)
{
    if constexpr (std::is_floating_point_v<V>) {
        const bool na = std::isnan(a), nb = std::isnan(b);
        if (na || nb) return static_cast<int>(na) - static_cast<int>(nb);
    }
    return a < b ? -1 : b < a ? 1 : 0;
}

Result<Compare> comparison(const KernelContext& context, const Slices& slices)
{
    const TensorView& x = context.input(0);
    Compare compare;
    const bool isKnown = visitNumeric(x.dtype, [&]<typename T>(TypeTag<T>) {
        const T* const data = reinterpret_cast<const T*>(x.data);
        compare = [data, slices](std::int64_t a, std::int64_t b) {
            for (std::int64_t k = 0; k < slices.run(); ++k)
                if (const int order = compareValues(load(data[slices.at(a, k)]), load(data[slices.at(b, k)])))
                    return order;
            return 0;
        };
    });
    if (isKnown) return compare;
    if (x.dtype != DataType::String)
        return context.error(fmt::format("elements of {} have no order", dataTypeShortName(x.dtype)));
    const std::vector<std::string>& strings = *x.strings;
    return Compare([&strings, slices](std::int64_t a, std::int64_t b) {
        for (std::int64_t k = 0; k < slices.run(); ++k) {
            const int order = strings[static_cast<std::size_t>(slices.at(a, k))].compare(
                strings[static_cast<std::size_t>(slices.at(b, k))]);
            if (order != 0) return order;
        }
        return 0;
    });
}

/// What the operator finds, by group of equal slices.
struct Groups {
    std::vector<std::int64_t> first, count; ///< of each group: its first slice, its size
    std::vector<std::int64_t> groupOf;      ///< of each slice
};

Groups groupsOf(std::int64_t count, const Compare& compare, bool isSorted)
{
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) { return compare(a, b) < 0; });
    Groups groups;
    groups.groupOf.resize(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || compare(order[i - 1], order[i]) != 0) {
            groups.first.push_back(order[i]); // stable: the first of its group
            groups.count.push_back(0);
        }
        ++groups.count.back();
        groups.groupOf[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(groups.first.size()) - 1;
    }
    if (isSorted) return groups;
    // By first appearance.
    std::vector<std::int64_t> rank(groups.first.size()), place(groups.first.size());
    std::iota(rank.begin(), rank.end(), std::int64_t{0});
    std::sort(rank.begin(), rank.end(), [&](std::int64_t a, std::int64_t b) {
        return groups.first[static_cast<std::size_t>(a)] < groups.first[static_cast<std::size_t>(b)];
    });
    Groups result;
    for (std::size_t i = 0; i < rank.size(); ++i) {
        place[static_cast<std::size_t>(rank[i])] = static_cast<std::int64_t>(i);
        result.first.push_back(groups.first[static_cast<std::size_t>(rank[i])]);
        result.count.push_back(groups.count[static_cast<std::size_t>(rank[i])]);
    }
    for (const std::int64_t group : groups.groupOf) result.groupOf.push_back(place[static_cast<std::size_t>(group)]);
    return result;
}

DataType indexType(const AttrMap& attrs)
{
    return attrInt(attrs, "out_idx", static_cast<std::int64_t>(DataType::Int64)) ==
                   static_cast<std::int64_t>(DataType::Int32)
               ? DataType::Int32
               : DataType::Int64;
}

Status inferUnique(InferContext& context)
{
    const Shape& x = context.shape(0);
    Shape result{unknownDim};
    const auto axes = context.constantInts(1);
    const Shape& axisShape = context.shape(1);
    const bool isFlat = axisShape.hasRank() && axisShape.elementCount() == 0;
    if (!isFlat) {
        result = unknownDims(x.hasRank() ? x.rank() : -1);
        if (axes && axes->size() == 1 && x.hasRank()) {
            GELENS_ASSIGN(const int axis, axisOf(context, axes->front(), x.rank()));
            result = Shape();
            for (int i = 0; i < x.rank(); ++i) i == axis ? result.append(unknownDim) : appendDim(result, x, i);
        }
    }
    const DataType index = indexType(context.attrs());
    context.setOutput(0, context.dtype(0), std::move(result));
    for (int i = 1; i < 4; ++i) context.setOutput(i, index, Shape{unknownDim});
    return {};
}

Status writeIndices(KernelContext& context, int output, const std::vector<std::int64_t>& values)
{
    if (output >= context.outputCount()) return {};
    const DataType dtype = indexType(context.attrs());
    const Tensor tensor = Tensor::fromInts(values, Shape{static_cast<std::int64_t>(values.size())}, dtype);
    return writeOutput(context, output, HostTensor::fromConstant(tensor));
}

Status runUnique(KernelContext& context)
{
    GELENS_ASSIGN(const auto axes, context.ints(1));
    if (axes.size() > 1) return context.error("more than one axis");
    CellMover mover(context);
    GELENS_ASSIGN(const Cells cells, mover.input(0));
    Slices slices;
    std::vector<std::int64_t> result{0};
    std::size_t axis = 0;
    if (axes.empty()) {
        slices.count = cells.count;
    } else {
        GELENS_ASSIGN(const int index, axisOf(context, axes[0], cells.shape.rank()));
        axis = static_cast<std::size_t>(index);
        result = cells.shape.dims();
        slices = {product(result, 0, axis), result[axis], product(result, axis + 1, result.size())};
    }
    GELENS_ASSIGN(const Compare compare, comparison(context, slices));
    const Groups groups = groupsOf(slices.count, compare, attrBool(context.attrs(), "sorted", false));
    const auto found = static_cast<std::int64_t>(groups.first.size());
    result[axis] = found;
    GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(0).dtype, Shape(result)));
    const std::int64_t bytes = slices.inner * cells.width;
    for (std::int64_t o = 0; o < slices.outer && bytes > 0; ++o)
        for (std::int64_t g = 0; g < found; ++g)
            std::memcpy(out + (o * found + g) * bytes,
                        cells.data + (o * slices.count + groups.first[static_cast<std::size_t>(g)]) * bytes,
                        static_cast<std::size_t>(bytes));
    GELENS_TRY(mover.finish());
    GELENS_TRY(writeIndices(context, 1, groups.first));
    GELENS_TRY(writeIndices(context, 2, groups.count));
    return writeIndices(context, 3, groups.groupOf);
}

} // namespace

void registerUniqueOps(OpRegistry& ops)
{
    ops.add(
        OpDef("UniqueWithCountsExt2")
            .arithmetic(Arithmetic::None)
            .doc("Distinct elements, or slices along the one axis of the second input (empty: of the flat tensor); "
                 "where each first "
                 "appears, how often, and the number of each element's group. In order of appearance unless `sorted`")
            .source("CANN operator library")
            .unit(Unit::AiCpu)
            .fusionClass(FusionClass::Opaque)
            .formats(FormatSupport::NdOnly)
            .input("x")
            .input("axis")
            .output("y")
            .output("idx")
            .output("count")
            .output("inverse_idx")
            .attr("out_idx", DataType::Int64)
            .attr("sorted", false)
            .attr("return_inverse", false)
            .infer(inferUnique)
            .cost(perInputElement(16))
            .kernel(runUnique));
}

} // namespace gelens::movement
