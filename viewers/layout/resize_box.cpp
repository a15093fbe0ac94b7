#include "viewers/layout/resize_box.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "viewers/layout/stubs.h"

namespace gelens {
namespace {

constexpr double kSame = 1e-6; ///< heights nearer than this are the same: they were computed in different ways

class BoxResizer {
public:
    BoxResizer(const LayoutGraph& graph, const LayoutResult& layout, int32_t node, double width, double height)
        : m_graph(graph), m_layout(layout), m_node(node), m_centre(layout.centres[static_cast<std::size_t>(node)])
    {
        const LayoutNode& box = graph.nodes[static_cast<std::size_t>(node)];
        m_oldHalf = safeLength(box.width) / 2;
        m_newHalf = safeLength(width) / 2;
        m_top = m_centre.y - safeLength(box.height) / 2;
        m_oldBottom = m_centre.y + safeLength(box.height) / 2;
        m_newBottom = m_top + safeLength(height);
        findBand();
    }

    LayoutResult run()
    {
        LayoutResult result;
        result.engine = m_layout.engine;
        result.centres.reserve(m_graph.nodes.size());
        for (std::size_t n = 0; n < m_graph.nodes.size(); ++n)
            result.centres.push_back(movedCentre(static_cast<int32_t>(n)));
        result.points.reserve(m_layout.points.size() + 64);
        result.offsets.push_back(0);
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e) {
            moveRoute(e, result.points);
            result.offsets.push_back(static_cast<uint32_t>(result.points.size()));
        }
        return result;
    }

private:
    double top(std::size_t n) const { return m_layout.centres[n].y - safeLength(m_graph.nodes[n].height) / 2; }
    double bottom(std::size_t n) const { return m_layout.centres[n].y + safeLength(m_graph.nodes[n].height) / 2; }

    /// The boxes that are not apart from this one in height: its row, and where unconnected parts stand beside it, rows
    /// that are staggered against each other. All of these make room sideways.
    void findBand()
    {
        std::vector<std::size_t> byTop(m_graph.nodes.size());
        std::iota(byTop.begin(), byTop.end(), 0);
        std::sort(byTop.begin(), byTop.end(), [&](std::size_t a, std::size_t b) { return top(a) < top(b); });
        double above = -std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < byTop.size();) {
            const std::size_t first = i;
            m_gapTop = above;
            m_bandTop = top(byTop[i]);
            m_bandBottom = m_bandTop;
            for (; i < byTop.size() && top(byTop[i]) <= m_bandBottom + kSame; ++i)
                m_bandBottom = std::max(m_bandBottom, bottom(byTop[i]));
            m_gapBottom = i < byTop.size() ? top(byTop[i]) : std::numeric_limits<double>::infinity();
            above = m_bandBottom;
            const std::span<const std::size_t> band(byTop.data() + first, i - first);
            if (std::find(band.begin(), band.end(), static_cast<std::size_t>(m_node)) != band.end()) {
                chooseRoom(band);
                return;
            }
        }
    }

    void chooseRoom(std::span<const std::size_t> band)
    {
        double others = m_bandTop;
        bool isStaggered = false;
        for (const std::size_t n : band) {
            if (n == static_cast<std::size_t>(m_node)) continue;
            others = std::max(others, bottom(n));
            isStaggered |= bottom(n) <= m_top + kSame || top(n) >= m_oldBottom - kSame;
        }
        m_room = m_newHalf - m_oldHalf;
        if (!isStaggered) {
            m_cut = m_bandBottom;
            m_down = std::max(others, m_newBottom) - m_bandBottom;
            return;
        }
        // Some of the band stands below the box, so the cut is at its lower side; and as what closes up in one part may
        // collide with another, room is made but not given back.
        m_cut = m_oldBottom;
        m_down = std::max(0.0, m_newBottom - m_oldBottom);
        m_room = std::max(0.0, m_room);
    }

    double sideways(double x) const
    {
        return x < m_centre.x - m_oldHalf ? -m_room : x > m_centre.x + m_oldHalf ? m_room : 0;
    }

    bool isInBand(double y) const { return y >= m_bandTop - kSame && y <= m_bandBottom + kSame; }

    LayoutPoint movedCentre(int32_t n) const
    {
        LayoutPoint p = m_layout.centres[static_cast<std::size_t>(n)];
        if (n == m_node) {
            p.y = (m_top + m_newBottom) / 2;
            return p;
        }
        if (isInBand(p.y)) p.x += sideways(p.x);
        if (top(static_cast<std::size_t>(n)) >= m_cut - kSame) p.y += m_down;
        return p;
    }

    LayoutPoint movedPoint(LayoutPoint p) const
    {
        if (isInBand(p.y)) p.x += sideways(p.x);
        if (p.y >= m_cut - kSame) p.y += m_down;
        return p;
    }

    /// An end of a route moves with its box.
    LayoutPoint movedEnd(LayoutPoint p, int32_t box) const
    {
        if (box == m_node) {
            p.x = std::clamp(p.x, m_centre.x - m_newHalf, m_centre.x + m_newHalf);
            if (p.y >= m_oldBottom - kSame) p.y = m_newBottom;
            return p;
        }
        const LayoutPoint from = m_layout.centres[static_cast<std::size_t>(box)];
        const LayoutPoint to = movedCentre(box);
        return {p.x + to.x - from.x, p.y + to.y - from.y};
    }

    /// Where a straight piece enters or leaves the band it gets a corner, so that it can make room inside; and one at
    /// the far side of the free space before it, so that it does not run slanted through the rows above or below.
    void addCorner(LayoutPoint a, LayoutPoint b, double y, std::vector<LayoutPoint>& points) const
    {
        if ((a.y < y) == (b.y < y) || std::abs(a.y - y) < kSame || std::abs(b.y - y) < kSame) return;
        points.push_back(movedPoint({a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y}));
    }

    /// A line that ends at the lower side of another box in the band follows the band's side down, or it would cut
    /// across what has grown.
    bool needsStretch(LayoutPoint end, int32_t box) const
    {
        return m_down != 0 && box != m_node && std::abs(end.y - m_cut) < kSame;
    }

    LayoutPoint stretched(LayoutPoint end, int32_t box) const { return {movedEnd(end, box).x, m_cut + m_down}; }

    void moveRoute(std::size_t edge, std::vector<LayoutPoint>& points) const
    {
        const auto route = m_layout.route(edge);
        if (route.empty()) return;
        const LayoutEdge& e = m_graph.edges[edge];
        if (e.from == e.to) { // a loop is moved as it is; on the resized box it goes to the new side
            const LayoutPoint shift{e.from == m_node ? m_newHalf - m_oldHalf
                                                     : movedCentre(e.from).x - m_layout.centres[e.from].x,
                                    movedCentre(e.from).y - m_layout.centres[e.from].y};
            for (const LayoutPoint& p : route) points.push_back({p.x + shift.x, p.y + shift.y});
            return;
        }
        points.push_back(movedEnd(route.front(), e.from));
        if (needsStretch(route.front(), e.from)) points.push_back(stretched(route.front(), e.from));
        for (std::size_t i = 0; i + 1 < route.size(); ++i) {
            const bool down = route[i].y <= route[i + 1].y;
            const std::array<double, 4> levels{m_gapTop, m_bandTop, m_bandBottom, m_gapBottom};
            for (std::size_t k = 0; k < levels.size(); ++k)
                addCorner(route[i], route[i + 1], levels[down ? k : levels.size() - 1 - k], points);
            if (i + 2 < route.size()) points.push_back(movedPoint(route[i + 1]));
        }
        if (needsStretch(route.back(), e.to)) points.push_back(stretched(route.back(), e.to));
        points.push_back(movedEnd(route.back(), e.to));
    }

    const LayoutGraph& m_graph;
    const LayoutResult& m_layout;
    int32_t m_node;
    LayoutPoint m_centre; ///< before
    double m_oldHalf = 0; ///< of the widths
    double m_newHalf = 0;
    double m_top = 0;
    double m_oldBottom = 0;
    double m_newBottom = 0;
    double m_gapTop = 0; ///< the free space above the band …
    double m_bandTop = 0;
    double m_bandBottom = 0;
    double m_gapBottom = 0; ///< … and below it
    double m_room = 0;      ///< how far boxes beside it move to either side
    double m_cut = 0;       ///< everything from here on moves down
    double m_down = 0;      ///< how far it does
};

} // namespace

LayoutResult resizeBox(const LayoutGraph& graph, const LayoutResult& layout, int32_t node, double width, double height,
                       const LayoutOptions& options)
{
    if (node < 0 || static_cast<std::size_t>(node) >= graph.nodes.size() || layout.centres.size() != graph.nodes.size())
        return layout;
    const auto begin = std::chrono::steady_clock::now();
    LayoutResult result = BoxResizer(graph, layout, node, width, height).run();
    LayoutGraph after = graph;
    after.nodes[static_cast<std::size_t>(node)].width = width;
    after.nodes[static_cast<std::size_t>(node)].height = height;
    std::vector<uint8_t> stubbed(graph.edges.size(), 0);
    for (const LayoutStub& s : layout.stubs) stubbed[static_cast<std::size_t>(s.edge)] = 1;
    addStubs(after, stubbed, options, result);
    measureBounds(after, result);
    const auto end = std::chrono::steady_clock::now();
    result.milliseconds = std::chrono::duration<double, std::milli>(end - begin).count();
    return result;
}

} // namespace gelens
