#include "engine/memory/lower_bound.h"

#include <algorithm>

namespace gelens {

std::vector<std::pair<std::int64_t, std::int64_t>> liveBytes(std::span<const PlanItem> items)
{
    std::vector<std::pair<std::int64_t, std::int64_t>> deltas;
    deltas.reserve(items.size() * 2);
    for (const PlanItem& item : items) {
        if (item.lower >= item.upper) continue;
        deltas.emplace_back(item.lower, item.size);
        deltas.emplace_back(item.upper, -item.size);
    }
    std::sort(deltas.begin(), deltas.end());
    std::vector<std::pair<std::int64_t, std::int64_t>> steps;
    std::int64_t live = 0;
    for (std::size_t i = 0; i < deltas.size();) {
        const std::int64_t time = deltas[i].first;
        for (; i < deltas.size() && deltas[i].first == time; ++i) live += deltas[i].second;
        if (steps.empty() || steps.back().second != live) steps.emplace_back(time, live);
    }
    return steps;
}

LowerBound lowerBound(std::span<const PlanItem> items)
{
    LowerBound bound;
    for (const auto& [time, bytes] : liveBytes(items)) {
        if (bytes > bound.bytes) {
            bound.bytes = bytes;
            bound.positions.clear();
        }
        if (bytes == bound.bytes && bytes > 0) bound.positions.push_back(time);
    }
    return bound;
}

} // namespace gelens
