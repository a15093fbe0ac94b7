#include "engine/memory/planners/overlap_index.h"

#include <algorithm>

namespace gelens {

namespace {

bool isAlive(const PlanItem& item) { return item.lower < item.upper && item.size > 0; }

std::vector<std::int32_t> aliveByLower(std::span<const PlanItem> items)
{
    std::vector<std::int32_t> order;
    order.reserve(items.size());
    for (std::size_t i = 0; i < items.size(); ++i)
        if (isAlive(items[i])) order.push_back(static_cast<std::int32_t>(i));
    std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
        const PlanItem& x = items[static_cast<std::size_t>(a)];
        const PlanItem& y = items[static_cast<std::size_t>(b)];
        return x.lower != y.lower ? x.lower < y.lower : a < b;
    });
    return order;
}

/// Calls f(a, b) once for each overlapping pair.
template <typename F>
void sweep(std::span<const PlanItem> items, const std::vector<std::int32_t>& order, F&& f)
{
    std::vector<std::int32_t> active;
    for (const std::int32_t item : order) {
        const std::int64_t now = items[static_cast<std::size_t>(item)].lower;
        std::size_t kept = 0;
        for (const std::int32_t other : active) {
            if (items[static_cast<std::size_t>(other)].upper <= now) continue;
            active[kept++] = other;
            f(item, other);
        }
        active.resize(kept);
        active.push_back(item);
    }
}

} // namespace

std::int64_t OverlapIndex::countPairs(std::span<const PlanItem> items)
{
    const std::vector<std::int32_t> order = aliveByLower(items);
    std::vector<std::int64_t> ends;
    ends.reserve(order.size());
    for (const std::int32_t item : order) ends.push_back(items[static_cast<std::size_t>(item)].upper);
    std::sort(ends.begin(), ends.end());
    std::int64_t pairs = 0;
    std::size_t ended = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        while (ended < ends.size() && ends[ended] <= items[static_cast<std::size_t>(order[i])].lower) ++ended;
        pairs += static_cast<std::int64_t>(i - ended);
    }
    return pairs;
}

OverlapIndex::OverlapIndex(std::span<const PlanItem> items) : m_start(items.size() + 1, 0)
{
    const std::vector<std::int32_t> order = aliveByLower(items);
    std::vector<std::size_t> fill(items.size() + 1, 0);
    sweep(items, order, [&](std::int32_t a, std::int32_t b) {
        ++fill[static_cast<std::size_t>(a)];
        ++fill[static_cast<std::size_t>(b)];
    });
    for (std::size_t i = 0; i < items.size(); ++i) {
        m_start[i + 1] = m_start[i] + fill[i];
        fill[i] = m_start[i];
    }
    m_neighbours.resize(m_start.back());
    sweep(items, order, [&](std::int32_t a, std::int32_t b) {
        m_neighbours[fill[static_cast<std::size_t>(a)]++] = b;
        m_neighbours[fill[static_cast<std::size_t>(b)]++] = a;
    });
}

} // namespace gelens
