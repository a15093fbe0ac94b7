#include "engine/formats/om/om_breakdown.h"

#include "engine/formats/om/om_container.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string_view>

namespace gelens::om {
namespace {

/// Payloads compared byte for byte; larger ones would have to be paged in just to say that a file is wasteful.
constexpr std::size_t comparedBytes = std::size_t{1} << 20;

void countConstants(const Graph& graph, OmBreakdown& breakdown)
{
    std::map<std::string_view, std::int64_t> byType;
    std::set<const std::byte*> seen;
    std::map<std::size_t, std::vector<const std::byte*>> bySize;
    for (const NodeId id : graph.allNodes()) {
        const Node& node = graph.node(id);
        const Tensor* const value = isConstantType(node.type) ? attrTensor(node.attrs, "value") : nullptr;
        if (!value || value->data.isEmpty()) continue;
        const std::size_t size = value->data.size();
        if (!seen.insert(value->data.data()).second) {
            breakdown.sharedConstantBytes += static_cast<std::int64_t>(size);
            continue;
        }
        byType[dataTypeShortName(value->desc.dtype)] += static_cast<std::int64_t>(size);
        if (size <= comparedBytes) bySize[size].push_back(value->data.data());
    }
    for (auto& [size, payloads] : bySize) {
        const std::size_t bytes = size;
        std::sort(payloads.begin(), payloads.end(),
                  [bytes](const std::byte* a, const std::byte* b) { return std::memcmp(a, b, bytes) < 0; });
        for (std::size_t i = 1; i < payloads.size(); ++i)
            if (std::memcmp(payloads[i - 1], payloads[i], bytes) == 0)
                breakdown.duplicateConstantBytes += static_cast<std::int64_t>(bytes);
    }
    for (const auto& [type, bytes] : byType) breakdown.weightsByType.emplace_back(type, bytes);
    std::stable_sort(breakdown.weightsByType.begin(), breakdown.weightsByType.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
}

} // namespace

OmBreakdown breakdownOf(const Graph& graph, const OmDetails& details, std::int64_t fileBytes)
{
    OmBreakdown breakdown;
    countConstants(graph, breakdown);
    for (const OmPartition& partition : details.partitions) switch (partition.type) {
        case ModelDefPart: breakdown.graphBytes += partition.size; break;
        case WeightsPart: breakdown.weightBytes += partition.size; break;
        case TaskPart: breakdown.taskBytes += partition.size; break;
        case KernelPart:
        case AiCpuKernelPart: breakdown.kernelBytes += partition.size; break;
        default: breakdown.otherBytes += partition.size;
        }
    const std::int64_t inPartitions = breakdown.graphBytes + breakdown.weightBytes + breakdown.taskBytes +
                                      breakdown.kernelBytes + breakdown.otherBytes;
    breakdown.otherBytes += std::max<std::int64_t>(0, fileBytes - inPartitions);
    return breakdown;
}

} // namespace gelens::om
