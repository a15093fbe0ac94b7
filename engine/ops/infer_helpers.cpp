#include "engine/ops/infer_helpers.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {

Status sameAsInput(InferContext& context)
{
    context.setOutput(0, context.dtype(0), context.shape(0));
    return {};
}

InferFunction sameShapeAs(DataType dtype)
{
    return [dtype](InferContext& context) -> Status {
        context.setOutput(0, dtype, context.shape(0));
        return {};
    };
}

Error at(const InferContext& context, const Error& error) { return context.error(error.what); }

Status broadcastInputs(InferContext& context)
{
    Shape shape;
    DataType dtype = DataType::Undefined;
    for (int i = 0; i < context.inputCount(); ++i) {
        if (!context.hasInput(i)) continue;
        auto next = broadcastShapes(shape, context.shape(i));
        if (!next.ok()) return at(context, next.error());
        shape = std::move(next).value();
        const DataType other = context.dtype(i);
        if (dtype == DataType::Undefined)
            dtype = other;
        else if (other != DataType::Undefined && other != dtype)
            return context.error(
                fmt::format("input {} is {}, the first is {}", i, dataTypeShortName(other), dataTypeShortName(dtype)));
    }
    context.setOutput(0, dtype, std::move(shape));
    return {};
}

Status broadcastOfTwo(InferContext& context) { return broadcastTo(context.dtype(0))(context); }

InferFunction broadcastTo(DataType dtype)
{
    return [dtype](InferContext& context) -> Status {
        auto shape = broadcastShapes(context.shape(0), context.shape(1));
        if (!shape.ok()) return at(context, shape.error());
        context.setOutput(0, dtype, std::move(shape).value());
        return {};
    };
}

Result<std::vector<int>> normalizeAxes(const std::vector<std::int64_t>& axes, int rank)
{
    std::vector<int> result;
    result.reserve(axes.size());
    for (const std::int64_t axis : axes) {
        const std::optional<int> normal = normalizeAxis(axis, rank);
        if (!normal) return Error::invalid(fmt::format("axis {} does not exist in a tensor of rank {}", axis, rank));
        result.push_back(*normal);
    }
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

Shape reducedShape(const Shape& shape, const std::vector<int>& axes, bool keepDims)
{
    if (!shape.hasRank()) return Shape::unknownRank();
    Shape result;
    for (int i = 0; i < shape.rank(); ++i) {
        const bool isReduced = std::binary_search(axes.begin(), axes.end(), i);
        if (!isReduced)
            result.append(shape.dim(i), shape.symbol(static_cast<std::size_t>(i)));
        else if (keepDims)
            result.append(1);
    }
    return result;
}

} // namespace gelens
