#include "engine/formats/om/om_container.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace gelens::om {
namespace {

/// GE reads at most 8 partitions of a model and 4096 of a flow model.
constexpr std::uint32_t maxPartitions = 4096;
constexpr std::uint32_t maxModels = 65'536;

constexpr std::array<std::pair<std::uint32_t, std::string_view>, 19> partitionNames = {{{0, "MODEL_DEF"},
                                                                                        {1, "WEIGHTS_DATA"},
                                                                                        {2, "TASK_INFO"},
                                                                                        {3, "TBE_KERNELS"},
                                                                                        {4, "CUST_AICPU_KERNELS"},
                                                                                        {5, "SO_BINS"},
                                                                                        {6, "FLOW_MODEL"},
                                                                                        {7, "FLOW_SUBMODEL"},
                                                                                        {8, "MODEL_INOUT_INFO"},
                                                                                        {9, "STATIC_TASK_DESC"},
                                                                                        {10, "DYNAMIC_TASK_DESC"},
                                                                                        {11, "TASK_PARAM"},
                                                                                        {12, "TILING_DATA"},
                                                                                        {20, "PRE_MODEL_DESC"},
                                                                                        {21, "PRE_MODEL_SQE"},
                                                                                        {22, "PRE_KERNEL_ARGS"},
                                                                                        {24, "BUNDLE_MODEL_INFO"},
                                                                                        {25, "BUNDLE_MODEL_VAR_INFO"},
                                                                                        {26, "CUSTOM_OPS"}}};

std::string_view modelTypeName(int type)
{
    constexpr std::array<std::string_view, 6> names = {"IR model",   "standard model", "tiny model",
                                                       "flow model", "lite model",     "bundle"};
    return type >= 0 && type < static_cast<int>(names.size()) ? names[static_cast<std::size_t>(type)] : "unknown type";
}

std::string textAt(std::span<const std::byte> bytes, std::size_t offset, std::size_t limit)
{
    const auto* const text = reinterpret_cast<const char*>(bytes.data()) + offset;
    return std::string(text, std::find(text, text + limit, '\0'));
}

class Reader {
public:
    Reader(std::span<const std::byte> bytes, std::int64_t base) : m_bytes(bytes), m_base(base) {}

    Result<Container> read()
    {
        if (m_bytes.size() < headerBytes)
            return Error::invalid(fmt::format("the OM header is cut: {} of {} bytes", m_bytes.size(), headerBytes));
        if (looksLikeBundle(m_bytes)) {
            readBundleHeader();
            GELENS_TRY(readModel());
            return std::move(m_container);
        }
        if (!looksLikeOm(m_bytes)) return Error::invalid("not an OM file: the magic number at byte 0 is wrong");
        GELENS_TRY(readHeader());
        const std::uint32_t count = isMultiModel() ? m_modelCount : 1;
        if (count == 0 || count > maxModels)
            return Error::invalid(fmt::format("the file claims {} models (byte {})", count, shown(modelCountAt)));
        for (std::uint32_t i = 0; i < count; ++i) {
            if (i > 0 && m_position == m_end) {
                warn("om.missing-models", fmt::format("the header claims {} models, the file holds {}", count, i));
                break;
            }
            GELENS_TRY(readModel());
        }
        if (m_position < m_end)
            warn("om.trailing-bytes", fmt::format("{} bytes after the last partition (byte {}) belong to no model",
                                                  m_end - m_position, shown(m_position)));
        return std::move(m_container);
    }

private:
    std::int64_t shown(std::size_t offset) const { return m_base + static_cast<std::int64_t>(offset); }
    void warn(std::string id, std::string text)
    {
        m_container.messages.push_back({Severity::Warning, std::move(id), std::move(text), {}, {}});
    }
    bool isMultiModel() const { return m_version >= versionTwo && (m_modelCount > 1 || m_container.details.isDynamic); }

    Status readHeader()
    {
        OmDetails& details = m_container.details;
        m_version = details.headerVersion = numberAt<std::uint32_t>(m_bytes, versionAt);
        const auto headSize = numberAt<std::uint32_t>(m_bytes, headSizeAt);
        if (headSize < headerBytes || headSize > m_bytes.size())
            return Error::invalid(fmt::format("the header claims {} bytes (byte {})", headSize, shown(headSizeAt)));
        if (m_bytes[encryptedAt] != std::byte{0})
            return Error::unsupported(
                fmt::format("the model is encrypted (byte {}): it cannot be shown", shown(encryptedAt)));
        const bool isNew = m_version >= versionTwo;
        details.modelType = std::to_integer<int>(m_bytes[modelTypeAt]);
        details.modelTypeName = modelTypeName(details.modelType);
        details.name = textAt(m_bytes, nameAt, nameBytes);
        details.platformVersion = textAt(m_bytes, isNew ? platformAt : platformAtV1, platformBytes);
        m_modelCount = isNew ? std::max<std::uint32_t>(1, numberAt<std::uint32_t>(m_bytes, modelCountAt)) : 1;
        details.isDynamic = isNew && m_bytes[isDynamicAt] != std::byte{0};
        const std::uint64_t modelLength = isNew ? numberAt<std::uint64_t>(m_bytes, modelLengthAt) : 0;
        details.is64Bit = details.modelType == FlowModel || modelLength != 0;
        m_position = headSize;
        return setEnd(modelLength != 0 ? modelLength : numberAt<std::uint32_t>(m_bytes, lengthAt),
                      modelLength != 0 ? modelLengthAt : lengthAt);
    }

    Status setEnd(std::uint64_t length, std::size_t field)
    {
        const std::uint64_t rest = m_bytes.size() - m_position;
        if (length > rest)
            return Error::invalid(
                fmt::format("the header claims a model of {} bytes (byte {}), {} follow: the file is cut", length,
                            shown(field), rest));
        m_end = length == 0 ? m_bytes.size() : m_position + static_cast<std::size_t>(length);
        if (length == 0)
            warn("om.no-length", "the header states no length");
        else if (length < rest)
            warn("om.trailing-bytes", fmt::format("{} bytes follow the model (byte {})", rest - length, shown(m_end)));
        return Status::success();
    }

    void readBundleHeader()
    {
        OmDetails& details = m_container.details;
        details.modelType = BundleModel;
        details.modelTypeName = modelTypeName(BundleModel);
        details.is64Bit = true;
        m_position = headerBytes;
        m_end = m_bytes.size();
    }

    Status readModel()
    {
        const bool isWide = m_container.details.is64Bit;
        const std::size_t tableHead = isWide ? 8 : 4, entryBytes = isWide ? 24 : 12;
        if (m_end - m_position < tableHead)
            return Error::invalid(fmt::format("the partition table is cut (byte {})", shown(m_position)));
        const auto count = numberAt<std::uint32_t>(m_bytes, m_position);
        if (count == 0)
            return Error::invalid(fmt::format("no partition: the table at byte {} is empty, there is no model inside",
                                              shown(m_position)));
        if (count > maxPartitions || std::uint64_t{count} * entryBytes > m_end - m_position - tableHead)
            return Error::invalid(
                fmt::format("the partition count {} at byte {} does not fit the file", count, shown(m_position)));
        const std::size_t table = m_position;
        const std::size_t data = table + tableHead + std::size_t{count} * entryBytes;
        const bool isBundle = m_container.details.modelType == BundleModel;
        std::uint64_t walked = 0;
        m_container.models.emplace_back();
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::size_t entry = table + tableHead + std::size_t{i} * entryBytes;
            OmPartition partition;
            partition.model = static_cast<int>(m_container.models.size()) - 1;
            partition.type = numberAt<std::uint32_t>(m_bytes, entry);
            partition.name = partitionName(partition.type);
            const std::uint64_t offset =
                isWide ? numberAt<std::uint64_t>(m_bytes, entry + 8) : numberAt<std::uint32_t>(m_bytes, entry + 4);
            const std::uint64_t size =
                isWide ? numberAt<std::uint64_t>(m_bytes, entry + 16) : numberAt<std::uint32_t>(m_bytes, entry + 8);
            // GE's loader adds sizes and never looks at the offset; they agree in every file it wrote.
            GELENS_TRY(place(partition, isBundle ? headerBytes : data, offset, size, entry));
            if (!isBundle && offset != walked)
                warn("om.odd-offset", fmt::format("partition {} is not where the sizes before it put it (byte {})",
                                                  partition.name, shown(entry)));
            walked = size > m_end ? m_end : std::min<std::uint64_t>(m_end, walked + size);
            m_container.models.back().partitions.push_back(m_container.details.partitions.size());
            m_container.details.partitions.push_back(std::move(partition));
        }
        m_position = isBundle ? m_end : data + std::min<std::size_t>(static_cast<std::size_t>(walked), m_end - data);
        return Status::success();
    }

    Status place(OmPartition& partition, std::size_t data, std::uint64_t offset, std::uint64_t size, std::size_t entry)
    {
        const std::uint64_t room = m_end - data;
        if (offset > room || size > room - offset) {
            const std::string text =
                fmt::format("partition {} ({} bytes at offset {}, table entry at byte {}) lies past "
                            "the end of the file",
                            partition.name, size, offset, shown(entry));
            if (partition.type == ModelDefPart) return Error::invalid(text);
            warn("om.damaged-partition", text);
            partition.verdict = fmt::format("damaged at byte {}: lies past the end of the file", shown(entry));
            return Status::success();
        }
        partition.offset = shown(data) + static_cast<std::int64_t>(offset);
        partition.size = static_cast<std::int64_t>(size);
        partition.verdict = "listed only";
        return Status::success();
    }

    std::span<const std::byte> m_bytes;
    std::int64_t m_base;
    Container m_container;
    std::uint32_t m_version = 0;
    std::uint32_t m_modelCount = 1;
    std::size_t m_position = 0, m_end = 0;
};

} // namespace

std::string partitionName(std::uint32_t type)
{
    for (const auto& [number, name] : partitionNames)
        if (number == type) return std::string(name);
    return type == 23 ? "PRE_MODEL_DESC_EXTEND" : fmt::format("type {}", type);
}

const OmPartition* Container::find(std::size_t model, std::uint32_t type) const
{
    for (const std::size_t index : models[model].partitions) {
        const OmPartition& partition = details.partitions[index];
        if (partition.type == type && !partition.verdict.starts_with("damaged")) return &partition;
    }
    return nullptr;
}

bool looksLikeOm(std::span<const std::byte> bytes)
{
    return bytes.size() >= 4 && numberAt<std::uint32_t>(bytes, 0) == magic;
}

bool looksLikeBundle(std::span<const std::byte> bytes)
{
    if (bytes.size() < headerBytes || bytes[modelTypeAt] != static_cast<std::byte>(BundleModel)) return false;
    return std::all_of(bytes.begin(), bytes.begin() + modelTypeAt, [](std::byte b) { return b == std::byte{0}; });
}

Result<Container> readContainer(std::span<const std::byte> bytes, std::int64_t base)
{
    return Reader(bytes, base).read();
}

} // namespace gelens::om
