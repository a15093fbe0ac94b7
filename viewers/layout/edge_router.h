#pragma once
// One polyline at a time around boxes that stand still.

#include "viewers/layout/box_index.h"

namespace gelens {

/// The box nearest to `a` on the piece of line from a to b, other than `from` and `to`; -1 if the way is free.
int32_t firstBoxOn(const BoxIndex& boxes, LayoutPoint a, LayoutPoint b, int32_t from, int32_t to);

class EdgeRouter {
public:
    EdgeRouter(const BoxIndex& boxes, const LayoutOptions& options) : m_boxes(boxes), m_options(options) {}

    /// Appends a route from the bottom of one box to the top of the other (or the top and the bottom if they stand the
    /// other way round; the right side for a self-loop). It goes round boxes in its way as far as a bounded number of
    /// corners allows; in a crowd the last stretch may cross one.
    void route(int32_t from, int32_t to, std::vector<LayoutPoint>& points) const;

private:
    void goRound(LayoutPoint a, LayoutPoint b, int32_t from, int32_t to, std::vector<LayoutPoint>& points) const;

    const BoxIndex& m_boxes;
    const LayoutOptions& m_options;
};

} // namespace gelens
