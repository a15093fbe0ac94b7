// The x of every vertex. First whole rows are fitted to their neighbours (least squares under the row's separations,
// solved exactly by pooling adjacent violators), sweeping down and up. Then vertices that can stand one below the other
// are moved as one to the median of what they are joined to, which makes lines straight and the drawing narrow.

#include <algorithm>
#include <cmath>
#include <limits>

#include "viewers/layout/layer_graph.h"

namespace gelens {
namespace {

/// Share of a vertex's weight that pulls it to the middle of the drawing. The weakest gives the shortest lines,
/// stronger ones narrower drawings; small graphs get the best of all.
constexpr double kAxisPulls[] = {0.02, 0.06, 0.2};
constexpr std::size_t kSmall = 8000;

class Placer {
public:
    Placer(LayerGraph& layers, const LayoutOptions& options) : m_layers(layers), m_options(options)
    {
        const auto count = static_cast<std::size_t>(layers.vertexCount());
        m_rounds = count <= 4000 ? 10 : count <= 30000 ? 5 : 4;
        m_next.resize(count);
        m_pull.reserve(layers.segments.size());
        for (const LayerSegment& s : layers.segments) {
            // A bend in the middle of a long line is the ugliest, as in the priorities of Gansner et al. (1993).
            const int lines = layers.isLine(s.upper) + layers.isLine(s.lower);
            m_pull.push_back((lines == 2 ? 8.0 : lines == 1 ? 2.0 : 1.0) * std::min(4.0, 0.5 + 0.5 * s.weight));
        }
    }

    bool run()
    {
        if (m_layers.rank.size() > kSmall) return place(kAxisPulls[1]);
        double best = std::numeric_limits<double>::max();
        std::vector<double> bestX;
        for (const double pull : kAxisPulls) {
            if (!place(pull)) return false;
            if (const double now = cost(); now < best) {
                best = now;
                bestX = m_layers.x;
            }
        }
        m_layers.x = std::move(bestX);
        return true;
    }

private:
    enum Sides { OneSide, BothSides };

    struct Block {
        double sum; ///< of weight × wanted place, offsets taken off
        double weight;
        int32_t end; ///< one past its last vertex in the row
        double mean() const { return sum / weight; }
    };

    bool place(double axisPull)
    {
        m_axisPull = axisPull;
        packRows();
        for (int round = 0; round < m_rounds; ++round)
            for (const bool down : {true, false})
                if (!fitRows(down, round + 2 < m_rounds ? OneSide : BothSides)) return false;
        for (int round = 0; round < 2 * m_rounds; ++round)
            if (!straighten(round % 2 == 0)) return false;
        shiftToZero();
        return true;
    }

    /// Width times the square of the length of all lines: long lines harm more than a wide drawing.
    double cost() const
    {
        double right = 0;
        for (int32_t v = 0; v < m_layers.vertexCount(); ++v)
            right = std::max(right, m_layers.x[v] + m_layers.width[v] / 2);
        double length = 0;
        for (const LayerSegment& s : m_layers.segments)
            length += s.weight * (std::abs(m_layers.x[s.upper] - m_layers.x[s.lower]) + m_options.rankSpacing);
        return right * length * length;
    }

    bool stopped() const { return m_options.stop.stop_requested(); }

    void packRows()
    {
        for (int32_t r = 0; r < m_layers.rowCount(); ++r) {
            const auto row = m_layers.row(r);
            double x = 0;
            for (std::size_t i = 0; i < row.size(); ++i) {
                if (i > 0) x += m_layers.separation(row[i - 1], row[i], m_options);
                m_layers.x[row[i]] = x;
            }
            for (const int32_t v : row) m_layers.x[v] -= x / 2;
        }
    }

    /// Weighted sum of the places of the neighbours on one side.
    void addPull(int32_t v, bool upper, double& sum, double& weight) const
    {
        for (const int32_t s : upper ? m_layers.upOf(v) : m_layers.downOf(v)) {
            const LayerSegment& segment = m_layers.segments[s];
            sum += m_pull[s] * m_layers.x[upper ? segment.upper : segment.lower];
            weight += m_pull[s];
        }
    }

    bool fitRows(bool down, Sides sides)
    {
        const int32_t rows = m_layers.rowCount();
        for (int32_t k = 0; k < rows; ++k) {
            if (stopped()) return false;
            fitRow(down ? k : rows - 1 - k, down, sides);
        }
        return true;
    }

    void fitRow(int32_t r, bool down, Sides sides)
    {
        const auto row = m_layers.row(r);
        m_blocks.clear();
        m_offset.resize(row.size());
        for (std::size_t i = 0; i < row.size(); ++i) {
            const int32_t v = row[i];
            m_offset[i] = i == 0 ? 0 : m_offset[i - 1] + m_layers.separation(row[i - 1], v, m_options);
            double sum = 0;
            double weight = 0;
            if (down || sides == BothSides) addPull(v, true, sum, weight);
            if (!down || sides == BothSides) addPull(v, false, sum, weight);
            if (weight == 0) { // joined to the other side only: goes where the others leave it
                weight = 0.01;
                sum = weight * m_layers.x[v];
            }
            // A weak pull to the axis (x = 0) keeps a long trunk from drifting sideways block by block.
            weight += m_axisPull * weight;
            m_blocks.push_back({sum - weight * m_offset[i], weight, static_cast<int32_t>(i) + 1});
            while (m_blocks.size() > 1 && m_blocks[m_blocks.size() - 2].mean() >= m_blocks.back().mean()) {
                const Block last = m_blocks.back();
                m_blocks.pop_back();
                m_blocks.back().sum += last.sum;
                m_blocks.back().weight += last.weight;
                m_blocks.back().end = last.end;
            }
        }
        std::size_t i = 0;
        for (const Block& block : m_blocks)
            for (const double mean = block.mean(); i < static_cast<std::size_t>(block.end); ++i)
                m_layers.x[row[i]] = mean + m_offset[i];
    }

    /// The neighbour nearest to being straight above or below; -1 if there is none.
    int32_t straightest(int32_t v, bool upper) const
    {
        int32_t best = -1;
        double bestCost = std::numeric_limits<double>::max();
        for (const int32_t s : upper ? m_layers.upOf(v) : m_layers.downOf(v)) {
            const int32_t to = upper ? m_layers.segments[s].upper : m_layers.segments[s].lower;
            const bool continues = m_layers.isLine(v) && m_layers.isLine(to);
            const double cost = continues ? -1 : std::abs(m_layers.x[to] - m_layers.x[v]);
            if (cost < bestCost) {
                bestCost = cost;
                best = to;
            }
        }
        return best;
    }

    /// Links vertices to the one below that they should be straight with; m_next is -1 at the end of such a chain.
    void linkChains()
    {
        m_isHead.assign(m_next.size(), 1);
        for (int32_t v = 0; v < m_layers.vertexCount(); ++v) {
            const int32_t below = straightest(v, false);
            m_next[v] = below >= 0 && straightest(below, true) == v ? below : -1;
            if (m_next[v] >= 0) m_isHead[m_next[v]] = 0;
        }
    }

    /// How far v can move while its row's other vertices stay.
    std::pair<double, double> room(int32_t v) const
    {
        const auto row = m_layers.row(m_layers.rank[v]);
        const auto at = static_cast<std::size_t>(m_layers.position[v]);
        constexpr double kFar = std::numeric_limits<double>::infinity();
        const double low = at > 0 ? m_layers.x[row[at - 1]] + m_layers.separation(row[at - 1], v, m_options) : -kFar;
        const double high =
            at + 1 < row.size() ? m_layers.x[row[at + 1]] - m_layers.separation(v, row[at + 1], m_options) : kFar;
        return {low, high};
    }

    bool straighten(bool down)
    {
        linkChains();
        const int32_t rows = m_layers.rowCount();
        for (int32_t k = 0; k < rows; ++k) {
            if (stopped()) return false;
            const auto row = m_layers.row(down ? k : rows - 1 - k);
            for (std::size_t i = 0; i < row.size(); ++i) {
                const int32_t v = row[down ? i : row.size() - 1 - i];
                if (m_isHead[v]) placeChain(v);
            }
        }
        return true;
    }

    /// Splits a chain into the longest runs that fit on one vertical line, and puts each where its median pulls it.
    void placeChain(int32_t head)
    {
        constexpr double kSlack = 1e-9;
        for (int32_t v = head; v >= 0;) {
            m_run.clear();
            double low = -std::numeric_limits<double>::infinity();
            double high = std::numeric_limits<double>::infinity();
            for (; v >= 0; v = m_next[v]) {
                const auto [l, h] = room(v);
                if (!m_run.empty() && std::max(low, l) > std::min(high, h) + kSlack) break;
                low = std::max(low, l);
                high = std::min(high, h);
                m_run.push_back(v);
            }
            const double wanted = medianPull();
            const double x = std::max(low, std::min(high, wanted));
            for (const int32_t member : m_run) m_layers.x[member] = x;
        }
    }

    /// Weighted median of what the run is joined to outside itself; where a whole range is as good, its place nearest
    /// to the axis.
    double medianPull()
    {
        m_pulls.clear();
        double total = 0;
        const auto add = [&](double x, double weight) {
            m_pulls.emplace_back(x, weight);
            total += weight;
        };
        for (std::size_t i = 0; i < m_run.size(); ++i) {
            const int32_t v = m_run[i];
            for (const int32_t s : m_layers.upOf(v))
                if (const int32_t u = m_layers.segments[s].upper; i == 0 || u != m_run[i - 1])
                    add(m_layers.x[u], m_pull[s]);
            for (const int32_t s : m_layers.downOf(v))
                if (const int32_t u = m_layers.segments[s].lower; i + 1 == m_run.size() || u != m_run[i + 1])
                    add(m_layers.x[u], m_pull[s]);
        }
        if (m_pulls.empty()) return m_layers.x[m_run.front()];
        std::sort(m_pulls.begin(), m_pulls.end());
        double passed = 0;
        for (std::size_t i = 0; i < m_pulls.size(); ++i) {
            passed += m_pulls[i].second;
            if (passed * 2 == total && i + 1 < m_pulls.size())
                return std::clamp(0.0, m_pulls[i].first, m_pulls[i + 1].first);
            if (passed * 2 > total) return m_pulls[i].first;
        }
        return m_pulls.back().first;
    }

    void shiftToZero()
    {
        double left = std::numeric_limits<double>::infinity();
        for (int32_t v = 0; v < m_layers.vertexCount(); ++v)
            left = std::min(left, m_layers.x[v] - m_layers.width[v] / 2);
        for (double& x : m_layers.x) x -= left;
    }

    LayerGraph& m_layers;
    const LayoutOptions& m_options;
    int m_rounds = 0;
    double m_axisPull = 0;
    std::vector<double> m_pull; ///< of each segment
    std::vector<Block> m_blocks;
    std::vector<double> m_offset;
    std::vector<int32_t> m_next;
    std::vector<uint8_t> m_isHead;
    std::vector<int32_t> m_run;
    std::vector<std::pair<double, double>> m_pulls;
};

} // namespace

bool placeLayers(LayerGraph& layers, const LayoutOptions& options) { return Placer(layers, options).run(); }

} // namespace gelens
