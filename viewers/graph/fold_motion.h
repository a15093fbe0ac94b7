#pragma once
// Boxes on their way from where they stood to where they stand once a block was opened or folded. Only what is in view,
// and only where that is little: who waits for a picture to settle is not helped by it.

#include "viewers/common/palette.h"
#include "viewers/scene/scene.h"

#include <QPainter>
#include <QRectF>

#include <unordered_map>
#include <vector>

namespace gelens {

class FoldMotion {
public:
    /// Where nodes and blocks stood on screen.
    using Places = std::unordered_map<std::uint64_t, QRectF>;
    static constexpr std::size_t mostBoxes = 300;

    /// The same for a node or a block in every scene of a graph; 0 for what has no place of its own.
    static std::uint64_t keyOf(const Scene& scene, const DrawnBox& box);

    /// `boxes` are those in view now; `before` is in the scene's coordinates.
    FoldMotion(const Scene& scene, const std::vector<std::int32_t>& boxes, const Places& before);

    bool isEmpty() const { return !m_isMoving; }
    /// `share` runs from 0 (as it was) to 1 (as it is). What was not there before comes with the scene itself.
    void paint(QPainter& painter, double share, QPointF origin, double zoom, const Palette& palette) const;

private:
    struct Move {
        double dx = 0, dy = 0, dWidth = 0, dHeight = 0; ///< from the new place to the old one
    };
    GraphDrawing m_drawing; ///< as it will be
    std::vector<Move> m_moves;
    bool m_isMoving = false;
};

} // namespace gelens
