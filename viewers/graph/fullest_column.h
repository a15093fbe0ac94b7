#pragma once
// Where to look first at a drawing that is wider than its view.

#include "engine/report/graph_drawing.h"

#include <QRectF>

namespace gelens {

/// Middle of the place along the top of a drawing that shows most of its first screenful when the view is as wide and
/// high as `window`; of nearly equal ones the leftmost. What stands higher counts more, since data flows from there, and
/// what the view's left side cuts counts against a place. To show a frame counts for nothing: a large empty one would
/// win. Of the room that is left over no more than `margin` stays on the left.
double fullestColumn(const GraphDrawing& drawing, const QRectF& window, double margin);

} // namespace gelens
