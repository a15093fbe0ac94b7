#include "viewers/layout/packing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gelens {

std::vector<LayoutPoint> packParts(std::span<const PackItem> items, const LayoutOptions& options)
{
    constexpr double kAspect = 1.6; // wanted width over height when many parts share the sheet
    std::vector<LayoutPoint> corners(items.size());
    std::vector<std::size_t> order(items.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return items[a].height > items[b].height; });
    const double space = items.size() > 64 ? options.nodeSpacing : options.componentSpacing;
    double area = 0;
    double widest = 0;
    for (const PackItem& item : items) {
        area += (item.width + space) * (item.height + space);
        widest = std::max(widest, item.width);
    }
    const double sheet = std::max(widest, std::sqrt(area * kAspect));

    double shelfTop = 0;
    double shelfHeight = 0;
    double columnLeft = 0;
    double columnWidth = 0;
    double columnBottom = 0; // below the last part of the column
    for (const std::size_t i : order) {
        const PackItem& item = items[i];
        const bool stacks = columnWidth > 0 && item.width <= columnWidth &&
                            columnBottom + space + item.height <= shelfTop + shelfHeight;
        if (stacks) {
            corners[i] = {columnLeft, columnBottom + space};
            columnBottom = corners[i].y + item.height;
            continue;
        }
        double left = columnWidth > 0 ? columnLeft + columnWidth + space : 0;
        if (columnWidth > 0 && left + item.width > sheet) {
            shelfTop += shelfHeight + space;
            shelfHeight = 0;
            left = 0;
        }
        if (shelfHeight == 0) shelfHeight = item.height;
        corners[i] = {left, shelfTop};
        columnLeft = left;
        columnWidth = item.width;
        columnBottom = shelfTop + item.height;
    }
    return corners;
}

} // namespace gelens
