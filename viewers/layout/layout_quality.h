#pragma once
// How well a drawing can be read, in a few figures: which of two drawings of one graph to show.

#include "viewers/layout/layout_types.h"

namespace gelens {

struct LayoutQuality {
    std::size_t crossings = 0; ///< pairs of pieces of different routes that cut each other
    double length = 0;         ///< of all routes together, pixels
    double width = 0;
};

/// For drawings of some hundreds of boxes: routes are compared pair by pair where their rows meet.
LayoutQuality measureQuality(const LayoutGraph& graph, const LayoutResult& result);

/// Clearly easier to read: fewer crossings at no great cost in size, or as few with shorter lines in the same width.
bool isBetterDrawing(const LayoutQuality& a, const LayoutQuality& b);

} // namespace gelens
