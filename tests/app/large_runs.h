#pragma once
// Runs that are larger than a view shows: made in memory, as no pipeline would have the time for them in a test.

#include "engine/graph/graph_editor.h"
#include "engine/session/run.h"

#include <memory>
#include <string>
#include <utility>

namespace gelens::test {

/// One step, and as many operators as asked for; `name` gives each its name, which the folding goes by.
template <typename Name>
std::shared_ptr<Run> runOf(int operators, Name name)
{
    auto run = std::make_shared<Run>();
    run->modelName = "large";
    run->soc.name = "Ascend910B1";
    run->mode = "full";
    auto graph = std::make_shared<Graph>();
    GraphEditor edit(*graph);
    const TensorDesc desc;
    OutputRef last;
    for (int i = 0; i < operators; ++i) {
        NodeSpec spec;
        spec.name = name(i);
        spec.type = "Relu";
        spec.inputs = {{"x", desc}};
        spec.outputs = {{"y", desc}};
        const NodeId node = edit.addNode(std::move(spec));
        if (last.isValid()) edit.connect(last, InputRef{node, 0});
        last = OutputRef{node, 0};
    }
    Step step;
    step.id = StepId{0};
    step.pass = "aclmdlLoadFromFile";
    step.after.operators = step.after.graphNodes = operators;
    run->steps.push_back(step);
    run->setGraph(std::move(graph), std::make_shared<Journal>());
    return run;
}

/// A plan of so many tensors, each alive for one task.
inline void addBuffers(Run& run, int count)
{
    run.plan.isComplete = true;
    for (int i = 0; i < count; ++i) {
        MemoryBuffer buffer;
        buffer.id = i;
        buffer.bytes = buffer.blockBytes = 512;
        buffer.offset = std::int64_t{512} * (i % 1000);
        buffer.lifetime.begin = i;
        buffer.lifetime.end = i + 1;
        run.plan.buffers.push_back(std::move(buffer));
        run.plan.order.push_back(NodeId{0});
    }
}

/// So many tasks, one after the other on one stream.
inline void addTasks(Run& run, int count)
{
    for (int i = 0; i < count; ++i) {
        Task task;
        task.index = i;
        task.node = NodeId{0};
        run.tasks.tasks.push_back(std::move(task));
        TimelineItem item;
        item.task = i;
        item.node = NodeId{0};
        item.startUs = i;
        item.durationUs = 1;
        item.unit = Unit::Vector;
        run.timeline.items.push_back(item);
    }
    run.timeline.totalUs = count;
}

} // namespace gelens::test
