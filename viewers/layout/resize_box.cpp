#include "viewers/layout/resize_box.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "viewers/layout/part_room.h"
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
        findParts();
        findBand();
    }

    LayoutResult run(double partSpacing)
    {
        LayoutResult result;
        result.engine = m_layout.engine;
        result.centres = m_layout.centres;
        LayoutRect own = kNowhere; // what its part takes up now
        for (std::size_t n = 0; n < m_graph.nodes.size(); ++n) {
            if (!isOwn(n)) continue;
            const LayoutPoint c = result.centres[n] = movedCentre(static_cast<int32_t>(n));
            const bool isResized = n == static_cast<std::size_t>(m_node);
            const double w = isResized ? m_newHalf : safeLength(m_graph.nodes[n].width) / 2;
            const double h = isResized ? (m_newBottom - m_top) / 2 : safeLength(m_graph.nodes[n].height) / 2;
            include(own, {c.x - w, c.y - h});
            include(own, {c.x + w, c.y + h});
        }
        result.points.reserve(m_layout.points.size() + 64);
        result.offsets.reserve(m_graph.edges.size() + 1);
        result.offsets.push_back(0);
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e) {
            const auto route = m_layout.route(e);
            const std::size_t first = result.points.size();
            if (!route.empty() && !isOwn(static_cast<std::size_t>(m_graph.edges[e].from)))
                result.points.insert(result.points.end(), route.begin(), route.end());
            else
                moveRoute(e, result.points);
            if (!route.empty() && isOwn(static_cast<std::size_t>(m_graph.edges[e].from)))
                for (std::size_t p = first; p < result.points.size(); ++p) include(own, result.points[p]);
            result.offsets.push_back(static_cast<uint32_t>(result.points.size()));
        }
        moveOtherParts(result, own, partSpacing);
        return result;
    }

private:
    static constexpr double kFar = std::numeric_limits<double>::infinity();
    static constexpr LayoutRect kNowhere{kFar, kFar, -kFar, -kFar};

    static void include(LayoutRect& rect, LayoutPoint p)
    {
        rect = {std::min(rect.left, p.x), std::min(rect.top, p.y), std::max(rect.right, p.x),
                std::max(rect.bottom, p.y)};
    }

    bool isOwn(std::size_t n) const { return m_isOwnPart[static_cast<std::size_t>(m_partOf[n])] != 0; }

    /// The parts that no line joins, and what they take up. Those that stand in between the box's own part count as one
    /// with it.
    void findParts()
    {
        const std::size_t count = m_graph.nodes.size();
        std::vector<int32_t> root(count);
        std::iota(root.begin(), root.end(), 0);
        const auto find = [&](int32_t n) {
            while (root[static_cast<std::size_t>(n)] != n) {
                auto& up = root[static_cast<std::size_t>(n)];
                up = root[static_cast<std::size_t>(up)];
                n = up;
            }
            return n;
        };
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e)
            if (!m_layout.route(e).empty()) {
                const int32_t a = find(m_graph.edges[e].from), b = find(m_graph.edges[e].to);
                root[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
            }
        m_partOf.assign(count, -1);
        for (std::size_t n = 0; n < count; ++n) { // a root stands before the rest of its part
            const auto r = static_cast<std::size_t>(find(static_cast<int32_t>(n)));
            if (r == n) {
                m_partOf[n] = static_cast<int32_t>(m_parts.size());
                m_parts.push_back(kNowhere);
            } else {
                m_partOf[n] = m_partOf[r];
            }
            LayoutRect& part = m_parts[static_cast<std::size_t>(m_partOf[n])];
            const double half = safeLength(m_graph.nodes[n].width) / 2;
            include(part, {m_layout.centres[n].x - half, top(n)});
            include(part, {m_layout.centres[n].x + half, bottom(n)});
        }
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e)
            for (const LayoutPoint& p : m_layout.route(e))
                include(m_parts[static_cast<std::size_t>(m_partOf[static_cast<std::size_t>(m_graph.edges[e].from)])],
                        p);
        m_isOwnPart.assign(m_parts.size(), 0);
        m_ownPart = static_cast<std::size_t>(m_partOf[static_cast<std::size_t>(m_node)]);
        m_isOwnPart[m_ownPart] = 1;
        constexpr int most = 16; // rounds: parts that are as entangled as that are one
        LayoutRect& own = m_parts[m_ownPart];
        for (int round = 0; round <= most; ++round) {
            bool isDone = true;
            for (std::size_t p = 0; p < m_parts.size(); ++p) {
                const LayoutRect part = m_parts[p];
                const bool meets =
                    part.left < own.right && own.left < part.right && part.top < own.bottom && own.top < part.bottom;
                if (m_isOwnPart[p] != 0 || !(meets || round == most)) continue;
                m_isOwnPart[p] = 1;
                include(own, {part.left, part.top});
                include(own, {part.right, part.bottom});
                isDone = false;
            }
            if (isDone) break;
        }
    }

    void moveOtherParts(LayoutResult& result, const LayoutRect& now, double spacing) const
    {
        std::vector<LayoutRect> parts; // those joined to its own are no parts of their own any more
        std::vector<std::size_t> index(m_parts.size(), 0);
        std::size_t own = 0;
        for (std::size_t p = 0; p < m_parts.size(); ++p) {
            if (m_isOwnPart[p] != 0 && p != m_ownPart) continue;
            if (p == m_ownPart) own = parts.size();
            index[p] = parts.size();
            parts.push_back(m_parts[p]);
        }
        if (parts.size() < 2) return;
        const std::vector<LayoutPoint> shifts = makeRoomFor(parts, own, now, spacing);
        const auto shiftOf = [&](std::size_t n) {
            return isOwn(n) ? LayoutPoint{} : shifts[index[static_cast<std::size_t>(m_partOf[n])]];
        };
        const auto move = [](LayoutPoint& p, LayoutPoint by) {
            p.x += by.x;
            p.y += by.y;
        };
        for (std::size_t n = 0; n < result.centres.size(); ++n) move(result.centres[n], shiftOf(n));
        for (std::size_t e = 0; e + 1 < result.offsets.size(); ++e)
            for (uint32_t p = result.offsets[e]; p < result.offsets[e + 1]; ++p)
                move(result.points[p], shiftOf(static_cast<std::size_t>(m_graph.edges[e].from)));
    }

    double top(std::size_t n) const { return m_layout.centres[n].y - safeLength(m_graph.nodes[n].height) / 2; }
    double bottom(std::size_t n) const { return m_layout.centres[n].y + safeLength(m_graph.nodes[n].height) / 2; }

    /// The boxes of its part that are not apart from this one in height: its row, or rows that are staggered against each
    /// other. All of these make room sideways.
    void findBand()
    {
        std::vector<std::size_t> byTop;
        byTop.reserve(m_graph.nodes.size());
        for (std::size_t n = 0; n < m_graph.nodes.size(); ++n)
            if (isOwn(n)) byTop.push_back(n);
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

    std::vector<int32_t> m_partOf;    ///< by node
    std::vector<LayoutRect> m_parts;  ///< what they take up
    std::vector<uint8_t> m_isOwnPart; ///< by part: the box's, or in between it
    std::size_t m_ownPart = 0;
};

} // namespace

LayoutResult resizeBox(const LayoutGraph& graph, const LayoutResult& layout, int32_t node, double width, double height,
                       const LayoutOptions& options)
{
    if (node < 0 || static_cast<std::size_t>(node) >= graph.nodes.size() || layout.centres.size() != graph.nodes.size())
        return layout;
    const auto begin = std::chrono::steady_clock::now();
    LayoutResult result = BoxResizer(graph, layout, node, width, height).run(options.componentSpacing);
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
