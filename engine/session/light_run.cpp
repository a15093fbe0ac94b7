#include "engine/session/light_run.h"

#include "engine/graph/graph_editor.h"
#include "engine/npu/clock.h"
#include "engine/ops/op_registry.h"
#include "engine/passes/pipeline.h"
#include "engine/schedule/super_kernels.h"
#include "engine/schedule/tasks.h"
#include "engine/session/om_memory.h"
#include "engine/session/run_watcher_internal.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

namespace gelens {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t maxStream = 65'535; ///< numbers beyond it are damage

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Numbers of the runtime's task types.
bool isMarker(const OmTask& task) { return task.type == 3 || task.type == 4 || task.type == 19; }

TaskKind kindOf(const OmTask& task)
{
    switch (task.type) {
    case 0:
    case 26:
    case 39:
    case 40:
    case 44:
    case 47:
    case 48:
    case 50: {
        const bool isAiCpu = task.kernelType == 1 || (task.kernelType >= 5 && task.kernelType <= 8);
        return isAiCpu ? TaskKind::AiCpuKernel : TaskKind::Kernel;
    }
    case 5:
    case 43: return TaskKind::AiCpuKernel;
    case 1: return TaskKind::EventRecord;
    case 2: return TaskKind::EventWait;
    case 13:
    case 16:
    case 22: return TaskKind::MemcpyAsync;
    case 9:
    case 10:
    case 11:
    case 23:
    case 24: return TaskKind::Label;
    default: return TaskKind::Other;
    }
}

/// What the registry says of the operator; for one it does not know, what its kernel was made for.
Unit unitFor(const Node& node, TaskKind kind)
{
    if (kind == TaskKind::AiCpuKernel) return Unit::AiCpu;
    if (kind == TaskKind::MemcpyAsync || kind == TaskKind::Label) return Unit::Runtime;
    const OpDef* const def = OpRegistry::instance().find(node.type);
    const Unit unit = def ? def->unitOf() : Unit::None;
    return unit == Unit::Cube || unit == Unit::Mix || unit == Unit::Vector ? unit : Unit::Vector;
}

class TaskTranslator {
public:
    TaskTranslator(const Graph& graph, const MemoryPlan& plan, const OmDetails& om)
        : m_graph(graph), m_plan(plan), m_layout(BlockLayout::of(plan)), m_om(om)
    {
        for (const MemoryBuffer& buffer : plan.buffers)
            if (buffer.kind == BufferKind::Workspace) m_workspaces[buffer.tensor.node].push_back(&buffer);
    }

    TaskList translate(std::vector<Message>& messages)
    {
        for (const OmModel& model : m_om.models) {
            m_list.streamCount = std::max(m_list.streamCount,
                                          static_cast<int>(std::clamp<std::int64_t>(model.streams, 0, maxStream + 1)));
            for (const OmTask& task : model.tasks)
                if (!isMarker(task)) add(model, task);
        }
        m_list.streamCount = std::max(1, m_list.streamCount);
        pairEvents(messages);
        joinSuperKernels(m_graph, m_list);
        if (m_otherAddresses > 0)
            messages.push_back({Severity::Warning,
                                "om.other-addresses",
                                fmt::format("{} addresses in the task list are not those that the operators state; the "
                                            "operators' are shown",
                                            m_otherAddresses),
                                {},
                                {}});
        return std::move(m_list);
    }

private:
    void add(const OmModel& model, const OmTask& from)
    {
        Task task;
        task.index = static_cast<int>(m_list.tasks.size());
        task.kind = kindOf(from);
        task.stream = from.stream <= maxStream ? from.stream : 0;
        m_list.streamCount = std::max(m_list.streamCount, static_cast<int>(task.stream) + 1);
        task.event = from.event;
        task.blockDim = static_cast<int>(std::clamp<std::int64_t>(from.blockDim, 1, 65'535));
        const bool isEvent = task.kind == TaskKind::EventRecord || task.kind == TaskKind::EventWait;
        if (from.node.isValid()) {
            const Node& node = m_graph.node(from.node);
            task.node = from.node;
            task.name = node.name;
            task.opType = node.type;
            task.unit = isEvent ? Unit::Runtime : unitFor(node, task.kind);
            if (!isEvent) addresses(model, from, node, task);
        } else {
            task.unit = Unit::Runtime;
            task.opType = task.kind == TaskKind::EventRecord ? "Send" : isEvent ? "Recv" : from.typeName;
            task.name = isEvent                   ? fmt::format("{}_{}", task.opType, task.event)
                        : from.kernelName.empty() ? from.typeName
                                                  : from.kernelName;
            if (!isEvent) task.kind = TaskKind::Other;
        }
        if (!from.kernelName.empty()) task.kernel = kernelNamed(from.kernelName, task.opType);
        m_list.tasks.push_back(std::move(task));
    }

    int kernelNamed(const std::string& name, const std::string& opType)
    {
        const auto [found, isNew] = m_kernels.emplace(name, static_cast<int>(m_list.kernels.size()));
        if (isNew) m_list.kernels.push_back({name, name, opType, false});
        return found->second;
    }

    /// By the plan; the words of the argument table must say the same, where they say something: those of constants
    /// are left-overs of the compiler in real files.
    void addresses(const OmModel& model, const OmTask& from, const Node& node, Task& task)
    {
        std::size_t word = 0;
        const auto check = [&](OutputRef tensor, const DeviceAddress& address) {
            const std::size_t at = word++;
            if (at >= from.args.size() || node.graph != rootGraph || address.region == DeviceAddress::Region::Weight)
                return;
            const std::int64_t stated = static_cast<std::int64_t>(from.args[at] - model.baseAddress);
            if (address.region != DeviceAddress::Region::Null && stated != statedOffset(tensor)) ++m_otherAddresses;
        };
        for (const InputSlot& slot : node.inputs) {
            task.inputs.push_back(slot.source.isValid() ? deviceAddress(m_graph, m_plan, slot.source)
                                                        : DeviceAddress{});
            if (slot.source.isValid()) check(slot.source, task.inputs.back());
        }
        for (int i = 0; i < node.outputCount(); ++i) {
            task.outputs.push_back(deviceAddress(m_graph, m_plan, node.output(i)));
            check(node.output(i), task.outputs.back());
        }
        if (const auto found = m_workspaces.find(node.id); found != m_workspaces.end())
            for (const MemoryBuffer* buffer : found->second)
                task.workspaces.push_back({DeviceAddress::Region::FeatureMap, buffer->offset, buffer->bytes, {}});
    }

    /// In the model's block: from a plan of ours by its layout, else as the operator has it.
    std::int64_t statedOffset(OutputRef tensor) const
    {
        if (m_om.plan) return m_layout.offsetOf(m_plan, tensor);
        const auto& offsets = m_graph.node(tensor.node).placement.outputOffsets;
        const auto index = static_cast<std::size_t>(tensor.index);
        return index < offsets.size() ? offsets[index] : -1;
    }

    /// A wait that nothing records would stand still for ever.
    void pairEvents(std::vector<Message>& messages)
    {
        std::set<std::int64_t> recorded;
        for (Task& task : m_list.tasks) {
            if (task.kind == TaskKind::EventRecord) recorded.insert(task.event);
            if (task.event >= 0)
                m_list.eventCount =
                    std::max(m_list.eventCount, static_cast<int>(std::min<std::int64_t>(task.event, maxStream)) + 1);
        }
        int lost = 0;
        for (Task& task : m_list.tasks)
            if (task.kind == TaskKind::EventWait && !recorded.contains(task.event)) {
                task.kind = TaskKind::Other;
                ++lost;
            }
        if (lost > 0)
            messages.push_back({Severity::Warning,
                                "om.unpaired-events",
                                fmt::format("{} waits are for events that no task records", lost),
                                {},
                                {}});
    }

    const Graph& m_graph;
    const MemoryPlan& m_plan;
    BlockLayout m_layout;
    const OmDetails& m_om;
    TaskList m_list;
    std::map<std::string, int> m_kernels;
    std::map<NodeId, std::vector<const MemoryBuffer*>> m_workspaces;
    int m_otherAddresses = 0;
};

Step nextStep(const Run& run, Stage stage, const char* phase, const char* pass, const char* summary)
{
    Step step;
    step.id = StepId{run.stepCount()};
    step.stage = stage;
    step.phase = phase;
    step.pass = pass;
    step.summary = summary;
    step.before = step.after = run.steps.back().after;
    return step;
}

void publish(Run& run, Step step, Clock::time_point start, const Graph& graph, RunWatcher& watcher)
{
    step.milliseconds = millisecondsSince(start);
    run.steps.push_back(std::move(step));
    watcher.afterStep(run.steps.back(), graph);
}

void takeTasks(Run& run, const Graph& graph, const OmDetails& om, RunWatcher& watcher)
{
    Step step = nextStep(run, Stage::Tasks, "Load", "DistributeTask",
                         "Takes memory, streams and tasks from the file and puts the tasks on their streams.");
    watcher.passBegins(step, graph);
    const auto start = Clock::now();
    run.plan = planFromOm(graph, om, step.messages);
    run.tasks = tasksFromOm(graph, run.plan, om, step.messages);
    step.counters = {{"tasks", run.tasks.kernelTaskCount()},
                     {"streams", run.tasks.streamCount},
                     {"events", run.tasks.eventCount},
                     {"buffers", static_cast<std::int64_t>(run.plan.buffers.size())}};
    publish(run, std::move(step), start, graph, watcher);
}

Status launch(Run& run, const Graph& graph, RunWatcher& watcher, std::stop_token stop)
{
    Step step = nextStep(run, Stage::Launch, "Launch", "aclrtLaunchTask",
                         "Launches the tasks on the simulated NPU, in order, and advances its clock.");
    watcher.passBegins(step, graph);
    if (stop.stop_requested()) return Error::cancelled(); // it may have been held there
    const auto start = Clock::now();
    ClockOptions options;
    options.stop = stop;
    auto timeline = simulateTime(graph, run.tasks, run.soc, options);
    if (!timeline.ok() && timeline.error().isCancelled()) return timeline.error();
    if (timeline.ok())
        run.timeline = std::move(*timeline);
    else
        step.messages.push_back({Severity::Warning, "om.no-timeline", timeline.error().message(), run.modelPath, {}});
    step.counters = {{"tasks launched", static_cast<std::int64_t>(run.tasks.tasks.size())}};
    publish(run, std::move(step), start, graph, watcher);
    return {};
}

/// Shapes that are known only now: shapes through the graph, then addresses and tasks; order and streams stay.
Status replan(Run& run, GraphEditor& edit, const RuleSet& rules, KernelCache& kernels, RunWatcher& watcher,
              std::stop_token stop)
{
    const Graph& graph = edit.graph();
    const FusionSwitch switches;
    PassContext context{run.soc, run.options, rules, switches, kernels, stop, {}, {}, {}, {}, {}, {}};
    context.order = graph.topologicalOrder();
    context.streams.byNode.assign(static_cast<std::size_t>(graph.nodeIdBound()), -1);
    for (const NodeId id : context.order) {
        const std::int64_t stream = std::clamp<std::int64_t>(graph.node(id).placement.streamId, 0, maxStream);
        context.streams.byNode[static_cast<std::size_t>(id.value)] = stream;
        context.streams.count = std::max(context.streams.count, static_cast<int>(stream) + 1);
    }
    std::vector<PassEntry> entries{inferShapePass(), memoryAssignerPass(), taskGeneratorPass(), launchPass()};
    entries.front().info.stage = Stage::Memory;
    watcher.watchPlan(context.plan);
    const Status status = runPipeline(entries, edit, context, run.steps, {&watcher});
    watcher.watchPlan(run.plan);
    run.plan = std::move(context.plan);
    run.tasks = std::move(context.tasks);
    run.timeline = std::move(context.timeline);
    return status;
}

} // namespace

TaskList tasksFromOm(const Graph& graph, const MemoryPlan& plan, const OmDetails& om, std::vector<Message>& messages)
{
    return TaskTranslator(graph, plan, om).translate(messages);
}

Status runLight(Run& run, const Graph& graph, const OmDetails& om, KernelCache& kernels, RunObserver* observer,
                const ProgressFunction& progress, std::stop_token stop, double* heldMilliseconds)
{
    auto final = std::make_shared<Graph>(graph);
    auto journal = std::make_shared<Journal>();
    GraphEditor edit(*final, *journal);
    const RuleSet rules;
    RunWatcher watcher(run, rules, edit, observer, progress);
    Status status;
    try {
        const bool mustReplan =
            om.isSimulated && (!om.plan || !om.plan->isComplete) && !run.options.inputShapes.empty();
        if (mustReplan) {
            status = replan(run, edit, rules, kernels, watcher, stop);
        } else {
            takeTasks(run, *final, om, watcher);
            status = launch(run, *final, watcher, stop);
        }
    } catch (const InternalError& error) {
        status = Error{ErrorCode::Internal, error.what(), run.modelPath, {}};
    }
    if (heldMilliseconds != nullptr) *heldMilliseconds = watcher.heldMilliseconds();
    run.setGraph(final, journal);
    return status;
}

} // namespace gelens
