#include "engine/ops/movement_helpers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace gelens::movement {
namespace {

bool isNibbleType(DataType dtype) { return dataTypeBits(dtype) == 4; }

constexpr std::int64_t stringCellBytes = 8;
constexpr std::int64_t stringHostBytes = 32; // what a std::string itself takes, for the size limit

struct Axis {
    std::int64_t dim, to, from; // strides in bytes
};

/// Drops dims of one cell and merges neighbours that both sides step over alike.
std::vector<Axis> coalesce(std::span<const std::int64_t> toStrides, std::span<const std::int64_t> fromStrides,
                           std::span<const std::int64_t> dims, std::int64_t width)
{
    std::vector<Axis> axes;
    for (std::size_t i = 0; i < dims.size(); ++i) {
        if (dims[i] == 1) continue;
        const Axis axis{dims[i], toStrides[i] * width, fromStrides[i] * width};
        if (!axes.empty() && axes.back().to == axis.to * axis.dim && axes.back().from == axis.from * axis.dim)
            axes.back() = {axes.back().dim * axis.dim, axis.to, axis.from};
        else
            axes.push_back(axis);
    }
    return axes;
}

template <typename T>
void copyLine(std::byte* to, std::int64_t toStep, const std::byte* from, std::int64_t fromStep, std::int64_t count)
{
    for (std::int64_t i = 0; i < count; ++i, to += toStep, from += fromStep) {
        T cell;
        std::memcpy(&cell, from, sizeof(T));
        std::memcpy(to, &cell, sizeof(T));
    }
}

struct Wide {
    std::uint64_t low, high;
};

void copyLineAny(std::byte* to, std::int64_t toStep, const std::byte* from, std::int64_t fromStep, std::int64_t count,
                 std::int64_t width)
{
    switch (width) {
    case 1: return copyLine<std::uint8_t>(to, toStep, from, fromStep, count);
    case 2: return copyLine<std::uint16_t>(to, toStep, from, fromStep, count);
    case 4: return copyLine<std::uint32_t>(to, toStep, from, fromStep, count);
    case 8: return copyLine<std::uint64_t>(to, toStep, from, fromStep, count);
    case 16: return copyLine<Wide>(to, toStep, from, fromStep, count);
    default:
        for (std::int64_t i = 0; i < count; ++i, to += toStep, from += fromStep)
            std::memcpy(to, from, static_cast<std::size_t>(width));
    }
}

/// A plane whose rows are contiguous on one side and whose columns are on the other: tiles keep both in the cache.
void copyPlane(std::byte* to, const std::byte* from, const Axis& outer, const Axis& inner, std::int64_t width)
{
    constexpr std::int64_t tile = 32;
    for (std::int64_t a = 0; a < outer.dim; a += tile) {
        const std::int64_t endA = std::min(outer.dim, a + tile);
        for (std::int64_t b = 0; b < inner.dim; b += tile) {
            const std::int64_t count = std::min(inner.dim - b, tile);
            for (std::int64_t i = a; i < endA; ++i)
                copyLineAny(to + i * outer.to + b * inner.to, inner.to, from + i * outer.from + b * inner.from,
                            inner.from, count, width);
        }
    }
}

} // namespace

Result<std::int64_t> checkedElements(DataType dtype, const Shape& shape)
{
    for (const std::int64_t dim : shape.dims())
        if (dim < 0) return Error::invalid(fmt::format("the result would have the shape {}", shape.text()));
    const std::optional<std::int64_t> count = shape.elementCount();
    const std::int64_t bits = dtype == DataType::String ? stringHostBytes * 8 : std::max(1, dataTypeBits(dtype));
    if (!count || *count > maxOutputBytes * 8 / bits)
        return Error::limit(fmt::format("the result of shape {} would be larger than 2 GiB", shape.text()));
    return *count;
}

Status checkOutput(const KernelContext& context, DataType dtype, const Shape& shape)
{
    const auto count = checkedElements(dtype, shape);
    if (count.ok()) return {};
    Error error = context.error(count.error().what);
    error.code = count.error().code;
    return error;
}

Status checkOutput(const InferContext& context, DataType dtype, const Shape& shape)
{
    if (!shape.hasRank()) return {};
    Shape known;
    for (const std::int64_t dim : shape.dims()) known.append(dim == unknownDim ? 1 : dim);
    const bool isEmpty = std::find(known.dims().begin(), known.dims().end(), 0) != known.dims().end();
    if (isEmpty) return {};
    const auto count = checkedElements(dtype, known);
    if (count.ok()) return {};
    Error error = context.error(count.error().what);
    error.code = count.error().code;
    return error;
}

std::int64_t cellWidth(DataType dtype)
{
    if (dtype == DataType::String) return stringCellBytes;
    return std::max(1, dataTypeBits(dtype) / 8);
}

Result<Cells> CellMover::input(int i)
{
    const TensorView& view = m_context.input(i);
    if (!view.isPresent()) return m_context.error(fmt::format("input {} is missing", i));
    Cells cells{view.data, view.shape, cellWidth(view.dtype), view.elementCount()};
    if (view.sequence) return m_context.error(fmt::format("input {} is a sequence, not a tensor", i));
    if (view.dtype == DataType::String) {
        std::vector<std::byte> numbers(static_cast<std::size_t>(cells.count * stringCellBytes));
        for (std::int64_t k = 0; k < cells.count; ++k) {
            m_pool.push_back(&(*view.strings)[static_cast<std::size_t>(k)]);
            const std::uint64_t number = m_pool.size();
            std::memcpy(numbers.data() + k * stringCellBytes, &number, sizeof number);
        }
        m_unpacked.push_back(std::move(numbers));
        cells.data = m_unpacked.back().data();
    } else if (isNibbleType(view.dtype)) {
        std::vector<std::byte> wide(static_cast<std::size_t>(cells.count));
        for (std::size_t k = 0; k < wide.size(); ++k) wide[k] = (view.data[k / 2] >> (k % 2 * 4)) & std::byte{0x0F};
        m_unpacked.push_back(std::move(wide));
        cells.data = m_unpacked.back().data();
    } else if (dataTypeBits(view.dtype) % 8 != 0 || dataTypeBits(view.dtype) == 0) {
        return m_context.error(fmt::format("elements of type {} cannot be moved", dataTypeShortName(view.dtype)));
    }
    return cells;
}

Result<std::byte*> CellMover::output(int i, DataType dtype, const Shape& shape, bool zeroed)
{
    GELENS_TRY(checkOutput(m_context, dtype, shape));
    const std::int64_t count = shape.elementCount().value_or(0);
    if (dtype != DataType::String) {
        GELENS_ASSIGN(std::byte* const data, m_context.output(i, dtype, shape));
        if (!isNibbleType(dtype)) {
            if (zeroed) std::memset(data, 0, static_cast<std::size_t>(count * cellWidth(dtype)));
            return data;
        }
        m_pending.push_back({i, dtype, shape, std::vector<std::byte>(static_cast<std::size_t>(count)), data});
        return m_pending.back().cells.data();
    }
    std::vector<std::byte> cells(static_cast<std::size_t>(count * stringCellBytes));
    m_pending.push_back({i, dtype, shape, std::move(cells), nullptr});
    return m_pending.back().cells.data();
}

Status CellMover::finish()
{
    for (Pending& pending : m_pending) {
        const auto count = static_cast<std::size_t>(pending.shape.elementCount().value_or(0));
        if (pending.dtype != DataType::String) {
            for (std::size_t k = 0; k < count; k += 2) {
                const std::byte high = k + 1 < count ? pending.cells[k + 1] << 4 : std::byte{0};
                pending.target[k / 2] = (pending.cells[k] & std::byte{0x0F}) | high;
            }
            continue;
        }
        std::vector<std::string> values(count);
        for (std::size_t k = 0; k < count; ++k) {
            std::uint64_t number = 0;
            std::memcpy(&number, pending.cells.data() + k * stringCellBytes, sizeof number);
            if (number > 0) values[k] = *m_pool[static_cast<std::size_t>(number - 1)];
        }
        m_context.setStrings(pending.index, pending.shape, std::move(values));
    }
    m_pending.clear();
    return {};
}

void copyBox(std::byte* to, std::span<const std::int64_t> toStrides, const std::byte* from,
             std::span<const std::int64_t> fromStrides, std::span<const std::int64_t> dims, std::int64_t width)
{
    for (const std::int64_t dim : dims)
        if (dim <= 0) return;
    std::vector<Axis> axes = coalesce(toStrides, fromStrides, dims, width);
    // A contiguous innermost part is one cell of a larger size.
    std::int64_t run = width;
    if (!axes.empty() && axes.back().to == width && axes.back().from == width) {
        run = axes.back().dim * width;
        axes.pop_back();
    }
    if (axes.empty()) {
        std::memcpy(to, from, static_cast<std::size_t>(run));
        return;
    }
    const bool isPlane = run == width && axes.size() >= 2 && axes.back().to == width &&
                         axes[axes.size() - 2].from == width && axes.back().dim > 8 && axes[axes.size() - 2].dim > 8;
    const std::size_t outer = axes.size() - (isPlane ? 2 : 1);
    std::vector<std::int64_t> index(outer, 0);
    while (true) {
        if (isPlane)
            copyPlane(to, from, axes[outer], axes[outer + 1], width);
        else
            copyLineAny(to, axes.back().to, from, axes.back().from, axes.back().dim, run);
        std::size_t d = outer;
        while (d > 0) {
            --d;
            to += axes[d].to;
            from += axes[d].from;
            if (++index[d] < axes[d].dim) break;
            to -= axes[d].to * axes[d].dim;
            from -= axes[d].from * axes[d].dim;
            index[d] = 0;
            if (d == 0) return;
        }
        if (outer == 0) return;
    }
}

void fillCells(std::byte* to, const std::byte* value, std::int64_t count, std::int64_t width)
{
    const bool isUniform = std::all_of(value, value + width, [&](std::byte b) { return b == *value; });
    if (isUniform) {
        std::memset(to, std::to_integer<int>(*value), static_cast<std::size_t>(count * width));
        return;
    }
    copyLineAny(to, width, value, 0, count, width);
}

std::vector<std::int64_t> stridesOf(std::span<const std::int64_t> dims)
{
    std::vector<std::int64_t> strides(dims.size(), 1);
    for (std::size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * std::max<std::int64_t>(1, dims[i]);
    return strides;
}

std::int64_t product(std::span<const std::int64_t> dims, std::size_t begin, std::size_t end)
{
    std::int64_t result = 1;
    for (std::size_t i = begin; i < end; ++i) result *= dims[i];
    return result;
}

Status passThrough(KernelContext& context, int in, int out, const Shape& shape)
{
    const TensorView& view = context.input(in);
    if (!view.isPresent()) return context.error(fmt::format("input {} is missing", in));
    if (view.sequence) {
        context.setSequence(out, *view.sequence, view.dtype);
        return {};
    }
    if (view.dtype == DataType::String) {
        context.setStrings(out, shape, *view.strings);
        return {};
    }
    GELENS_ASSIGN(std::byte* const data, context.output(out, view.dtype, shape));
    const auto bytes = static_cast<std::size_t>(storageBytes(view.dtype, shape).value_or(0));
    if (bytes > 0 && data != view.data) std::memmove(data, view.data, bytes);
    return {};
}

Status writeOutput(KernelContext& context, int out, const HostTensor& tensor)
{
    const TensorView view = tensor.view();
    if (view.sequence) {
        context.setSequence(out, *view.sequence, view.dtype);
        return {};
    }
    if (view.dtype == DataType::String) {
        context.setStrings(out, view.shape, *view.strings);
        return {};
    }
    GELENS_TRY(checkOutput(context, view.dtype, view.shape));
    GELENS_ASSIGN(std::byte* const data, context.output(out, view.dtype, view.shape));
    const auto bytes = static_cast<std::size_t>(storageBytes(view.dtype, view.shape).value_or(0));
    if (bytes > 0) std::memcpy(data, view.data, bytes);
    return {};
}

HostTensor windowOf(const TensorView& view)
{
    HostTensor tensor;
    tensor.dtype = view.dtype;
    tensor.shape = view.shape;
    if (view.sequence) {
        tensor.sequence = std::make_shared<std::vector<HostTensor>>(*view.sequence);
    } else if (view.dtype == DataType::String) {
        tensor.strings = std::make_shared<std::vector<std::string>>(*view.strings);
    } else if (view.isPresent()) {
        const auto bytes = static_cast<std::size_t>(storageBytes(view.dtype, view.shape).value_or(0));
        tensor.external = Bytes::window(nullptr, view.data, bytes);
    }
    return tensor;
}

HostTensor ownedCopy(const HostTensor& tensor)
{
    const bool hasOwnMemory = tensor.bytes || tensor.strings || tensor.sequence || !tensor.isPresent();
    if (hasOwnMemory) return tensor;
    HostTensor copy = HostTensor::zeros(tensor.dtype, tensor.shape);
    const TensorView from = tensor.view();
    if (!copy.bytes->empty()) std::memcpy(copy.bytes->data(), from.data, copy.bytes->size());
    return copy;
}

Result<int> axisOf(const InferContext& context, std::int64_t axis, int rank)
{
    const std::optional<int> normal = normalizeAxis(axis, rank);
    if (!normal) return context.error(fmt::format("axis {} does not exist in a tensor of rank {}", axis, rank));
    return *normal;
}

Result<int> axisOf(const KernelContext& context, std::int64_t axis, int rank)
{
    const std::optional<int> normal = normalizeAxis(axis, rank);
    if (!normal) return context.error(fmt::format("axis {} does not exist in a tensor of rank {}", axis, rank));
    return *normal;
}

Result<std::int64_t> scalarInt(const KernelContext& context, int input)
{
    GELENS_ASSIGN(const std::vector<std::int64_t> values, looseInts(context, input));
    if (values.size() != 1)
        return context.error(fmt::format("input {} has {} values, expected one", input, values.size()));
    return values[0];
}

std::optional<std::int64_t> constantInt(const InferContext& context, int input)
{
    const Tensor* const value = context.constant(input);
    if (!value) return std::nullopt;
    if (const auto ints = value->asInts(1); ints && ints->size() == 1) return ints->front();
    const auto numbers = value->asDoubles(1);
    if (numbers && numbers->size() == 1 && std::abs(numbers->front()) < 9e15)
        return static_cast<std::int64_t>(numbers->front());
    return std::nullopt;
}

Result<std::vector<std::int64_t>> looseInts(const KernelContext& context, int input)
{
    const TensorView& view = context.input(input);
    if (!isFloating(view.dtype)) return context.ints(input);
    GELENS_ASSIGN(const std::vector<double> values, context.doubles(input));
    std::vector<std::int64_t> ints;
    ints.reserve(values.size());
    for (const double value : values) {
        if (!(std::abs(value) < 9e15))
            return context.error(fmt::format("input {} holds {}, not an integer", input, value));
        ints.push_back(static_cast<std::int64_t>(value));
    }
    return ints;
}

std::string listText(std::span<const std::int64_t> values)
{
    std::string text;
    for (std::size_t i = 0; i < values.size() && i < 16; ++i) {
        if (i > 0) text += ", ";
        text += std::to_string(values[i]);
    }
    return values.size() > 16 ? text + ", …" : text;
}

Shape unknownDims(int rank)
{
    if (rank < 0) return Shape::unknownRank();
    return Shape(std::vector<std::int64_t>(static_cast<std::size_t>(rank), unknownDim));
}

void appendDim(Shape& to, const Shape& from, int i)
{
    to.append(from.dim(i), from.symbol(static_cast<std::size_t>(i)));
}

} // namespace gelens::movement
