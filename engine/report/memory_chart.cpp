#include "engine/report/chart_internal.h"
#include "engine/report/chart_svg.h"
#include "engine/report/text_width.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>

namespace gelens {
namespace {

using namespace chart;

bool isPlanned(const MemoryBuffer& buffer)
{
    return (buffer.kind == BufferKind::FeatureMap || buffer.kind == BufferKind::Workspace) && buffer.offset >= 0 &&
           buffer.blockBytes > 0;
}

class MemoryPainter {
public:
    MemoryPainter(const Run& run, const ChartOptions& options)
        : m_run(run), m_plan(run.plan), m_options(options), m_colors(drawingColors(options.isDark)),
          m_svg(0, 0, options.width, options.height, run.modelName + ": memory", styleSheet(m_colors))
    {
        for (const MemoryBuffer& buffer : m_plan.buffers)
            if (isPlanned(buffer)) m_buffers.push_back(&buffer);
        std::stable_sort(m_buffers.begin(), m_buffers.end(), [](const MemoryBuffer* a, const MemoryBuffer* b) {
            return a->lifetime.begin < b->lifetime.begin;
        });
        m_positions = std::max<std::int64_t>(1, static_cast<std::int64_t>(m_plan.order.size()));
        std::int64_t highest = std::max(m_plan.totals.featureMapPeak, m_plan.totals.lowerBound);
        if (options.overlay) highest = std::max(highest, options.overlay->totals.featureMapPeak);
        m_frame = {84,
                   56,
                   options.width - 84 - 24,
                   options.height - 56 - 44,
                   static_cast<double>(m_positions),
                   std::max(1.0, static_cast<double>(highest) * 1.06)};
    }

    std::string run()
    {
        m_svg.rect(0, 0, m_options.width, m_options.height, 0, "", m_colors.canvas);
        measure();
        heading();
        axes();
        holes();
        blocks();
        overlay();
        curve();
        marks();
        return m_svg.finish();
    }

private:
    void measure()
    {
        std::vector<std::int64_t> delta(static_cast<std::size_t>(m_positions) + 1, 0);
        for (const MemoryBuffer* buffer : m_buffers) {
            delta[at(buffer->lifetime.begin)] += buffer->blockBytes;
            delta[at(buffer->lifetime.end)] -= buffer->blockBytes;
        }
        const auto isLower = [](const MemoryBuffer* a, const MemoryBuffer* b) {
            return a->offset + a->blockBytes < b->offset + b->blockBytes;
        };
        std::priority_queue<const MemoryBuffer*, std::vector<const MemoryBuffer*>, decltype(isLower)> alive(isLower);
        std::size_t next = 0;
        std::int64_t sum = 0;
        for (std::int64_t position = 0; position < m_positions; ++position) {
            m_live.push_back(sum += delta[static_cast<std::size_t>(position)]);
            for (; next < m_buffers.size() && m_buffers[next]->lifetime.begin <= position; ++next)
                alive.push(m_buffers[next]);
            while (!alive.empty() && alive.top()->lifetime.end <= position) alive.pop();
            m_top.push_back(alive.empty() ? 0 : alive.top()->offset + alive.top()->blockBytes);
        }
    }
    std::size_t at(std::int64_t position) const
    {
        return static_cast<std::size_t>(std::clamp<std::int64_t>(position, 0, m_positions));
    }

    void heading()
    {
        const MemoryTotals& totals = m_plan.totals;
        m_svg.text(m_frame.left, 22, elideRight(m_run.modelName + " · " + m_run.soc.name, m_frame.width, 15, true),
                   "t");
        std::string text = fmt::format(
            "peak {} · lower bound {} · GE's policy {} · unshared {} · weights apart {}",
            bytesText(static_cast<double>(totals.featureMapPeak)), bytesText(static_cast<double>(totals.lowerBound)),
            bytesText(static_cast<double>(totals.gePeak)), bytesText(static_cast<double>(totals.unshared)),
            bytesText(static_cast<double>(totals.weights)));
        if (m_plan.isProvedOptimal) text += " · proved optimal";
        if (m_options.overlay)
            text += fmt::format(" · outlines: policy {}, {}", m_options.overlay->policy,
                                bytesText(static_cast<double>(m_options.overlay->totals.featureMapPeak)));
        m_svg.text(m_frame.left, 42, elideRight(text, m_frame.width, fontSize), "m");
        const double y = m_frame.bottom() + 34;
        m_svg.rect(m_frame.left, y - 10, 18, 12, 0, "w",
                   mixed(m_colors.change(ChangeKind::Removed), m_colors.canvas, 0.22));
        m_svg.text(m_frame.left + 24, y, "free below the highest place in use", "m");
    }

    void axes()
    {
        for (const double value : ticks(m_frame.yEnd, 10)) {
            const SvgPoint line[] = {{m_frame.left - 4, m_frame.y(value)}, {m_frame.right(), m_frame.y(value)}};
            m_svg.polyline(line, "g");
            m_svg.text(m_frame.left - 8, m_frame.y(value) + 4, bytesText(value), "e");
        }
        for (const double value : ticks(m_frame.xEnd, 12)) {
            const SvgPoint line[] = {{m_frame.x(value), m_frame.bottom()}, {m_frame.x(value), m_frame.bottom() + 4}};
            m_svg.polyline(line, "f");
            m_svg.text(m_frame.x(value), m_frame.bottom() + 17, fmt::format("{:.0f}", value), "c");
        }
        m_svg.text(m_frame.right(), m_frame.bottom() + 34, "step in task order", "e");
        m_svg.rect(m_frame.left, m_frame.top, m_frame.width, m_frame.height, 0, "f");
    }

    /// Outline of a step function, at most two points for each half pixel: the highest of the column counts.
    std::vector<SvgPoint> stepsOf(const std::vector<std::int64_t>& values) const
    {
        std::vector<SvgPoint> points;
        std::int64_t highest = 0, column = -1;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double x = m_frame.x(static_cast<double>(i));
            if (static_cast<std::int64_t>(x * 2) == column) {
                highest = std::max(highest, values[i]);
                points.back().y = m_frame.y(static_cast<double>(highest));
                continue;
            }
            if (!points.empty()) points.push_back({x, points.back().y});
            points.push_back({x, m_frame.y(static_cast<double>(values[i]))});
            column = static_cast<std::int64_t>(x * 2);
            highest = values[i];
        }
        if (!points.empty()) points.push_back({m_frame.right(), points.back().y});
        return points;
    }

    void holes()
    {
        std::vector<SvgPoint> area = stepsOf(m_top);
        area.insert(area.begin(), {m_frame.left, m_frame.bottom()});
        area.push_back({m_frame.right(), m_frame.bottom()});
        m_svg.polygon(area, "w", mixed(m_colors.change(ChangeKind::Removed), m_colors.canvas, 0.22));
    }

    void blocks()
    {
        const auto graph = m_run.graphAt(m_run.lastStep());
        for (const MemoryBuffer* buffer : m_buffers) {
            const double left = m_frame.x(static_cast<double>(buffer->lifetime.begin)),
                         right = m_frame.x(static_cast<double>(std::min(buffer->lifetime.end, m_positions)));
            const double top = m_frame.y(static_cast<double>(buffer->offset + buffer->blockBytes)),
                         bottom = m_frame.y(static_cast<double>(buffer->offset));
            const NodeId node = buffer->tensor.node;
            const std::string type =
                graph && node.isValid() && node.value < graph->nodeIdBound() ? graph->node(node).type : std::string();
            const std::string fill = mixed(m_colors.category(type), m_colors.canvas, m_options.isDark ? 0.5 : 0.42);
            m_svg.rect(left, top, std::max(0.3, right - left), std::max(0.3, bottom - top), 0,
                       right - left > 2 && bottom - top > 2 ? "b" : "", fill);
            if (right - left > 34 && bottom - top > fontSize + 3)
                m_svg.text((left + right) / 2, (top + bottom) / 2 + 4,
                           elideLeft(buffer->name, right - left - 6, fontSize), "i");
        }
    }

    void overlay()
    {
        if (!m_options.overlay) return;
        for (const MemoryBuffer& buffer : m_options.overlay->buffers) {
            if (!isPlanned(buffer)) continue;
            const double left = m_frame.x(static_cast<double>(buffer.lifetime.begin)),
                         right = m_frame.x(static_cast<double>(std::min(buffer.lifetime.end, m_positions)));
            const double top = m_frame.y(static_cast<double>(buffer.offset + buffer.blockBytes)),
                         bottom = m_frame.y(static_cast<double>(buffer.offset));
            m_svg.rect(left, top, std::max(0.3, right - left), std::max(0.3, bottom - top), 0, "o", "none",
                       m_colors.change(ChangeKind::Removed));
        }
    }

    void curve() { m_svg.polyline(stepsOf(m_live), "v"); }

    void marks()
    {
        const auto level = [&](std::int64_t bytes, std::string_view colour, const std::string& text, double y) {
            const SvgPoint line[] = {{m_frame.left, m_frame.y(static_cast<double>(bytes))},
                                     {m_frame.right(), m_frame.y(static_cast<double>(bytes))}};
            m_svg.polyline(line, "d", colour);
            m_svg.text(m_frame.left + 6, m_frame.y(static_cast<double>(bytes)) + y, text, "", colour);
        };
        level(m_plan.totals.lowerBound, m_colors.change(ChangeKind::Added),
              "lower bound " + bytesText(static_cast<double>(m_plan.totals.lowerBound)), 14);
        if (m_plan.totals.featureMapPeak > m_plan.totals.lowerBound)
            level(m_plan.totals.featureMapPeak, m_colors.change(ChangeKind::Changed),
                  "planned peak " + bytesText(static_cast<double>(m_plan.totals.featureMapPeak)), -4);
        if (m_live.empty()) return;
        const auto peak = std::max_element(m_live.begin(), m_live.end());
        const double x = m_frame.x(static_cast<double>(peak - m_live.begin()) + 0.5);
        const SvgPoint line[] = {{x, m_frame.top}, {x, m_frame.bottom()}};
        m_svg.polyline(line, "d", m_colors.change(ChangeKind::Removed));
        m_svg.text(std::min(x + 5, m_frame.right() - 150), m_frame.top + 13,
                   "▼ most alive: " + bytesText(static_cast<double>(*peak)), "", m_colors.change(ChangeKind::Removed));
    }

    const Run& m_run;
    const MemoryPlan& m_plan;
    const ChartOptions& m_options;
    const DrawingColors& m_colors;
    SvgWriter m_svg;
    Frame m_frame;
    std::int64_t m_positions = 1;
    std::vector<const MemoryBuffer*> m_buffers; // by begin
    std::vector<std::int64_t> m_live, m_top;    // by position
};

} // namespace

std::string memoryToSvg(const Run& run, const ChartOptions& options) { return MemoryPainter(run, options).run(); }

std::string memoryToCsv(const Run& run)
{
    const auto graph = run.graphAt(run.lastStep());
    std::string text =
        "buffer,name,kind,producer_type,region_offset_bytes,bytes,block_bytes,first_task,last_task,stream,tensors,note\n";
    for (const MemoryBuffer& buffer : run.plan.buffers) {
        const NodeId node = buffer.tensor.node;
        const std::string type =
            graph && node.isValid() && node.value < graph->nodeIdBound() ? graph->node(node).type : std::string();
        text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{}\n", buffer.id, csvField(buffer.name),
                            bufferKindName(buffer.kind), csvField(type), buffer.offset, buffer.bytes, buffer.blockBytes,
                            buffer.lifetime.begin, buffer.lifetime.end - 1, buffer.stream, buffer.members.size(),
                            csvField(buffer.note));
    }
    return text;
}

} // namespace gelens
