#include "engine/report/svg_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace gelens {
namespace {

/// Length of a well-formed UTF-8 character at `at` that XML may hold; 0 for anything else.
std::size_t characterLength(std::string_view text, std::size_t at)
{
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto follows = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
    const unsigned lead = byte(at);
    if (lead < 0x80) return lead >= 0x20 && lead != 0x7F ? 1 : 0;
    if (lead >= 0xC2 && lead < 0xE0) return follows(at + 1) ? 2 : 0;
    if (lead >= 0xE0 && lead < 0xF0) {
        if (!follows(at + 1) || !follows(at + 2)) return 0;
        const unsigned value = (lead & 0x0F) << 12 | (byte(at + 1) & 0x3F) << 6 | (byte(at + 2) & 0x3F);
        return value < 0x800 || (value >= 0xD800 && value <= 0xDFFF) || value >= 0xFFFE ? 0 : 3;
    }
    if (lead >= 0xF0 && lead < 0xF5 && follows(at + 1) && follows(at + 2) && follows(at + 3)) {
        const unsigned value = (lead & 0x07) << 18 | (byte(at + 1) & 0x3F) << 12;
        return value >= 0x10000 && value <= 0x10FFFF ? 4 : 0;
    }
    return 0;
}

} // namespace

std::string xmlEscaped(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + 8);
    for (std::size_t i = 0; i < text.size();) {
        switch (text[i]) {
        case '&':
            out += "&amp;";
            ++i;
            continue;
        case '<':
            out += "&lt;";
            ++i;
            continue;
        case '>':
            out += "&gt;";
            ++i;
            continue;
        case '"':
            out += "&quot;";
            ++i;
            continue;
        case '\t':
        case '\n':
        case '\r':
            out += ' ';
            ++i;
            continue;
        default: break;
        }
        const std::size_t length = characterLength(text, i);
        if (length == 0) {
            out += "\xEF\xBF\xBD"; // U+FFFD
            ++i;
        } else {
            out += text.substr(i, length);
            i += length;
        }
    }
    return out;
}

SvgWriter::SvgWriter(double left, double top, double width, double height, std::string_view title,
                     std::string_view style)
{
    m_text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"";
    for (const double value : {left, top, width, height}) {
        number(value);
        m_text += ' ';
    }
    m_text.back() = '"';
    attribute("width", width);
    attribute("height", height);
    m_text += ">\n<title>" + xmlEscaped(title) + "</title>\n<style>" + std::string(style) + "</style>\n";
}

void SvgWriter::number(double value)
{
    // Two decimals are finer than any screen; to_chars does not look at the locale.
    const double rounded = std::isfinite(value) ? std::round(value * 100) / 100 : 0;
    char buffer[400];
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, rounded == 0 ? 0.0 : rounded, std::chars_format::fixed);
    m_text.append(buffer, end.ptr);
}

void SvgWriter::attribute(std::string_view name, double value)
{
    m_text += ' ';
    m_text += name;
    m_text += "=\"";
    number(value);
    m_text += '"';
}

void SvgWriter::attribute(std::string_view name, std::string_view value)
{
    if (value.empty()) return;
    m_text += ' ';
    m_text += name;
    m_text += "=\"";
    m_text += value;
    m_text += '"';
}

void SvgWriter::points(std::span<const SvgPoint> list)
{
    m_text += " points=\"";
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (i > 0) m_text += ' ';
        number(list[i].x);
        m_text += ',';
        number(list[i].y);
    }
    m_text += '"';
}

void SvgWriter::beginGroup(std::string_view cssClass, std::string_view label)
{
    m_text += "<g";
    attribute("class", cssClass);
    m_text += '>';
    if (!label.empty()) m_text += "<title>" + xmlEscaped(label) + "</title>";
    m_text += '\n';
}

void SvgWriter::endGroup() { m_text += "</g>\n"; }

void SvgWriter::rect(double x, double y, double width, double height, double radius, std::string_view cssClass,
                     std::string_view fill, std::string_view stroke)
{
    m_text += "<rect";
    attribute("x", x);
    attribute("y", y);
    attribute("width", width);
    attribute("height", height);
    if (radius > 0) attribute("rx", radius);
    attribute("class", cssClass);
    attribute("fill", fill);
    attribute("stroke", stroke);
    m_text += "/>\n";
}

void SvgWriter::polyline(std::span<const SvgPoint> list, std::string_view cssClass, std::string_view stroke)
{
    m_text += "<polyline";
    points(list);
    attribute("class", cssClass);
    attribute("stroke", stroke);
    m_text += "/>\n";
}

void SvgWriter::roundedLine(std::span<const SvgPoint> list, double radius, std::string_view cssClass)
{
    if (list.size() < 2) return;
    const auto put = [this](const char* command, SvgPoint p) {
        m_text += command;
        number(p.x);
        m_text += ' ';
        number(p.y);
    };
    m_text += "<path d=\"";
    put("M", list.front());
    for (std::size_t i = 1; i + 1 < list.size(); ++i) {
        const SvgPoint corner = list[i];
        const SvgPoint a{list[i - 1].x - corner.x, list[i - 1].y - corner.y},
            b{list[i + 1].x - corner.x, list[i + 1].y - corner.y};
        const double lengthA = std::hypot(a.x, a.y), lengthB = std::hypot(b.x, b.y);
        const double r = std::min({radius, lengthA / 2, lengthB / 2});
        if (r < 0.5) {
            put("L", corner);
            continue;
        }
        put("L", {corner.x + a.x * r / lengthA, corner.y + a.y * r / lengthA});
        put("Q", corner);
        put(" ", {corner.x + b.x * r / lengthB, corner.y + b.y * r / lengthB});
    }
    put("L", list.back());
    m_text += '"';
    attribute("class", cssClass);
    m_text += "/>\n";
}

void SvgWriter::polygon(std::span<const SvgPoint> list, std::string_view cssClass, std::string_view fill)
{
    m_text += "<polygon";
    points(list);
    attribute("class", cssClass);
    attribute("fill", fill);
    m_text += "/>\n";
}

void SvgWriter::circle(double x, double y, double radius, std::string_view cssClass)
{
    m_text += "<circle";
    attribute("cx", x);
    attribute("cy", y);
    attribute("r", radius);
    attribute("class", cssClass);
    m_text += "/>\n";
}

void SvgWriter::text(double x, double y, std::string_view line, std::string_view cssClass, std::string_view fill)
{
    m_text += "<text";
    attribute("x", x);
    attribute("y", y);
    attribute("class", cssClass);
    if (!fill.empty())
        attribute("style", "fill:" + std::string(fill)); // a plain attribute would lose against the classes
    m_text += '>' + xmlEscaped(line) + "</text>\n";
}

void SvgWriter::definitions(std::string_view xml)
{
    m_text += "<defs>";
    m_text += xml;
    m_text += "</defs>\n";
}

std::string SvgWriter::finish() { return std::move(m_text) + "</svg>\n"; }

} // namespace gelens
