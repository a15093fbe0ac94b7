#include "engine/memory/planners/search.h"

#include "engine/memory/lower_bound.h"
#include "engine/memory/planners/greedy.h"
#include "engine/memory/planners/overlap_index.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace gelens {

namespace {

// Neighbour lists beyond this cost more than a search could win back. Source: measured, about 100 MB.
constexpr std::int64_t maxSearchPairs = 8'000'000;

class Rounds {
public:
    Rounds(std::span<const PlanItem> items, const SearchBudget& budget)
        : m_items(items), m_index(items), m_budget(budget)
    {
    }

    PlanResult run(PlanResult best, std::int64_t bound)
    {
        const std::int64_t goal = std::max(bound, m_budget.capacity), before = best.steps;
        std::vector<std::int32_t> order = orderOf(best.offsets);
        std::vector<std::int32_t> current = order;
        std::int64_t currentPeak = best.peak, used = 0;
        std::mt19937_64 random(20240607); // fixed: the same input gives the same plan
        while (best.peak > goal && !m_budget.isSpent(used)) {
            std::vector<std::int32_t> trial = current;
            disturb(trial, random);
            const PlanResult placed = place(trial);
            used += static_cast<std::int64_t>(trial.size());
            // Now and then a step sideways, to leave a local optimum.
            const bool isKept = placed.peak <= currentPeak || random() % 64 == 0;
            if (isKept) {
                current = orderOf(placed.offsets);
                currentPeak = placed.peak;
                m_tops = topsOf(placed);
            }
            if (placed.peak < best.peak)
                best = placed;
            else if (used % (1 << 16) < static_cast<std::int64_t>(trial.size()) && currentPeak > best.peak) {
                current = orderOf(best.offsets);
                currentPeak = best.peak;
                m_tops = topsOf(best);
            }
        }
        best.steps = before + used;
        best.isProvedOptimal = best.peak == bound;
        return best;
    }

private:
    std::vector<std::int32_t> orderOf(const std::vector<std::int64_t>& offsets) const
    {
        std::vector<std::int32_t> order;
        for (std::size_t i = 0; i < m_items.size(); ++i)
            if (m_items[i].size > 0 && m_items[i].lower < m_items[i].upper)
                order.push_back(static_cast<std::int32_t>(i));
        std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            const auto x = static_cast<std::size_t>(a), y = static_cast<std::size_t>(b);
            return offsets[x] != offsets[y] ? offsets[x] < offsets[y] : a < b;
        });
        return order;
    }

    /// Positions (in an order) of the items that reach the peak.
    std::vector<std::int32_t> topsOf(const PlanResult& plan) const
    {
        std::vector<std::int32_t> tops;
        for (std::size_t i = 0; i < m_items.size(); ++i)
            if (plan.offsets[i] + m_items[i].size == plan.peak && m_items[i].size > 0)
                tops.push_back(static_cast<std::int32_t>(i));
        return tops;
    }

    void disturb(std::vector<std::int32_t>& order, std::mt19937_64& random) const
    {
        if (order.size() < 2) return;
        std::int32_t item = order[random() % order.size()];
        if (!m_tops.empty() && random() % 4 != 0) item = m_tops[random() % m_tops.size()];
        // Half of the time a neighbour of what reaches the peak moves instead of it.
        const auto neighbours = m_index.of(static_cast<std::size_t>(item));
        if (!neighbours.empty() && random() % 2 == 0) item = neighbours[random() % neighbours.size()];
        const auto at = std::find(order.begin(), order.end(), item);
        if (at == order.end()) return;
        order.erase(at);
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(random() % (order.size() + 1)), item);
    }

    PlanResult place(const std::vector<std::int32_t>& order)
    {
        PlanResult result;
        result.offsets.assign(m_items.size(), 0);
        m_isPlaced.assign(m_items.size(), 0);
        for (const std::int32_t number : order) {
            const auto i = static_cast<std::size_t>(number);
            m_spans.clear();
            for (const std::int32_t other : m_index.of(i)) {
                const auto o = static_cast<std::size_t>(other);
                if (m_isPlaced[o]) m_spans.emplace_back(result.offsets[o], result.offsets[o] + m_items[o].size);
            }
            std::sort(m_spans.begin(), m_spans.end());
            std::int64_t offset = 0;
            for (const auto& [begin, end] : m_spans) {
                if (begin - offset >= m_items[i].size) break;
                offset = std::max(offset, end);
            }
            result.offsets[i] = offset;
            result.peak = std::max(result.peak, offset + m_items[i].size);
            m_isPlaced[i] = 1;
        }
        return result;
    }

    std::span<const PlanItem> m_items;
    OverlapIndex m_index;
    const SearchBudget& m_budget;
    std::vector<std::int32_t> m_tops;
    std::vector<char> m_isPlaced;
    std::vector<std::pair<std::int64_t, std::int64_t>> m_spans;
};

} // namespace

PlanResult planLocalSearch(std::span<const PlanItem> items, PlanResult start, const SearchBudget& budget)
{
    const std::int64_t bound = lowerBound(items).bytes;
    start.isProvedOptimal = start.peak == bound;
    if (start.peak <= std::max(bound, budget.capacity) || budget.isSpent(0)) return start;
    if (OverlapIndex::countPairs(items) > maxSearchPairs) return start;
    return Rounds(items, budget).run(std::move(start), bound);
}

} // namespace gelens
