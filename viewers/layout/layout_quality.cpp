#include "viewers/layout/layout_quality.h"

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

struct Piece {
    LayoutPoint a, b; ///< a is not below b
    std::size_t edge;
};

double side(LayoutPoint a, LayoutPoint b, LayoutPoint c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool areOpposite(double a, double b)
{
    constexpr double touch = 1e-3; // square pixels: pieces that merely touch do not cross
    return (a > touch && b < -touch) || (a < -touch && b > touch);
}

} // namespace

LayoutQuality measureQuality(const LayoutGraph& graph, const LayoutResult& result)
{
    LayoutQuality quality;
    quality.width = result.bounds.width();
    std::vector<Piece> pieces;
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const auto route = result.route(e);
        for (std::size_t i = 0; i + 1 < route.size(); ++i) {
            const bool isDown = route[i].y <= route[i + 1].y;
            pieces.push_back({route[isDown ? i : i + 1], route[isDown ? i + 1 : i], e});
            quality.length += std::hypot(route[i + 1].x - route[i].x, route[i + 1].y - route[i].y);
        }
    }
    std::sort(pieces.begin(), pieces.end(), [](const Piece& p, const Piece& q) { return p.a.y < q.a.y; });
    std::vector<Piece> open; // what reaches down to the present row
    for (const Piece& p : pieces) {
        std::erase_if(open, [&](const Piece& o) { return o.b.y < p.a.y; });
        for (const Piece& o : open)
            quality.crossings += o.edge != p.edge && areOpposite(side(p.a, p.b, o.a), side(p.a, p.b, o.b)) &&
                                 areOpposite(side(o.a, o.b, p.a), side(o.a, o.b, p.b));
        open.push_back(p);
    }
    return quality;
}

bool isBetterDrawing(const LayoutQuality& a, const LayoutQuality& b)
{
    if (a.crossings < b.crossings) return a.length <= 1.25 * b.length && a.width <= 1.25 * b.width;
    return a.crossings == b.crossings && a.length < 0.95 * b.length && a.width <= 1.1 * b.width;
}

} // namespace gelens
