#pragma once
// The container of an OM file: header, partition tables, where each partition lies. Private to this folder.
// Numbers are those of CANN's own writer; version 1 headers are those of ATC before 2021.

#include "engine/graph/result.h"
#include "engine/spec/om_details.h"
#include "engine/spec/step.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gelens::om {

inline constexpr std::uint32_t magic = 0x444F4D49; // "IMOD"
inline constexpr std::size_t headerBytes = 256;
inline constexpr std::uint32_t versionOne = 0x10000000;
inline constexpr std::uint32_t versionTwo = 0x20000000;

// Offsets in the header.
inline constexpr std::size_t headSizeAt = 4;
inline constexpr std::size_t versionAt = 8;
inline constexpr std::size_t lengthAt = 76;
inline constexpr std::size_t encryptedAt = 80;
inline constexpr std::size_t modelTypeAt = 82;
inline constexpr std::size_t nameAt = 84;
inline constexpr std::size_t nameBytes = 32;
inline constexpr std::size_t irVersionAt = 152;
inline constexpr std::size_t modelCountAt = 156;
inline constexpr std::size_t platformAtV1 = 156;
inline constexpr std::size_t platformAt = 160;
inline constexpr std::size_t platformBytes = 20;
inline constexpr std::size_t platformTypeAt = 180;
inline constexpr std::size_t modelLengthAt = 184;
inline constexpr std::size_t isDynamicAt = 193;

enum PartitionType : std::uint32_t {
    ModelDefPart = 0,
    WeightsPart = 1,
    TaskPart = 2,
    KernelPart = 3,
    AiCpuKernelPart = 4,
    FlowModelPart = 6,
    FlowSubmodelPart = 7,
    BundleModelPart = 24,
};
enum ModelType { FlowModel = 3, BundleModel = 5 };

std::string partitionName(std::uint32_t type);

/// Partitions of one model: indices into Container::details.partitions.
struct ModelParts {
    std::vector<std::size_t> partitions;
};

struct Container {
    OmDetails details; ///< header fields and partitions
    std::vector<ModelParts> models;
    std::vector<Message> messages;

    /// First sound partition of that type in a model; null when there is none.
    const OmPartition* find(std::size_t model, std::uint32_t type) const;
    OmPartition& partition(std::size_t index) { return details.partitions[index]; }
};

bool looksLikeOm(std::span<const std::byte> bytes);
bool looksLikeBundle(std::span<const std::byte> bytes);

/// Reads header and tables. `base` is added to every offset that is shown (an OM inside another file).
/// Errors name the byte: cut header, encrypted, a length or a table that does not fit, a MODEL_DEF beyond the end.
/// Other partitions that do not fit are listed as damaged.
Result<Container> readContainer(std::span<const std::byte> bytes, std::int64_t base = 0);

template <typename T>
T numberAt(std::span<const std::byte> bytes, std::size_t offset)
{
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        value = static_cast<T>(value | (static_cast<T>(std::to_integer<unsigned char>(bytes[offset + i])) << (8 * i)));
    return value;
}

} // namespace gelens::om
