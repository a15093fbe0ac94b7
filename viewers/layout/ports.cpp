// Where lines meet boxes: as straight above or below the other end as the box is wide, a little apart from each other,
// in the order of the other ends, so that the lines of one box never cross there.

#include <algorithm>
#include <utility>

#include "viewers/layout/layer_graph.h"
#include "viewers/layout/stubs.h"

namespace gelens {
namespace {

constexpr double kPortSpacing = 10; ///< wanted between two lines at one side of a box
constexpr double kCornerMargin = 6; ///< lines keep clear of the corners

class PortChooser {
public:
    PortChooser(LayerGraph& layers, const LayoutGraph& graph) : m_layers(layers), m_graph(graph) {}

    void run()
    {
        for (LayerSegment& s : m_layers.segments) {
            s.topX = m_layers.x[s.upper];
            s.bottomX = m_layers.x[s.lower];
        }
        wish();
        for (int32_t v = 0; v < m_layers.realCount; ++v) {
            spread(v, m_layers.downOf(v), &LayerSegment::topX, &LayerSegment::lower);
            spread(v, m_layers.upOf(v), &LayerSegment::bottomX, &LayerSegment::upper);
        }
    }

private:
    /// What the side of a box offers to lines. The room of a self-loop is no part of it.
    std::pair<double, double> side(int32_t v) const
    {
        const double width = safeLength(m_graph.nodes[m_layers.node[v]].width);
        const double half = std::max(0.0, width / 2 - kCornerMargin);
        return {m_layers.x[v] - half, m_layers.x[v] + half};
    }

    /// A vertical line where the two sides overlap, the shortest line otherwise.
    void wish()
    {
        for (LayerSegment& s : m_layers.segments) {
            const double up = m_layers.x[s.upper];
            const double low = m_layers.x[s.lower];
            const auto [upLeft, upRight] = m_layers.isLine(s.upper) ? std::pair(up, up) : side(s.upper);
            const auto [lowLeft, lowRight] = m_layers.isLine(s.lower) ? std::pair(low, low) : side(s.lower);
            const double left = std::max(upLeft, lowLeft);
            const double right = std::min(upRight, lowRight);
            if (left <= right) {
                s.topX = s.bottomX = std::clamp((up + low) / 2, left, right);
            } else {
                s.topX = std::clamp(low, upLeft, upRight);
                s.bottomX = std::clamp(up, lowLeft, lowRight);
            }
        }
    }

    void spread(int32_t v, std::span<const int32_t> segments, double LayerSegment::*place, int32_t LayerSegment::*other)
    {
        if (segments.size() < 2) return;
        m_sorted.assign(segments.begin(), segments.end());
        std::sort(m_sorted.begin(), m_sorted.end(), [&](int32_t a, int32_t b) {
            return m_layers.position[m_layers.segments[a].*other] < m_layers.position[m_layers.segments[b].*other];
        });
        const auto [left, right] = side(v);
        const double step = std::min(kPortSpacing, (right - left) / static_cast<double>(m_sorted.size() - 1));
        // From the left each line gets at least `step`; from the right none is pushed out of the box.
        double least = left;
        for (const int32_t s : m_sorted) {
            double& x = m_layers.segments[s].*place;
            x = std::max(x, least);
            least = x + step;
        }
        double most = right;
        for (std::size_t i = m_sorted.size(); i-- > 0;) {
            double& x = m_layers.segments[m_sorted[i]].*place;
            x = std::min(x, most);
            most = x - step;
        }
    }

    LayerGraph& m_layers;
    const LayoutGraph& m_graph;
    std::vector<int32_t> m_sorted;
};

} // namespace

void choosePorts(LayerGraph& layers, const LayoutGraph& graph) { PortChooser(layers, graph).run(); }

} // namespace gelens
