#pragma once
// The legend of a drawing that is written to a file: what the stripes' colours and signs mean, above the graph.

#include "engine/report/graph_drawing.h"

#include <optional>
#include <string>
#include <vector>

namespace gelens {

/// One coloured square with its sign and its text. Scene pixels.
struct LegendChip {
    static constexpr double side = 14;  ///< of the square
    const LegendEntry* entry = nullptr; ///< null: it tells what a sign of change means
    std::optional<ChangeKind> change;
    std::string text;
    double x = 0, y = 0; ///< upper left corner of the square

    double textX() const { return x + side + 5; }
    double baseline() const { return y + 11; }
    double signX() const { return x + side / 2; }
};

struct DrawingLegend {
    std::vector<LegendChip> chips;
    /// What the drawing grows to with it: the legend may be wider than a narrow graph.
    double left = 0, top = 0, width = 0, height = 0;
};

/// Rows of chips above the drawing, as wide as it; empty when its colours mean nothing. Refers to the drawing's entries.
DrawingLegend placeLegend(const GraphDrawing& drawing);

/// Counts the entries of a legend anew for the boxes of this drawing; those of none are left out.
void recountLegend(GraphDrawing& drawing);

} // namespace gelens
