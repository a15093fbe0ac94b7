#pragma once
// What both charts are drawn with.

#include "engine/report/drawing_style.h"
#include "engine/report/svg_writer.h"

#include <string>
#include <string_view>
#include <vector>

namespace gelens::chart {

inline constexpr double fontSize = 11;

/// A plot with a frame inside a picture; values from (0, 0) to (xEnd, yEnd) with y upwards.
struct Frame {
    double left = 0, top = 0, width = 0, height = 0, xEnd = 1, yEnd = 1;
    double right() const { return left + width; }
    double bottom() const { return top + height; }
    double x(double value) const { return left + value / xEnd * width; }
    double y(double value) const { return bottom() - value / yEnd * height; }
};

std::string styleSheet(const DrawingColors& colors);
/// "27.1 MB", "930 B": decimal, as in the window.
std::string bytesText(double bytes);
/// "15.6 ms", "930 µs".
std::string microsecondsText(double us);
/// Round values from 0 to `end`, about `count` of them.
std::vector<double> ticks(double end, int count);
/// A field of a CSV line, quoted where it must be.
std::string csvField(std::string_view text);
/// A colour between two of "#rrggbb".
std::string mixed(std::string_view a, std::string_view b, double shareOfA);

} // namespace gelens::chart
