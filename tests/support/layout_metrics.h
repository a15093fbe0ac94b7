#pragma once
// What makes a drawing good, counted on the finished picture, whichever engine made it.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "viewers/layout/layout_types.h"

namespace gelens::testing {

/// Pairs of boxes whose insides share area, by a sweep from top to bottom.
inline std::size_t countOverlaps(const LayoutGraph& graph, const LayoutResult& result, double tolerance = 0.01)
{
    struct Box {
        double left, right, top, bottom;
    };
    std::vector<Box> boxes;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        const double w = graph.nodes[n].width / 2 - tolerance;
        const double h = graph.nodes[n].height / 2 - tolerance;
        const LayoutPoint c = result.centres[n];
        boxes.push_back({c.x - w, c.x + w, c.y - h, c.y + h});
    }
    // Sweep along the longer axis, so that few boxes are open at once.
    const bool byX = result.bounds.width() > result.bounds.height();
    const auto begin = [&](const Box& b) { return byX ? b.left : b.top; };
    const auto end = [&](const Box& b) { return byX ? b.right : b.bottom; };
    std::sort(boxes.begin(), boxes.end(), [&](const Box& a, const Box& b) { return begin(a) < begin(b); });
    std::size_t count = 0;
    std::vector<Box> open;
    for (const Box& b : boxes) {
        std::erase_if(open, [&](const Box& o) { return end(o) <= begin(b); });
        for (const Box& o : open)
            if (o.left < b.right && b.left < o.right && o.top < b.bottom && b.top < o.bottom) ++count;
        open.push_back(b);
    }
    return count;
}

inline double orient(LayoutPoint a, LayoutPoint b, LayoutPoint c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Crossings between the routes of different edges: pairs of pieces that cut each other inside both.
inline std::size_t countRouteCrossings(const LayoutGraph& graph, const LayoutResult& result)
{
    struct Piece {
        LayoutPoint a, b; // a.y <= b.y
        std::size_t edge;
    };
    std::vector<Piece> pieces;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto route = result.route(e);
        for (std::size_t i = 0; i + 1 < route.size(); ++i) {
            const bool down = route[i].y <= route[i + 1].y;
            pieces.push_back({route[down ? i : i + 1], route[down ? i + 1 : i], e});
        }
    }
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.a.y < b.a.y; });
    constexpr double kTouch = 1e-3; // square pixels: pieces that merely touch do not count
    const auto opposite = [](double a, double b) { return (a > kTouch && b < -kTouch) || (a < -kTouch && b > kTouch); };
    std::size_t count = 0;
    std::vector<Piece> open;
    for (const Piece& p : pieces) {
        std::erase_if(open, [&](const Piece& o) { return o.b.y < p.a.y; });
        for (const Piece& o : open)
            if (o.edge != p.edge && opposite(orient(p.a, p.b, o.a), orient(p.a, p.b, o.b)) &&
                opposite(orient(o.a, o.b, p.a), orient(o.a, o.b, p.b)))
                ++count;
        open.push_back(p);
    }
    return count;
}

inline double totalLength(const LayoutGraph& graph, const LayoutResult& result)
{
    double total = 0;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto route = result.route(e);
        for (std::size_t i = 0; i + 1 < route.size(); ++i)
            total += std::hypot(route[i + 1].x - route[i].x, route[i + 1].y - route[i].y);
    }
    return total;
}

/// Routes that run through a box which is not one of their ends.
inline std::size_t countRoutesThroughBoxes(const LayoutGraph& graph, const LayoutResult& result)
{
    std::vector<std::size_t> byTop(graph.nodes.size());
    std::iota(byTop.begin(), byTop.end(), 0);
    const auto top = [&](std::size_t n) { return result.centres[n].y - graph.nodes[n].height / 2; };
    std::sort(byTop.begin(), byTop.end(), [&](std::size_t a, std::size_t b) { return top(a) < top(b); });
    double tallest = 0;
    for (const LayoutNode& n : graph.nodes) tallest = std::max(tallest, n.height);
    std::size_t count = 0;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto route = result.route(e);
        for (std::size_t i = 0; i + 1 < route.size(); ++i) {
            const LayoutPoint a = route[i];
            const LayoutPoint b = route[i + 1];
            const double low = std::min(a.y, b.y);
            const double high = std::max(a.y, b.y);
            auto it = std::lower_bound(byTop.begin(), byTop.end(), low - tallest,
                                       [&](std::size_t n, double y) { return top(n) < y; });
            for (; it != byTop.end() && top(*it) < high; ++it) {
                const auto n = static_cast<int32_t>(*it);
                if (n == graph.edges[e].from || n == graph.edges[e].to) continue;
                const LayoutPoint c = result.centres[*it];
                const double w = graph.nodes[*it].width / 2 - 0.5;
                const double h = graph.nodes[*it].height / 2 - 0.5;
                // Clip the piece to the box's rows, then look at its x there.
                const double from = std::max(low, c.y - h);
                const double to = std::min(high, c.y + h);
                if (from > to) continue;
                const auto at = [&](double y) {
                    return b.y == a.y ? a.x : a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y);
                };
                const double x1 = b.y == a.y ? a.x : at(from);
                const double x2 = b.y == a.y ? b.x : at(to);
                if (std::max(x1, x2) > c.x - w && std::min(x1, x2) < c.x + w) ++count;
            }
        }
    }
    return count;
}

} // namespace gelens::testing
