#include "engine/memory/sizes.h"

namespace gelens {

std::optional<std::int64_t> tensorBytes(const TensorDesc& desc)
{
    if (!desc.shape.hasRank()) return std::nullopt;
    std::optional<std::int64_t> bytes;
    if (desc.dtype == DataType::String || desc.dtype == DataType::StringRef) {
        const auto count = desc.shape.elementCount();
        if (count && *count <= maxTensorBytes / 16) bytes = *count * 16;
    } else {
        bytes = storageBytes(desc.dtype, desc.shape);
    }
    if (bytes && (*bytes < 0 || *bytes > maxTensorBytes)) return std::nullopt;
    return bytes;
}

} // namespace gelens
