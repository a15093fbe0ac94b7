#pragma once
// Unconnected parts of a drawing side by side.

#include "viewers/layout/layout_types.h"

namespace gelens {

struct PackItem {
    double width = 0;
    double height = 0;
};

/// Top left corners that keep all parts apart. Tall parts come first; low ones fill the columns beside them.
std::vector<LayoutPoint> packParts(std::span<const PackItem> items, const LayoutOptions& options);

} // namespace gelens
