#include "viewers/layout/edge_router.h"

#include <limits>

namespace gelens {
namespace {

constexpr double kCornerMargin = 6;
constexpr int kMaxCorners = 24;

/// Clips the piece a–b to the inside of a box; the parameter where it enters, or 2 if it stays outside.
double entersAt(const LayoutRect& box, LayoutPoint a, LayoutPoint b)
{
    double in = 0;
    double out = 1;
    const auto clip = [&](double from, double delta, double low, double high) {
        if (delta == 0) return low < from && from < high;
        double t1 = (low - from) / delta;
        double t2 = (high - from) / delta;
        if (t1 > t2) std::swap(t1, t2);
        in = std::max(in, t1);
        out = std::min(out, t2);
        return in < out;
    };
    constexpr double kTouch = 0.5; // running along a side is not crossing
    return clip(a.x, b.x - a.x, box.left + kTouch, box.right - kTouch) &&
                   clip(a.y, b.y - a.y, box.top + kTouch, box.bottom - kTouch)
               ? in
               : 2;
}

} // namespace

int32_t firstBoxOn(const BoxIndex& boxes, LayoutPoint a, LayoutPoint b, int32_t from, int32_t to)
{
    // Long pieces are looked at in stretches, so that a diagonal does not visit its whole bounding rectangle.
    const double length = std::max(std::abs(b.x - a.x), std::abs(b.y - a.y));
    const int stretches = static_cast<int>(std::clamp(length / 400, 1.0, 10000.0));
    for (int s = 0; s < stretches; ++s) {
        const auto at = [&](double t) { return LayoutPoint{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t}; };
        const LayoutPoint p = at(static_cast<double>(s) / stretches);
        const LayoutPoint q = at(static_cast<double>(s + 1) / stretches);
        const LayoutRect area{std::min(p.x, q.x) - 1, std::min(p.y, q.y) - 1, std::max(p.x, q.x) + 1,
                              std::max(p.y, q.y) + 1};
        int32_t first = -1;
        double entry = 2;
        boxes.visit(area, [&](int32_t id) {
            if (id == from || id == to) return true;
            const double t = entersAt(boxes.box(id), p, q);
            if (t < entry || (t == entry && t < 2 && id < first)) {
                entry = t;
                first = id;
            }
            return true;
        });
        if (first >= 0 && entry <= 1) return first;
    }
    return -1;
}

void EdgeRouter::route(int32_t from, int32_t to, std::vector<LayoutPoint>& points) const
{
    const LayoutRect& a = m_boxes.box(from);
    const LayoutRect& b = m_boxes.box(to);
    if (from == to) {
        const double middle = (a.top + a.bottom) / 2;
        const double quarter = a.height() / 4;
        const double out = a.right + m_options.nodeSpacing / 2;
        points.insert(points.end(), {{a.right, middle + quarter},
                                     {out, middle + quarter},
                                     {out, middle - quarter},
                                     {a.right, middle - quarter}});
        return;
    }
    // Straight down where the boxes overlap, from nearest corner to nearest corner otherwise.
    const auto margin = [](const LayoutRect& r) { return std::min(kCornerMargin, r.width() / 2); };
    const double aLeft = a.left + margin(a), aRight = a.right - margin(a);
    const double bLeft = b.left + margin(b), bRight = b.right - margin(b);
    const double low = std::max(aLeft, bLeft);
    const double high = std::min(aRight, bRight);
    const double middle = ((a.left + a.right) + (b.left + b.right)) / 4;
    const double startX = low <= high ? std::clamp(middle, low, high) : std::clamp(middle, aLeft, aRight);
    const double endX = low <= high ? startX : std::clamp(middle, bLeft, bRight);
    const bool down = (a.top + a.bottom) <= (b.top + b.bottom);
    const LayoutPoint start{startX, down ? a.bottom : a.top};
    const LayoutPoint end{endX, down ? b.top : b.bottom};
    points.push_back(start);
    goRound(start, end, from, to, points);
    points.push_back(end);
}

/// Walks towards the end; at each box in the way passes its nearer side by two corners.
void EdgeRouter::goRound(LayoutPoint a, LayoutPoint b, int32_t from, int32_t to, std::vector<LayoutPoint>& points) const
{
    const double clear = m_options.edgeSpacing / 2;
    for (int corners = 0; corners < kMaxCorners; corners += 2) {
        const int32_t obstacle = firstBoxOn(m_boxes, a, b, from, to);
        if (obstacle < 0) return;
        // Boxes that leave no room between them are passed as one.
        LayoutRect wall = m_boxes.box(obstacle);
        for (int grown = 0; grown < 16; ++grown) {
            const LayoutRect around{wall.left - 2 * clear, wall.top, wall.right + 2 * clear, wall.bottom};
            LayoutRect next = wall;
            m_boxes.visit(around, [&](int32_t id) {
                if (id == from || id == to) return true;
                const LayoutRect& box = m_boxes.box(id);
                next = {std::min(next.left, box.left), std::min(next.top, box.top), std::max(next.right, box.right),
                        std::max(next.bottom, box.bottom)};
                return true;
            });
            if (next == wall) break;
            wall = next;
        }
        const double leftCost = std::abs(a.x - (wall.left - clear)) + std::abs(b.x - (wall.left - clear));
        const double rightCost = std::abs(a.x - (wall.right + clear)) + std::abs(b.x - (wall.right + clear));
        const double x = leftCost <= rightCost ? wall.left - clear : wall.right + clear;
        const bool down = a.y <= b.y;
        const LayoutPoint enter{x, down ? wall.top - clear : wall.bottom + clear};
        const LayoutPoint leave{x, down ? wall.bottom + clear : wall.top - clear};
        if (firstBoxOn(m_boxes, a, enter, from, to) >= 0 && points.size() >= 2 && points.back() == leave)
            return; // no progress
        if (points.back() != enter) points.push_back(enter);
        points.push_back(leave);
        a = leave;
    }
}

} // namespace gelens
