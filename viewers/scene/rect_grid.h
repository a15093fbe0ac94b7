#pragma once
// Rectangles by place: which of them meet another one, without looking at all.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gelens {

struct SceneRect {
    double left = 0, top = 0, right = 0, bottom = 0;
    bool meets(const SceneRect& o) const
    {
        return left <= o.right && o.left <= right && top <= o.bottom && o.top <= bottom;
    }
    bool contains(double x, double y) const { return x >= left && x <= right && y >= top && y <= bottom; }
};

/// A grid whose cells are packed in two arrays; building it is linear, memory is proportional to what it holds.
class RectGrid {
public:
    RectGrid() = default;
    /// Rectangles whose right side is left of their left side are in no place. `elements`: what the size of the cells
    /// goes by, where several grids lie over each other.
    RectGrid(std::vector<SceneRect> rects, const SceneRect& bounds, std::size_t elements);

    /// Indices in ascending order, each once.
    void find(const SceneRect& area, std::vector<std::int32_t>& out) const;

    /// Whether any that meets the area, and that `counts`, is there.
    template <typename Counts>
    bool meetsAny(const SceneRect& area, Counts&& counts) const
    {
        const auto isHit = [&](std::int32_t i) {
            return m_rects[static_cast<std::size_t>(i)].meets(area) && counts(i);
        };
        if (std::any_of(m_large.begin(), m_large.end(), isHit)) return true;
        const int left = column(area.left), right = column(area.right), bottom = row(area.bottom);
        for (int y = row(area.top); y <= bottom; ++y) {
            const auto line = static_cast<std::size_t>(y) * static_cast<std::size_t>(m_columns);
            const auto first = m_start[line + static_cast<std::size_t>(left)],
                       end = m_start[line + static_cast<std::size_t>(right) + 1]; // cells of a row lie in a row
            for (auto k = first; k < end; ++k)
                if (isHit(m_members[k])) return true;
        }
        return false;
    }

    const SceneRect& rect(std::int32_t index) const { return m_rects[static_cast<std::size_t>(index)]; }

private:
    int column(double x) const
    {
        return static_cast<int>(std::clamp((x - m_left) / m_cell, 0.0, static_cast<double>(m_columns - 1)));
    }
    int row(double y) const
    {
        return static_cast<int>(std::clamp((y - m_top) / m_cell, 0.0, static_cast<double>(m_rows - 1)));
    }

    double m_left = 0, m_top = 0, m_cell = 256;
    int m_columns = 1, m_rows = 1;
    std::vector<SceneRect> m_rects;
    std::vector<std::uint32_t> m_start{0, 0}; ///< by cell
    std::vector<std::int32_t> m_members;
    std::vector<std::int32_t> m_large;         ///< cover too many cells
    mutable std::vector<std::uint32_t> m_seen; ///< query number by member, so that each is given once
    mutable std::uint32_t m_query = 0;
};

} // namespace gelens
