#include "engine/memory/planners/simple.h"

#include "engine/memory/lower_bound.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <set>

namespace gelens {

PlanResult planSimple(std::span<const PlanItem> items)
{
    std::vector<std::int32_t> order(items.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        return items[static_cast<std::size_t>(a)].lower < items[static_cast<std::size_t>(b)].lower;
    });

    struct Place {
        std::int64_t size, offset;
        auto operator<=>(const Place&) const = default;
    };
    using Busy = std::pair<std::int64_t, Place>; // time of release first
    std::priority_queue<Busy, std::vector<Busy>, std::greater<>> busy;
    std::set<Place> free;

    PlanResult result;
    result.offsets.assign(items.size(), 0);
    for (const std::int32_t number : order) {
        const PlanItem& item = items[static_cast<std::size_t>(number)];
        if (item.size <= 0 || item.lower >= item.upper) continue;
        while (!busy.empty() && busy.top().first <= item.lower) {
            free.insert(busy.top().second);
            busy.pop();
        }
        Place place{item.size, result.peak};
        if (const auto found = free.lower_bound({item.size, 0}); found != free.end()) {
            place = *found;
            free.erase(found);
        } else {
            result.peak += item.size;
        }
        result.offsets[static_cast<std::size_t>(number)] = place.offset;
        busy.emplace(item.upper, place);
        ++result.steps;
    }
    result.isProvedOptimal = result.peak == lowerBound(items).bytes;
    return result;
}

} // namespace gelens
