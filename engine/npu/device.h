#pragma once
// The simulated device: one arena, and a task list that runs at its planned addresses with real numbers.

#include "engine/npu/interpreter.h"
#include "engine/spec/memory_plan.h"
#include "engine/spec/task_list.h"

namespace gelens {

struct DeviceOptions {
    /// 0: tasks in list order. Else the seed of another legal order: streams run ahead of each other as far as events
    /// allow, so that a missing event or an address that is reused too early shows as a wrong result.
    std::uint64_t interleaving = 0;
    std::uint64_t seed = 1;                                ///< for random operators; as in InterpreterOptions
    std::int64_t memoryLimitBytes = std::int64_t{4} << 30; ///< of all regions but the weights
    std::stop_token stop;
};

struct DeviceRun {
    std::vector<NamedTensor> outputs;
    std::vector<int> order; ///< task indices as they ran; the model ends with the last task of stream 0
};

/// The `aclrtLaunchTask` of the simulator: copies the inputs in, runs every task of every stream, reads the outputs.
/// Memory starts as all ones (NaN for floats), and a task's workspace is filled with it when the task starts, so that
/// nothing is right by chance. Constants are used where they lie. A result is written straight to its address while the
/// kernel reads its inputs, as on the chip; only an operator that may run in place works through a copy.
/// Errors: unknown shapes, an address outside its region, an output larger than its place, a wait that no record can
/// satisfy (names the tasks), what kernels report, Limit, Cancelled.
Result<DeviceRun> runOnDevice(const Graph& graph, const MemoryPlan& plan, const TaskList& tasks,
                              const std::map<std::string, HostTensor>& inputs, const DeviceOptions& options = {});

/// A legal order of the tasks for a seed (0: list order). Errors: a wait cycle, naming the tasks that wait.
Result<std::vector<int>> interleave(const TaskList& tasks, std::uint64_t seed);

} // namespace gelens
