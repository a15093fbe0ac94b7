#pragma once
// Unconnected parts of a drawing stand beside each other; when one of them grows or shrinks, the others make room.

#include "viewers/layout/layout_types.h"

namespace gelens {

/// For each part how far it moves once part `own` takes up `now` instead of its old rectangle. Its upper side must be
/// where it was. Parts beside it move sideways, those below it move down, and no two that were apart come to lie over
/// each other. When it shrinks, they come back as far as nothing is in their way; beside very many parts they stay.
std::vector<LayoutPoint> makeRoomFor(std::span<const LayoutRect> parts, std::size_t own, const LayoutRect& now,
                                     double spacing);

} // namespace gelens
