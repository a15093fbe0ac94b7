#include "engine/npu/clock.h"

#include "engine/npu/l2_model.h"
#include "engine/ops/op_registry.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <unordered_map>

namespace gelens {

namespace {

bool isEvent(const Task& task) { return task.kind == TaskKind::EventRecord || task.kind == TaskKind::EventWait; }

double sumBytes(const std::vector<DeviceAddress>& addresses)
{
    double sum = 0;
    for (const DeviceAddress& address : addresses)
        if (address.region != DeviceAddress::Region::Null) sum += static_cast<double>(address.bytes);
    return sum;
}

/// Splits the kernel's bytes between L2 and device memory, in proportion to its tensors.
Traffic trafficOf(const Task& task, const Cost& cost, L2Model& l2, double l2Capacity)
{
    Traffic traffic;
    const double inputs = sumBytes(task.inputs), outputs = sumBytes(task.outputs);
    // An operator may read less than its operands hold (Gather) or some of it again (a matrix product's tiles).
    const double readScale = inputs > 0 ? cost.bytesRead / inputs : 0;
    const double writeScale = outputs > 0 ? cost.bytesWritten / outputs : 0;
    for (const DeviceAddress& address : task.inputs) {
        if (address.region == DeviceAddress::Region::Null) continue;
        (l2.holds(address) ? traffic.l2Read : traffic.ddrRead) += static_cast<double>(address.bytes) * readScale;
    }
    for (const DeviceAddress& address : task.inputs)
        if (address.region != DeviceAddress::Region::Null) l2.touch(address);
    for (const DeviceAddress& address : task.outputs) {
        if (address.region == DeviceAddress::Region::Null) continue;
        const double bytes = static_cast<double>(address.bytes);
        (bytes <= l2Capacity ? traffic.l2Write : traffic.ddrWrite) += bytes * writeScale;
        l2.touch(address);
    }
    return traffic;
}

/// The first part of a super kernel carries the launch of the whole; each part is called from there.
double launchOfPart(const Task& task, const TaskList& tasks, double launchUs)
{
    const bool isFirst = tasks.superKernels[static_cast<std::size_t>(task.superKernel)].firstTask == task.index;
    return cost_model::superKernelPartUs + (isFirst ? launchUs : 0);
}

// Parts of the chip that tasks share while they run together. The memories come last: one kernel uses them in turn.
enum Resource { CubeUnit, VectorUnit, AiCpuUnit, L2Rate, DdrRate, ResourceCount };

struct Running {
    int task = -1;
    std::size_t queue = 0;
    double launchLeft = 0;
    double left[ResourceCount] = {};
    double syncLeft = 0;
    bool isPipelined = true;
    int cores = 1;

    bool hasComputed() const { return left[CubeUnit] <= 0 && left[VectorUnit] <= 0 && left[AiCpuUnit] <= 0; }
    bool hasMoved() const { return left[L2Rate] <= 0 && left[DdrRate] <= 0; }
    bool isDone() const { return launchLeft <= 0 && syncLeft <= 0 && hasComputed() && hasMoved(); }
    bool isSyncing() const { return launchLeft <= 0 && syncLeft > 0 && hasComputed() && (isPipelined || hasMoved()); }
    /// Without overlap data is moved first, then worked on.
    bool uses(int resource) const
    {
        if (launchLeft > 0 || left[resource] <= 0) return false;
        if (resource == DdrRate) return left[L2Rate] <= 0;
        return resource == L2Rate || isPipelined || hasMoved();
    }
};

class Clock {
public:
    Clock(const TaskList& list, const SocSpec& soc, const std::vector<KernelTime>& times, const ClockOptions& options)
        : m_list(list), m_times(times), m_options(options)
    {
        m_cores[CubeUnit] = std::max(1, soc.cubeCores);
        m_cores[VectorUnit] = std::max({1, soc.vectorCores, soc.coreLayout == CoreLayout::Fused ? soc.cubeCores : 0});
        m_cores[AiCpuUnit] = std::max(1, soc.aiCpus);
    }

    Result<Timeline> run()
    {
        for (const Task& task : m_list.tasks) {
            const auto [found, isNew] = m_queueOf.emplace(task.stream, m_queues.size());
            if (isNew) m_queues.emplace_back();
            m_queues[found->second].push_back(task.index);
        }
        m_next.assign(m_queues.size(), 0);
        m_lastOnStream.assign(m_queues.size(), -1);
        m_startOf.assign(m_list.tasks.size(), 0);
        m_endOf.assign(m_list.tasks.size(), 0);
        m_cause.assign(m_list.tasks.size(), -1);
        for (std::size_t q = 0; q < m_queues.size(); ++q) start(q);
        std::size_t rounds = 0;
        while (!m_running.empty()) {
            if ((++rounds & 0xFFF) == 0 && m_options.stop.stop_requested()) return Error::cancelled();
            advance();
            finishTasks();
        }
        if (m_finished != m_list.tasks.size())
            return Error::invalid("streams wait for each other without end, so the list never finishes");
        return makeTimeline();
    }

private:
    /// Starts the next task of a stream, unless it waits for an event that is still to come.
    void start(std::size_t queue)
    {
        if (m_next[queue] >= m_queues[queue].size()) return;
        const auto i = static_cast<std::size_t>(m_queues[queue][m_next[queue]]);
        const Task& task = m_list.tasks[i];
        m_cause[i] = m_lastOnStream[queue];
        if (task.kind == TaskKind::EventWait) {
            const auto record = m_recordedBy.find(task.event);
            if (record == m_recordedBy.end()) {
                m_sleepers[task.event].push_back(queue);
                return;
            }
            const int other = record->second;
            const bool isLater = m_cause[i] < 0 || m_endOf[static_cast<std::size_t>(other)] >
                                                       m_endOf[static_cast<std::size_t>(m_cause[i])];
            if (isLater) m_cause[i] = other;
        }
        const KernelTime& time = m_times[i];
        Running running;
        running.task = task.index;
        running.queue = queue;
        running.launchLeft = time.launchUs;
        running.left[CubeUnit] = time.cubeUs;
        running.left[VectorUnit] = time.vectorUs;
        running.left[AiCpuUnit] = time.aiCpuUs;
        // Pipelined, reads and writes overlap and the slower direction counts; else they follow each other.
        const bool isReadLonger = time.l2ReadUs + time.ddrReadUs >= time.l2WriteUs + time.ddrWriteUs;
        const bool readsCount = !time.isPipelined || isReadLonger, writesCount = !time.isPipelined || !isReadLonger;
        running.left[L2Rate] = (readsCount ? time.l2ReadUs : 0) + (writesCount ? time.l2WriteUs : 0);
        running.left[DdrRate] = (readsCount ? time.ddrReadUs : 0) + (writesCount ? time.ddrWriteUs : 0);
        running.syncLeft = time.syncUs;
        running.isPipelined = time.isPipelined;
        running.cores = time.cores;
        m_startOf[i] = m_now;
        m_running.push_back(running);
    }

    double speed(int resource, const double (&demand)[ResourceCount]) const
    {
        if (resource >= L2Rate) return 1 / std::max(1.0, demand[resource]);
        return std::min(1.0, m_cores[resource] / std::max(1.0, demand[resource]));
    }

    /// Moves the clock to the next moment at which some part of some task is finished.
    void advance()
    {
        double demand[ResourceCount] = {};
        for (const Running& one : m_running)
            for (int r = 0; r < ResourceCount; ++r)
                if (one.uses(r)) demand[r] += r < L2Rate ? one.cores : 1;
        double step = std::numeric_limits<double>::infinity();
        for (const Running& one : m_running) {
            if (one.launchLeft > 0) step = std::min(step, one.launchLeft);
            if (one.isSyncing()) step = std::min(step, one.syncLeft);
            for (int r = 0; r < ResourceCount; ++r)
                if (one.uses(r)) step = std::min(step, one.left[r] / speed(r, demand));
            if (one.isDone()) step = 0;
        }
        if (step == 0 || step == std::numeric_limits<double>::infinity()) return;
        m_now += step;
        // Rests below a femtosecond are rounding.
        const auto reduce = [](double& rest, double by) { rest = rest - by < 1e-9 ? 0 : rest - by; };
        for (Running& one : m_running) {
            bool uses[ResourceCount];
            for (int r = 0; r < ResourceCount; ++r) uses[r] = one.uses(r);
            const bool isSyncing = one.isSyncing();
            if (one.launchLeft > 0) reduce(one.launchLeft, step);
            if (isSyncing) reduce(one.syncLeft, step);
            for (int r = 0; r < ResourceCount; ++r)
                if (uses[r]) reduce(one.left[r], step * speed(r, demand));
        }
    }

    void finishTasks()
    {
        std::vector<std::size_t> free;
        for (std::size_t k = 0; k < m_running.size();) {
            if (!m_running[k].isDone()) {
                ++k;
                continue;
            }
            const Running done = m_running[k];
            m_running.erase(m_running.begin() + static_cast<std::ptrdiff_t>(k));
            const Task& task = m_list.tasks[static_cast<std::size_t>(done.task)];
            m_endOf[static_cast<std::size_t>(done.task)] = m_now;
            m_lastOnStream[done.queue] = done.task;
            ++m_next[done.queue];
            ++m_finished;
            free.push_back(done.queue);
            if (task.kind == TaskKind::EventRecord) {
                m_recordedBy[task.event] = done.task;
                for (const std::size_t sleeper : m_sleepers[task.event]) free.push_back(sleeper);
                m_sleepers.erase(task.event);
            }
        }
        std::sort(free.begin(), free.end());
        for (const std::size_t queue : free) start(queue);
    }

    Timeline makeTimeline() const
    {
        Timeline timeline;
        timeline.totalUs = m_now;
        std::vector<char> isCritical(m_list.tasks.size(), 0);
        int last = -1;
        for (std::size_t i = 0; i < m_endOf.size(); ++i)
            if (last < 0 || m_endOf[i] >= m_endOf[static_cast<std::size_t>(last)]) last = static_cast<int>(i);
        for (int at = last; at >= 0; at = m_cause[static_cast<std::size_t>(at)])
            isCritical[static_cast<std::size_t>(at)] = 1;
        for (std::size_t i = 0; i < m_list.tasks.size(); ++i) {
            const Task& task = m_list.tasks[i];
            const KernelTime& time = m_times[i];
            TimelineItem item;
            item.task = task.index;
            item.node = task.node;
            item.stream = task.stream;
            item.startUs = m_startOf[i];
            item.durationUs = m_endOf[i] - m_startOf[i];
            item.launchUs = time.launchUs;
            item.computeUs = time.computeUs();
            item.memoryUs = time.memoryUs();
            item.l2Bytes = time.l2Bytes;
            item.ddrBytes = time.ddrBytes;
            item.cores = isEvent(task) ? 0 : time.cores;
            item.unit = task.unit;
            item.bound = time.bound();
            item.isCritical = isCritical[i] != 0;
            if (m_options.isHostLaunched && !isEvent(task)) timeline.hostDispatchUs += time.launchUs;
            if (item.isCritical) addParts(timeline.parts, item, time);
            timeline.items.push_back(item);
        }
        std::stable_sort(timeline.items.begin(), timeline.items.end(),
                         [](const TimelineItem& a, const TimelineItem& b) { return a.startUs < b.startUs; });
        return timeline;
    }

    /// Time beyond the launch belongs to what the kernel waits for; without overlap to both, as they are.
    static void addParts(LatencyParts& parts, const TimelineItem& item, const KernelTime& time)
    {
        parts.dispatchUs += item.launchUs;
        const double rest = item.durationUs - item.launchUs;
        if (!time.isPipelined) {
            const double sum = item.computeUs + item.memoryUs;
            const double share = sum > 0 ? item.computeUs / sum : 0;
            parts.computeUs += rest * share;
            parts.trafficUs += rest * (1 - share);
        } else if (item.computeUs >= item.memoryUs) {
            parts.computeUs += rest;
        } else {
            parts.trafficUs += rest;
        }
    }

    const TaskList& m_list;
    const std::vector<KernelTime>& m_times;
    const ClockOptions& m_options;
    double m_cores[L2Rate] = {};
    double m_now = 0;
    std::map<std::int64_t, std::size_t> m_queueOf;
    std::vector<std::vector<int>> m_queues;
    std::vector<std::size_t> m_next;
    std::vector<int> m_lastOnStream;
    std::vector<double> m_startOf, m_endOf;
    std::vector<int> m_cause; // the task whose end let this one start
    std::vector<Running> m_running;
    std::unordered_map<std::int64_t, int> m_recordedBy;
    std::unordered_map<std::int64_t, std::vector<std::size_t>> m_sleepers;
    std::size_t m_finished = 0;
};

} // namespace

std::vector<KernelTime> taskTimes(const Graph& graph, const TaskList& tasks, const SocSpec& soc,
                                  const ClockOptions& options)
{
    const double capacity = cost_model::l2Share * static_cast<double>(soc.l2Bytes);
    L2Model l2(capacity);
    std::vector<KernelTime> times;
    times.reserve(tasks.tasks.size());
    for (const Task& task : tasks.tasks) {
        KernelTime time;
        if (isEvent(task)) {
            time.launchUs = cost_model::eventUs;
        } else if (task.node.isValid()) {
            const Node& node = graph.node(task.node);
            const Cost cost = costOf(node, graph);
            DataType dtype = DataType::Float16;
            if (node.hasInput(0))
                dtype = graph.outputDesc(node.source(0)).dtype;
            else if (!node.outputs.empty())
                dtype = node.outputs.front().desc.dtype;
            const Traffic traffic = trafficOf(task, cost, l2, capacity);
            time = kernelTime(cost, task.unit, dtype, traffic, soc, options.isHostLaunched);
            if (task.superKernel >= 0) time.launchUs = launchOfPart(task, tasks, time.launchUs);
        }
        times.push_back(time);
    }
    return times;
}

Result<Timeline> simulateTime(const Graph& graph, const TaskList& tasks, const SocSpec& soc,
                              const ClockOptions& options)
{
    const std::vector<KernelTime> times = taskTimes(graph, tasks, soc, options);
    return Clock(tasks, soc, times, options).run();
}

LatencyParts latencyGain(const Timeline& before, const Timeline& after)
{
    return {before.parts.dispatchUs - after.parts.dispatchUs, before.parts.trafficUs - after.parts.trafficUs,
            before.parts.computeUs - after.parts.computeUs};
}

double utilization(const Timeline& timeline, Unit unit)
{
    double busy = 0, until = 0; // items come by start time
    for (const TimelineItem& item : timeline.items) {
        if (item.unit != unit) continue;
        const double end = item.startUs + item.durationUs;
        if (end > until) busy += end - std::max(until, item.startUs);
        until = std::max(until, end);
    }
    return timeline.totalUs > 0 ? busy / timeline.totalUs : 0;
}

} // namespace gelens
