#include "viewers/scene/rect_grid.h"

#include <cmath>

namespace gelens {
namespace {

constexpr int largeCells = 256; ///< a rectangle over more cells is looked at in every query

} // namespace

RectGrid::RectGrid(std::vector<SceneRect> rects, const SceneRect& bounds, std::size_t elements)
    : m_left(bounds.left), m_top(bounds.top), m_rects(std::move(rects))
{
    const double width = std::max(0.0, bounds.right - bounds.left), height = std::max(0.0, bounds.bottom - bounds.top);
    const double cells = static_cast<double>(elements);
    m_cell = std::max(192.0, std::sqrt(width * height / std::max(1.0, cells)));
    while ((width / m_cell + 1) * (height / m_cell + 1) > 4 * (cells + 16)) m_cell *= 1.5;
    m_columns = static_cast<int>(width / m_cell) + 1;
    m_rows = static_cast<int>(height / m_cell) + 1;

    m_seen.assign(m_rects.size(), 0);
    const auto count = static_cast<std::size_t>(m_columns) * static_cast<std::size_t>(m_rows);
    // Counted two places on first, so that filling moves each start to its place: no list for each cell.
    m_start.assign(count + 2, 0);
    const auto forCells = [&](bool isCounting, auto&& take) {
        for (std::size_t i = 0; i < m_rects.size(); ++i) {
            const SceneRect& r = m_rects[i];
            if (r.right < r.left) continue;
            const int left = column(r.left), right = column(r.right), top = row(r.top), bottom = row(r.bottom);
            if ((right - left + 1) * (bottom - top + 1) > largeCells) {
                if (isCounting) m_large.push_back(static_cast<std::int32_t>(i));
                continue;
            }
            for (int y = top; y <= bottom; ++y)
                for (int x = left; x <= right; ++x)
                    take(static_cast<std::size_t>(y) * static_cast<std::size_t>(m_columns) +
                             static_cast<std::size_t>(x),
                         static_cast<std::int32_t>(i));
        }
    };
    forCells(true, [&](std::size_t cell, std::int32_t) { ++m_start[cell + 2]; });
    for (std::size_t c = 2; c < m_start.size(); ++c) m_start[c] += m_start[c - 1];
    m_members.resize(m_start.back());
    forCells(false, [&](std::size_t cell, std::int32_t i) { m_members[m_start[cell + 1]++] = i; });
    m_start.pop_back();
}

void RectGrid::find(const SceneRect& area, std::vector<std::int32_t>& out) const
{
    out.clear();
    ++m_query;
    const auto take = [&](std::int32_t i) {
        const auto index = static_cast<std::size_t>(i);
        if (m_seen[index] == m_query || !m_rects[index].meets(area)) return;
        m_seen[index] = m_query;
        out.push_back(i);
    };
    for (const std::int32_t i : m_large) take(i);
    const int left = column(area.left), right = column(area.right), bottom = row(area.bottom);
    for (int y = row(area.top); y <= bottom; ++y) {
        const auto line = static_cast<std::size_t>(y) * static_cast<std::size_t>(m_columns);
        const auto first = m_start[line + static_cast<std::size_t>(left)],
                   end = m_start[line + static_cast<std::size_t>(right) + 1];
        for (auto k = first; k < end; ++k) take(m_members[k]);
    }
    std::sort(out.begin(), out.end());
}

} // namespace gelens
