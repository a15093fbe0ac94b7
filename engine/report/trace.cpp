#include "engine/report/trace.h"

#include "engine/report/json_internal.h"

#include <algorithm>
#include <map>

namespace gelens {
namespace {

using report::Json;

constexpr int afterProcess = 1, beforeProcess = 2;

double bytesOf(const std::vector<DeviceAddress>& addresses)
{
    double sum = 0;
    for (const DeviceAddress& address : addresses)
        if (address.region != DeviceAddress::Region::Null) sum += static_cast<double>(address.bytes);
    return sum;
}

class TraceWriter {
public:
    explicit TraceWriter(Json& events) : m_events(events) {}

    void addTimeline(const Timeline& timeline, const TaskList& tasks, int process, const std::string& title)
    {
        m_events.push_back({{"name", "process_name"}, {"ph", "M"}, {"pid", process}, {"args", {{"name", title}}}});
        std::map<std::int64_t, bool> streams;
        for (const TimelineItem& item : timeline.items) streams[item.stream] = true;
        for (const auto& [stream, isUsed] : streams)
            m_events.push_back({{"name", "thread_name"},
                                {"ph", "M"},
                                {"pid", process},
                                {"tid", stream},
                                {"args", {{"name", "stream " + std::to_string(stream)}}}});
        for (const TimelineItem& item : timeline.items) addTask(item, taskOf(tasks, item.task), tasks, process);
        addArrows(timeline, tasks, process);
        addCounters(timeline, tasks, process);
    }

private:
    static const Task* taskOf(const TaskList& tasks, int index)
    {
        return index >= 0 && index < static_cast<int>(tasks.tasks.size())
                   ? &tasks.tasks[static_cast<std::size_t>(index)]
                   : nullptr;
    }

    void addTask(const TimelineItem& item, const Task* task, const TaskList& tasks, int process)
    {
        if (task == nullptr) return;
        Json arguments = {
            {"task", item.task},           {"type", task->opType},           {"kind", taskKindName(task->kind)},
            {"unit", unitName(item.unit)}, {"bound", boundName(item.bound)}, {"critical", item.isCritical},
            {"launch_us", item.launchUs},  {"compute_us", item.computeUs},   {"memory_us", item.memoryUs}};
        if (task->event >= 0) arguments["event"] = task->event;
        if (task->superKernel >= 0 && task->superKernel < static_cast<int>(tasks.superKernels.size()))
            arguments["super_kernel"] = tasks.superKernels[static_cast<std::size_t>(task->superKernel)].name;
        if (task->kernel >= 0 && task->kernel < static_cast<int>(tasks.kernels.size())) {
            arguments["kernel"] = tasks.kernels[static_cast<std::size_t>(task->kernel)].name;
            arguments["block_dim"] = task->blockDim;
            arguments["bytes_in"] = bytesOf(task->inputs);
            arguments["bytes_out"] = bytesOf(task->outputs);
        }
        std::string name = task->name;
        if (name.empty()) name = std::string(taskKindName(task->kind));
        m_events.push_back({{"name", std::move(name)},
                            {"cat", task->opType.empty() ? std::string(taskKindName(task->kind)) : task->opType},
                            {"ph", "X"},
                            {"ts", item.startUs},
                            {"dur", item.durationUs},
                            {"pid", process},
                            {"tid", item.stream},
                            {"args", std::move(arguments)}});
    }

    /// From the record's end to the wait's end: a wait starts when its stream comes to it, which may be long before.
    void addArrows(const Timeline& timeline, const TaskList& tasks, int process)
    {
        std::map<std::int64_t, const TimelineItem*> records;
        for (const TimelineItem& item : timeline.items)
            if (const Task* task = taskOf(tasks, item.task); task && task->kind == TaskKind::EventRecord)
                records[task->event] = &item;
        for (const TimelineItem& item : timeline.items) {
            const Task* task = taskOf(tasks, item.task);
            if (!task || task->kind != TaskKind::EventWait) continue;
            const auto record = records.find(task->event);
            if (record == records.end()) continue;
            const auto flow = [&](const char* phase, double at, std::int64_t stream) {
                Json event = {{"name", "event " + std::to_string(task->event)},
                              {"cat", "event"},
                              {"ph", phase},
                              {"id", m_nextFlow},
                              {"ts", at},
                              {"pid", process},
                              {"tid", stream}};
                if (*phase == 'f') event["bp"] = "e";
                m_events.push_back(std::move(event));
            };
            flow("s", record->second->startUs + record->second->durationUs / 2, record->second->stream);
            flow("f", item.startUs + item.durationUs, item.stream);
            ++m_nextFlow;
        }
    }

    void addCounters(const Timeline& timeline, const TaskList& tasks, int process)
    {
        struct Level {
            int cube = 0, vector = 0, aiCpu = 0;
            double bytesPerUs = 0;
        };
        std::map<double, Level> changes;
        for (const TimelineItem& item : timeline.items) {
            const Task* task = taskOf(tasks, item.task);
            if (!task || !(item.durationUs > 0)) continue;
            Level level;
            const int cores = std::max(1, task->blockDim);
            if (item.unit == Unit::Cube || item.unit == Unit::Mix) level.cube = cores;
            if (item.unit == Unit::Vector) level.vector = cores;
            if (item.unit == Unit::AiCpu) level.aiCpu = cores;
            level.bytesPerUs = (bytesOf(task->inputs) + bytesOf(task->outputs)) / item.durationUs;
            const auto add = [&](double at, int sign) {
                Level& change = changes[at];
                change.cube += sign * level.cube;
                change.vector += sign * level.vector;
                change.aiCpu += sign * level.aiCpu;
                change.bytesPerUs += sign * level.bytesPerUs;
            };
            add(item.startUs, 1);
            add(item.startUs + item.durationUs, -1);
        }
        Level now;
        for (const auto& [at, change] : changes) {
            now.cube += change.cube;
            now.vector += change.vector;
            now.aiCpu += change.aiCpu;
            now.bytesPerUs += change.bytesPerUs;
            m_events.push_back({{"name", "cores in use"},
                                {"ph", "C"},
                                {"ts", at},
                                {"pid", process},
                                {"args", {{"cube", now.cube}, {"vector", now.vector}, {"AI CPU", now.aiCpu}}}});
            // 1,000 bytes in a microsecond are a GB/s. Sums of differences leave rounding behind; less than a byte is
            // none.
            const double rate = now.bytesPerUs < 1 ? 0 : now.bytesPerUs;
            m_events.push_back({{"name", "traffic, GB/s"},
                                {"ph", "C"},
                                {"ts", at},
                                {"pid", process},
                                {"args", {{"GB/s", rate / 1000}}}});
        }
    }

    Json& m_events;
    int m_nextFlow = 1;
};

} // namespace

std::string runToTrace(const Run& run)
{
    Json events = Json::array();
    TraceWriter writer(events);
    writer.addTimeline(run.timeline, run.tasks, afterProcess, run.modelName + " compiled (estimated)");
    if (!run.timelineBefore.items.empty())
        writer.addTimeline(run.timelineBefore, run.tasksBefore, beforeProcess,
                           run.modelName + " as imported (estimated)");
    Json trace = {{"displayTimeUnit", "ns"},
                  {"otherData",
                   {{"model", run.modelName},
                    {"soc", run.soc.name},
                    {"estimated", true},
                    {"latency_us", run.timeline.totalUs},
                    {"note", "Times are estimates of the published cost model, not measurements."}}},
                  {"traceEvents", std::move(events)}};
    // One line for each event would be larger; the format is for programs.
    return trace.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace gelens
