#pragma once
// For each item, the items that are alive at the same time.

#include "engine/memory/plan_item.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gelens {

/// Neighbour lists in one array. Built by a sweep over time in O(n log n + pairs).
class OverlapIndex {
public:
    /// Number of pairs that overlap, in O(n log n): ask before building.
    static std::int64_t countPairs(std::span<const PlanItem> items);
    explicit OverlapIndex(std::span<const PlanItem> items);

    std::span<const std::int32_t> of(std::size_t item) const
    {
        return {m_neighbours.data() + m_start[item], m_start[item + 1] - m_start[item]};
    }

private:
    std::vector<std::size_t> m_start;
    std::vector<std::int32_t> m_neighbours;
};

} // namespace gelens
