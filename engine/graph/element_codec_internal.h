#pragma once
// Reading and writing single elements of packed tensor data; private to engine/graph.

#include "engine/graph/data_type.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace gelens::detail {

/// Fills `values` from packed little-endian data that holds at least so many elements.
/// False for types that are not integers (or bool), and when an uint64 does not fit.
bool decodeInts(DataType dtype, const std::byte* data, std::span<std::int64_t> values);
/// The same for integer, bool and floating types.
bool decodeDoubles(DataType dtype, const std::byte* data, std::span<double> values);

/// Writes integers, keeping their low bits; bool becomes 0 or 1. `data` must be zeroed and large enough.
void encodeInts(DataType dtype, std::span<const std::int64_t> values, std::byte* data);
/// Writes numbers, rounding to nearest even. Integers and 8-bit and smaller floats saturate; NaN becomes 0 in integers.
void encodeDoubles(DataType dtype, std::span<const double> values, std::byte* data);

/// One element of a floating type of at most 8 bits.
double decodeSmallFloat(DataType dtype, unsigned bits);
unsigned encodeSmallFloat(DataType dtype, double value);

} // namespace gelens::detail
