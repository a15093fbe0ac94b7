#pragma once
// The one writer of SVG: numbers in a fixed form, text escaped and real (one <text> for each line), same input, same bytes.

#include <span>
#include <string>
#include <string_view>

namespace gelens {

struct SvgPoint {
    double x = 0, y = 0;
};

/// Appends elements to one document. Colours and class names are ours and not escaped; text always is.
class SvgWriter {
public:
    /// `style` is CSS for the document's <style> element. The view box starts at (left, top).
    SvgWriter(double left, double top, double width, double height, std::string_view title, std::string_view style);

    void beginGroup(std::string_view cssClass, std::string_view label = {}); ///< `label` becomes a <title> (a tool tip)
    void endGroup();
    void rect(double x, double y, double width, double height, double radius, std::string_view cssClass,
              std::string_view fill = {}, std::string_view stroke = {});
    void polyline(std::span<const SvgPoint> points, std::string_view cssClass, std::string_view stroke = {});
    /// A line whose corners are rounded.
    void roundedLine(std::span<const SvgPoint> points, double radius, std::string_view cssClass);
    void polygon(std::span<const SvgPoint> points, std::string_view cssClass, std::string_view fill = {});
    void circle(double x, double y, double radius, std::string_view cssClass);
    /// One line of text; (x, y) is the start, middle or end of its base line as the class's text-anchor says.
    void text(double x, double y, std::string_view line, std::string_view cssClass, std::string_view fill = {});
    /// Raw definitions of ours (patterns, markers).
    void definitions(std::string_view xml);

    std::string finish();

private:
    void number(double value);
    void attribute(std::string_view name, double value);
    void attribute(std::string_view name, std::string_view value);
    void points(std::span<const SvgPoint> points);

    std::string m_text;
};

/// Text for XML content and attributes: markup escaped, characters that XML forbids replaced.
std::string xmlEscaped(std::string_view text);

} // namespace gelens
