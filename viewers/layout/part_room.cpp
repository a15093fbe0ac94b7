#include "viewers/layout/part_room.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gelens {
namespace {

constexpr double kTouch = 1e-6;
constexpr double kNotInTheWay = -std::numeric_limits<double>::infinity();
constexpr std::size_t kFewParts = 256; ///< whose coming back may be looked at pair by pair

bool overlap(double a1, double a2, double b1, double b2) { return a1 < b2 - kTouch && b1 < a2 - kTouch; }

class PartRoom {
public:
    PartRoom(std::span<const LayoutRect> parts, std::size_t own, const LayoutRect& now, double spacing)
        : m_parts(parts), m_own(own), m_old(parts[own]), m_now(now), m_spacing(spacing), m_shift(parts.size())
    {
    }

    std::vector<LayoutPoint> run()
    {
        moveSideways(true);
        moveSideways(false);
        moveBelow();
        return std::move(m_shift);
    }

private:
    /// How far it is to a side, so that both sides are one.
    double nearSide(const LayoutRect& r, bool toRight) const { return toRight ? r.left : -r.right; }
    double farSide(const LayoutRect& r, bool toRight) const { return toRight ? r.right : -r.left; }

    /// Parts that stand at the same height as this one, and those that they would be pushed into.
    std::vector<std::size_t> beside(bool toRight) const
    {
        std::vector<std::size_t> order(m_parts.size());
        std::iota(order.begin(), order.end(), 0);
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const double x = nearSide(m_parts[a], toRight), y = nearSide(m_parts[b], toRight);
            return x != y ? x < y : a < b;
        });
        double top = m_old.top, bottom = m_old.bottom;
        std::vector<std::size_t> found;
        for (const std::size_t p : order) {
            const LayoutRect& part = m_parts[p];
            if (p == m_own || nearSide(part, toRight) < farSide(m_old, toRight) - kTouch) continue;
            if (!overlap(part.top, part.bottom, top, bottom)) continue;
            top = std::min(top, part.top);
            bottom = std::max(bottom, part.bottom);
            found.push_back(p);
        }
        return found;
    }

    void moveSideways(bool toRight)
    {
        const std::vector<std::size_t> moving = beside(toRight);
        if (moving.empty()) return;
        const double nearest = nearSide(m_parts[moving.front()], toRight);
        const double was = farSide(m_old, toRight), is = farSide(m_now, toRight);
        double by = std::max(0.0, is + std::min(nearest - was, m_spacing) - nearest);
        if (is < was)
            by = -comingBack(moving, std::min(was - is, nearest - is - m_spacing),
                             [&](std::size_t p, std::size_t q) { return gapSideways(p, q, toRight); });
        for (const std::size_t p : moving) m_shift[p].x = toRight ? by : -by;
    }

    /// How far the moving parts may come back: at most so far as wanted, and not into what stays. `gap` gives the room
    /// between a moving part and another one that stands in its way, negative where it lies behind.
    template <typename Gap>
    double comingBack(const std::vector<std::size_t>& moving, double wanted, Gap gap) const
    {
        if (wanted <= 0 || m_parts.size() > kFewParts) return 0;
        std::vector<uint8_t> isMoving(m_parts.size(), 0);
        for (const std::size_t p : moving) isMoving[p] = 1;
        for (const std::size_t p : moving)
            for (std::size_t q = 0; q < m_parts.size(); ++q) {
                if (q == m_own || isMoving[q]) continue;
                if (const double room = gap(p, q); room > -kTouch) wanted = std::min(wanted, room - m_spacing);
            }
        return std::max(0.0, wanted);
    }

    /// Of the part's side to that of another at the same height.
    double gapSideways(std::size_t p, std::size_t q, bool toRight) const
    {
        const LayoutRect &a = m_parts[p], &b = m_parts[q];
        return overlap(a.top, a.bottom, b.top, b.bottom) ? nearSide(a, toRight) - farSide(b, toRight) : kNotInTheWay;
    }

    /// Of the part's top to the bottom of another above it, both where they have gone sideways.
    double gapAbove(std::size_t p, std::size_t q) const
    {
        const LayoutRect &a = m_parts[p], &b = m_parts[q];
        const bool isInTheWay =
            overlap(a.left + m_shift[p].x, a.right + m_shift[p].x, b.left + m_shift[q].x, b.right + m_shift[q].x);
        return isInTheWay ? a.top - b.bottom : kNotInTheWay;
    }

    void moveBelow()
    {
        std::vector<std::size_t> below;
        double nearest = std::numeric_limits<double>::infinity();
        for (std::size_t p = 0; p < m_parts.size(); ++p)
            if (p != m_own && m_parts[p].top >= m_old.bottom - kTouch) {
                below.push_back(p);
                nearest = std::min(nearest, m_parts[p].top);
            }
        if (below.empty()) return;
        double by = std::max(0.0, m_now.bottom + std::min(nearest - m_old.bottom, m_spacing) - nearest);
        if (m_now.bottom < m_old.bottom)
            by = -comingBack(below, std::min(m_old.bottom - m_now.bottom, nearest - m_now.bottom - m_spacing),
                             [this](std::size_t p, std::size_t q) { return gapAbove(p, q); });
        for (const std::size_t p : below) m_shift[p].y = by;
    }

    std::span<const LayoutRect> m_parts;
    std::size_t m_own;
    LayoutRect m_old, m_now;
    double m_spacing;
    std::vector<LayoutPoint> m_shift;
};

} // namespace

std::vector<LayoutPoint> makeRoomFor(std::span<const LayoutRect> parts, std::size_t own, const LayoutRect& now,
                                     double spacing)
{
    return PartRoom(parts, own, now, spacing).run();
}

} // namespace gelens
