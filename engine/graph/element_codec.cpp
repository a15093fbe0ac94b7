#include "engine/graph/element_codec_internal.h"

#include "engine/graph/result.h"
#include "engine/graph/tensor.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace gelens {

std::uint16_t floatToHalf(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) // NaN: keep the upper payload, force it quiet
        return static_cast<std::uint16_t>(sign | 0x7e00u | ((magnitude >> 13) & 0x3ffu));
    if (magnitude >= 0x477ff000u) // from 65520 on everything rounds to infinity
        return static_cast<std::uint16_t>(sign | 0x7c00u);
    if (magnitude < 0x38800000u) {                // below 2^-14: a subnormal, in units of 2^-24
        if (magnitude < 0x33000000u) return sign; // below 2^-25 rounds to zero
        const std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
        const std::uint32_t shift = 126u - (magnitude >> 23);
        const std::uint32_t half = 1u << (shift - 1);
        const std::uint32_t rest = mantissa & ((1u << shift) - 1);
        std::uint32_t result = mantissa >> shift;
        if (rest > half || (rest == half && (result & 1u))) ++result; // may carry into the smallest normal: right
        return static_cast<std::uint16_t>(sign | result);
    }
    const std::uint32_t rebiased = magnitude - 0x38000000u;
    const std::uint32_t rounded = rebiased + 0xfffu + ((rebiased >> 13) & 1u);
    return static_cast<std::uint16_t>(sign | (rounded >> 13));
}

float halfToFloat(std::uint16_t bits)
{
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    const std::uint32_t exponent = (bits >> 10) & 0x1fu;
    const std::uint32_t mantissa = bits & 0x3ffu;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
    }
    if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
    return std::bit_cast<float>(sign | ((exponent + 112u) << 23) | (mantissa << 13));
}

std::uint16_t floatToBFloat16(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u); // quiet NaN
    return static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

float bFloat16ToFloat(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

namespace detail {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Sign, exponent and mantissa fields with a bias, as in IEEE 754, special values left to the caller.
double decodeFields(unsigned bits, int exponentBits, int mantissaBits, int bias)
{
    const unsigned mantissa = bits & ((1u << mantissaBits) - 1);
    const int exponent = static_cast<int>((bits >> mantissaBits) & ((1u << exponentBits) - 1));
    const double magnitude = exponent == 0
                                 ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                                 : std::ldexp(mantissa + (1u << mantissaBits), exponent - bias - mantissaBits);
    return (bits >> (mantissaBits + exponentBits)) & 1u ? -magnitude : magnitude;
}

/// Ascend's HiFloat8: after the sign a prefix code tells how many exponent bits follow, so that precision tapers off
/// towards large exponents. Source: "Ascend HiFloat8 Format for Deep Learning", table 1.
double decodeHiFloat8(unsigned bits)
{
    if (bits == 0x80) return nan;
    const double sign = bits & 0x80u ? -1.0 : 1.0;
    const unsigned rest = bits & 0x7fu;
    if (rest == 0x6f) return sign * infinity;
    int exponentBits = 0;
    int left = 0; // bits after the prefix
    if (rest >= 0x60) {
        exponentBits = 4;
        left = 5;
    } else if (rest >= 0x40) {
        exponentBits = 3;
        left = 5;
    } else if (rest >= 0x20) {
        exponentBits = 2;
        left = 5;
    } else if (rest >= 0x10) {
        exponentBits = 1;
        left = 4;
    } else if (rest >= 0x08) {
        exponentBits = 0;
        left = 3;
    } else {
        return rest == 0 ? 0.0 : sign * std::ldexp(1.0, static_cast<int>(rest) - 23);
    }
    const int mantissaBits = left - exponentBits;
    const unsigned mantissa = rest & ((1u << mantissaBits) - 1);
    const unsigned field = (rest >> mantissaBits) & ((1u << exponentBits) - 1);
    int exponent = 0;
    if (exponentBits > 0) { // sign and magnitude; the magnitude's leading one is implied
        const unsigned leading = 1u << (exponentBits - 1);
        exponent = static_cast<int>(leading | (field & (leading - 1)));
        if (field & leading) exponent = -exponent;
    }
    return sign * std::ldexp(mantissa + (1u << mantissaBits), exponent - mantissaBits);
}

std::array<double, 256> makeTable(DataType dtype)
{
    std::array<double, 256> table{};
    for (unsigned bits = 0; bits < table.size(); ++bits) table[bits] = decodeSmallFloat(dtype, bits);
    return table;
}

template <typename T>
T load(const std::byte* data, std::size_t index)
{
    T value;
    std::memcpy(&value, data + index * sizeof(T), sizeof(T));
    return value;
}

template <typename T>
void store(std::byte* data, std::size_t index, T value)
{
    std::memcpy(data + index * sizeof(T), &value, sizeof(T));
}

/// Element `index` of a type of `width` = 1, 2 or 4 bits; the first element lies in the low bits.
unsigned loadPacked(const std::byte* data, std::size_t index, unsigned width)
{
    const std::size_t perByte = 8 / width;
    const auto byte = std::to_integer<unsigned>(data[index / perByte]);
    return (byte >> (index % perByte * width)) & ((1u << width) - 1);
}

void storePacked(std::byte* data, std::size_t index, unsigned width, unsigned value)
{
    const std::size_t perByte = 8 / width;
    data[index / perByte] |= static_cast<std::byte>((value & ((1u << width) - 1)) << (index % perByte * width));
}

std::int64_t signExtend(unsigned value, unsigned width)
{
    const unsigned signBit = 1u << (width - 1);
    return static_cast<std::int64_t>(value ^ signBit) - static_cast<std::int64_t>(signBit);
}

/// Calls f with a value of the C++ type that holds the integer type; false for packed and other types.
template <typename F>
bool withIntegerType(DataType dtype, F&& f)
{
    switch (dtype) {
    case DataType::Int8: f(std::int8_t{}); return true;
    case DataType::UInt8: f(std::uint8_t{}); return true;
    case DataType::Int16: f(std::int16_t{}); return true;
    case DataType::UInt16: f(std::uint16_t{}); return true;
    case DataType::Int32: f(std::int32_t{}); return true;
    case DataType::UInt32: f(std::uint32_t{}); return true;
    case DataType::Int64: f(std::int64_t{}); return true;
    case DataType::UInt64: f(std::uint64_t{}); return true;
    default: return false;
    }
}

template <typename T>
T saturate(double value)
{
    if (std::isnan(value)) return 0;
    const double rounded = std::nearbyint(value);
    if (rounded <= static_cast<double>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
    if (rounded >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
    return static_cast<T>(rounded);
}

/// double → half in one rounding; through float it could round twice.
std::uint16_t doubleToHalf(double value)
{
    const float nearest = static_cast<float>(value);
    if (!std::isfinite(value) || static_cast<double>(nearest) == value) return floatToHalf(nearest);
    // Round to odd: an inexact float with its last bit set cannot fall on a tie of the narrower type.
    auto bits = std::bit_cast<std::uint32_t>(nearest);
    if (std::fabs(static_cast<double>(nearest)) > std::fabs(value)) --bits; // truncate
    return floatToHalf(std::bit_cast<float>(bits | 1u));
}

std::uint16_t doubleToBFloat16(double value)
{
    const float nearest = static_cast<float>(value);
    if (!std::isfinite(value) || static_cast<double>(nearest) == value) return floatToBFloat16(nearest);
    auto bits = std::bit_cast<std::uint32_t>(nearest);
    if (std::fabs(static_cast<double>(nearest)) > std::fabs(value)) --bits;
    return floatToBFloat16(std::bit_cast<float>(bits | 1u));
}

} // namespace

double decodeSmallFloat(DataType dtype, unsigned bits)
{
    switch (dtype) {
    case DataType::Float8E4M3FN: return (bits & 0x7fu) == 0x7f ? nan : decodeFields(bits, 4, 3, 7);
    case DataType::Float8E4M3FNUZ: return bits == 0x80 ? nan : decodeFields(bits, 4, 3, 8);
    case DataType::Float8E5M2FNUZ: return bits == 0x80 ? nan : decodeFields(bits, 5, 2, 16);
    case DataType::Float8E5M2:
        if ((bits & 0x7fu) > 0x7c) return nan;
        if ((bits & 0x7fu) == 0x7c) return bits & 0x80u ? -infinity : infinity;
        return decodeFields(bits, 5, 2, 15);
    case DataType::Float8E8M0: return bits == 0xff ? nan : std::ldexp(1.0, static_cast<int>(bits) - 127);
    case DataType::Float4E2M1: return decodeFields(bits & 0xfu, 2, 1, 1);
    case DataType::HiFloat8: return decodeHiFloat8(bits & 0xffu);
    default: return nan;
    }
}

unsigned encodeSmallFloat(DataType dtype, double value)
{
    // At most 256 codes: the nearest one is found by looking, which is the same for every such format. Not for kernels.
    const unsigned count = 1u << dataTypeBits(dtype);
    const bool hasNoSign = dtype == DataType::Float8E8M0;
    const unsigned signBit = hasNoSign ? 0u : count >> 1;
    const bool isNegative = std::signbit(value);
    unsigned best = count;
    double bestError = infinity;
    unsigned largest = 0;
    for (unsigned bits = 0; bits < (hasNoSign ? count : signBit); ++bits) {
        const double candidate = decodeSmallFloat(dtype, bits);
        if (std::isnan(candidate)) continue;
        if (std::isinf(candidate)) {
            if (std::isinf(value)) return bits | (isNegative ? signBit : 0u);
            continue; // finite values saturate
        }
        if (candidate >= decodeSmallFloat(dtype, largest)) largest = bits;
        const double error = std::fabs(candidate - std::fabs(value));
        if (error < bestError || (error == bestError && (bits & 1u) == 0)) {
            bestError = error;
            best = bits;
        }
    }
    if (std::isnan(value)) {
        for (unsigned bits = 0; bits < count; ++bits)
            if (std::isnan(decodeSmallFloat(dtype, bits))) return bits;
        return 0; // a format without NaN
    }
    if (std::isinf(value)) best = largest;
    if (hasNoSign) return isNegative ? 0u : best; // the smallest power of two is the nearest to a negative number
    const unsigned code = best | (isNegative ? signBit : 0u);
    return std::isnan(decodeSmallFloat(dtype, code)) ? best : code; // formats without a negative zero
}

bool decodeInts(DataType dtype, const std::byte* data, std::span<std::int64_t> values)
{
    bool fits = true;
    const bool isWhole = withIntegerType(dtype, [&]<typename T>(T) {
        for (std::size_t i = 0; i < values.size(); ++i) {
            const T value = load<T>(data, i);
            if constexpr (std::is_same_v<T, std::uint64_t>)
                fits = fits && value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
            values[i] = static_cast<std::int64_t>(value);
        }
    });
    if (isWhole) return fits;
    if (dtype == DataType::Bool) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = data[i] != std::byte{0} ? 1 : 0;
        return true;
    }
    if (!isInteger(dtype)) return false;
    const auto width = static_cast<unsigned>(dataTypeBits(dtype));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const unsigned value = loadPacked(data, i, width);
        values[i] = isSignedInteger(dtype) ? signExtend(value, width) : static_cast<std::int64_t>(value);
    }
    return true;
}

bool decodeDoubles(DataType dtype, const std::byte* data, std::span<double> values)
{
    const bool isWhole = withIntegerType(dtype, [&]<typename T>(T) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(load<T>(data, i));
    });
    if (isWhole) return true;
    if (isInteger(dtype) || dtype == DataType::Bool) {
        std::vector<std::int64_t> ints(values.size());
        if (!decodeInts(dtype, data, ints)) return false;
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(ints[i]);
        return true;
    }
    if (!isFloating(dtype)) return false;
    const int bits = dataTypeBits(dtype);
    if (bits <= 8) {
        const std::array<double, 256> table = makeTable(dtype);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = table[bits == 8 ? std::to_integer<unsigned>(data[i])
                                        : loadPacked(data, i, static_cast<unsigned>(bits))];
        return true;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        switch (dtype) {
        case DataType::Float: values[i] = load<float>(data, i); break;
        case DataType::Double: values[i] = load<double>(data, i); break;
        case DataType::Float16: values[i] = halfToFloat(load<std::uint16_t>(data, i)); break;
        case DataType::BFloat16: values[i] = bFloat16ToFloat(load<std::uint16_t>(data, i)); break;
        default: return false;
        }
    }
    return true;
}

void encodeInts(DataType dtype, std::span<const std::int64_t> values, std::byte* data)
{
    const bool isWhole = withIntegerType(dtype, [&]<typename T>(T) {
        for (std::size_t i = 0; i < values.size(); ++i) store<T>(data, i, static_cast<T>(values[i]));
    });
    if (isWhole) return;
    if (dtype == DataType::Bool) {
        for (std::size_t i = 0; i < values.size(); ++i) data[i] = values[i] != 0 ? std::byte{1} : std::byte{0};
        return;
    }
    GELENS_ASSERT(isInteger(dtype));
    const auto width = static_cast<unsigned>(dataTypeBits(dtype));
    for (std::size_t i = 0; i < values.size(); ++i) storePacked(data, i, width, static_cast<unsigned>(values[i]));
}

void encodeDoubles(DataType dtype, std::span<const double> values, std::byte* data)
{
    const bool isWhole = withIntegerType(dtype, [&]<typename T>(T) {
        for (std::size_t i = 0; i < values.size(); ++i) store<T>(data, i, saturate<T>(values[i]));
    });
    if (isWhole) return;
    const auto width = static_cast<unsigned>(dataTypeBits(dtype));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = values[i];
        switch (dtype) {
        case DataType::Float: store(data, i, static_cast<float>(value)); break;
        case DataType::Double: store(data, i, value); break;
        case DataType::Float16: store(data, i, doubleToHalf(value)); break;
        case DataType::BFloat16: store(data, i, doubleToBFloat16(value)); break;
        case DataType::Bool: data[i] = value != 0 ? std::byte{1} : std::byte{0}; break;
        default:
            if (isInteger(dtype)) {
                const double low = isSignedInteger(dtype) ? -std::ldexp(1.0, static_cast<int>(width) - 1) : 0.0;
                const double high = low + std::ldexp(1.0, static_cast<int>(width)) - 1;
                const auto clamped = saturate<std::int64_t>(std::fmin(std::fmax(value, low), high));
                storePacked(data, i, width, std::isnan(value) ? 0u : static_cast<unsigned>(clamped));
            } else {
                const unsigned code = encodeSmallFloat(dtype, value);
                if (width == 8)
                    data[i] = static_cast<std::byte>(code);
                else
                    storePacked(data, i, width, code);
            }
        }
    }
}

} // namespace detail
} // namespace gelens
