#pragma once
// Typed windows into memory that kernels read and write.

#include "engine/graph/tensor.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gelens {

struct HostTensor;

/// A tensor somewhere in memory: heap, mapped file or device arena. Dense, row-major over `shape`, little-endian,
/// in the storage type (fp16 and bf16 as 16-bit patterns, bool as one byte, int4 two to a byte with the low nibble first).
/// Strings live in `strings`, `data` is null then. Kernels always see the logical (ND) layout, except TransData.
struct TensorView {
    DataType dtype = DataType::Undefined;
    Shape shape;
    const std::byte* data = nullptr;
    const std::vector<std::string>* strings = nullptr;
    /// The tensors of an ONNX sequence (dtype Resource, `data` is null then).
    const std::vector<HostTensor>* sequence = nullptr;
    TensorFormat format; ///< storage format; private formats reach only kernels that say they take them
    /// Logical shape and axis order of a tensor in a private format, which its padded storage shape does not tell. To kernels
    /// that think in logical layouts the axis order is the one that the node's own slot declares.
    Shape originShape = Shape::unknownRank();
    Format originFormat = Format::ND;
    /// The constant that the tensor is, while the view lives; null for what a run computed.
    const Bytes* constant = nullptr;

    bool isPresent() const { return dtype != DataType::Undefined; }
    std::int64_t elementCount() const { return shape.elementCount().value_or(0); }
    template <typename T>
    std::span<const T> as() const
    {
        return {reinterpret_cast<const T*>(data), static_cast<std::size_t>(elementCount())};
    }
};

/// A tensor with memory of its own. Cheap to move; copies share the bytes, which are immutable once a kernel has
/// finished writing them.
struct HostTensor {
    DataType dtype = DataType::Undefined;
    Shape shape;
    std::shared_ptr<std::vector<std::byte>> bytes;
    std::shared_ptr<std::vector<std::string>> strings;
    /// The tensors of a sequence; dtype is Resource then. An optional without a value is a Variant with none.
    std::shared_ptr<std::vector<HostTensor>> sequence;
    /// Keeps foreign memory alive when `external` is used instead of `bytes` (a constant in a mapped file).
    Bytes external;

    TensorView view() const;
    bool isPresent() const { return dtype != DataType::Undefined; }
    static HostTensor zeros(DataType dtype, const Shape& shape);
    static HostTensor fromConstant(const Tensor& tensor); ///< shares the bytes
    Tensor toConstant() const;
};

} // namespace gelens
