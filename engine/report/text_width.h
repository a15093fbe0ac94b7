#pragma once
// Widths of text from one table, so that the geometry of a drawing depends on no installed font: window, command line
// and SVG readers all get the same boxes. The table holds the advances of DejaVu Sans, which is wider than the common
// sans-serif fonts: text set in another font fits as well.

#include <string>
#include <string_view>

namespace gelens {

/// Width in pixels of one line of UTF-8 text at a font size in pixels. East Asian characters take one em, combining
/// marks and zero-width characters nothing. Damaged UTF-8 counts as one replacement character for each byte.
double textWidth(std::string_view text, double fontSize, bool isBold = false);

/// `text` if it is at most `width` pixels wide, else as much of its start as fits with "…" behind it. Never cuts a
/// character in two; looks at no more of the text than fits. Control characters become spaces.
std::string elideRight(std::string_view text, double width, double fontSize, bool isBold = false);
/// The same, keeping the end, which tells long scoped names apart: "…/self_attn/q_proj/MatMul".
std::string elideLeft(std::string_view text, double width, double fontSize, bool isBold = false);

} // namespace gelens
