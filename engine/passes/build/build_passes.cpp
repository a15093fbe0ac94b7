// The last part of a compile: streams, addresses, tasks, launch.
#include "engine/memory/plan.h"
#include "engine/npu/clock.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"
#include "engine/schedule/tasks.h"
#include "engine/schedule/validator.h"

#include <algorithm>

namespace gelens {
namespace {

class LogicalStreamPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        bool hasCycle = false;
        context.order = edit.graph().topologicalOrder(rootGraph, &hasCycle);
        if (hasCycle) return Error{ErrorCode::Internal, "the compiled graph has a cycle", "AssignLogicStream", {}};
        if (context.order != edit.graph().nodes(rootGraph)) edit.setOrder(rootGraph, context.order);
        StreamOptions options;
        options.maxStreams = context.soc.maxStreams;
        options.labels = context.options.streamLabels;
        options.isSingle = !context.options.parallelStreams && options.labels.empty();
        context.streams = assignStreams(edit.graph(), context.order, options);
        for (const NodeId id : context.order) {
            Placement placement = edit.node(id).placement;
            placement.streamId = context.streams.byNode[static_cast<std::size_t>(id.value)];
            edit.setPlacement(id, std::move(placement));
        }
        PassReport report;
        report.count("streams", context.streams.count);
        return report;
    }
};

class MemoryAssignerPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        MemoryOptions options;
        options.policy = context.options.memoryPolicy;
        options.timeLimitSeconds = context.options.timeLimitSeconds;
        options.lifetimes.order = context.order;
        options.lifetimes.streams = context.streams.byNode;
        options.stop = context.stop;
        GELENS_ASSIGN(context.plan, planMemory(edit.graph(), options));
        writeOffsets(edit, context.plan);
        PassReport report;
        report.count("buffers", static_cast<std::int64_t>(context.plan.buffers.size()));
        report.count("peak bytes", context.plan.totals.featureMapPeak);
        if (!context.plan.isComplete)
            report.messages.push_back(
                {Severity::Warning,
                 "memory.unknown-shapes",
                 "some tensors have no known size; the plan leaves them out (set shapes with --set)",
                 "MemoryAssigner",
                 {}});
        const std::int64_t total =
            context.plan.totals.featureMapPeak + context.plan.totals.weights + context.plan.totals.zeroCopy;
        if (context.soc.memoryBytes > 0 && total > context.soc.memoryBytes)
            report.messages.push_back(
                {Severity::Warning,
                 "memory.too-small",
                 "feature map, weights and model inputs and outputs together are larger than the device memory",
                 "MemoryAssigner",
                 {}});
        return report;
    }

private:
    /// What GE writes on the operators: output and input offsets (facts, 5.9).
    static void writeOffsets(GraphEditor& edit, const MemoryPlan& plan)
    {
        const BlockLayout layout = BlockLayout::of(plan);
        for (const NodeId id : edit.graph().nodes(rootGraph)) {
            const Node& node = edit.node(id);
            Placement placement = node.placement;
            setOffsets(node, plan, layout, placement);
            edit.setPlacement(id, std::move(placement));
        }
    }
};

class TaskGeneratorPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        TaskOptions options;
        options.soc = &context.soc;
        GELENS_ASSIGN(context.tasks,
                      generateTasks(edit.graph(), context.plan, context.streams, context.kernels, options));
        // Wait cycles, unjoined streams, missing events and clashes of addresses are faults of ours: they must not run.
        if (const auto faults = validateSchedule(edit.graph(), context.plan, context.tasks, 1); !faults.empty())
            return Error{
                ErrorCode::Internal, "the schedule does not hold: " + faults.front().text, "TaskGenerator", {}};
        PassReport report;
        report.count("streams", context.tasks.streamCount);
        report.count("tasks", context.tasks.kernelTaskCount());
        report.count("events", context.tasks.eventCount);
        if (context.soc.maxEvents > 0 && context.tasks.eventCount > context.soc.maxEvents)
            report.messages.push_back({Severity::Warning,
                                       "schedule.too-many-events",
                                       "the streams need " + std::to_string(context.tasks.eventCount) +
                                           " events, the device has " + std::to_string(context.soc.maxEvents),
                                       "TaskGenerator",
                                       {}});
        report.count("kernels compiled", context.tasks.compiledKernels);
        report.count("kernels shared", context.tasks.sharedKernels);
        return report;
    }
};

class LaunchPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        ClockOptions options;
        options.stop = context.stop;
        GELENS_ASSIGN(context.timeline, simulateTime(edit.graph(), context.tasks, context.soc, options));
        PassReport report;
        report.count("tasks launched", static_cast<std::int64_t>(context.tasks.tasks.size()));
        return report;
    }
};

} // namespace

PassEntry logicalStreamPass()
{
    return {.info = {.id = "AssignLogicStream",
                     .phase = "PreRunAfterOptimizeGraphBeforeBuild",
                     .summary = "Orders the graph and gives every node a logical stream.",
                     .stage = Stage::Memory,
                     .isOurs = true},
            .make = makePass<LogicalStreamPass>};
}

PassEntry memoryAssignerPass()
{
    return {.info = {.id = "MemoryAssigner",
                     .phase = "AfterAssignResource",
                     .summary = "Works out lifetimes and gives every tensor an address.",
                     .stage = Stage::Memory,
                     .isOurs = true},
            .make = makePass<MemoryAssignerPass>};
}

PassEntry taskGeneratorPass()
{
    return {.info = {.id = "TaskGenerator",
                     .phase = "Build",
                     .summary = "Makes one task for each kernel: handle, input and output addresses, stream.",
                     .stage = Stage::Tasks,
                     .isOurs = true},
            .make = makePass<TaskGeneratorPass>};
}

PassEntry launchPass()
{
    return {.info = {.id = "aclrtLaunchTask",
                     .phase = "Launch",
                     .summary = "Launches the tasks on the simulated NPU, in order, and advances its clock.",
                     .stage = Stage::Launch,
                     .isOurs = true},
            .make = makePass<LaunchPass>};
}

} // namespace gelens
