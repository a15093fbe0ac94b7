// One-hot vectors, the largest elements, places of the elements that are not zero.

#include "engine/ops/element_types.h"
#include "engine/ops/gather_ops_private.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace gelens::movement {
namespace {

constexpr const char* cann = "CANN operator library";

// ---- OneHot ----

struct OneHotInputs {
    int depth = 1, on = 2, off = 3; ///< depth -1: an attribute
};
OneHotInputs oneHotInputs(const std::string& type)
{
    return type == "OneHotD" ? OneHotInputs{-1, 1, 2} : OneHotInputs{};
}

Result<Shape> oneHotShape(const Shape& indices, std::int64_t depth, std::int64_t axisNumber)
{
    const auto axis = normalizeAxis(axisNumber, indices.rank() + 1);
    if (!axis)
        return Error::invalid(
            fmt::format("axis {} does not exist in a result of rank {}", axisNumber, indices.rank() + 1));
    Shape result;
    for (int i = 0; i <= indices.rank(); ++i) {
        if (i == *axis) result.append(depth);
        if (i < indices.rank()) appendDim(result, indices, i);
    }
    return result;
}

Status inferOneHot(InferContext& context)
{
    const OneHotInputs inputs = oneHotInputs(context.node().type);
    const DataType dtype = context.dtype(inputs.on);
    const Shape& indices = context.shape(0);
    if (!indices.hasRank()) {
        context.setOutput(0, dtype, Shape::unknownRank());
        return {};
    }
    const auto depth =
        inputs.depth < 0 ? std::optional(attrInt(context.attrs(), "depth", 0)) : constantInt(context, inputs.depth);
    if (depth && *depth < 0) return context.error(fmt::format("the depth is {}", *depth));
    auto shape = oneHotShape(indices, depth.value_or(unknownDim), attrInt(context.attrs(), "axis", -1));
    if (!shape.ok()) return at(context, shape.error());
    GELENS_TRY(checkOutput(context, dtype, shape.value()));
    context.setOutput(0, dtype, std::move(shape).value());
    return {};
}

Status runOneHot(KernelContext& context)
{
    const OneHotInputs inputs = oneHotInputs(context.opType());
    std::int64_t depth = attrInt(context.attrs(), "depth", 0);
    if (inputs.depth >= 0) {
        GELENS_ASSIGN(depth, scalarInt(context, inputs.depth));
    }
    if (depth < 0) return context.error(fmt::format("the depth is {}", depth));
    GELENS_ASSIGN(const std::vector<std::int64_t> indices, looseInts(context, 0));
    CellMover mover(context);
    GELENS_ASSIGN(const Cells on, mover.input(inputs.on));
    GELENS_ASSIGN(const Cells off, mover.input(inputs.off));
    const DataType dtype = context.input(inputs.on).dtype;
    if (on.count < 1 || off.count < 1 || context.input(inputs.off).dtype != dtype)
        return context.error("on and off must be single values of one type");
    const auto shape = oneHotShape(context.input(0).shape, depth, attrInt(context.attrs(), "axis", -1));
    if (!shape.ok()) return context.error(shape.error().what);
    GELENS_ASSIGN(std::byte* const out, mover.output(0, dtype, shape.value()));
    const std::int64_t width = on.width;
    fillCells(out, off.data, shape.value().elementCount().value_or(0), width);
    const auto axis =
        static_cast<std::size_t>(*normalizeAxis(attrInt(context.attrs(), "axis", -1), shape.value().rank()));
    const std::int64_t inner = product(shape.value().dims(), axis + 1, shape.value().dims().size());
    const bool wraps = attrBool(context.attrs(), "negative_index_support", false);
    for (std::size_t k = 0; k < indices.size(); ++k) {
        std::int64_t index = indices[k];
        if (index < 0 && wraps) index += depth;
        if (index < 0 || index >= depth) continue; // all off
        const auto at = static_cast<std::int64_t>(k);
        std::memcpy(out + ((at / inner * depth + index) * inner + at % inner) * width, on.data,
                    static_cast<std::size_t>(width));
    }
    return mover.finish();
}

// ---- TopK ----

DataType topKIndexType(const AttrMap& attrs)
{
    return attrInt(attrs, "indices_dtype", static_cast<std::int64_t>(DataType::Int32)) ==
                   static_cast<std::int64_t>(DataType::Int64)
               ? DataType::Int64
               : DataType::Int32;
}

Status inferTopK(InferContext& context)
{
    Shape shape = context.shape(0);
    const auto k = constantInt(context, 1);
    if (shape.hasRank()) {
        if (shape.rank() < 1) return context.error("a scalar has no largest elements");
        GELENS_ASSIGN(const int axis, axisOf(context, attrInt(context.attrs(), "dim", -1), shape.rank()));
        if (k && (*k < 0 || (shape.dim(axis) >= 0 && *k > shape.dim(axis))))
            return context.error(fmt::format("k is {}, the dim is {}", *k, shape.dim(axis)));
        shape.setDim(static_cast<std::size_t>(axis), k.value_or(unknownDim));
        shape.setSymbol(static_cast<std::size_t>(axis), {});
    }
    context.setOutput(0, context.dtype(0), shape);
    context.setOutput(1, topKIndexType(context.attrs()), std::move(shape));
    return {};
}

/// Order of the result: better elements first, equal ones by index; NaN counts as larger than all numbers.
template <typename C>
bool comesBefore(C a, C b, bool isLargest)
{
    if constexpr (std::is_floating_point_v<C>) {
        if (std::isnan(a) || std::isnan(b)) return std::isnan(a) != std::isnan(b) && std::isnan(isLargest ? a : b);
    }
    return isLargest ? b < a : a < b;
}

template <typename T>
void selectTop(const T* in, T* values, std::byte* indices, bool wide, std::int64_t outer, std::int64_t length,
               std::int64_t inner, std::int64_t k, bool isLargest)
{
    std::vector<ComputeType<T>> line(static_cast<std::size_t>(length));
    std::vector<std::int64_t> order(static_cast<std::size_t>(length));
    for (std::int64_t o = 0; o < outer; ++o)
        for (std::int64_t n = 0; n < inner; ++n) {
            const T* const from = in + o * length * inner + n;
            for (std::int64_t i = 0; i < length; ++i) line[static_cast<std::size_t>(i)] = load(from[i * inner]);
            std::iota(order.begin(), order.end(), std::int64_t{0});
            std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](std::int64_t a, std::int64_t b) {
                const auto x = line[static_cast<std::size_t>(a)], y = line[static_cast<std::size_t>(b)];
                if (comesBefore(x, y, isLargest)) return true;
                return comesBefore(y, x, isLargest) ? false : a < b;
            });
            for (std::int64_t i = 0; i < k; ++i) {
                const std::int64_t at = (o * k + i) * inner + n, index = order[static_cast<std::size_t>(i)];
                values[at] = from[index * inner];
                if (wide)
                    reinterpret_cast<std::int64_t*>(indices)[at] = index;
                else
                    reinterpret_cast<std::int32_t*>(indices)[at] = static_cast<std::int32_t>(index);
            }
        }
}

Status runTopK(KernelContext& context)
{
    const TensorView& x = context.input(0);
    GELENS_ASSIGN(const std::int64_t k, scalarInt(context, 1));
    if (x.shape.rank() < 1) return context.error("a scalar has no largest elements");
    GELENS_ASSIGN(const int axisIndex, axisOf(context, attrInt(context.attrs(), "dim", -1), x.shape.rank()));
    const auto axis = static_cast<std::size_t>(axisIndex);
    if (k < 0 || k > x.shape[axis]) return context.error(fmt::format("k is {}, the dim is {}", k, x.shape[axis]));
    Shape shape(x.shape.dims());
    shape.setDim(axis, k);
    const DataType indexType = topKIndexType(context.attrs());
    Status status;
    const bool isKnown = visitArithmetic(x.dtype, [&]<typename T>(TypeTag<T>) {
        auto values = context.outputAs<T>(0, x.dtype, shape);
        if (!values.ok()) {
            status = values.error();
            return;
        }
        // A node may leave the indices out.
        std::vector<std::byte> unused;
        std::byte* indices = nullptr;
        if (context.outputCount() > 1) {
            auto place = context.output(1, indexType, shape);
            if (!place.ok()) {
                status = place.error();
                return;
            }
            indices = place.value();
        } else {
            unused.resize(static_cast<std::size_t>(shape.elementCount().value_or(0)) * 8);
            indices = unused.data();
        }
        const auto& dims = x.shape.dims();
        selectTop(reinterpret_cast<const T*>(x.data), values.value(), indices, indexType == DataType::Int64,
                  product(dims, 0, axis), dims[axis], product(dims, axis + 1, dims.size()), k,
                  attrBool(context.attrs(), "largest", true));
    });
    return isKnown ? status
                   : Status(context.error(fmt::format("elements of {} have no order", dataTypeShortName(x.dtype))));
}

// ---- NonZero and Where ----

/// Flat positions of the elements that are not zero.
Result<std::vector<std::int64_t>> nonZeroPositions(const KernelContext& context, int input)
{
    const TensorView& x = context.input(input);
    std::vector<std::int64_t> found;
    const std::int64_t count = x.elementCount();
    const bool isKnown = visitNumeric(x.dtype, [&]<typename T>(TypeTag<T>) {
        const T* const in = reinterpret_cast<const T*>(x.data);
        for (std::int64_t i = 0; i < count; ++i)
            if (load(in[i]) != 0) found.push_back(i);
    });
    if (isKnown) return found;
    if (x.dtype == DataType::String) {
        for (std::int64_t i = 0; i < count; ++i)
            if (!(*x.strings)[static_cast<std::size_t>(i)].empty()) found.push_back(i);
        return found;
    }
    GELENS_ASSIGN(const std::vector<double> values, context.doubles(input));
    for (std::int64_t i = 0; i < count; ++i)
        if (values[static_cast<std::size_t>(i)] != 0) found.push_back(i);
    return found;
}

template <typename T>
void writeCoordinates(T* out, const std::vector<std::int64_t>& positions, const std::vector<std::int64_t>& dims,
                      bool byDim)
{
    const auto strides = stridesOf(dims);
    const auto count = static_cast<std::int64_t>(positions.size());
    const auto rank = static_cast<std::int64_t>(dims.size());
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t rest = positions[static_cast<std::size_t>(i)];
        for (std::int64_t d = 0; d < rank; ++d) {
            const std::int64_t stride = strides[static_cast<std::size_t>(d)];
            out[byDim ? d * count + i : i * rank + d] = static_cast<T>(rest / stride);
            rest %= stride;
        }
    }
}

bool coordinatesByDim(const std::string& type, const AttrMap& attrs)
{
    return type == "NonZero" && attrBool(attrs, "transpose", false);
}

DataType coordinateType(const std::string& type, const AttrMap& attrs)
{
    if (type == "Where") return DataType::Int64;
    return attrInt(attrs, "dtype", static_cast<std::int64_t>(DataType::Int64)) ==
                   static_cast<std::int64_t>(DataType::Int32)
               ? DataType::Int32
               : DataType::Int64;
}

Status inferNonZero(InferContext& context)
{
    const Shape& x = context.shape(0);
    const std::int64_t rank = !x.hasRank() ? unknownDim : std::max(1, x.rank());
    const bool byDim = coordinatesByDim(context.node().type, context.attrs());
    context.setOutput(0, coordinateType(context.node().type, context.attrs()),
                      byDim ? Shape{rank, unknownDim} : Shape{unknownDim, rank});
    return {};
}

Status runNonZero(KernelContext& context)
{
    GELENS_ASSIGN(const std::vector<std::int64_t> positions, nonZeroPositions(context, 0));
    std::vector<std::int64_t> dims = context.input(0).shape.dims();
    if (dims.empty()) dims = {1}; // a scalar counts as a vector of one
    const bool byDim = coordinatesByDim(context.opType(), context.attrs());
    const auto count = static_cast<std::int64_t>(positions.size()), rank = static_cast<std::int64_t>(dims.size());
    const DataType dtype = coordinateType(context.opType(), context.attrs());
    const Shape shape = byDim ? Shape{rank, count} : Shape{count, rank};
    GELENS_TRY(checkOutput(context, dtype, shape));
    GELENS_ASSIGN(std::byte* const out, context.output(0, dtype, shape));
    if (dtype == DataType::Int64)
        writeCoordinates(reinterpret_cast<std::int64_t*>(out), positions, dims, byDim);
    else
        writeCoordinates(reinterpret_cast<std::int32_t*>(out), positions, dims, byDim);
    return {};
}

OpDef base(const char* type, const char* doc, Unit unit)
{
    OpDef def(type);
    def.doc(doc)
        .source(cann)
        .unit(unit)
        .fusionClass(FusionClass::Opaque)
        .formats(FormatSupport::NdOnly)
        .cost(perInputElement(1));
    return def;
}

/// A partial sort: about log2 of the length for each element.
Cost topKCost(const Node& node, const Graph& graph)
{
    Cost cost = bytesOnly(node, graph);
    const double elements = elementsOf(inputDesc(node, graph, 0));
    cost.vectorOps = elements * std::max(1.0, std::log2(std::max(2.0, elements)));
    return cost;
}

} // namespace

void registerSelectOps(OpRegistry& ops)
{
    ops.add(
        base("OneHot", "A new dim of `depth` that holds on_value at the index and off_value elsewhere", Unit::Vector)
            .arithmetic(Arithmetic::None)
            .cost(moving())
            .input("x")
            .input("depth")
            .input("on_value")
            .input("off_value")
            .output("y")
            .attr("axis", -1)
            .infer(inferOneHot)
            .kernel(runOneHot));
    ops.add(
        base("OneHotD", "A new dim of `depth` that holds on_value at the index and off_value elsewhere", Unit::Vector)
            .arithmetic(Arithmetic::None)
            .cost(moving())
            .input("x")
            .input("on_value")
            .input("off_value")
            .output("y")
            .requiredAttr("depth")
            .attr("axis", -1)
            .infer(inferOneHot)
            .kernel(runOneHot));
    for (const char* const type : {"TopK", "TopKV2"})
        ops.add(base(type, "The k largest or smallest elements along `dim` and their indices, in order", Unit::Vector)
                    .cost(topKCost)
                    .arithmetic(Arithmetic::None)
                    .input("x")
                    .input("k")
                    .output("values")
                    .output("indices")
                    .attr("sorted", true)
                    .attr("dim", -1)
                    .attr("largest", true)
                    .attr("indices_dtype", static_cast<std::int64_t>(DataType::Int32))
                    .infer(inferTopK)
                    .kernel(runTopK));
    ops.add(base("NonZero",
                 "Coordinates of the elements that are not zero: a row for each dim when `transpose`, else one for "
                 "each element",
                 Unit::AiCpu)
                .arithmetic(Arithmetic::None)
                .input("x")
                .output("y")
                .attr("transpose", false)
                .attr("dtype", DataType::Int64)
                .infer(inferNonZero)
                .kernel(runNonZero));
    ops.add(base("Where", "Coordinates of the elements that are not zero, a row for each", Unit::AiCpu)
                .arithmetic(Arithmetic::None)
                .input("x")
                .output("y")
                .infer(inferNonZero)
                .kernel(runNonZero));
}

} // namespace gelens::movement
