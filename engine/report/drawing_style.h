#pragma once
// Sizes and colours of a drawn graph, the same in the window and in exports.

#include "engine/spec/graph_diff.h"
#include "engine/spec/unit.h"

#include <string_view>

namespace gelens {

/// Pixels at zoom 1.
namespace card {
inline constexpr double titleFont = 13, nameFont = 10.5, tagFont = 9.5, edgeFont = 9.5, groupFont = 14, portFont = 9.5;
inline constexpr double stripe = 20; ///< coloured strip on the left, with the unit's letter
inline constexpr double padding = 9; ///< left and right of the text
inline constexpr double minTextWidth = 56, maxTextWidth = 210;
inline constexpr double maxTitleWidth = 248; ///< operator types are read whole: no real one is wider
inline constexpr double nodeHeight = 40, tagHeight = 13;
inline constexpr double noteHeight = 13,
                        noteBaseline = 4; ///< above the card: its room, and from the base line to the card
inline constexpr double groupHeight = 52, portHeight = 17;
inline constexpr double frameHeader = 26, framePadding = 18;
inline constexpr double stackOffset = 4; ///< of the two cards behind a repeated block
inline constexpr double cornerRadius = 5;
inline constexpr double titleBaseline = 17, nameBaseline = 31, tagBaseline = 45; ///< from the card's top
} // namespace card

struct DrawingColors {
    std::string_view canvas, text, mutedText, line, faintLine, nodeFill, frameFill, nestedFrameFill, groupFill;
    std::string_view units[8];   ///< by Unit
    std::string_view changes[3]; ///< by ChangeKind
    std::string_view categories[10];
    std::string_view ramp[5];    ///< an ordered scale, from little to much; lightness tells it without hue
    std::string_view noCategory; ///< stripe of a node that the colouring says nothing of

    std::string_view unit(Unit unit) const { return units[static_cast<int>(unit)]; }
    std::string_view change(ChangeKind kind) const { return changes[static_cast<int>(kind)]; }
    /// Colour of a node's stripe or of a legend's chip.
    std::string_view stripe(bool isUnit, Unit of, std::string_view key, int level) const;
    /// A stable colour for any text; the same choice on every machine.
    std::string_view category(std::string_view text) const;
};

const DrawingColors& drawingColors(bool isDark);

/// "+", "−", "~".
std::string_view changeSignText(ChangeKind kind);

} // namespace gelens
