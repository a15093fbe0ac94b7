#include "engine/memory/planners/greedy.h"

#include "engine/memory/lower_bound.h"
#include "engine/memory/planners/overlap_index.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>

namespace gelens {

namespace {

// Above this many overlapping pairs the neighbour lists would need hundreds of megabytes.
constexpr std::int64_t maxIndexedPairs = 24'000'000;

struct Span {
    std::int64_t begin, end; // addresses
    bool operator<(const Span& other) const { return begin < other.begin; }
};

/// Walks occupied spans in ascending order and remembers the gap to take.
class GapFinder {
public:
    GapFinder(std::int64_t size, Fit fit) : m_size(size), m_fit(fit) {}

    /// False once no better gap can follow.
    bool pass(std::int64_t begin, std::int64_t end)
    {
        const std::int64_t gap = begin - m_top;
        if (gap >= m_size && gap < m_gap) {
            m_gap = gap;
            m_offset = m_top;
            if (m_fit == Fit::Lowest || gap == m_size) return false;
        }
        m_top = std::max(m_top, end);
        return true;
    }
    std::int64_t offset() const { return m_offset >= 0 ? m_offset : m_top; }

private:
    std::int64_t m_size;
    Fit m_fit;
    std::int64_t m_top = 0;
    std::int64_t m_gap = std::numeric_limits<std::int64_t>::max();
    std::int64_t m_offset = -1;
};

/// All placed items sorted by offset, as arrays that a scan streams through.
class PlacedList {
public:
    std::int64_t findAndInsert(const PlanItem& item, Fit fit)
    {
        GapFinder finder(item.size, fit);
        for (std::size_t k = 0; k < m_spans.size(); ++k) {
            if (m_lower[k] >= item.upper || item.lower >= m_upper[k]) continue;
            if (!finder.pass(m_spans[k].begin, m_spans[k].end)) break;
        }
        const std::int64_t offset = finder.offset();
        const Span span{offset, offset + item.size};
        const auto at = std::upper_bound(m_spans.begin(), m_spans.end(), span) - m_spans.begin();
        m_spans.insert(m_spans.begin() + at, span);
        m_lower.insert(m_lower.begin() + at, item.lower);
        m_upper.insert(m_upper.begin() + at, item.upper);
        return offset;
    }

private:
    std::vector<Span> m_spans;
    std::vector<std::int64_t> m_lower, m_upper;
};

std::vector<std::int64_t> pressureOf(std::span<const PlanItem> items)
{
    // Largest live sum during each item's life, by a sparse table over the step function.
    const auto steps = liveBytes(items);
    std::vector<std::vector<std::int64_t>> table(1);
    for (const auto& step : steps) table[0].push_back(step.second);
    for (std::size_t width = 1; 2 * width <= steps.size(); width *= 2) {
        const auto& last = table.back();
        std::vector<std::int64_t> row(last.size() - width);
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = std::max(last[i], last[i + width]);
        table.push_back(std::move(row));
    }
    const auto stepBefore = [&](std::int64_t time) {
        const auto after = std::upper_bound(steps.begin(), steps.end(), time,
                                            [](std::int64_t t, const auto& step) { return t < step.first; });
        return static_cast<std::size_t>(after - steps.begin()) - 1;
    };
    std::vector<std::int64_t> pressure(items.size(), 0);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].lower >= items[i].upper) continue;
        if (steps.empty() || steps.front().first > items[i].lower) continue;
        const std::size_t from = stepBefore(items[i].lower), to = stepBefore(items[i].upper - 1);
        std::size_t level = 0;
        while ((std::size_t{2} << level) <= to - from + 1) ++level;
        pressure[i] = std::max(table[level][from], table[level][to + 1 - (std::size_t{1} << level)]);
    }
    return pressure;
}

std::vector<std::int32_t> makeOrder(std::span<const PlanItem> items, GreedyOrder order)
{
    std::vector<std::int32_t> list(items.size());
    std::iota(list.begin(), list.end(), 0);
    std::vector<std::int64_t> pressure;
    if (order == GreedyOrder::Pressure) pressure = pressureOf(items);
    // Larger keys come first; each later key breaks ties of the one before.
    const auto key = [&](std::int32_t index) -> std::array<double, 4> {
        const PlanItem& item = items[static_cast<std::size_t>(index)];
        const double size = static_cast<double>(item.size), duration = static_cast<double>(item.upper - item.lower);
        const double early = -static_cast<double>(item.lower);
        switch (order) {
        case GreedyOrder::Size: return {size, duration, early, 0};
        case GreedyOrder::Area: return {size * duration, size, early, 0};
        case GreedyOrder::Duration: return {duration, size, early, 0};
        case GreedyOrder::Time: return {early, size, duration, 0};
        case GreedyOrder::Pressure:
            return {static_cast<double>(pressure[static_cast<std::size_t>(index)]), size, duration, early};
        }
        return {};
    };
    std::vector<std::array<double, 4>> keys(items.size());
    for (const std::int32_t index : list) keys[static_cast<std::size_t>(index)] = key(index);
    std::sort(list.begin(), list.end(), [&](std::int32_t a, std::int32_t b) {
        const auto& x = keys[static_cast<std::size_t>(a)];
        const auto& y = keys[static_cast<std::size_t>(b)];
        return x != y ? x > y : a < b;
    });
    return list;
}

} // namespace

PlanResult placeInOrder(std::span<const PlanItem> items, std::span<const std::int32_t> order, Fit fit)
{
    PlanResult result;
    result.offsets.assign(items.size(), 0);
    std::optional<OverlapIndex> index;
    if (OverlapIndex::countPairs(items) <= maxIndexedPairs) index.emplace(items);
    PlacedList placedList;
    std::vector<char> isPlaced(items.size(), 0);
    std::vector<Span> spans;
    for (const std::int32_t number : order) {
        const auto i = static_cast<std::size_t>(number);
        const PlanItem& item = items[i];
        if (item.size <= 0 || item.lower >= item.upper) continue;
        std::int64_t offset = 0;
        if (index) {
            spans.clear();
            for (const std::int32_t other : index->of(i)) {
                const auto o = static_cast<std::size_t>(other);
                if (isPlaced[o]) spans.push_back({result.offsets[o], result.offsets[o] + items[o].size});
            }
            std::sort(spans.begin(), spans.end());
            GapFinder finder(item.size, fit);
            for (const Span& span : spans)
                if (!finder.pass(span.begin, span.end)) break;
            offset = finder.offset();
        } else {
            offset = placedList.findAndInsert(item, fit);
        }
        isPlaced[i] = 1;
        result.offsets[i] = offset;
        result.peak = std::max(result.peak, offset + item.size);
        ++result.steps;
    }
    return result;
}

PlanResult planGreedy(std::span<const PlanItem> items, GreedyOrder order, Fit fit)
{
    PlanResult result = placeInOrder(items, makeOrder(items, order), fit);
    result.isProvedOptimal = result.peak == lowerBound(items).bytes;
    return result;
}

} // namespace gelens
