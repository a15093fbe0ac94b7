#include "engine/memory/planners/exact.h"

#include "engine/memory/lower_bound.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gelens {

namespace {

constexpr std::int64_t farAway = std::numeric_limits<std::int64_t>::max() / 4;

/// An item over sections instead of times.
struct Box {
    int first = 0, last = 0; // sections, inclusive
    std::int64_t size = 0;
    int original = 0;
};

/// Cuts time into its maximal sets of live items: all other moments are implied by one of these.
int makeSections(std::span<const PlanItem> items, std::vector<Box>& boxes)
{
    struct Event {
        std::int64_t time;
        bool isStart;
        int item;
    };
    std::vector<Event> events;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].size <= 0 || items[i].lower >= items[i].upper) continue;
        events.push_back({items[i].lower, true, static_cast<int>(i)});
        events.push_back({items[i].upper, false, static_cast<int>(i)});
    }
    std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
        if (a.time != b.time) return a.time < b.time;
        if (a.isStart != b.isStart) return !a.isStart; // ends first: lifetimes are half-open
        return a.item < b.item;
    });
    std::vector<int> firstOf(items.size(), 0);
    int sections = 0;
    bool hasGrown = false; // an item came since the last section was closed
    for (const Event& event : events) {
        if (event.isStart) {
            firstOf[static_cast<std::size_t>(event.item)] = sections;
            hasGrown = true;
            continue;
        }
        if (hasGrown) {
            ++sections;
            hasGrown = false;
        }
        const auto i = static_cast<std::size_t>(event.item);
        boxes.push_back({firstOf[i], sections - 1, items[i].size, event.item});
    }
    return sections;
}

class ExactSearch {
public:
    ExactSearch(std::span<const PlanItem> items, std::int64_t capacity, const SearchBudget& budget)
        : m_capacity(capacity), m_budget(budget)
    {
        m_sections = makeSections(items, m_boxes);
        const auto count = static_cast<std::size_t>(m_sections);
        m_floor.assign(count, 0);
        m_top.assign(count, 0);
        m_topBox.assign(count, -1);
        m_sum.assign(count + 1, 0);
        m_cross.assign(count + 1, 0);
        m_choices.assign(count + 1, 0);
        m_offset.assign(m_boxes.size(), -1);
        m_reach.assign(m_boxes.size(), 0);
        // Larger and longer first: what is hard to place later.
        std::sort(m_boxes.begin(), m_boxes.end(), [](const Box& a, const Box& b) {
            const std::int64_t areaA = a.size * (a.last - a.first + 1), areaB = b.size * (b.last - b.first + 1);
            if (areaA != areaB) return areaA > areaB;
            return a.original < b.original;
        });
        m_result.offsets.assign(items.size(), 0);
    }

    ExactResult run()
    {
        std::vector<int> all(m_boxes.size());
        std::iota(all.begin(), all.end(), 0);
        const Answer answer = solve(all, 0);
        m_result.outcome = answer == Answer::Yes  ? ExactOutcome::Found
                           : answer == Answer::No ? ExactOutcome::Impossible
                                                  : ExactOutcome::GaveUp;
        if (answer == Answer::Yes)
            for (std::size_t b = 0; b < m_boxes.size(); ++b)
                m_result.offsets[static_cast<std::size_t>(m_boxes[b].original)] = m_offset[b];
        return std::move(m_result);
    }

private:
    enum class Answer { Yes, No, GaveUp };

    struct Saved {
        std::int64_t floor, top;
        int topBox;
    };

    const Box& box(int index) const { return m_boxes[static_cast<std::size_t>(index)]; }
    std::int64_t& floorAt(int section) { return m_floor[static_cast<std::size_t>(section)]; }

    /// Lowest offset that each open box can still have; false when what must come does not fit above it.
    bool measure(const std::vector<int>& open)
    {
        for (const int index : open) {
            const Box& one = box(index);
            std::int64_t reach = 0;
            for (int t = one.first; t <= one.last; ++t)
                reach = std::max(reach, m_floor[static_cast<std::size_t>(t)]);
            m_reach[static_cast<std::size_t>(index)] = reach;
        }
        m_byReach.assign(open.begin(), open.end());
        std::sort(m_byReach.begin(), m_byReach.end(), [&](int a, int b) {
            return m_reach[static_cast<std::size_t>(a)] > m_reach[static_cast<std::size_t>(b)];
        });
        for (const int index : open)
            for (int t = box(index).first; t <= box(index).last; ++t)
                m_sum[static_cast<std::size_t>(t)] = 0;
        // At each moment: boxes that cannot lie below r need r plus all their sizes.
        for (const int index : m_byReach) {
            const Box& one = box(index);
            const std::int64_t room = m_capacity - m_reach[static_cast<std::size_t>(index)];
            for (int t = one.first; t <= one.last; ++t)
                if ((m_sum[static_cast<std::size_t>(t)] += one.size) > room) return false;
        }
        return true;
    }

    /// Solves the open boxes; splits them first where no box connects two stretches of time.
    Answer solve(const std::vector<int>& open, int depth)
    {
        if (open.empty()) return Answer::Yes;
        if (m_budget.isSpent(0) || m_result.steps >= m_budget.steps) return Answer::GaveUp;
        ++m_result.steps;
        if (!measure(open)) return Answer::No;
        int low = m_sections, high = -1;
        for (const int index : open) {
            low = std::min(low, box(index).first);
            high = std::max(high, box(index).last);
        }
        // m_cross[t] > 0: some box covers both t and t + 1.
        std::fill(m_cross.begin() + low, m_cross.begin() + high + 2, 0);
        for (const int index : open) {
            ++m_cross[static_cast<std::size_t>(box(index).first)];
            --m_cross[static_cast<std::size_t>(box(index).last)];
        }
        std::vector<int> cuts;
        int connected = 0;
        for (int t = low; t < high; ++t) {
            connected += m_cross[static_cast<std::size_t>(t)];
            if (connected == 0) cuts.push_back(t);
        }
        if (cuts.empty()) return branch(open, low, high, depth);
        std::vector<std::vector<int>> parts(cuts.size() + 1);
        for (const int index : open) {
            const auto part = std::lower_bound(cuts.begin(), cuts.end(), box(index).first) - cuts.begin();
            parts[static_cast<std::size_t>(part)].push_back(index);
        }
        // Small parts first: they fail soonest.
        std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
        for (const std::vector<int>& part : parts)
            if (const Answer answer = part.empty() ? Answer::Yes : solve(part, depth + 1); answer != Answer::Yes)
                return answer;
        return Answer::Yes;
    }

    struct Choice {
        int section = -1;
        int low = 0, high = 0; // the valley
        std::int64_t level = 0;
        int count = std::numeric_limits<int>::max();
        std::int64_t slack = 0;
    };

    /// The moment with the fewest boxes to choose from, over all valleys.
    Choice choose(const std::vector<int>& open, int low, int high)
    {
        std::fill(m_choices.begin() + low, m_choices.begin() + high + 1, 0);
        std::fill(m_open.begin(), m_open.end(), 0);
        // Count boxes that lie flat; whether in a valley is asked below.
        for (const int index : open) {
            const Box& one = box(index);
            const std::int64_t reach = m_reach[static_cast<std::size_t>(index)];
            bool isFlat = true;
            for (int t = one.first; t <= one.last && isFlat; ++t)
                isFlat = m_floor[static_cast<std::size_t>(t)] == reach;
            if (!isFlat || !isSupported(one, reach)) continue;
            for (int t = one.first; t <= one.last; ++t)
                ++m_choices[static_cast<std::size_t>(t)];
        }
        Choice best;
        for (int from = low; from <= high;) {
            int to = from;
            while (to < high && floorAt(to + 1) == floorAt(from))
                ++to;
            const bool isValley = (from == low || floorAt(from - 1) > floorAt(from)) &&
                                  (to == high || floorAt(to + 1) > floorAt(from));
            if (isValley)
                for (int t = from; t <= to; ++t) {
                    const int count = m_choices[static_cast<std::size_t>(t)];
                    const std::int64_t slack = m_capacity - floorAt(t) - m_sum[static_cast<std::size_t>(t)];
                    if (count < best.count || (count == best.count && slack < best.slack)) {
                        best = {t, from, to, floorAt(from), count, slack};
                    }
                }
            from = to + 1;
        }
        return best;
    }

    /// A box that rests on nothing could lie lower, and that case is searched elsewhere.
    bool isSupported(const Box& one, std::int64_t level) const
    {
        if (level == 0) return true;
        for (int t = one.first; t <= one.last; ++t)
            if (m_top[static_cast<std::size_t>(t)] == level) return true;
        return false;
    }

    /// Boxes of one interval right on top of each other: only in one order.
    bool breaksOrder(int index) const
    {
        const Box& one = box(index);
        const int below = m_topBox[static_cast<std::size_t>(one.first)];
        if (below < 0 || box(below).first != one.first || box(below).last != one.last) return false;
        if (m_offset[static_cast<std::size_t>(below)] + box(below).size != m_floor[static_cast<std::size_t>(one.first)])
            return false;
        return below > index;
    }

    Answer branch(const std::vector<int>& open, int low, int high, int depth)
    {
        const Choice choice = choose(open, low, high);
        std::vector<int> candidates;
        std::int64_t next = farAway;      // lowest level at which something can come here if nothing does now
        std::int64_t smallest = farAway;  // of the boxes in the valley that do not cover the section
        bool hasInside = false;
        for (const int index : open) {
            const Box& one = box(index);
            const bool covers = one.first <= choice.section && choice.section <= one.last;
            const bool isInside = one.first >= choice.low && one.last <= choice.high;
            if (isInside && !covers) smallest = std::min(smallest, one.size);
            if (!covers) continue;
            if (!isInside) {
                next = std::min(next, m_reach[static_cast<std::size_t>(index)]);
                continue;
            }
            hasInside = true;
            if (isSupported(one, choice.level) && !breaksOrder(index)) candidates.push_back(index);
        }
        if (hasInside && smallest < farAway) next = std::min(next, choice.level + smallest);
        std::vector<int> rest;
        for (std::size_t c = 0; c < candidates.size(); ++c) {
            const int index = candidates[c];
            const bool isRepeat = std::any_of(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(c),
                                              [&](int other) { return isTwin(other, index); });
            if (isRepeat) continue;
            rest.clear();
            for (const int other : open)
                if (other != index) rest.push_back(other);
            const Box& one = box(index);
            std::vector<Saved> saved;
            for (int t = one.first; t <= one.last; ++t) {
                const auto s = static_cast<std::size_t>(t);
                saved.push_back({m_floor[s], m_top[s], m_topBox[s]});
                m_floor[s] = m_top[s] = choice.level + one.size;
                m_topBox[s] = index;
            }
            m_offset[static_cast<std::size_t>(index)] = choice.level;
            const Answer answer = solve(rest, depth + 1);
            if (answer != Answer::No) return answer;
            for (int t = one.first; t <= one.last; ++t) {
                const auto s = static_cast<std::size_t>(t);
                const Saved& old = saved[static_cast<std::size_t>(t - one.first)];
                m_floor[s] = old.floor;
                m_top[s] = old.top;
                m_topBox[s] = old.topBox;
            }
        }
        if (next >= farAway) return Answer::No;
        // Nothing here: the floor rises, and what was to come must still fit.
        const auto s = static_cast<std::size_t>(choice.section);
        const std::int64_t old = m_floor[s];
        m_floor[s] = next;
        const Answer answer = solve(open, depth + 1);
        if (answer == Answer::No) m_floor[s] = old;
        return answer;
    }

    bool isTwin(int a, int b) const
    {
        return box(a).first == box(b).first && box(a).last == box(b).last && box(a).size == box(b).size;
    }

    std::int64_t m_capacity;
    const SearchBudget& m_budget;
    std::vector<Box> m_boxes;
    int m_sections = 0;
    std::vector<std::int64_t> m_floor, m_top, m_sum; // by section
    std::vector<int> m_topBox, m_cross, m_choices, m_open;
    std::vector<std::int64_t> m_offset, m_reach;      // by box
    std::vector<int> m_byReach;
    ExactResult m_result;
};

std::int64_t peakOf(std::span<const PlanItem> items, const std::vector<std::int64_t>& offsets)
{
    std::int64_t peak = 0;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (items[i].lower < items[i].upper) peak = std::max(peak, offsets[i] + items[i].size);
    return peak;
}

} // namespace

ExactResult findPlan(std::span<const PlanItem> items, std::int64_t capacity, const SearchBudget& budget)
{
    if (items.size() > maxExactItems) return {};
    return ExactSearch(items, capacity, budget).run();
}

PlanResult planExact(std::span<const PlanItem> items, PlanResult start, const SearchBudget& budget)
{
    const std::int64_t bound = lowerBound(items).bytes;
    std::int64_t low = bound; // no plan below it
    SearchBudget left = budget;
    while (start.peak > low && start.peak > budget.capacity && !left.isSpent(0)) {
        // At the bound or the capacity first: that is where plans mostly are; then by halves.
        const bool isFirst = left.steps == budget.steps;
        const std::int64_t target = isFirst ? std::max(low, std::min(budget.capacity, start.peak - 1))
                                            : low + (start.peak - 1 - low) / 2;
        SearchBudget share = left;
        share.steps = isFirst && budget.capacity >= bound ? left.steps : std::max<std::int64_t>(1, left.steps / 2);
        const ExactResult result = findPlan(items, target, share);
        left.steps -= std::max<std::int64_t>(1, result.steps);
        start.steps += result.steps;
        if (result.outcome == ExactOutcome::Found) {
            start.offsets = result.offsets;
            start.peak = peakOf(items, result.offsets);
        } else if (result.outcome == ExactOutcome::Impossible) {
            low = target + 1;
        } else {
            break;
        }
    }
    start.isProvedOptimal = start.peak <= low;
    return start;
}

} // namespace gelens
