// Moves tensors between storage formats, element by element, by the maps of both.

#include "engine/ops/storage_shape.h"

#include <fmt/format.h>

#include <cstring>

namespace gelens {
namespace {

template <typename T>
void moveElements(const std::vector<std::int64_t>& from, const StorageMap& to, const T* source, T* target)
{
    std::size_t i = 0;
    to.forEachOffset([&](std::int64_t offset) { target[offset] = source[from[i++]]; });
}

std::uint8_t nibble(const std::byte* data, std::int64_t i)
{
    const auto byte = std::to_integer<unsigned>(data[i / 2]);
    return static_cast<std::uint8_t>(i % 2 ? byte >> 4 : byte & 15);
}

} // namespace

Status convertStorage(const std::byte* from, TensorFormat source, std::byte* to, TensorFormat target,
                      const Shape& shape, Format origin, DataType dtype, std::int64_t blockSize)
{
    GELENS_ASSIGN(const StorageMap sourceMap, StorageMap::make(source, shape, origin, dtype, blockSize));
    GELENS_ASSIGN(const StorageMap targetMap, StorageMap::make(target, shape, origin, dtype, blockSize));
    const auto bytes = storageBytes(dtype, targetMap.storage());
    if (!bytes) return Error::invalid(fmt::format("type {} has no storage", dataTypeShortName(dtype)));
    std::memset(to, 0, static_cast<std::size_t>(*bytes));
    std::vector<std::int64_t> offsets;
    offsets.reserve(static_cast<std::size_t>(shape.elementCount().value_or(0)));
    sourceMap.forEachOffset([&](std::int64_t offset) { offsets.push_back(offset); });
    switch (dataTypeBits(dtype)) {
    case 8: moveElements(offsets, targetMap, from, to); return {};
    case 16:
        moveElements(offsets, targetMap, reinterpret_cast<const std::uint16_t*>(from),
                     reinterpret_cast<std::uint16_t*>(to));
        return {};
    case 32:
        moveElements(offsets, targetMap, reinterpret_cast<const std::uint32_t*>(from),
                     reinterpret_cast<std::uint32_t*>(to));
        return {};
    case 64:
        moveElements(offsets, targetMap, reinterpret_cast<const std::uint64_t*>(from),
                     reinterpret_cast<std::uint64_t*>(to));
        return {};
    case 128: {
        struct Wide {
            std::uint64_t low, high;
        };
        moveElements(offsets, targetMap, reinterpret_cast<const Wide*>(from), reinterpret_cast<Wide*>(to));
        return {};
    }
    case 4: {
        std::size_t i = 0;
        targetMap.forEachOffset([&](std::int64_t offset) {
            const unsigned value = nibble(from, offsets[i++]);
            to[offset / 2] |= std::byte(offset % 2 ? value << 4 : value);
        });
        return {};
    }
    default: return Error::unsupported(fmt::format("elements of {} bits cannot be moved", dataTypeBits(dtype)));
    }
}

} // namespace gelens
