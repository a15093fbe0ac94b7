#pragma once
// Opening and folding a block in place, without laying the drawing out again: one linear pass.

#include "viewers/layout/layout_types.h"

namespace gelens {

/// The drawing after one box has got another size. The middle of its top side stays where it is; boxes and lines beside
/// it make room to the left and right, all that is below moves down (or up again when it shrinks). The order of boxes
/// and lines in every row stays, so nothing comes to overlap and no crossing is added. `graph` still has the old size.
/// Parts that no line joins to the box's are moved as a whole. Bounds may start at negative coordinates. Folding gives
/// the room back, except where rows are staggered against the box's, or other parts are in the way.
LayoutResult resizeBox(const LayoutGraph& graph, const LayoutResult& layout, int32_t node, double width, double height,
                       const LayoutOptions& options);

} // namespace gelens
