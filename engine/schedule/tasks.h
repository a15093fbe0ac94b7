#pragma once
// The task list: one launch for each kernel, with addresses, on streams that events order.

#include "engine/graph/graph.h"
#include "engine/graph/result.h"
#include "engine/schedule/kernel_cache.h"
#include "engine/schedule/streams.h"
#include "engine/spec/memory_plan.h"
#include "engine/spec/soc_spec.h"
#include "engine/spec/task_list.h"

namespace gelens {

struct TaskOptions {
    /// One task for every operator, virtual Splits too: the model as it is, launched from the host one by one.
    bool isImported = false;
    const SocSpec* soc = nullptr; ///< for the cores a task takes; null = one core
};

/// Does the node run as a task? Not: boundary nodes, views, operators handled by GE itself, and (once compiled) a Split
/// whose outputs are slices of its input.
bool hasTask(const Graph& graph, const Node& node, const MemoryPlan& plan, bool isImported = false);

/// Tasks in the order of the plan. Inputs have one address for each slot (Null when unconnected), outputs one for each
/// output. An event is recorded and waited for where a task needs another stream's result and nothing orders the two
/// yet; at the end every other stream is joined to the first one. A node that owns sub-graphs is one task. What the
/// super-kernel pass has marked is one launch (super_kernels.h).
/// Errors: a tensor without memory.
Result<TaskList> generateTasks(const Graph& graph, const MemoryPlan& plan, const StreamAssignment& streams,
                               KernelCache& cache, const TaskOptions& options = {});

/// Region, offset and size of a tensor under a plan; Null when it has no memory.
DeviceAddress deviceAddress(const Graph& graph, const MemoryPlan& plan, OutputRef tensor);

} // namespace gelens
