// Operators that repeat a tensor, and those that make one from a few numbers.

#include "engine/ops/element_types.h"
#include "engine/ops/movement_helpers.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/shape_ops_private.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gelens::movement {
namespace {

constexpr const char* cann = "CANN operator library";

/// Where an operator finds a list: an attribute of the "…D" forms, or an input.
struct ListSource {
    const char* attr = nullptr;
    int input = 1;
};

std::optional<std::vector<std::int64_t>> listOf(const InferContext& context, const ListSource& source)
{
    return source.attr ? std::optional(attrInts(context.attrs(), source.attr)) : context.constantInts(source.input);
}
Result<std::vector<std::int64_t>> listOf(const KernelContext& context, const ListSource& source)
{
    if (source.attr) return attrInts(context.attrs(), source.attr);
    return context.ints(source.input);
}

/// Length of a list input whose values are not known.
int lengthOf(const InferContext& context, int input)
{
    const Shape& shape = context.shape(input);
    return shape.hasRank() && shape.rank() == 1 && shape[0] >= 0 && shape[0] < 64 ? static_cast<int>(shape[0]) : -1;
}

// ---- Tile ----

Result<Shape> tiledShape(const Shape& input, const std::vector<std::int64_t>& multiples)
{
    if (static_cast<int>(multiples.size()) != input.rank())
        return Error::invalid(fmt::format("{} multiples for a tensor of rank {}", multiples.size(), input.rank()));
    Shape result;
    for (std::size_t i = 0; i < multiples.size(); ++i) {
        if (multiples[i] < 0) return Error::invalid(fmt::format("a multiple is {}", multiples[i]));
        if (multiples[i] == 1)
            appendDim(result, input, static_cast<int>(i));
        else if (multiples[i] == 0)
            result.append(0);
        else if (input[i] < 0)
            result.append(unknownDim);
        else if (input[i] > (std::int64_t{1} << 40) / multiples[i])
            return Error::limit(fmt::format("a dim of {} cannot be repeated {} times", input[i], multiples[i]));
        else
            result.append(input[i] * multiples[i]);
    }
    return result;
}

InferFunction inferTile(ListSource source)
{
    return [source](InferContext& context) -> Status {
        const auto multiples = listOf(context, source);
        const Shape& input = context.shape(0);
        if (!input.hasRank() || !multiples) {
            context.setOutput(0, context.dtype(0), unknownDims(input.hasRank() ? input.rank() : -1));
            return {};
        }
        auto shape = tiledShape(input, *multiples);
        if (!shape.ok()) return at(context, shape.error());
        GELENS_TRY(checkOutput(context, context.dtype(0), shape.value()));
        context.setOutput(0, context.dtype(0), std::move(shape).value());
        return {};
    };
}

KernelFunction runTile(ListSource source)
{
    return [source](KernelContext& context) -> Status {
        GELENS_ASSIGN(const auto multiples, listOf(context, source));
        CellMover mover(context);
        GELENS_ASSIGN(const Cells cells, mover.input(0));
        const auto shape = tiledShape(cells.shape, multiples);
        if (!shape.ok()) return context.error(shape.error().what);
        GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(0).dtype, shape.value()));
        // Each dim as (repeat, dim): the repeat steps by 0 in the input.
        const auto inStrides = stridesOf(cells.shape.dims());
        std::vector<std::int64_t> dims, from;
        for (std::size_t i = 0; i < multiples.size(); ++i) {
            dims.insert(dims.end(), {multiples[i], cells.shape[i]});
            from.insert(from.end(), {0, inStrides[i]});
        }
        copyBox(out, stridesOf(dims), cells.data, from, dims, cells.width);
        return mover.finish();
    };
}

// ---- BroadcastTo and Expand ----

/// BroadcastTo gives exactly `wanted` (-1 keeps a dim); Expand broadcasts both ways.
Result<Shape> expandedShape(const Shape& input, const std::vector<std::int64_t>& wanted, bool isTwoWay)
{
    std::vector<std::int64_t> dims = wanted;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] == -1)
            dims[i] = 1; // keeps the input's dim
        else if (dims[i] < 0)
            return Error::invalid(fmt::format("the wanted shape has the dim {}", dims[i]));
    }
    GELENS_ASSIGN(Shape result, broadcastShapes(input, Shape(dims)));
    if (!isTwoWay && result.hasRank()) {
        if (result.rank() != static_cast<int>(wanted.size()))
            return Error::invalid("the wanted shape has fewer dims than the input");
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (wanted[i] >= 0 && result[i] >= 0 && result[i] != wanted[i])
                return Error::invalid(fmt::format("{} cannot be broadcast to [{}]", input.text(), listText(wanted)));
    }
    return result;
}

InferFunction inferExpand(ListSource source, bool isTwoWay)
{
    return [source, isTwoWay](InferContext& context) -> Status {
        const auto wanted = listOf(context, source);
        const Shape& input = context.shape(0);
        if (!wanted) {
            const int length = lengthOf(context, source.input);
            const bool isKnown = length >= 0 && input.hasRank();
            context.setOutput(0, context.dtype(0),
                              unknownDims(!isKnown   ? -1
                                          : isTwoWay ? std::max(length, input.rank())
                                                     : length));
            return {};
        }
        auto shape = expandedShape(input, *wanted, isTwoWay);
        if (!shape.ok()) return at(context, shape.error());
        GELENS_TRY(checkOutput(context, context.dtype(0), shape.value()));
        context.setOutput(0, context.dtype(0), std::move(shape).value());
        return {};
    };
}

KernelFunction runExpand(ListSource source, bool isTwoWay)
{
    return [source, isTwoWay](KernelContext& context) -> Status {
        GELENS_ASSIGN(const auto wanted, listOf(context, source));
        CellMover mover(context);
        GELENS_ASSIGN(const Cells cells, mover.input(0));
        const auto shape = expandedShape(cells.shape, wanted, isTwoWay);
        if (!shape.ok()) return context.error(shape.error().what);
        GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(0).dtype, shape.value()));
        const auto& dims = shape.value().dims();
        const auto inStrides = stridesOf(cells.shape.dims());
        std::vector<std::int64_t> from(dims.size(), 0);
        const std::size_t shift = dims.size() - inStrides.size();
        for (std::size_t i = 0; i < inStrides.size(); ++i) from[i + shift] = cells.shape[i] == 1 ? 0 : inStrides[i];
        copyBox(out, stridesOf(dims), cells.data, from, dims, cells.width);
        return mover.finish();
    };
}

// ---- Fill ----

Status inferFill(InferContext& context)
{
    const bool isD = context.node().type == "FillD";
    const auto dims = listOf(context, isD ? ListSource{"dims", 0} : ListSource{nullptr, 0});
    const DataType dtype = context.dtype(isD ? 0 : 1);
    if (!dims) {
        context.setOutput(0, dtype, unknownDims(lengthOf(context, 0)));
        return {};
    }
    for (const std::int64_t dim : *dims)
        if (dim < 0) return context.error(fmt::format("the wanted shape has the dim {}", dim));
    GELENS_TRY(checkOutput(context, dtype, Shape(*dims)));
    context.setOutput(0, dtype, Shape(*dims));
    return {};
}

Status runFill(KernelContext& context)
{
    const bool isD = context.opType() == "FillD";
    GELENS_ASSIGN(auto dims, listOf(context, isD ? ListSource{"dims", 0} : ListSource{nullptr, 0}));
    const int valueInput = isD ? 0 : 1;
    CellMover mover(context);
    GELENS_ASSIGN(const Cells value, mover.input(valueInput));
    if (value.count != 1) return context.error(fmt::format("the value has {} elements, expected one", value.count));
    Shape shape(std::move(dims));
    GELENS_ASSIGN(std::byte* const out, mover.output(0, context.input(valueInput).dtype, shape));
    fillCells(out, value.data, shape.elementCount().value_or(0), value.width);
    return mover.finish();
}

OpDef base(const char* type, const char* doc, FusionClass fusionClass, const char* source = cann)
{
    OpDef def(type);
    def.doc(doc)
        .source(source)
        .unit(Unit::Vector)
        .fusionClass(fusionClass)
        .formats(FormatSupport::NdOnly)
        .cost(moving());
    return def;
}

} // namespace

void registerExpandOps(OpRegistry& ops)
{
    const ListSource fromInput{};
    ops.add(base("Tile", "Repeats each dim", FusionClass::Broadcast)
                .input("x")
                .input("multiples")
                .output("y")
                .infer(inferTile(fromInput))
                .kernel(runTile(fromInput)));
    ops.add(base("TileD", "Repeats each dim", FusionClass::Broadcast)
                .input("x")
                .output("y")
                .requiredAttr("multiples")
                .infer(inferTile({"multiples"}))
                .kernel(runTile({"multiples"})));
    ops.add(base("BroadcastTo", "Repeats dims of 1 until the tensor has the wanted shape", FusionClass::Broadcast)
                .input("x")
                .input("shape")
                .output("y")
                .infer(inferExpand(fromInput, false))
                .kernel(runExpand(fromInput, false)));
    ops.add(base("BroadcastToD", "Repeats dims of 1 until the tensor has the wanted shape", FusionClass::Broadcast)
                .input("x")
                .output("y")
                .requiredAttr("shape")
                .infer(inferExpand({"shape"}, false))
                .kernel(runExpand({"shape"}, false)));
    ops.add(base("Expand", "Broadcasts the tensor with the wanted shape, both ways", FusionClass::Broadcast)
                .input("x")
                .input("shape")
                .output("y")
                .infer(inferExpand(fromInput, true))
                .kernel(runExpand(fromInput, true)));
    ops.add(base("ExpandD", "Broadcasts the tensor with the wanted shape, both ways", FusionClass::Broadcast)
                .input("x")
                .output("y")
                .requiredAttr("shape")
                .infer(inferExpand({"shape"}, true))
                .kernel(runExpand({"shape"}, true)));
    ops.add(base("Fill", "A tensor of one value", FusionClass::Broadcast)
                .input("dims")
                .input("value")
                .output("y")
                .hasHostKernel()
                .infer(inferFill)
                .kernel(runFill));
    ops.add(base("FillD", "A tensor of one value", FusionClass::Broadcast)
                .input("value")
                .output("y")
                .requiredAttr("dims")
                .infer(inferFill)
                .kernel(runFill));
}

} // namespace gelens::movement
