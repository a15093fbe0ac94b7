#pragma once
// Boxes in a grid: what stands in a rectangle, without looking at all.

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "viewers/layout/layout_types.h"

namespace gelens {

class BoxIndex {
public:
    explicit BoxIndex(double cell) : m_cell(cell) {}

    /// Very large boxes would fill very many cells; they go to a list that is always looked at.
    void insert(int32_t id, const LayoutRect& box)
    {
        if (id >= static_cast<int32_t>(m_boxes.size())) m_boxes.resize(static_cast<std::size_t>(id) + 1);
        m_boxes[static_cast<std::size_t>(id)] = box;
        const Range r = range(box);
        if (r.cells() > kMaxCells) {
            m_large.push_back(id);
            return;
        }
        for (int64_t y = r.top; y <= r.bottom; ++y)
            for (int64_t x = r.left; x <= r.right; ++x) m_cells[key(x, y)].push_back(id);
    }

    const LayoutRect& box(int32_t id) const { return m_boxes[static_cast<std::size_t>(id)]; }

    /// Calls visit(id) for each box whose inside meets the rectangle, some more than once, until it returns false.
    template <typename Visit>
    void visit(const LayoutRect& area, Visit&& visit) const
    {
        const auto test = [&](int32_t id) {
            const LayoutRect& b = box(id);
            return b.left < area.right && area.left < b.right && b.top < area.bottom && area.top < b.bottom;
        };
        for (const int32_t id : m_large)
            if (test(id) && !visit(id)) return;
        const Range r = range(area);
        if (r.cells() > static_cast<double>(m_cells.size())) { // a large area: the cells that exist are fewer
            for (std::size_t id = 0; id < m_boxes.size(); ++id)
                if (m_boxes[id].width() > 0 && test(static_cast<int32_t>(id)) && !visit(static_cast<int32_t>(id)))
                    return;
            return;
        }
        for (int64_t y = r.top; y <= r.bottom; ++y)
            for (int64_t x = r.left; x <= r.right; ++x) {
                const auto cell = m_cells.find(key(x, y));
                if (cell == m_cells.end()) continue;
                for (const int32_t id : cell->second)
                    if (test(id) && !visit(id)) return;
            }
    }

    bool isFree(const LayoutRect& area) const
    {
        bool free = true;
        visit(area, [&](int32_t) { return free = false; });
        return free;
    }

private:
    static constexpr double kMaxCells = 256;

    struct Range {
        int64_t left, top, right, bottom;
        double cells() const
        {
            return (static_cast<double>(right - left) + 1) * (static_cast<double>(bottom - top) + 1);
        }
    };
    int64_t cellOf(double v) const { return static_cast<int64_t>(std::floor(std::clamp(v / m_cell, -1e9, 1e9))); }
    Range range(const LayoutRect& r) const
    {
        return {cellOf(r.left), cellOf(r.top), cellOf(r.right), cellOf(r.bottom)};
    }
    static uint64_t key(int64_t x, int64_t y)
    {
        return (static_cast<uint64_t>(x) << 32) ^ (static_cast<uint64_t>(y) & 0xffffffffu);
    }

    double m_cell;
    std::vector<LayoutRect> m_boxes;
    std::vector<int32_t> m_large;
    std::unordered_map<uint64_t, std::vector<int32_t>> m_cells;
};

} // namespace gelens
