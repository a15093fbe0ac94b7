#include "engine/report/drawing_legend.h"

#include "engine/report/drawing_style.h"
#include "engine/report/text_width.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_map>

namespace gelens {
namespace {

constexpr double rowHeight = 21, gap = 16, spaceBelow = 14;
constexpr double leastWidth = 480; ///< a row is not broken earlier, however narrow the graph
constexpr double widestText = 200;
constexpr std::size_t mostEntries = 40; ///< of an open-ended colouring; they come by size

/// What stands for a box in the legend: as the scene counts it.
std::string_view keyOf(const DrawnBox& box, bool isUnit)
{
    return isUnit ? std::string_view(box.sign) : std::string_view(box.colorKey);
}

/// Labels stand beside their lines, so that those of the rightmost may reach beyond all boxes.
double widthWithLabels(const GraphDrawing& drawing)
{
    double width = drawing.width;
    for (const DrawnEdge& edge : drawing.edges)
        if (!edge.label.empty()) width = std::max(width, edge.labelX + edge.labelWidth - drawing.left);
    return width;
}

} // namespace

DrawingLegend placeLegend(const GraphDrawing& drawing)
{
    DrawingLegend legend{{}, drawing.left, drawing.top, widthWithLabels(drawing), drawing.height};
    for (const LegendEntry& entry : drawing.legend) {
        if (legend.chips.size() == mostEntries) break;
        legend.chips.push_back(
            {&entry, {}, elideRight(entry.text, widestText, card::nameFont) + " " + std::to_string(entry.count), 0, 0});
    }
    constexpr std::array<std::string_view, 3> words{"added", "removed", "changed"};
    for (const ChangeKind kind : {ChangeKind::Added, ChangeKind::Removed, ChangeKind::Changed})
        if (std::any_of(drawing.boxes.begin(), drawing.boxes.end(),
                        [&](const DrawnBox& box) { return box.change == kind; }))
            legend.chips.push_back({nullptr, kind, std::string(words[static_cast<std::size_t>(kind)]), 0, 0});
    if (legend.chips.empty()) return legend;
    const double room = std::max(legend.width, leastWidth);
    double x = 0;
    int row = 0;
    for (LegendChip& chip : legend.chips) {
        const double width = std::ceil(LegendChip::side + 5 + textWidth(chip.text, card::nameFont));
        if (x > 0 && x + width > room) {
            x = 0;
            ++row;
        }
        chip.x = drawing.left + x;
        chip.y = row * rowHeight;
        legend.width = std::max(legend.width, x + width);
        x += width + gap;
    }
    const double height = (row + 1) * rowHeight + spaceBelow;
    for (LegendChip& chip : legend.chips) chip.y += drawing.top - height;
    legend.top -= height;
    legend.height += height;
    return legend;
}

void recountLegend(GraphDrawing& drawing)
{
    if (drawing.legend.empty()) return;
    const bool isUnit = drawing.legend.front().isUnit;
    std::unordered_map<std::string_view, int> counts;
    for (const DrawnBox& box : drawing.boxes)
        if (box.kind == BoxKind::Node && !box.isGhost) ++counts[keyOf(box, isUnit)];
    for (LegendEntry& entry : drawing.legend) {
        const auto found = counts.find(entry.key);
        entry.count = found == counts.end() ? 0 : found->second;
    }
    std::erase_if(drawing.legend, [](const LegendEntry& entry) { return entry.count == 0; });
}

} // namespace gelens
