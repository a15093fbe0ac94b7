#pragma once
// C++ types for elements in storage, and dispatch from a DataType to them. For kernels' .cpp files.

#include "engine/graph/data_type.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace gelens {

/// IEEE half in storage. Arithmetic happens in float; each store rounds to nearest even, as the vector unit does.
struct Half {
    std::uint16_t bits;

    Half() = default;
    explicit Half(float value) : bits(encode(value)) {}
    operator float() const
    {
        // The exponent is moved by a multiplication, which normalises subnormals on the way.
        const float magnitude = std::bit_cast<float>(static_cast<std::uint32_t>(bits & 0x7fffu) << 13) * 0x1p112f;
        std::uint32_t word = std::bit_cast<std::uint32_t>(magnitude);
        word |= magnitude >= 65536.0f ? 0x7f800000u : 0u; // exponent 31 means infinity or NaN
        return std::bit_cast<float>(word | static_cast<std::uint32_t>(bits & 0x8000u) << 16);
    }

private:
    static std::uint16_t encode(float value)
    {
        // Signed arithmetic (a magnitude never reaches the sign bit): the plain vector units compare only signed
        // numbers.
        const auto word = std::bit_cast<std::int32_t>(value);
        const std::int32_t magnitude = word & 0x7fffffff;
        // Three candidates and a choice, without branches, so that loops vectorise.
        const float shifted = std::bit_cast<float>(magnitude) + 0.5f; // one unit of 0.5f is a half subnormal's unit
        const std::int32_t subnormal = std::bit_cast<std::int32_t>(shifted) - 0x3f000000;
        const std::int32_t normal = (magnitude - 0x38000000 + 0xfff + ((magnitude >> 13) & 1)) >> 13;
        const std::int32_t special = magnitude > 0x7f800000 ? 0x7e00 : 0x7c00;
        std::int32_t result = magnitude < 0x38800000 ? subnormal : normal;
        result = magnitude >= 0x477ff000 ? special : result;
        return static_cast<std::uint16_t>(result | ((word >> 16) & 0x8000));
    }
};

/// The upper half of a float; arithmetic in float, rounded to nearest even on store.
struct BFloat16 {
    std::uint16_t bits;

    BFloat16() = default;
    explicit BFloat16(float value)
    {
        const auto word = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t rounded = (word + 0x7fffu + ((word >> 16) & 1u)) >> 16;
        const bool isNan = (word & 0x7fffffffu) > 0x7f800000u;
        bits = static_cast<std::uint16_t>(isNan ? (word >> 16) | 0x40u : rounded);
    }
    operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

/// A bool in storage: one byte that a file may have filled with any value, which a C++ bool must not hold.
struct Bool8 {
    std::uint8_t bits;

    Bool8() = default;
    explicit Bool8(bool value) : bits(value ? 1 : 0) {}
    operator bool() const { return bits != 0; }
};

/// 16 bytes, for moving elements that are not computed with.
struct Bytes16 {
    std::uint64_t low, high;
};

template <typename T>
struct TypeTag {
    using Type = T;
};

template <typename T>
inline constexpr bool isFloatType =
    std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

/// Type in which a kernel computes: float for fp16, bf16 and fp32, double for fp64, bool for bool, integers as they
/// are.
template <typename T>
using ComputeType = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float,
                                       std::conditional_t<std::is_same_v<T, Bool8>, bool, T>>;

template <typename T>
ComputeType<T> load(const T& element)
{
    return static_cast<ComputeType<T>>(element);
}

/// Stores a computed value: rounds to nearest even for fp16 and bf16, wraps around for integers.
template <typename T, typename V>
T store(V value)
{
    if constexpr (std::is_same_v<T, Bool8>)
        return Bool8(static_cast<bool>(value));
    else if constexpr (isFloatType<T>)
        return T(static_cast<ComputeType<T>>(value));
    else
        return static_cast<T>(value);
}

/// A float as element of T: integers round to nearest even and saturate, NaN becomes 0; bool is "not zero".
template <typename T, typename V>
T saturateTo(V value)
{
    if constexpr (std::is_same_v<T, Bool8>) {
        return Bool8(value != 0);
    } else if constexpr (std::is_integral_v<T>) {
        if (std::isnan(value)) return 0;
        const V rounded = std::nearbyint(value);
        if (rounded <= static_cast<V>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
        if (rounded >= static_cast<V>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
        return static_cast<T>(rounded);
    } else {
        return T(static_cast<ComputeType<T>>(value));
    }
}

// Dispatch: f(TypeTag<T>{}) for the C++ type of a dtype. False, without a call, when the group does not hold the dtype.

template <typename F>
bool visitFloating(DataType dtype, F&& f)
{
    switch (dtype) {
    case DataType::Float: f(TypeTag<float>{}); return true;
    case DataType::Float16: f(TypeTag<Half>{}); return true;
    case DataType::BFloat16: f(TypeTag<BFloat16>{}); return true;
    case DataType::Double: f(TypeTag<double>{}); return true;
    default: return false;
    }
}

template <typename F>
bool visitInteger(DataType dtype, F&& f)
{
    switch (dtype) {
    case DataType::Int8: f(TypeTag<std::int8_t>{}); return true;
    case DataType::Int16: f(TypeTag<std::int16_t>{}); return true;
    case DataType::Int32: f(TypeTag<std::int32_t>{}); return true;
    case DataType::Int64: f(TypeTag<std::int64_t>{}); return true;
    case DataType::UInt8: f(TypeTag<std::uint8_t>{}); return true;
    case DataType::UInt16: f(TypeTag<std::uint16_t>{}); return true;
    case DataType::UInt32: f(TypeTag<std::uint32_t>{}); return true;
    case DataType::UInt64: f(TypeTag<std::uint64_t>{}); return true;
    default: return false;
    }
}

/// Floating types and integers of whole bytes.
template <typename F>
bool visitArithmetic(DataType dtype, F&& f)
{
    return visitFloating(dtype, f) || visitInteger(dtype, f);
}

/// The same and bool.
template <typename F>
bool visitNumeric(DataType dtype, F&& f)
{
    if (dtype == DataType::Bool) {
        f(TypeTag<Bool8>{});
        return true;
    }
    return visitArithmetic(dtype, f);
}

/// An unsigned type of the element's size (1, 2, 4, 8 or 16 bytes), to move elements of any type.
/// False for strings and for types of less than a byte.
template <typename F>
bool visitBySize(DataType dtype, F&& f)
{
    switch (dataTypeBits(dtype)) {
    case 8: f(TypeTag<std::uint8_t>{}); return true;
    case 16: f(TypeTag<std::uint16_t>{}); return true;
    case 32: f(TypeTag<std::uint32_t>{}); return true;
    case 64: f(TypeTag<std::uint64_t>{}); return true;
    case 128: f(TypeTag<Bytes16>{}); return true;
    default: return false;
    }
}

} // namespace gelens
