#pragma once
// What must hold of any drawing of a graph.

#include "viewers/scene/scene_index.h"

namespace gelens::testing {

/// Pairs of boxes that lie over each other, frames with what they hold, and ghosts, aside.
inline int overlaps(const GraphDrawing& drawing, bool areFramesCounted = true)
{
    const SceneIndex index(drawing);
    int count = 0;
    std::vector<std::int32_t> near;
    for (std::size_t i = 0; i < drawing.boxes.size(); ++i) {
        const DrawnBox& a = drawing.boxes[i];
        index.boxesIn({a.x, a.y, a.right(), a.bottom()}, near);
        for (const std::int32_t k : near) {
            const DrawnBox& b = drawing.boxes[static_cast<std::size_t>(k)];
            if (static_cast<std::size_t>(k) <= i || a.isGhost || b.isGhost) continue;
            const bool isFrame = a.kind == BoxKind::Frame || b.kind == BoxKind::Frame;
            if (isFrame && (a.depth != b.depth || !areFramesCounted)) continue;
            count +=
                a.x < b.right() - 0.01 && b.x < a.right() - 0.01 && a.y < b.bottom() - 0.01 && b.y < a.bottom() - 0.01;
        }
    }
    return count;
}

} // namespace gelens::testing
