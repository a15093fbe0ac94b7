#pragma once
// Bytes that GE reserves for a tensor and for its block (source: GE's memory assignment, facts/pipeline 5.2).

#include "engine/graph/tensor.h"

#include <cstdint>
#include <optional>

namespace gelens {

/// Blocks start and end at multiples of this. Unit: bytes.
inline constexpr std::int64_t memoryBlockBytes = 512;
/// Largest tensor that is planned; more is "unknown" so that sums of a million tensors cannot overflow. Unit: bytes.
inline constexpr std::int64_t maxTensorBytes = std::int64_t{1} << 42;

inline constexpr std::int64_t roundUp(std::int64_t bytes, std::int64_t multiple)
{
    return (bytes + multiple - 1) / multiple * multiple;
}

/// Size that GE writes into the tensor's descriptor: rounded up to 32, and 32 more, which lets a vector
/// instruction read past the end. 802,816 → 802,848.
inline constexpr std::int64_t geTensorBytes(std::int64_t bytes) { return roundUp(bytes, 32) + 32; }

/// Size of the block that holds a tensor: the above rounded up to 512. 802,816 → 803,328.
inline constexpr std::int64_t geBlockBytes(std::int64_t bytes)
{
    return roundUp(geTensorBytes(bytes), memoryBlockBytes);
}

/// Bytes of one tensor in its storage shape; strings count 16 bytes each (GE's string head: address and length).
/// Nothing when a dim is unknown or the size passes `maxTensorBytes`.
std::optional<std::int64_t> tensorBytes(const TensorDesc& desc);

} // namespace gelens
