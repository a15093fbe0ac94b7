#pragma once
// The least memory any plan can need: what is alive at the same moment must lie side by side.

#include "engine/memory/plan_item.h"

namespace gelens {

struct LowerBound {
    std::int64_t bytes = 0;              ///< largest sum of live sizes
    std::vector<std::int64_t> positions; ///< first time of each stretch in which that sum is reached, ascending
};

/// O(n log n). Items with an empty lifetime count for nothing.
LowerBound lowerBound(std::span<const PlanItem> items);

/// Sum of live sizes as a step function: (time from which it holds, bytes), ascending, ends with 0.
std::vector<std::pair<std::int64_t, std::int64_t>> liveBytes(std::span<const PlanItem> items);

} // namespace gelens
