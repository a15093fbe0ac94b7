#pragma once
// What of a drawing lies in a rectangle or under a point, without looking at all of it.

#include "engine/report/graph_drawing.h"

#include <cstdint>
#include <span>
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

/// A grid whose cells are packed in two arrays; building it is linear, memory is proportional to boxes and lines.
class SceneIndex {
public:
    explicit SceneIndex(const GraphDrawing& drawing);
    /// Where the boxes are, without lines and stubs: for whoever looks for free places only.
    static SceneIndex ofBoxes(const GraphDrawing& drawing) { return SceneIndex(drawing, false); }

    /// Indices in ascending order, each once.
    void boxesIn(const SceneRect& area, std::vector<std::int32_t>& out) const { find(m_boxes, area, out); }
    void edgesIn(const SceneRect& area, std::vector<std::int32_t>& out) const { find(m_edges, area, out); }
    void stubsIn(const SceneRect& area, std::vector<std::int32_t>& out) const { find(m_stubs, area, out); }
    /// Whether any box but frames, which are only a background, meets the area.
    bool isCovered(const SceneRect& area) const;
    /// The innermost box at a point; -1 for none. The inside of a frame counts only in its title bar.
    int boxAt(double x, double y) const;

    /// Lines that leave or enter a box, stubs not included.
    std::span<const std::int32_t> edgesOf(int box) const
    {
        const auto at = static_cast<std::size_t>(box);
        return {m_edgesOf.data() + m_edgesStart[at], m_edgesStart[at + 1] - m_edgesStart[at]};
    }

private:
    SceneIndex(const GraphDrawing& drawing, bool hasLines);
    struct Grid {
        std::vector<SceneRect> rects;
        std::vector<std::uint32_t> start; ///< by cell
        std::vector<std::int32_t> members;
        std::vector<std::int32_t> large;         ///< cover too many cells
        mutable std::vector<std::uint32_t> seen; ///< query number by member, so that each is given once
        mutable std::uint32_t query = 0;
    };
    void fill(Grid& grid, std::vector<SceneRect> rects) const;
    void find(const Grid& grid, const SceneRect& area, std::vector<std::int32_t>& out) const;
    int column(double x) const;
    int row(double y) const;

    const GraphDrawing& m_drawing;
    double m_left = 0, m_top = 0, m_cell = 256;
    int m_columns = 1, m_rows = 1;
    Grid m_boxes, m_edges, m_stubs;
    std::vector<std::uint32_t> m_edgesStart; ///< by box, and one behind the last
    std::vector<std::int32_t> m_edgesOf;
};

} // namespace gelens
