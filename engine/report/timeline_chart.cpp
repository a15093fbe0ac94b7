#include "engine/report/chart_internal.h"
#include "engine/report/chart_svg.h"
#include "engine/report/text_width.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace gelens {
namespace {

using namespace chart;

constexpr double thinnest = 1.0 / 3; ///< px
constexpr double headHeight = 56, footHeight = 60, lowestRow = 18, highestRow = 60;

struct Row {
    std::string name;
    std::vector<const TimelineItem*> items; // by start
};

class TimelinePainter {
public:
    TimelinePainter(const Run& run, const ChartOptions& options, std::vector<Row> rows,
                    std::unordered_map<std::int64_t, std::size_t> rowOfStream, double height)
        : m_run(run), m_timeline(options.isBefore ? run.timelineBefore : run.timeline),
          m_tasks(options.isBefore ? run.tasksBefore : run.tasks), m_options(options),
          m_colors(drawingColors(options.isDark)), m_height(height),
          m_svg(0, 0, options.width, height, run.modelName + ": tasks over estimated time", styleSheet(m_colors)),
          m_rows(std::move(rows)), m_rowOfStream(std::move(rowOfStream))
    {
        m_frame = {120,
                   headHeight,
                   options.width - 120 - 24,
                   height - headHeight - footHeight,
                   std::max(1e-6, m_timeline.totalUs),
                   1};
        m_rowHeight = m_frame.height / static_cast<double>(std::max<std::size_t>(1, m_rows.size()));
    }

    std::string run()
    {
        m_svg.rect(0, 0, m_options.width, m_height, 0, "", m_colors.canvas);
        heading();
        axis();
        for (std::size_t row = 0; row < m_rows.size(); ++row) paintRow(row);
        arrows();
        legend();
        return m_svg.finish();
    }

private:
    const Task* taskOf(const TimelineItem& item) const
    {
        const bool exists = item.task >= 0 && static_cast<std::size_t>(item.task) < m_tasks.tasks.size();
        return exists ? &m_tasks.tasks[static_cast<std::size_t>(item.task)] : nullptr;
    }
    double topOf(std::size_t row) const { return m_frame.top + static_cast<double>(row) * m_rowHeight; }

    void heading()
    {
        m_svg.text(m_frame.left, 22,
                   elideRight(m_run.modelName + " · " + m_run.soc.name +
                                  (m_options.isBefore ? " · as imported" : " · compiled"),
                              m_frame.width, 15, true),
                   "t");
        m_svg.text(
            m_frame.left, 42,
            fmt::format(
                "estimated {} · tasks {} · dispatch {} + traffic {} + compute {} (estimates of the cost model, not measurements)",
                microsecondsText(m_timeline.totalUs), m_timeline.items.size(),
                microsecondsText(m_timeline.parts.dispatchUs), microsecondsText(m_timeline.parts.trafficUs),
                microsecondsText(m_timeline.parts.computeUs)),
            "m");
    }

    void axis()
    {
        const double bottom = topOf(m_rows.size());
        for (const double value : ticks(m_frame.xEnd, 10)) {
            const SvgPoint line[] = {{m_frame.x(value), m_frame.top}, {m_frame.x(value), bottom + 4}};
            m_svg.polyline(line, "g");
            m_svg.text(m_frame.x(value), bottom + 17, microsecondsText(value), "c");
        }
        m_svg.text(m_frame.right(), bottom + 34, "estimated time", "e");
    }

    void paintRow(std::size_t number)
    {
        const Row& row = m_rows[number];
        const double top = topOf(number) + 3, height = m_rowHeight - 6;
        m_svg.text(m_frame.left - 8, top + height / 2 + 4, elideRight(row.name, 104, fontSize), "e");
        const SvgPoint line[] = {{m_frame.left, topOf(number + 1)}, {m_frame.right(), topOf(number + 1)}};
        m_svg.polyline(line, "g");
        double openLeft = 0, openRight = -1; // thin ones that are still to be drawn, as one
        Unit openUnit = Unit::None;
        const auto close = [&] {
            if (openRight >= openLeft)
                m_svg.rect(openLeft, top, std::max(thinnest, openRight - openLeft), height, 0, "", fillOf(openUnit));
            openRight = openLeft - 1;
        };
        for (const TimelineItem* item : row.items) {
            const double left = m_frame.x(item->startUs), right = m_frame.x(item->startUs + item->durationUs);
            if (right - left < thinnest) {
                if (openRight >= openLeft && left - openRight < thinnest && openUnit == item->unit) {
                    openRight = std::max(openRight, right);
                    continue;
                }
                close();
                openLeft = left, openRight = right, openUnit = item->unit;
                continue;
            }
            close();
            m_svg.rect(left, top, right - left, height, 0,
                       right - left <= 3  ? ""
                       : item->isCritical ? "k"
                                          : "b",
                       fillOf(item->unit));
            const Task* task = taskOf(*item);
            if (task && right - left > 40 && height > fontSize + 2)
                m_svg.text((left + right) / 2, top + height / 2 + 4,
                           elideRight(fmt::format("{} {}", std::string(boundName(item->bound)).substr(0, 1),
                                                  task->opType.empty() ? task->name : task->opType),
                                      right - left - 6, fontSize),
                           "i");
        }
        close();
    }

    std::string fillOf(Unit unit) const
    {
        return mixed(m_colors.unit(unit), m_colors.canvas, m_options.isDark ? 0.5 : 0.42);
    }

    void arrows()
    {
        constexpr std::size_t most = 2000;
        std::unordered_map<std::int64_t, const TimelineItem*> records;
        for (const TimelineItem& item : m_timeline.items)
            if (const Task* task = taskOf(item); task && task->kind == TaskKind::EventRecord)
                records[task->event] = &item;
        std::size_t drawn = 0;
        for (const TimelineItem& item : m_timeline.items) {
            const Task* task = taskOf(item);
            if (!task || task->kind != TaskKind::EventWait) continue;
            const auto record = records.find(task->event);
            if (record == records.end() || ++drawn > most) continue;
            const auto middle = [&](std::int64_t stream) { return topOf(m_rowOfStream[stream]) + m_rowHeight / 2; };
            const double x = m_frame.x(item.startUs + item.durationUs), y = middle(item.stream);
            const SvgPoint line[] = {
                {m_frame.x(record->second->startUs + record->second->durationUs), middle(record->second->stream)},
                {x, y}};
            const SvgPoint head[] = {{x - 5, y - 3}, {x, y}, {x - 5, y + 3}};
            m_svg.polyline(line, "v");
            m_svg.polyline(head, "v");
        }
    }

    void legend()
    {
        const double y = topOf(m_rows.size()) + 34;
        m_svg.text(m_frame.left, y,
                   "first letter: c compute, m memory, l launch bound · strong outline: critical path · arrows: events",
                   "m");
    }

    const Run& m_run;
    const Timeline& m_timeline;
    const TaskList& m_tasks;
    const ChartOptions& m_options;
    const DrawingColors& m_colors;
    double m_height;
    SvgWriter m_svg;
    Frame m_frame;
    double m_rowHeight = 20;
    std::vector<Row> m_rows; // streams, then units
    std::unordered_map<std::int64_t, std::size_t> m_rowOfStream;
};

} // namespace

std::string timelineToSvg(const Run& run, const ChartOptions& options)
{
    std::map<std::int64_t, Row> streams;
    std::map<Unit, Row> units;
    for (const TimelineItem& item : (options.isBefore ? run.timelineBefore : run.timeline).items) {
        streams[item.stream].items.push_back(&item);
        if (item.unit != Unit::None) units[item.unit].items.push_back(&item);
    }
    std::vector<Row> rows;
    std::unordered_map<std::int64_t, std::size_t> rowOfStream;
    for (auto& [stream, row] : streams) {
        rowOfStream[stream] = rows.size();
        row.name = fmt::format("stream {}", stream);
        rows.push_back(std::move(row));
    }
    for (auto& [unit, row] : units) {
        row.name = std::string(unitName(unit));
        rows.push_back(std::move(row));
    }
    // As high as its rows ask for: a few are not stretched, many do not vanish.
    const double wanted = options.height - headHeight - footHeight,
                 count = static_cast<double>(std::max<std::size_t>(1, rows.size()));
    const double height = headHeight + footHeight + count * std::clamp(wanted / count, lowestRow, highestRow);
    return TimelinePainter(run, options, std::move(rows), std::move(rowOfStream), height).run();
}

std::string timelineToCsv(const Run& run, const ChartOptions& options)
{
    const Timeline& timeline = options.isBefore ? run.timelineBefore : run.timeline;
    const TaskList& tasks = options.isBefore ? run.tasksBefore : run.tasks;
    std::string text =
        "task,name,type,kind,unit,stream,cores,start_us_estimated,duration_us_estimated,launch_us_estimated,compute_us_estimated,"
        "memory_us_estimated,l2_bytes,hbm_bytes,bound,critical\n";
    for (const TimelineItem& item : timeline.items) {
        if (item.task < 0 || static_cast<std::size_t>(item.task) >= tasks.tasks.size()) continue;
        const Task& task = tasks.tasks[static_cast<std::size_t>(item.task)];
        text += fmt::format("{},{},{},{},{},{},{},{:.3f},{:.3f},{:.3f},{:.3f},{:.3f},{:.0f},{:.0f},{},{}\n", item.task,
                            csvField(task.name), csvField(task.opType), taskKindName(task.kind), unitName(item.unit),
                            item.stream, item.cores, item.startUs, item.durationUs, item.launchUs, item.computeUs,
                            item.memoryUs, item.l2Bytes, item.ddrBytes, boundName(item.bound), item.isCritical ? 1 : 0);
    }
    return text;
}

} // namespace gelens
