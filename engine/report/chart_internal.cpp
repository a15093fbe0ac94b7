#include "engine/report/chart_internal.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace gelens::chart {

std::string styleSheet(const DrawingColors& c)
{
    return fmt::format(
        "text{{font-family:'DejaVu Sans','Noto Sans CJK SC','Noto Sans',Arial,sans-serif;font-size:{0}px;fill:{1}}}"
        ".t{{font-size:15px;font-weight:bold}}.m{{fill:{2}}}.e{{fill:{2};text-anchor:end}}"
        ".c{{fill:{2};text-anchor:middle}}.i{{text-anchor:middle}}"
        ".f{{fill:none;stroke:{3};stroke-width:1}}.g{{fill:none;stroke:{4};stroke-width:1}}"
        ".v{{fill:none;stroke:{1};stroke-width:1.2}}.d{{stroke-dasharray:7 4;stroke-width:2;fill:none}}"
        ".w{{stroke:{3};stroke-width:0.6;stroke-dasharray:2 2}}.o{{fill:none;stroke-width:1}}.b{{stroke:{3};stroke-width:0.6}}.k{{stroke:{1};stroke-width:1.4}}",
        fontSize, c.text, c.mutedText, c.line, c.faintLine);
}

std::string bytesText(double bytes)
{
    constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
    int unit = 0;
    for (; bytes >= 1000 && unit < 4; ++unit) bytes /= 1000;
    return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string microsecondsText(double us)
{
    if (us >= 1e6) return fmt::format("{:.4g} s", us / 1e6);
    return us >= 1000 ? fmt::format("{:.4g} ms", us / 1000) : fmt::format("{:.4g} µs", us);
}

std::vector<double> ticks(double end, int count)
{
    std::vector<double> values;
    if (!(end > 0) || !std::isfinite(end)) return values;
    const double raw = end / std::max(1, count), power = std::pow(10.0, std::floor(std::log10(raw)));
    const double step = power * (raw <= power ? 1 : raw <= 2 * power ? 2 : raw <= 5 * power ? 5 : 10);
    for (int i = 0; i * step <= end && i <= 1000; ++i) values.push_back(i * step);
    return values;
}

std::string csvField(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char letter : text) {
        if (letter == '"') quoted += '"';
        quoted += letter;
    }
    return quoted + '"';
}

std::string mixed(std::string_view a, std::string_view b, double shareOfA)
{
    const auto part = [](std::string_view colour, std::size_t at) {
        int value = 0;
        if (colour.size() == 7) std::from_chars(colour.data() + at, colour.data() + at + 2, value, 16);
        return value;
    };
    const auto mix = [&](std::size_t at) {
        return static_cast<int>(part(a, at) * shareOfA + part(b, at) * (1 - shareOfA));
    };
    return fmt::format("#{:02x}{:02x}{:02x}", mix(1), mix(3), mix(5));
}

} // namespace gelens::chart
