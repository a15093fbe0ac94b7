#include "engine/schedule/tasks.h"

#include "engine/memory/lifetimes.h"
#include "engine/memory/sizes.h"
#include "engine/npu/cost_model.h"
#include "engine/ops/op_registry.h"
#include "engine/schedule/super_kernels.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace gelens {

namespace {

DeviceAddress::Region regionOf(BufferKind kind)
{
    switch (kind) {
    case BufferKind::FeatureMap:
    case BufferKind::Workspace: return DeviceAddress::Region::FeatureMap;
    case BufferKind::Input: return DeviceAddress::Region::Input;
    case BufferKind::Output: return DeviceAddress::Region::Output;
    case BufferKind::Weight: return DeviceAddress::Region::Weight;
    }
    return DeviceAddress::Region::Null;
}

/// For each stream the index (within that stream) of the last task that is known to be done; -1 = none.
using Clock = std::vector<std::int32_t>;

void merge(Clock& into, const Clock& other)
{
    for (std::size_t s = 0; s < into.size(); ++s) into[s] = std::max(into[s], other[s]);
}

class TaskBuilder {
public:
    TaskBuilder(const Graph& graph, const MemoryPlan& plan, const StreamAssignment& streams, KernelCache& cache,
                const TaskOptions& options)
        : m_graph(graph), m_plan(plan), m_streams(streams), m_cache(cache), m_options(options)
    {
    }

    Result<TaskList> run()
    {
        m_list.streamCount = std::max(1, m_streams.count);
        const auto count = static_cast<std::size_t>(m_list.streamCount);
        m_known.assign(count, Clock(count, -1));
        m_tail.assign(count, -1);
        m_done.resize(static_cast<std::size_t>(m_graph.nodeIdBound()));
        m_workspaces = workspacesByNode();
        for (const NodeId id : m_plan.order) GELENS_TRY(visit(m_graph.node(id)));
        joinStreams();
        placeEvents();
        if (!m_options.isImported) joinSuperKernels(m_graph, m_list);
        return std::move(m_list);
    }

private:
    std::size_t streamOf(NodeId id) const
    {
        const auto at = static_cast<std::size_t>(id.value);
        const std::int64_t stream = at < m_streams.byNode.size() ? m_streams.byNode[at] : 0;
        return static_cast<std::size_t>(std::clamp<std::int64_t>(stream, 0, m_list.streamCount - 1));
    }

    std::map<int, std::vector<const MemoryBuffer*>> workspacesByNode() const
    {
        std::map<int, std::vector<const MemoryBuffer*>> found;
        for (const MemoryBuffer& buffer : m_plan.buffers)
            if (buffer.kind == BufferKind::Workspace) found[buffer.tensor.node.value].push_back(&buffer);
        return found;
    }

    /// What must be done before a node starts. With one stream order is enough and no clocks are kept.
    Clock needsOf(const Node& node) const
    {
        Clock needs(static_cast<std::size_t>(m_list.streamCount), -1);
        const auto need = [&](NodeId id) {
            if (!id.isValid()) return;
            const Clock& done = m_done[static_cast<std::size_t>(id.value)];
            if (!done.empty()) merge(needs, done);
        };
        for (const InputSlot& slot : node.inputs) need(slot.source.node);
        for (const NodeId before : node.controlInputs) need(before);
        return needs;
    }

    Status visit(const Node& node)
    {
        const bool isMulti = m_list.streamCount > 1;
        Clock needs = isMulti ? needsOf(node) : Clock{};
        if (!hasTask(m_graph, node, m_plan, m_options.isImported)) {
            if (isMulti) m_done[static_cast<std::size_t>(node.id.value)] = std::move(needs);
            return {};
        }
        const std::size_t stream = streamOf(node.id);
        if (isMulti) waitFor(needs, stream);
        GELENS_ASSIGN(Task task, makeTask(node));
        task.stream = static_cast<std::int64_t>(stream);
        push(std::move(task));
        if (isMulti) {
            // Only the edge itself is a promise to readers; what the stream knows besides comes along by its clock.
            Clock done(static_cast<std::size_t>(m_list.streamCount), -1);
            done[stream] = m_tail[stream];
            m_done[static_cast<std::size_t>(node.id.value)] = std::move(done);
        }
        return {};
    }

    void push(Task task)
    {
        const auto stream = static_cast<std::size_t>(task.stream);
        ++m_tail[stream];
        m_known[stream][stream] = m_tail[stream];
        if (m_list.streamCount > 1) {
            m_history.emplace(std::pair{stream, m_tail[stream]}, m_known[stream]);
            m_taskAt.emplace(std::pair{stream, m_tail[stream]}, static_cast<int>(m_list.tasks.size()));
        }
        task.index = static_cast<int>(m_list.tasks.size());
        m_list.tasks.push_back(std::move(task));
        m_waits.emplace_back(std::move(m_pendingWaits));
        m_records.emplace_back();
        m_pendingWaits.clear();
    }

    /// Waits for what the stream does not know to be done yet, latest first: it often brings the others along.
    void waitFor(const Clock& needs, std::size_t stream)
    {
        std::vector<std::size_t> missing;
        for (std::size_t other = 0; other < needs.size(); ++other)
            if (other != stream && needs[other] > m_known[stream][other]) missing.push_back(other);
        std::sort(missing.begin(), missing.end(), [&](std::size_t a, std::size_t b) {
            return m_taskAt.at({a, needs[a]}) > m_taskAt.at({b, needs[b]});
        });
        for (const std::size_t other : missing) {
            if (needs[other] <= m_known[stream][other]) continue;
            const int event = m_list.eventCount++;
            m_records[static_cast<std::size_t>(m_taskAt.at({other, needs[other]}))].push_back(event);
            m_pendingWaits.push_back(event);
            merge(m_known[stream], m_history.at({other, needs[other]}));
        }
    }

    /// The model ends when its first stream ends, so that one waits for the last task of all others.
    void joinStreams()
    {
        if (m_list.streamCount <= 1) return;
        Clock all(m_tail.begin(), m_tail.end());
        waitFor(all, 0);
        m_lastWaits = std::move(m_pendingWaits);
    }

    Result<Task> makeTask(const Node& node)
    {
        Task task;
        task.node = node.id;
        task.name = node.name;
        task.opType = node.type;
        task.unit = unitOf(node);
        task.kind = task.unit == Unit::AiCpu ? TaskKind::AiCpuKernel : TaskKind::Kernel;
        for (const InputSlot& slot : node.inputs) {
            task.inputs.push_back(slot.source.isValid() ? deviceAddress(m_graph, m_plan, slot.source)
                                                        : DeviceAddress{});
            if (slot.source.isValid() && task.inputs.back().region == DeviceAddress::Region::Null)
                return Error{ErrorCode::Internal,
                             fmt::format("input '{}' has no memory", m_graph.node(slot.source.node).name),
                             node.name,
                             {}};
        }
        for (int i = 0; i < node.outputCount(); ++i)
            task.outputs.push_back(deviceAddress(m_graph, m_plan, node.output(i)));
        if (const auto found = m_workspaces.find(node.id.value); found != m_workspaces.end())
            for (const MemoryBuffer* buffer : found->second)
                task.workspaces.push_back({DeviceAddress::Region::FeatureMap, buffer->offset, buffer->bytes, {}});
        if (m_options.soc) task.blockDim = coresUsed(costOf(node, m_graph), task.unit, *m_options.soc);
        task.kernel = kernelFor(node);
        return task;
    }

    int kernelFor(const Node& node)
    {
        std::string key = kernelKey(node, m_graph);
        if (const auto found = m_kernels.find(key); found != m_kernels.end()) return found->second;
        const KernelCache::Entry entry = m_cache.acquire(key);
        (entry.wasShared ? m_list.sharedKernels : m_list.compiledKernels) += 1;
        const int index = static_cast<int>(m_list.kernels.size());
        m_list.kernels.push_back({key, kernelName(node.type, key), node.type, entry.wasShared});
        m_kernels.emplace(std::move(key), index);
        return index;
    }

    /// Events become tasks of their own: waits right before the task that needs them, records right after their source.
    void placeEvents()
    {
        if (m_list.eventCount == 0) return;
        std::vector<Task> tasks;
        const auto add = [&](Task task) {
            task.index = static_cast<int>(tasks.size());
            tasks.push_back(std::move(task));
        };
        const auto eventTask = [](TaskKind kind, int event, std::int64_t stream) {
            Task task;
            task.kind = kind;
            task.event = event;
            task.stream = stream;
            task.unit = Unit::Runtime;
            task.opType = kind == TaskKind::EventRecord ? "Send" : "Recv";
            task.name = fmt::format("{}_{}", task.opType, event);
            return task;
        };
        for (std::size_t i = 0; i < m_list.tasks.size(); ++i) {
            const std::int64_t stream = m_list.tasks[i].stream;
            for (const int event : m_waits[i]) add(eventTask(TaskKind::EventWait, event, stream));
            add(std::move(m_list.tasks[i]));
            for (const int event : m_records[i]) add(eventTask(TaskKind::EventRecord, event, stream));
        }
        for (const int event : m_lastWaits) add(eventTask(TaskKind::EventWait, event, 0));
        m_list.tasks = std::move(tasks);
    }

    const Graph& m_graph;
    const MemoryPlan& m_plan;
    const StreamAssignment& m_streams;
    KernelCache& m_cache;
    const TaskOptions& m_options;
    TaskList m_list;
    std::map<std::string, int> m_kernels;
    std::map<int, std::vector<const MemoryBuffer*>> m_workspaces;
    std::vector<Clock> m_known; // by stream: what it knows to be done
    std::vector<std::int32_t> m_tail;
    std::vector<Clock> m_done; // by node: what its readers wait for
    std::map<std::pair<std::size_t, std::int32_t>, Clock> m_history;
    std::map<std::pair<std::size_t, std::int32_t>, int> m_taskAt;
    std::vector<std::vector<int>> m_waits, m_records; // events by task
    std::vector<int> m_pendingWaits, m_lastWaits;
};

} // namespace

bool hasTask(const Graph& graph, const Node& node, const MemoryPlan& plan, bool isImported)
{
    if (!isOperator(node)) return false;
    const OpDef* def = OpRegistry::instance().find(node.type);
    if (def && (def->view() || def->unitOf() == Unit::None)) return false;
    // What GE handles itself runs nothing on the device, unless it makes values: branches and loops do, by their bodies.
    if (def && def->unitOf() == Unit::GeLocal && (node.outputs.empty() || !def->kernelFunction())) return false;
    if (attrBool(node.attrs, "_no_task")) return false;
    if (isImported || !isVirtualSplit(graph, node)) return true;
    // Slices only where the plan made them so.
    const OutputRef source = node.source(node.type == "Split" ? 1 : 0);
    const MemoryBuffer* from = plan.bufferOf(source);
    for (int i = 0; i < node.outputCount(); ++i)
        if (!from || plan.bufferOf(node.output(i)) != from) return true;
    return false;
}

DeviceAddress deviceAddress(const Graph& graph, const MemoryPlan& plan, OutputRef tensor)
{
    const MemoryBuffer* buffer = plan.bufferOf(tensor);
    if (!buffer) return {};
    DeviceAddress address;
    address.region = regionOf(buffer->kind);
    address.offset = buffer->offset + plan.sliceOffset(tensor);
    address.bytes = tensorBytes(graph.outputDesc(tensor)).value_or(0);
    address.tensor = tensor;
    return address;
}

Result<TaskList> generateTasks(const Graph& graph, const MemoryPlan& plan, const StreamAssignment& streams,
                               KernelCache& cache, const TaskOptions& options)
{
    return TaskBuilder(graph, plan, streams, cache, options).run();
}

} // namespace gelens
