#pragma once
// Descriptors of tensors and the constants that nodes carry.

#include "engine/graph/attribute.h"
#include "engine/graph/data_type.h"
#include "engine/graph/format.h"
#include "engine/graph/shape.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gelens {

/// What an input or output slot of a node holds. `shape` and `format` describe storage, `originShape` and
/// `originFormat` the model's meaning; they differ only for private formats.
struct TensorDesc {
    std::string name; ///< optional; a dump or an OM may carry one
    DataType dtype = DataType::Undefined;
    TensorFormat format;
    Shape shape = Shape::unknownRank();
    TensorFormat originFormat;
    Shape originShape = Shape::unknownRank();
    /// Bytes reserved for the tensor, padded as GE does; 0 while not calculated. Unit: bytes.
    std::int64_t reservedBytes = 0;
    /// What GE files carry beyond that (memory flags, ranges, `_datadump_origin_*` …).
    AttrMap attrs;

    TensorDesc() = default;
    /// A tensor in its model layout: storage and origin agree.
    TensorDesc(DataType type, Shape dims, TensorFormat layout = Format::ND)
        : dtype(type), format(layout), shape(dims), originFormat(layout), originShape(std::move(dims))
    {
    }
    /// Sets storage and origin shape together.
    void setShape(const Shape& dims)
    {
        shape = dims;
        originShape = dims;
    }
    /// An optional input that is not connected: GE writes DT_UNDEFINED and FORMAT_RESERVED.
    static TensorDesc unconnected();

    bool operator==(const TensorDesc& other) const = default;
};

/// Bytes of `shape` × `dtype`, sub-byte types rounded up for the whole tensor.
/// Nothing when a dim is unknown, the type has no size, or the product overflows.
std::optional<std::int64_t> storageBytes(DataType dtype, const Shape& shape);

/// Immutable bytes, shared between all graphs and steps: owned, or a window into a mapped file that `owner` keeps open.
class Bytes {
public:
    Bytes() = default;
    static Bytes owned(std::vector<std::byte> data);
    static Bytes copyOf(const void* data, std::size_t size);
    static Bytes window(std::shared_ptr<const void> owner, const std::byte* data, std::size_t size);

    std::span<const std::byte> span() const { return {m_data, m_size}; }
    const std::byte* data() const { return m_data; }
    std::size_t size() const { return m_size; }
    bool isEmpty() const { return m_size == 0; }

private:
    std::shared_ptr<const void> m_owner;
    const std::byte* m_data = nullptr;
    std::size_t m_size = 0;
};

/// Where the bytes of a constant lie when they are not part of the model file.
struct ExternalData {
    std::string location; ///< as written in the model, relative to its folder
    std::int64_t offset = 0;
    std::int64_t length = 0; ///< bytes
    bool operator==(const ExternalData&) const = default;
};

/// A stretch of a tensor that lies elsewhere, where a pass joined or cut absent constants along one axis.
struct ExternalPiece {
    ExternalData source;     ///< the whole tensor it is a stretch of
    std::int64_t extent = 0; ///< of that tensor along the axis
    std::int64_t first = 0;  ///< the stretch begins here …
    std::int64_t count = 0;  ///< … and is so long
    bool operator==(const ExternalPiece&) const = default;
};

/// A constant. `data` is little-endian and row-major; strings live in `strings` instead.
/// `isPresent()` is false when the bytes are declared elsewhere and could not be read: shapes and types hold, values do not.
struct Tensor {
    TensorDesc desc;
    Bytes data;
    std::vector<std::string> strings;
    std::optional<ExternalData> external;
    /// In place of `external`: pieces that follow each other along `externalAxis`, whose bytes lie in no one place.
    std::vector<ExternalPiece> externalPieces;
    int externalAxis = 0;

    bool isPresent() const;
    std::int64_t elementCount() const { return desc.shape.elementCount().value_or(0); }
    /// Elements as int64 when the tensor is present and of an integer or bool type of at most `limit` elements.
    std::optional<std::vector<std::int64_t>> asInts(std::size_t limit = 1u << 16) const;
    /// Elements as double, for integer, bool and floating types.
    std::optional<std::vector<double>> asDoubles(std::size_t limit = 1u << 16) const;

    /// Says where the bytes lie: as one place where the pieces are one stretch of one file, else as pieces.
    void setExternal(std::vector<ExternalPiece> pieces, int axis);
    /// The other way round: this tensor, not present, as pieces along an axis; nothing where that cannot be said.
    std::optional<std::vector<ExternalPiece>> piecesAlong(int axis) const;

    bool operator==(const Tensor& other) const; // same descriptor and same bytes

    static Tensor fromInts(std::vector<std::int64_t> values, Shape shape, DataType dtype = DataType::Int64);
    static Tensor fromDoubles(std::span<const double> values, Shape shape, DataType dtype = DataType::Float);
};

/// Conversions of one element between storage types (round to nearest even; NaN stays NaN).
std::uint16_t floatToHalf(float value);
float halfToFloat(std::uint16_t bits);
std::uint16_t floatToBFloat16(float value);
float bFloat16ToFloat(std::uint16_t bits);

} // namespace gelens
