#pragma once
// What of a drawing lies in a rectangle or under a point, without looking at all of it.

#include "engine/report/graph_drawing.h"
#include "viewers/scene/rect_grid.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gelens {

class SceneIndex {
public:
    explicit SceneIndex(const GraphDrawing& drawing);

    /// Indices in ascending order, each once.
    void boxesIn(const SceneRect& area, std::vector<std::int32_t>& out) const { m_boxes.find(area, out); }
    void edgesIn(const SceneRect& area, std::vector<std::int32_t>& out) const { m_edges.find(area, out); }
    void stubsIn(const SceneRect& area, std::vector<std::int32_t>& out) const { m_stubs.find(area, out); }
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
    const GraphDrawing& m_drawing;
    RectGrid m_boxes, m_edges, m_stubs;
    std::vector<std::uint32_t> m_edgesStart; ///< by box, and one behind the last
    std::vector<std::int32_t> m_edgesOf;
};

} // namespace gelens
