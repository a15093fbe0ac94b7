#include "engine/report/report_figures_internal.h"

#include "engine/report/drawing_style.h"
#include "engine/report/svg_writer.h"
#include "engine/report/text_width.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace gelens::report {
namespace {

constexpr double width = 1080, marginLeft = 86, marginRight = 16, marginTop = 22, marginBottom = 34;
constexpr double plotWidth = width - marginLeft - marginRight;
constexpr std::size_t boxLimit = 6000; ///< rectangles in one figure; the largest are drawn

std::string styleSheet(const DrawingColors& c)
{
    return fmt::format(
        ".rt{{font:11px 'DejaVu Sans','Noto Sans CJK SC',Arial,sans-serif;fill:{0}}}.re{{font:11px 'DejaVu "
        "Sans','Noto Sans CJK SC',Arial,sans-serif;fill:{0};text-anchor:end}}"
        ".rg{{fill:none;stroke:{1};stroke-width:1}}.rp{{fill:none;stroke:{2};stroke-width:1.5;stroke-dasharray:5 3}}"
        ".rb{{stroke:{3};stroke-width:0.4}}",
        c.mutedText, c.faintLine, c.change(ChangeKind::Removed), c.canvas);
}

/// A round number near a fifth of the range.
double tickOf(double range)
{
    if (!(range > 0)) return 1;
    const double raw = range / 5, power = std::pow(10.0, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (raw <= factor * power) return factor * power;
    return 10 * power;
}

} // namespace

std::string grouped(std::int64_t value)
{
    std::string digits = std::to_string(value < 0 ? -value : value);
    for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(static_cast<std::size_t>(i), ",");
    return value < 0 ? "-" + digits : digits;
}

std::string bytesText(std::int64_t bytes)
{
    constexpr const char* units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = static_cast<double>(bytes);
    int unit = 0;
    for (; std::abs(value) >= 1000 && unit < 4; ++unit) value /= 1000;
    return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, units[unit]);
}

std::string microsecondsText(double value)
{
    return value >= 1000 ? fmt::format("{:.2f} ms", value / 1000) : fmt::format("{:.1f} µs", value);
}

std::string memorySvg(const Run& run, const std::string& timeTitle, const std::string& addressTitle,
                      const std::string& peakTitle)
{
    const MemoryPlan& plan = run.plan;
    const auto end = static_cast<double>(plan.order.size());
    const auto top = static_cast<double>(plan.totals.featureMapPeak);
    if (end <= 0 || top <= 0) return {};
    constexpr double plotHeight = 300;
    const DrawingColors& colors = drawingColors(false);
    SvgWriter svg(0, 0, width, marginTop + plotHeight + marginBottom, run.modelName, styleSheet(colors));
    svg.rect(0, 0, width, marginTop + plotHeight + marginBottom, 0, "", colors.canvas);
    const auto x = [&](double position) { return marginLeft + plotWidth * position / end; };
    const auto y = [&](double address) { return marginTop + plotHeight * (1 - address / top); };
    const double tick = tickOf(top);
    for (double at = 0; at <= top; at += tick) {
        const SvgPoint line[] = {{marginLeft, y(at)}, {marginLeft + plotWidth, y(at)}};
        svg.polyline(line, "rg");
        svg.text(marginLeft - 6, y(at) + 4, bytesText(static_cast<std::int64_t>(at)), "re");
    }
    std::vector<const MemoryBuffer*> drawn;
    for (const MemoryBuffer& buffer : plan.buffers)
        if (buffer.offset >= 0 && buffer.blockBytes > 0 &&
            (buffer.kind == BufferKind::FeatureMap || buffer.kind == BufferKind::Workspace))
            drawn.push_back(&buffer);
    std::stable_sort(drawn.begin(), drawn.end(),
                     [](const MemoryBuffer* a, const MemoryBuffer* b) { return a->blockBytes > b->blockBytes; });
    if (drawn.size() > boxLimit) drawn.resize(boxLimit);
    const auto last = run.graphAt(run.lastStep());
    for (const MemoryBuffer* buffer : drawn) {
        const double left = x(static_cast<double>(buffer->lifetime.begin)),
                     right = x(static_cast<double>(buffer->lifetime.end));
        const double upper = y(static_cast<double>(buffer->offset + buffer->blockBytes)),
                     lower = y(static_cast<double>(buffer->offset));
        const NodeId maker = buffer->tensor.node;
        const std::string type = last->contains(maker) ? last->node(maker).type : std::string();
        const bool isLarge = right - left > 2 && lower - upper > 6;
        // A name under the pointer costs as much as its rectangle: large ones have it.
        if (isLarge) svg.beginGroup("", fmt::format("{} · {}", buffer->name, bytesText(buffer->blockBytes)));
        svg.rect(left, upper, std::max(right - left, 0.5), std::max(lower - upper, 0.5), 0, "rb",
                 colors.category(type));
        if (isLarge) svg.endGroup();
    }
    const SvgPoint peak[] = {{marginLeft, y(top)}, {marginLeft + plotWidth, y(top)}};
    svg.polyline(peak, "rp");
    svg.text(marginLeft, marginTop - 8,
             fmt::format("{} · {} {}", addressTitle, peakTitle, bytesText(plan.totals.featureMapPeak)), "rt");
    svg.text(marginLeft + plotWidth, marginTop + plotHeight + 22,
             fmt::format("{} (0 … {})", timeTitle, grouped(static_cast<std::int64_t>(end))), "re");
    return svg.finish();
}

std::string timelineSvg(const Run& run, const std::string& axisTitle, const std::string& streamTitle)
{
    const Timeline& timeline = run.timeline;
    if (timeline.items.empty() || timeline.totalUs <= 0) return {};
    std::map<std::int64_t, int> tracks;
    for (const TimelineItem& item : timeline.items) tracks.try_emplace(item.stream, 0);
    int next = 0;
    for (auto& [stream, track] : tracks) track = next++;
    constexpr double trackHeight = 26;
    const double plotHeight = trackHeight * next, high = marginTop + plotHeight + marginBottom;
    const DrawingColors& colors = drawingColors(false);
    SvgWriter svg(0, 0, width, high, run.modelName, styleSheet(colors));
    svg.rect(0, 0, width, high, 0, "", colors.canvas);
    const auto x = [&](double us) { return marginLeft + plotWidth * us / timeline.totalUs; };
    const double tick = tickOf(timeline.totalUs);
    for (double at = 0; at <= timeline.totalUs; at += tick) {
        const SvgPoint line[] = {{x(at), marginTop}, {x(at), marginTop + plotHeight}};
        svg.polyline(line, "rg");
        svg.text(x(at), marginTop + plotHeight + 14, microsecondsText(at), "rt");
    }
    for (const auto& [stream, track] : tracks)
        svg.text(marginLeft - 6, marginTop + trackHeight * track + 17, fmt::format("{} {}", streamTitle, stream), "re");
    std::size_t drawn = 0;
    for (const TimelineItem& item : timeline.items) {
        if (++drawn > boxLimit) break;
        const double left = x(item.startUs), wide = std::max(plotWidth * item.durationUs / timeline.totalUs, 0.4);
        const double top = marginTop + trackHeight * tracks[item.stream] + 3;
        const bool isNamed = wide > 2 && item.task >= 0 && item.task < static_cast<int>(run.tasks.tasks.size());
        if (isNamed) {
            const Task& task = run.tasks.tasks[static_cast<std::size_t>(item.task)];
            svg.beginGroup("", fmt::format("{} ({}) · {}", task.name, task.opType, microsecondsText(item.durationUs)));
        }
        svg.rect(left, top, wide, trackHeight - 6, 0, "rb", colors.unit(item.unit));
        if (isNamed) svg.endGroup();
    }
    svg.text(marginLeft, marginTop - 8, axisTitle, "rt");
    return svg.finish();
}

} // namespace gelens::report
