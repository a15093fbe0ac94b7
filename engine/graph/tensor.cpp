#include "engine/graph/tensor.h"

#include "engine/graph/element_codec_internal.h"
#include "engine/graph/result.h"

#include <cstring>
#include <limits>

namespace gelens {

TensorDesc TensorDesc::unconnected()
{
    TensorDesc desc;
    desc.dtype = DataType::Undefined;
    desc.format = Format::Reserved;
    desc.originFormat = Format::Reserved;
    desc.shape = Shape{};
    desc.originShape = Shape{};
    return desc;
}

std::optional<std::int64_t> storageBytes(DataType dtype, const Shape& shape)
{
    const std::optional<std::int64_t> count = shape.elementCount();
    const int bits = dataTypeBits(dtype);
    if (!count || bits == 0) return std::nullopt;
    constexpr std::int64_t limit = std::numeric_limits<std::int64_t>::max() - 7;
    if (*count > limit / bits) {
        // Too many bits to count, but whole bytes may still fit.
        if (bits % 8 != 0 || *count > std::numeric_limits<std::int64_t>::max() / (bits / 8)) return std::nullopt;
        return *count * (bits / 8);
    }
    return (*count * bits + 7) / 8;
}

Bytes Bytes::owned(std::vector<std::byte> data)
{
    const auto shared = std::make_shared<const std::vector<std::byte>>(std::move(data));
    return window(shared, shared->data(), shared->size());
}

Bytes Bytes::copyOf(const void* data, std::size_t size)
{
    const auto* const first = static_cast<const std::byte*>(data);
    return size == 0 ? Bytes() : owned(std::vector<std::byte>(first, first + size));
}

Bytes Bytes::window(std::shared_ptr<const void> owner, const std::byte* data, std::size_t size)
{
    Bytes bytes;
    bytes.m_owner = std::move(owner);
    bytes.m_data = data;
    bytes.m_size = size;
    return bytes;
}

bool Tensor::isPresent() const
{
    const std::optional<std::int64_t> count = desc.shape.elementCount();
    if (!count) return false;
    if (desc.dtype == DataType::String) return strings.size() == static_cast<std::size_t>(*count);
    const std::optional<std::int64_t> bytes = storageBytes(desc.dtype, desc.shape);
    return bytes && data.size() >= static_cast<std::size_t>(*bytes);
}

std::optional<std::vector<std::int64_t>> Tensor::asInts(std::size_t limit) const
{
    if (!isInteger(desc.dtype) && desc.dtype != DataType::Bool) return std::nullopt;
    if (!isPresent() || static_cast<std::uint64_t>(elementCount()) > limit) return std::nullopt;
    std::vector<std::int64_t> values(static_cast<std::size_t>(elementCount()));
    if (!detail::decodeInts(desc.dtype, data.data(), values)) return std::nullopt;
    return values;
}

std::optional<std::vector<double>> Tensor::asDoubles(std::size_t limit) const
{
    if (!isInteger(desc.dtype) && !isFloating(desc.dtype) && desc.dtype != DataType::Bool) return std::nullopt;
    if (!isPresent() || static_cast<std::uint64_t>(elementCount()) > limit) return std::nullopt;
    std::vector<double> values(static_cast<std::size_t>(elementCount()));
    if (!detail::decodeDoubles(desc.dtype, data.data(), values)) return std::nullopt;
    return values;
}

namespace {

/// Elements before an axis, each of which holds a row of its own; nothing when a dimension is unknown.
std::optional<std::int64_t> rowsBefore(const Shape& shape, int axis)
{
    std::int64_t rows = 1;
    for (int i = 0; i < axis; ++i) {
        const std::int64_t dim = shape.dim(i);
        if (dim < 0 || (dim > 0 && rows > std::numeric_limits<std::int64_t>::max() / dim)) return std::nullopt;
        rows *= dim;
    }
    return rows;
}

} // namespace

void Tensor::setExternal(std::vector<ExternalPiece> pieces, int axis)
{
    external.reset();
    externalPieces.clear();
    externalAxis = axis;
    if (rowsBefore(desc.shape, axis) == 1)
        for (ExternalPiece& piece : pieces) { // each stretch is one run of bytes: say which
            const std::int64_t step = piece.extent > 0 ? piece.source.length / piece.extent : 0;
            piece.source.offset += piece.first * step;
            piece.source.length = piece.count * step;
            piece.extent = piece.count;
            piece.first = 0;
            ExternalPiece* const last = externalPieces.empty() ? nullptr : &externalPieces.back();
            if (last && last->source.location == piece.source.location &&
                last->source.offset + last->source.length == piece.source.offset) {
                last->source.length += piece.source.length;
                last->extent = last->count += piece.count;
                continue;
            }
            externalPieces.push_back(std::move(piece));
        }
    else
        externalPieces = std::move(pieces);
    const bool isWhole = externalPieces.size() == 1 && externalPieces[0].first == 0 &&
                         externalPieces[0].count == externalPieces[0].extent;
    if (!isWhole) return;
    external = std::move(externalPieces[0].source);
    externalPieces.clear();
    externalAxis = 0;
}

std::optional<std::vector<ExternalPiece>> Tensor::piecesAlong(int axis) const
{
    if (axis < 0 || axis >= desc.shape.rank()) return std::nullopt;
    if (!externalPieces.empty()) return axis == externalAxis ? std::optional(externalPieces) : std::nullopt;
    if (!external) return std::nullopt;
    const std::int64_t extent = desc.shape.dim(axis);
    return std::vector<ExternalPiece>{{*external, extent, 0, extent}};
}

bool Tensor::operator==(const Tensor& other) const
{
    if (!(desc == other.desc) || strings != other.strings || data.size() != other.data.size()) return false;
    if (data.isEmpty())
        return external == other.external && externalPieces == other.externalPieces &&
               (externalPieces.empty() || externalAxis == other.externalAxis); // nothing loaded: same place, same value
    return data.data() == other.data.data() || std::memcmp(data.data(), other.data.data(), data.size()) == 0;
}

Tensor Tensor::fromInts(std::vector<std::int64_t> values, Shape shape, DataType dtype)
{
    GELENS_ASSERT(shape.elementCount() == static_cast<std::int64_t>(values.size()));
    Tensor tensor;
    tensor.desc = TensorDesc(dtype, std::move(shape));
    if (isInteger(dtype) || dtype == DataType::Bool) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(storageBytes(dtype, tensor.desc.shape).value()));
        detail::encodeInts(dtype, values, bytes.data());
        tensor.data = Bytes::owned(std::move(bytes));
        return tensor;
    }
    const std::vector<double> doubles(values.begin(), values.end());
    return fromDoubles(doubles, tensor.desc.shape, dtype);
}

Tensor Tensor::fromDoubles(std::span<const double> values, Shape shape, DataType dtype)
{
    GELENS_ASSERT(shape.elementCount() == static_cast<std::int64_t>(values.size()));
    GELENS_ASSERT(isInteger(dtype) || isFloating(dtype) || dtype == DataType::Bool);
    Tensor tensor;
    tensor.desc = TensorDesc(dtype, std::move(shape));
    std::vector<std::byte> bytes(static_cast<std::size_t>(storageBytes(dtype, tensor.desc.shape).value()));
    detail::encodeDoubles(dtype, values, bytes.data());
    tensor.data = Bytes::owned(std::move(bytes));
    return tensor;
}

} // namespace gelens
