#include "engine/schedule/validator.h"

#include <algorithm>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <set>
#include <unordered_map>

namespace gelens {

namespace {

using Kind = ScheduleViolation::Kind;
using Region = DeviceAddress::Region;

class ScheduleChecker {
public:
    ScheduleChecker(const Graph& graph, const MemoryPlan& plan, const TaskList& list, std::size_t limit)
        : m_graph(graph), m_plan(plan), m_list(list), m_limit(limit)
    {
    }

    std::vector<ScheduleViolation> run()
    {
        if (!checkStreams()) return std::move(m_found);
        checkSuperKernels();
        checkEvents();
        if (!propagate()) return std::move(m_found);
        checkEdges();
        checkJoin();
        checkAddresses();
        checkReuse();
        return std::move(m_found);
    }

private:
    void add(Kind kind, int first, int second, std::string text)
    {
        if (m_found.size() < m_limit) m_found.push_back({kind, first, second, std::move(text)});
    }

    const Task& task(int index) const { return m_list.tasks[static_cast<std::size_t>(index)]; }

    bool checkStreams()
    {
        m_queues.resize(static_cast<std::size_t>(std::max(1, m_list.streamCount)));
        m_rank.resize(m_list.tasks.size());
        for (std::size_t i = 0; i < m_list.tasks.size(); ++i) {
            const Task& one = m_list.tasks[i];
            if (one.stream < 0 || one.stream >= static_cast<std::int64_t>(m_queues.size())) {
                add(Kind::BadStream, static_cast<int>(i), -1,
                    fmt::format("task '{}' is on stream {} of {}", one.name, one.stream, m_queues.size()));
                continue;
            }
            auto& queue = m_queues[static_cast<std::size_t>(one.stream)];
            m_rank[i] = static_cast<std::int32_t>(queue.size());
            queue.push_back(static_cast<int>(i));
            if (one.node.isValid()) m_taskOf[one.node.value] = static_cast<int>(i);
        }
        return m_found.empty();
    }

    /// One launch is one stretch of one stream that begins and ends with a kernel.
    void checkSuperKernels()
    {
        const auto broken = [&](int index, std::string text) {
            add(Kind::BrokenSuperKernel, index, -1, std::move(text));
        };
        std::vector<int> kernels(m_list.superKernels.size(), 0);
        for (const std::vector<int>& queue : m_queues)
            for (std::size_t i = 0; i < queue.size(); ++i) {
                const Task& one = task(queue[i]);
                if (one.superKernel < 0) continue;
                if (one.superKernel >= static_cast<int>(kernels.size())) {
                    broken(one.index, fmt::format("'{}' is part of super kernel {} of {}", one.name, one.superKernel,
                                                  kernels.size()));
                    continue;
                }
                const SuperKernel& whole = m_list.superKernels[static_cast<std::size_t>(one.superKernel)];
                int& count = kernels[static_cast<std::size_t>(one.superKernel)];
                count += one.node.isValid();
                const bool isFirst = i == 0 || task(queue[i - 1]).superKernel != one.superKernel;
                const bool isLast = i + 1 == queue.size() || task(queue[i + 1]).superKernel != one.superKernel;
                if (one.stream != whole.stream || isFirst != (one.index == whole.firstTask))
                    broken(one.index,
                           fmt::format("'{}' lies apart from the other parts of '{}'", one.name, whole.name));
                if ((isFirst || isLast) && !one.node.isValid())
                    broken(one.index, fmt::format("'{}' has the event '{}' at its border", whole.name, one.name));
            }
        for (std::size_t k = 0; k < kernels.size(); ++k)
            if (kernels[k] != m_list.superKernels[k].kernels)
                broken(-1, fmt::format("'{}' has {} kernels and says {}", m_list.superKernels[k].name, kernels[k],
                                       m_list.superKernels[k].kernels));
    }

    void checkEvents()
    {
        std::map<std::int64_t, std::pair<int, int>> uses; // event → (records, waits)
        for (const Task& one : m_list.tasks) {
            if (one.kind == TaskKind::EventRecord) ++uses[one.event].first;
            if (one.kind == TaskKind::EventWait) ++uses[one.event].second;
        }
        for (const auto& [event, count] : uses)
            if (count.first != 1 || count.second < 1)
                add(Kind::EventPairing, -1, -1,
                    fmt::format("event {} is recorded {} times and waited for {} times", event, count.first,
                                count.second));
    }

    /// Runs all streams as far as events let them. seen(i) = for each stream the last rank known to be done when i ends.
    bool propagate()
    {
        const std::size_t streams = m_queues.size();
        m_seen.assign(m_list.tasks.size() * streams, -1);
        std::vector<std::size_t> next(streams, 0);
        std::unordered_map<std::int64_t, int> recordedBy;
        std::unordered_map<std::int64_t, std::vector<std::size_t>> waiting;
        std::deque<std::size_t> open;
        for (std::size_t s = 0; s < streams; ++s) open.push_back(s);
        std::size_t done = 0;
        while (!open.empty()) {
            const std::size_t s = open.front();
            open.pop_front();
            while (next[s] < m_queues[s].size()) {
                const int index = m_queues[s][next[s]];
                const Task& one = task(index);
                std::int32_t* row = &m_seen[static_cast<std::size_t>(index) * streams];
                if (one.kind == TaskKind::EventWait) {
                    const auto record = recordedBy.find(one.event);
                    if (record == recordedBy.end()) {
                        waiting[one.event].push_back(s);
                        break;
                    }
                    const std::int32_t* other = &m_seen[static_cast<std::size_t>(record->second) * streams];
                    for (std::size_t t = 0; t < streams; ++t) row[t] = std::max(row[t], other[t]);
                }
                if (next[s] > 0) {
                    const std::int32_t* before = &m_seen[static_cast<std::size_t>(m_queues[s][next[s] - 1]) * streams];
                    for (std::size_t t = 0; t < streams; ++t) row[t] = std::max(row[t], before[t]);
                }
                row[s] = m_rank[static_cast<std::size_t>(index)];
                if (one.kind == TaskKind::EventRecord) {
                    recordedBy[one.event] = index;
                    for (const std::size_t sleeper : waiting[one.event]) open.push_back(sleeper);
                    waiting.erase(one.event);
                }
                ++next[s];
                ++done;
            }
        }
        if (done == m_list.tasks.size()) return true;
        for (std::size_t s = 0; s < streams; ++s)
            if (next[s] < m_queues[s].size()) {
                const Task& one = task(m_queues[s][next[s]]);
                add(Kind::WaitCycle, one.index, -1,
                    fmt::format("stream {} waits for event {}, which is never recorded", s, one.event));
            }
        return false;
    }

    /// Is task b certain to start after task a has ended?
    bool isOrdered(int a, int b) const
    {
        const Task &first = task(a), &second = task(b);
        const auto s = static_cast<std::size_t>(first.stream);
        if (first.stream == second.stream)
            return m_rank[static_cast<std::size_t>(a)] < m_rank[static_cast<std::size_t>(b)];
        return m_seen[static_cast<std::size_t>(b) * m_queues.size() + s] >= m_rank[static_cast<std::size_t>(a)];
    }

    /// Edges between tasks, also through nodes that have none (views, control nodes).
    void checkEdges()
    {
        // By node without a task: per stream, the latest task that it stands for.
        std::unordered_map<int, std::map<std::int64_t, int>> through;
        for (const NodeId id : m_plan.order) {
            const Node& node = m_graph.node(id);
            std::map<std::int64_t, int> before;
            const auto look = [&](NodeId source) {
                if (!source.isValid()) return;
                const auto keep = [&](int index) {
                    const auto [found, isNew] = before.emplace(task(index).stream, index);
                    if (!isNew &&
                        m_rank[static_cast<std::size_t>(index)] > m_rank[static_cast<std::size_t>(found->second)])
                        found->second = index;
                };
                if (const auto found = m_taskOf.find(source.value); found != m_taskOf.end())
                    keep(found->second);
                else if (const auto relay = through.find(source.value); relay != through.end())
                    for (const auto& [stream, index] : relay->second) keep(index);
            };
            for (const InputSlot& slot : node.inputs) look(slot.source.node);
            for (const NodeId source : node.controlInputs) look(source);
            const auto own = m_taskOf.find(id.value);
            if (own == m_taskOf.end()) {
                if (isOperator(node) && !attrBool(node.attrs, "_no_task") && needsTask(node))
                    add(Kind::MissingTask, -1, -1, fmt::format("operator '{}' has no task", node.name));
                if (!before.empty()) through.emplace(id.value, std::move(before));
                continue;
            }
            for (const auto& [stream, index] : before)
                if (!isOrdered(index, own->second))
                    add(Kind::UnorderedEdge, index, own->second,
                        fmt::format("'{}' on stream {} reads '{}' on stream {}, and nothing orders them",
                                    task(own->second).name, task(own->second).stream, task(index).name, stream));
        }
    }

    /// An operator whose results are all somebody else's memory needs no task.
    bool needsTask(const Node& node) const
    {
        for (int i = 0; i < node.outputCount(); ++i) {
            const MemoryBuffer* buffer = m_plan.bufferOf(node.output(i));
            if (buffer && buffer->tensor == node.output(i)) return true;
        }
        return false;
    }

    void checkJoin()
    {
        if (m_queues.size() <= 1 || m_list.tasks.empty()) return;
        for (std::size_t s = 1; s < m_queues.size(); ++s) {
            if (m_queues[s].empty()) continue;
            // An event record after the last kernel is part of the join itself.
            int last = m_queues[s].back();
            for (auto at = m_queues[s].rbegin(); at != m_queues[s].rend() && !task(last).node.isValid(); ++at)
                last = *at;
            if (m_queues[0].empty() || !isOrdered(last, m_queues[0].back()))
                add(Kind::UnjoinedStream, last, -1,
                    fmt::format("stream {} ends with '{}', and stream 0 does not wait for it", s, task(last).name));
        }
    }

    void checkAddresses()
    {
        std::map<Region, std::int64_t> sizes{{Region::FeatureMap, m_plan.totals.featureMapPeak}};
        for (const MemoryBuffer& buffer : m_plan.buffers) {
            const std::int64_t end = buffer.offset + buffer.blockBytes;
            const Region region = buffer.kind == BufferKind::Input    ? Region::Input
                                  : buffer.kind == BufferKind::Output ? Region::Output
                                  : buffer.kind == BufferKind::Weight ? Region::Weight
                                                                      : Region::FeatureMap;
            if (region != Region::FeatureMap) sizes[region] = std::max(sizes[region], end);
        }
        for (const Task& one : m_list.tasks)
            for (const auto* list : {&one.inputs, &one.outputs, &one.workspaces})
                for (const DeviceAddress& address : *list)
                    if (address.region != Region::Null && (address.offset < 0 || address.bytes < 0 ||
                                                           address.offset + address.bytes > sizes[address.region]))
                        add(Kind::BadAddress, one.index, -1,
                            fmt::format("'{}' uses [{}, {}) of the {} region, which has {} bytes", one.name,
                                        address.offset, address.offset + address.bytes, regionName(address.region),
                                        sizes[address.region]));
    }

    /// Whoever writes bytes must come after everybody who used them before, in list order. For each piece of address
    /// space the last writer and the readers since then are kept.
    void checkReuse()
    {
        if (m_queues.size() <= 1) return;
        struct Piece {
            std::int64_t end = 0;
            int writer = -1;
            std::map<std::int64_t, int> readers; // by stream: the last
        };
        std::map<std::int64_t, Piece> pieces; // by start
        const auto cut = [&](std::int64_t at) {
            auto found = pieces.upper_bound(at);
            if (found == pieces.begin()) return;
            --found;
            if (found->first >= at || found->second.end <= at) return;
            Piece tail = found->second;
            found->second.end = at;
            pieces.emplace(at, std::move(tail));
        };
        const auto complain = [&](int before, int after) {
            if (before >= 0 && before != after && !isOrdered(before, after))
                add(Kind::UnorderedReuse, before, after,
                    fmt::format("'{}' on stream {} and '{}' on stream {} use the same bytes, and nothing orders them",
                                task(before).name, task(before).stream, task(after).name, task(after).stream));
        };
        const auto use = [&](const DeviceAddress& address, const Task& one, bool isWrite) {
            if (address.region != Region::FeatureMap || address.bytes <= 0) return;
            const std::int64_t end = address.offset + address.bytes;
            cut(address.offset);
            cut(end);
            for (auto at = pieces.lower_bound(address.offset); at != pieces.end() && at->first < end;) {
                complain(at->second.writer, one.index);
                if (isWrite) {
                    for (const auto& [stream, reader] : at->second.readers) complain(reader, one.index);
                    at = pieces.erase(at);
                } else {
                    at->second.readers[one.stream] = one.index;
                    ++at;
                }
            }
            if (isWrite) pieces[address.offset] = {end, one.index, {}};
        };
        for (const Task& one : m_list.tasks) {
            for (const DeviceAddress& address : one.inputs) use(address, one, false);
            for (const DeviceAddress& address : one.workspaces) use(address, one, true);
            for (const DeviceAddress& address : one.outputs) use(address, one, true);
        }
    }

    const Graph& m_graph;
    const MemoryPlan& m_plan;
    const TaskList& m_list;
    std::size_t m_limit;
    std::vector<ScheduleViolation> m_found;
    std::vector<std::vector<int>> m_queues;
    std::vector<std::int32_t> m_rank; // by task: place in its stream
    std::unordered_map<int, int> m_taskOf;
    std::vector<std::int32_t> m_seen;
};

} // namespace

std::vector<ScheduleViolation> validateSchedule(const Graph& graph, const MemoryPlan& plan, const TaskList& tasks,
                                                std::size_t limit)
{
    return ScheduleChecker(graph, plan, tasks, limit).run();
}

} // namespace gelens
