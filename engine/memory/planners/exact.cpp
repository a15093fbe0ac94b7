#include "engine/memory/planners/exact.h"

#include "engine/memory/lower_bound.h"

#include <algorithm>
#include <cmath>
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

/// Which moment to branch on. Instances differ in what suits them, so restarts take turns.
enum class Focus {
    FewestChoices, ///< then the least slack
    LeastSlack,    ///< then the fewest choices
    ForcedFirst,   ///< moments with at most one choice, then the least slack
    Product,       ///< choices × slack
};
/// Which of the choices first.
enum class Preference {
    Size,
    Area,     ///< size × sections
    Balanced, ///< size × √sections
    Flush,    ///< area, but first those whose top is level with a neighbouring floor
};
struct Strategy {
    Focus focus;
    Preference preference;
};
// Source: measured on the hard public instances; each alone leaves one of them open, together they solve all.
constexpr Strategy strategies[] = {
    {Focus::Product, Preference::Flush},    {Focus::ForcedFirst, Preference::Balanced},
    {Focus::ForcedFirst, Preference::Size}, {Focus::FewestChoices, Preference::Balanced},
    {Focus::LeastSlack, Preference::Flush}, {Focus::FewestChoices, Preference::Size},
};

/// A limit for one try: work is the number of open boxes, summed over the nodes of the search tree.
struct TryLimit {
    std::int64_t work = 0;
    std::uint64_t seed = 0;
    Strategy strategy;
};

// Beyond this the stack of nested calls would grow too large.
constexpr int maxDepth = 5000;

class ExactSearch {
public:
    ExactSearch(std::span<const PlanItem> items, std::int64_t capacity, const SearchBudget& budget,
                const TryLimit& limit)
        : m_capacity(capacity), m_budget(budget), m_limit(limit), m_random(limit.seed | 1)
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

    Saved save(int section) const
    {
        const auto s = static_cast<std::size_t>(section);
        return {m_floor[s], m_top[s], m_topBox[s]};
    }
    void restore(int section, const Saved& saved)
    {
        const auto s = static_cast<std::size_t>(section);
        m_floor[s] = saved.floor;
        m_top[s] = saved.top;
        m_topBox[s] = saved.topBox;
    }

    const Box& box(int index) const { return m_boxes[static_cast<std::size_t>(index)]; }
    std::int64_t& floorAt(int section) { return m_floor[static_cast<std::size_t>(section)]; }

    /// Lowest offset that each open box can still have; false when what must come does not fit above it.
    bool measure(const std::vector<int>& open)
    {
        for (const int index : open) {
            const Box& one = box(index);
            std::int64_t reach = 0;
            for (int t = one.first; t <= one.last; ++t) reach = std::max(reach, m_floor[static_cast<std::size_t>(t)]);
            m_reach[static_cast<std::size_t>(index)] = reach;
        }
        m_byReach.assign(open.begin(), open.end());
        std::sort(m_byReach.begin(), m_byReach.end(), [&](int a, int b) {
            return m_reach[static_cast<std::size_t>(a)] > m_reach[static_cast<std::size_t>(b)];
        });
        for (const int index : open)
            for (int t = box(index).first; t <= box(index).last; ++t) m_sum[static_cast<std::size_t>(t)] = 0;
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
        m_result.steps += static_cast<std::int64_t>(open.size());
        if (m_result.steps > m_limit.work || depth > maxDepth) return Answer::GaveUp;
        if ((++m_nodes & 0xFF) == 0 && m_budget.isSpent(0)) return Answer::GaveUp;
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
        // A part that was solved has moved its floors; when a later one fails they must go back.
        std::vector<Saved> saved;
        for (int t = low; t <= high; ++t) saved.push_back(save(t));
        for (const std::vector<int>& part : parts) {
            const Answer answer = solve(part, depth + 1);
            if (answer == Answer::Yes) continue;
            for (int t = low; t <= high; ++t) restore(t, saved[static_cast<std::size_t>(t - low)]);
            return answer;
        }
        return Answer::Yes;
    }

    struct Choice {
        int section = -1;
        int low = 0, high = 0; // the valley
        std::int64_t level = 0;
        int count = std::numeric_limits<int>::max();
        std::int64_t slack = 0;
    };

    bool isBetter(const Choice& a, const Choice& b) const
    {
        const auto fewer = [](const Choice& x, const Choice& y) {
            return x.count != y.count ? x.count < y.count : x.slack < y.slack;
        };
        const auto tighter = [](const Choice& x, const Choice& y) {
            return x.slack != y.slack ? x.slack < y.slack : x.count < y.count;
        };
        switch (m_limit.strategy.focus) {
        case Focus::FewestChoices: return fewer(a, b);
        case Focus::LeastSlack: return tighter(a, b);
        case Focus::ForcedFirst: {
            const int x = std::min(a.count, 2), y = std::min(b.count, 2);
            return x != y ? x < y : tighter(a, b);
        }
        case Focus::Product: {
            // A little slack is as good as none.
            const double some = static_cast<double>(m_capacity) / 256;
            return (a.count + 1) * (static_cast<double>(a.slack) + some) <
                   (b.count + 1) * (static_cast<double>(b.slack) + some);
        }
        }
        return false;
    }

    /// Random numbers of our own: the same on every platform.
    double jitter()
    {
        m_random ^= m_random << 13;
        m_random ^= m_random >> 7;
        m_random ^= m_random << 17;
        return 1 + 0.3 * static_cast<double>(m_random >> 11) * 0x1.0p-53;
    }

    void sortByPreference(std::vector<int>& candidates, std::int64_t level)
    {
        std::vector<std::pair<double, int>> keys;
        for (const int index : candidates) {
            const Box& one = box(index);
            const double size = static_cast<double>(one.size), width = one.last - one.first + 1;
            double key = size;
            switch (m_limit.strategy.preference) {
            case Preference::Size: break;
            case Preference::Area: key *= width; break;
            case Preference::Balanced: key *= std::sqrt(width); break;
            case Preference::Flush: {
                const std::int64_t top = level + one.size;
                const bool isFlush = (one.first > 0 && floorAt(one.first - 1) == top) ||
                                     (one.last + 1 < m_sections && floorAt(one.last + 1) == top);
                key *= width * (isFlush ? 100 : 1);
                break;
            }
            }
            keys.emplace_back(-key * jitter(), index);
        }
        std::sort(keys.begin(), keys.end());
        for (std::size_t i = 0; i < keys.size(); ++i) candidates[i] = keys[i].second;
    }

    /// The moment to branch on, over all valleys.
    Choice choose(const std::vector<int>& open, int low, int high)
    {
        std::fill(m_choices.begin() + low, m_choices.begin() + high + 1, 0);
        // Count boxes that lie flat; whether in a valley is asked below.
        for (const int index : open) {
            const Box& one = box(index);
            const std::int64_t reach = m_reach[static_cast<std::size_t>(index)];
            bool isFlat = true;
            for (int t = one.first; t <= one.last && isFlat; ++t)
                isFlat = m_floor[static_cast<std::size_t>(t)] == reach;
            if (!isFlat || !isSupported(one, reach)) continue;
            for (int t = one.first; t <= one.last; ++t) ++m_choices[static_cast<std::size_t>(t)];
        }
        Choice best;
        for (int from = low; from <= high;) {
            int to = from;
            while (to < high && floorAt(to + 1) == floorAt(from)) ++to;
            const bool isValley =
                (from == low || floorAt(from - 1) > floorAt(from)) && (to == high || floorAt(to + 1) > floorAt(from));
            if (isValley)
                for (int t = from; t <= to; ++t) {
                    const int count = m_choices[static_cast<std::size_t>(t)];
                    const std::int64_t slack = m_capacity - floorAt(t) - m_sum[static_cast<std::size_t>(t)];
                    const Choice choice{t, from, to, floorAt(from), count, slack};
                    if (best.section < 0 || isBetter(choice, best)) best = choice;
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

    /// Of equal boxes the one with the lowest number comes first, always: both rules sort boxes of one interval the same way.
    void removeRepeats(std::vector<int>& candidates) const
    {
        std::vector<int> kept;
        for (const int index : candidates) {
            const bool isRepeat = std::any_of(candidates.begin(), candidates.end(),
                                              [&](int other) { return other < index && isTwin(other, index); });
            if (!isRepeat && !breaksOrder(index)) kept.push_back(index);
        }
        candidates = std::move(kept);
    }

    Answer branch(const std::vector<int>& open, int low, int high, int depth)
    {
        const Choice choice = choose(open, low, high);
        std::vector<int> candidates;
        std::int64_t next = farAway;      // lowest level at which something can come here if nothing does now
        std::int64_t lowestTop = farAway; // that a box beside the section can have
        bool hasInside = false;
        for (const int index : open) {
            const Box& one = box(index);
            const bool covers = one.first <= choice.section && choice.section <= one.last;
            const bool isInside = one.first >= choice.low && one.last <= choice.high;
            // What it could hold up: a box of the valley that covers the section may come to rest on it.
            if (!covers && one.first <= choice.high && one.last >= choice.low)
                lowestTop = std::min(lowestTop, m_reach[static_cast<std::size_t>(index)] + one.size);
            if (!covers) continue;
            if (!isInside) {
                next = std::min(next, m_reach[static_cast<std::size_t>(index)]);
                continue;
            }
            hasInside = true;
            if (isSupported(one, choice.level)) candidates.push_back(index);
        }
        removeRepeats(candidates);
        if (hasInside) next = std::min(next, lowestTop);
        sortByPreference(candidates, choice.level);
        std::vector<int> rest;
        for (const int index : candidates) {
            rest.clear();
            for (const int other : open)
                if (other != index) rest.push_back(other);
            const Box& one = box(index);
            std::vector<Saved> saved;
            for (int t = one.first; t <= one.last; ++t) {
                const auto s = static_cast<std::size_t>(t);
                saved.push_back(save(t));
                m_floor[s] = m_top[s] = choice.level + one.size;
                m_topBox[s] = index;
            }
            m_offset[static_cast<std::size_t>(index)] = choice.level;
            const Answer answer = solve(rest, depth + 1);
            if (answer != Answer::No) return answer;
            for (int t = one.first; t <= one.last; ++t) restore(t, saved[static_cast<std::size_t>(t - one.first)]);
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
    TryLimit m_limit;
    std::uint64_t m_random;
    std::uint64_t m_nodes = 0;
    std::vector<Box> m_boxes;
    int m_sections = 0;
    std::vector<std::int64_t> m_floor, m_top, m_sum; // by section
    std::vector<int> m_topBox, m_cross, m_choices;
    std::vector<std::int64_t> m_offset, m_reach; // by box
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

/// Peaks are sums of sizes, so only multiples of their common divisor can be one.
std::int64_t commonDivisor(std::span<const PlanItem> items)
{
    std::int64_t divisor = 0;
    for (const PlanItem& item : items)
        if (item.lower < item.upper) divisor = std::gcd(divisor, item.size);
    return std::max<std::int64_t>(1, divisor);
}

} // namespace

ExactResult findPlan(std::span<const PlanItem> items, std::int64_t capacity, const SearchBudget& budget)
{
    ExactResult result;
    if (items.size() > maxExactItems) return result;
    constexpr std::size_t count = std::size(strategies);
    constexpr std::int64_t firstNodes = 1000; // with half of the items open, on average
    const std::int64_t firstTry =
        budget.firstTry > 0 ? budget.firstTry : firstNodes * static_cast<std::int64_t>(items.size() + 1);
    for (std::size_t round = 0; result.outcome == ExactOutcome::GaveUp && !budget.isSpent(result.steps); ++round) {
        TryLimit limit;
        limit.strategy = strategies[round % count];
        limit.seed = 0x9E3779B97F4A7C15ull * (round + 1);
        // Short tries first: a bad start is rarely mended by searching on. They grow, so that a proof comes to its end.
        const std::size_t cycle = std::min<std::size_t>(round / (3 * count), 30);
        limit.work = std::min(budget.steps - result.steps, firstTry << cycle);
        ExactResult one = ExactSearch(items, capacity, budget, limit).run();
        one.steps += result.steps;
        result = std::move(one);
    }
    return result;
}

PlanResult planExact(std::span<const PlanItem> items, PlanResult start, const SearchBudget& budget)
{
    const std::int64_t bound = lowerBound(items).bytes;
    const std::int64_t unit = commonDivisor(items);
    std::int64_t proved = bound; // no plan is below it
    std::int64_t open = bound;   // below it we found none in this round, which proves nothing
    std::int64_t used = 0;
    const auto tryAt = [&](std::int64_t target, std::int64_t steps, std::int64_t firstTry = 0) {
        SearchBudget part = budget;
        part.firstTry = firstTry;
        part.steps = std::min(std::max<std::int64_t>(1, steps), budget.steps - used);
        const ExactResult result = findPlan(items, target, part);
        used += std::max<std::int64_t>(1, result.steps);
        if (result.outcome == ExactOutcome::Found) {
            start.offsets = result.offsets;
            start.peak = peakOf(items, result.offsets);
        } else {
            open = target + unit;
            if (result.outcome == ExactOutcome::Impossible) proved = std::max(proved, open);
        }
        return result.outcome == ExactOutcome::Found;
    };
    const auto isOpen = [&] {
        return start.peak > std::max(proved, budget.capacity) && !budget.isSpent(used) && items.size() <= maxExactItems;
    };
    if (budget.capacity >= bound && isOpen()) tryAt(std::min(budget.capacity, start.peak - unit), budget.steps);
    const auto quick = static_cast<std::int64_t>(items.size() + 1) * 2000;
    // A budget for a handful of tries only: models mostly reach their bound, so two of them go there.
    if (isOpen() && budget.capacity == 0 && budget.steps < 4 * quick) tryAt(bound, budget.steps / 2, budget.steps / 4);
    // A good plan soon: what leaves a tenth free is found at once, and less and less after that.
    for (const std::int64_t part : {8, 16, 32, 64}) {
        const std::int64_t target = (bound + bound / part) / unit * unit;
        if (!isOpen() || target >= start.peak) continue;
        if (!tryAt(target, std::min(quick, budget.steps / 8))) break;
    }
    // Then the bound itself, where plans mostly are, and by halves between it and the best; each with a share of what is left.
    std::int64_t target = bound;
    while (isOpen()) {
        tryAt(target, (budget.steps - used) / 4);
        if (open >= start.peak) open = proved; // once more from below, with longer tries
        target = std::max(open, (open + (start.peak - unit - open) / 2) / unit * unit);
    }
    start.steps += used;
    start.isProvedOptimal = start.peak <= proved;
    return start;
}

} // namespace gelens
