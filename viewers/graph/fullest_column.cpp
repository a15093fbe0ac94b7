#include "viewers/graph/fullest_column.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace gelens {
namespace {

/// Boxes along a drawing's breadth: how much of what counts begins, or ends, up to some place.
class Breadth {
public:
    void add(double left, double right, double weight)
    {
        m_lefts.emplace_back(left, weight);
        m_rights.emplace_back(right, weight);
    }
    void finish()
    {
        for (auto* sides : {&m_lefts, &m_rights}) {
            std::sort(sides->begin(), sides->end());
            for (std::size_t i = 1; i < sides->size(); ++i) (*sides)[i].second += (*sides)[i - 1].second;
        }
    }
    double begun(double x) const { return upTo(m_lefts, x - 1e-6); } ///< left of x
    double ended(double x) const { return upTo(m_rights, x); }       ///< at x or left of it
    double cut(double x) const { return begun(x) - ended(x); }
    /// The rightmost end up to x; x where there is none.
    double lastEnd(double x) const
    {
        const auto end = after(m_rights, x);
        return end == m_rights.begin() ? x : std::prev(end)->first;
    }
    const std::vector<std::pair<double, double>>& lefts() const { return m_lefts; }

private:
    using Sides = std::vector<std::pair<double, double>>; // x, weight; in the end the sum of weights up to there
    static Sides::const_iterator after(const Sides& sides, double x)
    {
        return std::upper_bound(sides.begin(), sides.end(), Sides::value_type(x, 1e300));
    }
    static double upTo(const Sides& sides, double x)
    {
        const auto end = after(sides, x);
        return end == sides.begin() ? 0 : std::prev(end)->second;
    }
    Sides m_lefts, m_rights;
};

} // namespace

double fullestColumn(const GraphDrawing& drawing, const QRectF& window, double margin)
{
    constexpr double clearly = 0.5; // of a box at the top
    Breadth cards, all;
    for (const DrawnBox& box : drawing.boxes)
        if (box.y < window.bottom()) {
            const double weight = 1 - 0.8 * (box.y - window.top()) / window.height();
            all.add(box.x, box.right(), weight);
            if (box.kind != BoxKind::Frame) cards.add(box.x, box.right(), weight);
        }
    all.finish();
    cards.finish();
    double best = window.center().x(), most = -std::numeric_limits<double>::infinity();
    for (const auto& [first, weight] : all.lefts()) { // the view begins at one box after the other
        const double end = first + window.width();
        const double left = first - std::min(std::max(0.0, end - cards.lastEnd(end)) / 2, margin);
        const double seen = cards.ended(left + window.width()) - cards.begun(left) - all.cut(left);
        if (seen <= most + clearly) continue;
        most = seen;
        best = left + window.width() / 2;
    }
    return best;
}

} // namespace gelens
