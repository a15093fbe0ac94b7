// The order within rows: barycentre sweeps down and up from several starting orders, then exchanges of neighbours.

#include <algorithm>
#include <deque>
#include <random>
#include <utility>

#include "viewers/layout/layer_graph.h"

namespace gelens {
namespace {

/// How hard to try. Small graphs cost nothing and are looked at closest; deep ones are mostly free of crossings, and
/// only the rows that have some take time.
struct Effort {
    int starts;    ///< starting orders, of kStarts
    int sweeps;    ///< from each of them
    int patience;  ///< sweeps without gain before giving up
    int exchanges; ///< rounds of exchanges after each sweep
    int shakes;    ///< attempts to escape by shuffling a row that has crossings
};

Effort effortFor(std::size_t vertices)
{
    if (vertices <= 1500) return {8, 48, 12, 16, 1500};
    if (vertices <= 8000) return {4, 24, 6, 8, 200};
    if (vertices <= 80000) return {2, 12, 4, 4, 0};
    return {2, 8, 3, 2, 0};
}

class Orderer {
public:
    Orderer(LayerGraph& layers, const std::stop_token& stop)
        : m_layers(layers), m_stop(stop), m_effort(effortFor(layers.rank.size()))
    {
        m_key.resize(layers.rank.size());
        m_best = layers.order;
        m_neighbour.resize(layers.segments.size());
        m_gap.assign(static_cast<std::size_t>(layers.rowCount()), 0);
        m_gapKnown.assign(m_gap.size(), 0);
        m_settled.assign(m_gap.size(), 0);
        int32_t widest = 0;
        for (int32_t r = 0; r < layers.rowCount(); ++r)
            widest = std::max(widest, layers.rowStart[r + 1] - layers.rowStart[r]);
        m_tree.resize(static_cast<std::size_t>(widest) + 1);
    }

    bool run()
    {
        if (m_layers.segments.empty() || m_tree.size() <= 2) return true; // every order is as good, or there is but one
        for (int start = 0; start < m_effort.starts && m_bestCrossings != 0; ++start) {
            m_byMedian = start / 2 % 2 == 1;
            searchOrder(start % 2 == 0, start >= 4);
            if (!sweep()) return false;
        }
        restoreBest();
        for (int round = 0; round < 4 && m_bestCrossings > 0; ++round)
            if (!polish()) return false;
        restoreBest();
        return shake();
    }

    double crossings()
    {
        double total = 0;
        for (int32_t r = 0; r + 1 < m_layers.rowCount(); ++r) total += gapCrossings(r);
        return total;
    }

private:
    bool stopped() const { return m_stop.stop_requested(); }

    /// Depth-first or breadth-first order from the first or the last row: what hangs together starts side by side.
    void searchOrder(bool fromTop, bool breadthFirst)
    {
        LayerGraph& g = m_layers;
        std::vector<uint8_t> seen(g.rank.size(), 0);
        std::vector<int32_t> next(g.rowStart.begin(), g.rowStart.end() - 1);
        std::deque<int32_t> open;
        const auto visit = [&](int32_t root) {
            open.push_back(root);
            while (!open.empty()) {
                const int32_t v = breadthFirst ? open.front() : open.back();
                breadthFirst ? open.pop_front() : open.pop_back();
                if (seen[v]) continue;
                seen[v] = 1;
                g.order[next[g.rank[v]]++] = v;
                const auto ahead = fromTop ? g.downOf(v) : g.upOf(v);
                for (std::size_t i = 0; i < ahead.size(); ++i) {
                    const LayerSegment& s = g.segments[ahead[breadthFirst ? i : ahead.size() - 1 - i]];
                    const int32_t to = fromTop ? s.lower : s.upper;
                    if (!seen[to]) open.push_back(to);
                }
            }
        };
        for (int32_t v = 0; v < g.vertexCount(); ++v)
            if ((fromTop ? g.upOf(v) : g.downOf(v)).empty()) visit(v);
        refreshPositions();
    }

    void refreshPositions()
    {
        for (int32_t r = 0; r < m_layers.rowCount(); ++r) refreshRow(r);
    }

    void refreshRow(int32_t r)
    {
        int32_t at = 0;
        bool changed = false;
        for (const int32_t v : m_layers.row(r)) {
            changed |= m_layers.position[v] != at;
            m_layers.position[v] = at++;
        }
        if (!changed) return;
        m_gapKnown[r] = 0;
        m_settled[r] = 0;
        if (r > 0) m_gapKnown[r - 1] = m_settled[r - 1] = 0;
        if (r + 1 < m_layers.rowCount()) m_settled[r + 1] = 0;
    }

    bool sweep()
    {
        keepIfBetter();
        int idle = 0;
        for (int i = 0; i < m_effort.sweeps && idle < m_effort.patience && m_bestCrossings > 0; ++i) {
            const bool reverseTies = i % 4 >= 2;
            const int32_t rows = m_layers.rowCount();
            for (int32_t k = 1; k < rows; ++k) {
                if (stopped()) return false;
                const int32_t r = i % 2 == 0 ? k : rows - 1 - k;
                sortRow(r, i % 2 == 0, reverseTies);
            }
            exchangeAll(reverseTies);
            if (stopped()) return false;
            idle = keepIfBetter() ? 0 : idle + 1;
        }
        return true;
    }

    bool keepIfBetter()
    {
        const double now = crossings();
        if (m_bestCrossings >= 0 && now >= m_bestCrossings) return false;
        m_bestCrossings = now;
        m_best = m_layers.order;
        return true;
    }

    void restoreBest()
    {
        m_layers.order = m_best;
        refreshPositions();
    }

    double meanPlace(std::span<const int32_t> segments, bool upper) const
    {
        double sum = 0;
        for (const int32_t s : segments)
            sum += m_layers.position[upper ? m_layers.segments[s].upper : m_layers.segments[s].lower];
        return sum / static_cast<double>(segments.size());
    }

    /// The median, between two middle places the one on the denser side (Gansner et al. 1993).
    double medianPlace(std::span<const int32_t> segments, bool upper)
    {
        m_places.clear();
        for (const int32_t s : segments)
            m_places.push_back(m_layers.position[upper ? m_layers.segments[s].upper : m_layers.segments[s].lower]);
        std::sort(m_places.begin(), m_places.end());
        const std::size_t half = m_places.size() / 2;
        if (m_places.size() % 2 == 1) return m_places[half];
        const double left = m_places[half - 1] - m_places.front();
        const double right = m_places.back() - m_places[half];
        if (left + right == 0) return (m_places[half - 1] + m_places[half]) / 2.0;
        return (m_places[half - 1] * right + m_places[half] * left) / (left + right);
    }

    /// Sorts a row by the mean (or median) place of its neighbours in the row above (or below). Vertices without
    /// neighbours there keep their place.
    void sortRow(int32_t r, bool byUpper, bool reverseTies)
    {
        LayerGraph& g = m_layers;
        const auto row = g.row(r);
        m_moving.clear();
        m_slots.clear();
        for (std::size_t i = 0; i < row.size(); ++i) {
            const int32_t v = row[i];
            const auto segments = byUpper ? g.upOf(v) : g.downOf(v);
            if (segments.empty()) continue;
            m_key[v] = m_byMedian ? medianPlace(segments, byUpper) : meanPlace(segments, byUpper);
            m_moving.push_back(v);
            m_slots.push_back(i);
        }
        if (reverseTies) std::reverse(m_moving.begin(), m_moving.end());
        if (!std::is_sorted(m_moving.begin(), m_moving.end(),
                            [&](int32_t a, int32_t b) { return m_key[a] < m_key[b]; }))
            std::stable_sort(m_moving.begin(), m_moving.end(),
                             [&](int32_t a, int32_t b) { return m_key[a] < m_key[b]; });
        for (std::size_t i = 0; i < m_slots.size(); ++i) row[m_slots[i]] = m_moving[i];
        refreshRow(r);
    }

    /// Weighted crossings between rows r and r + 1; remembered until one of them changes.
    double gapCrossings(int32_t r)
    {
        if (!m_gapKnown[r]) {
            m_gap[r] = countGap(r);
            m_gapKnown[r] = 1;
        }
        return m_gap[r];
    }

    /// Counts with a prefix-sum tree over the lower row.
    double countGap(int32_t r)
    {
        LayerGraph& g = m_layers;
        const std::size_t size = g.row(r + 1).size();
        if (g.row(r).size() < 2 || size < 2) return 0;
        std::fill(m_tree.begin(), m_tree.begin() + static_cast<std::ptrdiff_t>(size) + 1, 0.0);
        double total = 0;
        double inserted = 0;
        for (const int32_t v : g.row(r)) {
            const auto segments = g.downOf(v);
            for (const int32_t s : segments) {
                double notRight = 0;
                for (auto at = static_cast<std::size_t>(g.position[g.segments[s].lower]) + 1; at > 0; at &= at - 1)
                    notRight += m_tree[at];
                total += g.segments[s].weight * (inserted - notRight);
            }
            for (const int32_t s : segments) {
                inserted += g.segments[s].weight;
                for (auto at = static_cast<std::size_t>(g.position[g.segments[s].lower]) + 1; at <= size;
                     at += at & (~at + 1))
                    m_tree[at] += g.segments[s].weight;
            }
        }
        return total;
    }

    using Neighbours = std::span<const std::pair<int32_t, float>>;

    /// Crossings of the segments of a (left) with those of b (right), both sorted by place.
    static double pairCrossings(Neighbours a, Neighbours b)
    {
        double total = 0;
        double passed = 0; // weight of b's segments left of the present one of a
        std::size_t j = 0;
        for (const auto& [place, weight] : a) {
            while (j < b.size() && b[j].first < place) passed += b[j++].second;
            total += passed * weight;
        }
        return total;
    }

    /// Neighbour places of each vertex of a row, sorted, in m_neighbour at downStart/upStart.
    void loadNeighbours(int32_t r, bool upper)
    {
        LayerGraph& g = m_layers;
        for (const int32_t v : g.row(r)) {
            const auto segments = upper ? g.upOf(v) : g.downOf(v);
            const auto first = m_neighbour.begin() + (upper ? g.upStart[v] : g.downStart[v]);
            auto out = first;
            for (const int32_t s : segments)
                *out++ = {g.position[upper ? g.segments[s].upper : g.segments[s].lower], g.segments[s].weight};
            if (!std::is_sorted(first, out)) std::sort(first, out);
        }
    }

    Neighbours neighbours(int32_t v, bool upper) const
    {
        const auto& start = upper ? m_layers.upStart : m_layers.downStart;
        return {m_neighbour.data() + start[v], static_cast<std::size_t>(start[v + 1] - start[v])};
    }

    /// Exchanges neighbours in a row where that saves crossings (with `onTie` also where it costs none, which moves
    /// the search on). Returns true if something was saved.
    bool exchangeRow(int32_t r, bool onTie)
    {
        LayerGraph& g = m_layers;
        const auto row = g.row(r);
        if (row.size() < 2) return false;
        m_gain.assign(row.size() - 1, 0.0);
        for (const bool upper : {true, false}) {
            loadNeighbours(r, upper);
            // One pass of exchanges needs both sides at once, so differences are summed for the present order first.
            for (std::size_t i = 0; i + 1 < row.size(); ++i) {
                const auto a = neighbours(row[i], upper);
                const auto b = neighbours(row[i + 1], upper);
                if (!a.empty() && !b.empty() && a.back().first > b.front().first)
                    m_gain[i] += pairCrossings(a, b) - pairCrossings(b, a);
                else if (!a.empty() && !b.empty())
                    m_gain[i] -= pairCrossings(b, a);
            }
        }
        bool saved = false;
        for (std::size_t i = 0; i + 1 < row.size(); ++i) {
            if (m_gain[i] < 0 || (m_gain[i] == 0 && !onTie)) continue;
            std::swap(row[i], row[i + 1]);
            saved |= m_gain[i] > 0;
            ++i; // the next pair has changed
        }
        refreshRow(r);
        return saved;
    }

    /// Rows that neither changed nor saw a neighbour change since their last fruitless exchange are left out.
    void exchangeAll(bool onTie)
    {
        const int32_t rows = m_layers.rowCount();
        bool saved = true;
        for (int round = 0; round < m_effort.exchanges && saved && !stopped(); ++round) {
            saved = false;
            for (int32_t k = 0; k < rows && !stopped(); ++k) {
                const int32_t r = round % 2 == 0 ? k : rows - 1 - k;
                if (m_settled[r]) continue;
                const bool gained = exchangeRow(r, onTie && round == 0);
                if (!gained) m_settled[r] = 1;
                saved |= gained;
            }
        }
    }

    /// Sorts rows one by one, keeping only what does not make the two gaps around the row worse, and exchanges. Deep
    /// graphs need this: a whole sweep helps in one place and harms in another.
    bool polish()
    {
        LayerGraph& g = m_layers;
        const int32_t rows = g.rowCount();
        std::vector<int32_t> before;
        for (const bool down : {true, false}) {
            for (int32_t k = 0; k < rows; ++k) {
                if (stopped()) return false;
                const int32_t r = down ? k : rows - 1 - k;
                const auto around = [&] {
                    return (r > 0 ? gapCrossings(r - 1) : 0.0) + (r + 1 < rows ? gapCrossings(r) : 0.0);
                };
                const double old = around();
                if (old == 0) continue;
                const auto row = g.row(r);
                before.assign(row.begin(), row.end());
                sortRow(r, down, false);
                if (around() > old) {
                    std::copy(before.begin(), before.end(), row.begin());
                    refreshRow(r);
                }
                for (int pass = 0; pass < 4 && exchangeRow(r, false); ++pass) {
                }
            }
        }
        keepIfBetter();
        return true;
    }

    double windowCrossings(int32_t first, int32_t last)
    {
        double total = 0;
        for (int32_t r = std::max(0, first - 1); r < std::min(last + 1, m_layers.rowCount() - 1); ++r)
            total += gapCrossings(r);
        return total;
    }

    /// Iterated local search: shuffles one row, lets the rows around it settle, and takes back what did not help. The
    /// generator's numbers are fixed by the standard, so the drawing is the same everywhere.
    bool shake()
    {
        constexpr int32_t kReach = 8; // rows around the shuffled one that may follow
        std::mt19937 random(1);
        std::vector<int32_t> crossed;
        std::vector<int32_t> before;
        const int patience = std::max(200, m_effort.shakes / 2);
        int idle = 0;
        for (int attempt = 0; attempt < m_effort.shakes && idle < patience; ++attempt, ++idle) {
            if (stopped()) return false;
            crossed.clear();
            for (int32_t r = 0; r + 1 < m_layers.rowCount(); ++r)
                if (gapCrossings(r) > 0) crossed.push_back(r);
            if (crossed.empty()) return true;
            const int32_t r = crossed[random() % crossed.size()] + static_cast<int32_t>(random() % 2);
            const int32_t reach = 1 + static_cast<int32_t>(random() % kReach);
            const int32_t first = std::max(0, r - reach);
            const int32_t last = std::min(m_layers.rowCount() - 1, r + reach);
            const auto begin = m_layers.order.begin() + m_layers.rowStart[first];
            before.assign(begin, m_layers.order.begin() + m_layers.rowStart[last + 1]);
            const double old = windowCrossings(first, last);
            settleAround(r, first, last, random);
            const double now = windowCrossings(first, last);
            if (now < old) idle = 0;
            if (now <= old) continue;
            std::copy(before.begin(), before.end(), begin);
            for (int32_t k = first; k <= last; ++k) refreshRow(k);
        }
        return true;
    }

    void settleAround(int32_t r, int32_t first, int32_t last, std::mt19937& random)
    {
        const auto row = m_layers.row(r);
        if (random() % 2 == 0) {
            for (std::size_t i = row.size(); i > 1; --i) std::swap(row[i - 1], row[random() % i]);
        } else { // take one out and put it elsewhere
            const std::size_t from = random() % row.size();
            const std::size_t to = random() % row.size();
            if (from < to)
                std::rotate(row.begin() + from, row.begin() + from + 1, row.begin() + to + 1);
            else
                std::rotate(row.begin() + to, row.begin() + from, row.begin() + from + 1);
        }
        refreshRow(r);
        m_byMedian = random() % 2 == 0;
        for (int32_t k = r + 1; k <= last; ++k) sortRow(k, true, false);
        for (int32_t k = r - 1; k >= first; --k) sortRow(k, false, false);
        for (int32_t k = first + 1; k <= last; ++k) sortRow(k, true, true);
        for (bool saved = true; saved;) {
            saved = false;
            for (int32_t k = first; k <= last; ++k)
                if (!m_settled[k]) {
                    const bool gained = exchangeRow(k, false);
                    if (!gained) m_settled[k] = 1;
                    saved |= gained;
                }
        }
    }

    LayerGraph& m_layers;
    const std::stop_token& m_stop;
    Effort m_effort;
    bool m_byMedian = false;
    std::vector<double> m_gap; ///< crossings below each row …
    std::vector<uint8_t> m_gapKnown;
    std::vector<uint8_t> m_settled; ///< row → no exchange in it saves anything
    double m_bestCrossings = -1;
    std::vector<int32_t> m_best;
    std::vector<double> m_key;
    std::vector<double> m_tree;
    std::vector<double> m_gain;
    std::vector<int32_t> m_moving;
    std::vector<std::size_t> m_slots;
    std::vector<int32_t> m_places;
    std::vector<std::pair<int32_t, float>> m_neighbour;
};

} // namespace

bool orderLayers(LayerGraph& layers, const std::stop_token& stop) { return Orderer(layers, stop).run(); }

double countCrossings(const LayerGraph& layers)
{
    LayerGraph copy = layers;
    return Orderer(copy, {}).crossings();
}

} // namespace gelens
