#pragma once
// What is launched: kernels with addresses on streams, and the events that order streams.

#include "engine/graph/ids.h"
#include "engine/spec/unit.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

enum class TaskKind { Kernel, AiCpuKernel, MemcpyAsync, EventRecord, EventWait, Label, Other };
std::string_view taskKindName(TaskKind kind);

/// Address in one of the device's regions.
struct DeviceAddress {
    enum class Region { FeatureMap, Input, Output, Weight, Null };
    Region region = Region::Null;
    std::int64_t offset = 0; ///< bytes
    std::int64_t bytes = 0;
    OutputRef tensor;
    bool operator==(const DeviceAddress&) const = default;
};
std::string_view regionName(DeviceAddress::Region region);

struct Task {
    int index = -1;
    TaskKind kind = TaskKind::Kernel;
    NodeId node;      ///< node it runs; invalid for events made by the scheduler
    std::string name; ///< node name
    std::string opType;
    Unit unit = Unit::None;
    int kernel = -1; ///< handle: index in TaskList::kernels
    std::int64_t stream = 0;
    std::int64_t event = -1; ///< for record and wait
    int blockDim = 1;        ///< cores used
    std::vector<DeviceAddress> inputs, outputs, workspaces;
    int superKernel = -1; ///< index in TaskList::superKernels of the launch it is part of; -1: a launch of its own
};

/// Kernels that one launch runs one after the other. Its parts stay in the task list, next to each other on their
/// stream, with the events between them (which are words in memory then, not events of the runtime).
struct SuperKernel {
    std::string name;  ///< GE's: "sk_<scope>_start_<first>_end_<last>"
    std::string scope; ///< `_super_kernel_scope` of its operators
    std::int64_t stream = 0;
    int firstTask = -1; ///< index of its first part; that one carries the launch
    int kernels = 0;    ///< parts that run an operator
    int blockDim = 1;   ///< cores: the most that one of them uses
};

/// A compiled kernel, shared by all tasks (and models) with the same key.
struct Kernel {
    std::string key;  ///< op, shapes, dtypes, formats, attributes
    std::string name; ///< readable symbol
    std::string opType;
    bool wasShared = false; ///< taken from the cache instead of compiled
};

struct TaskList {
    std::vector<Task> tasks; ///< launch order; each stream's tasks in its own order
    std::vector<Kernel> kernels;
    std::vector<SuperKernel> superKernels; ///< in launch order
    int streamCount = 0;
    int eventCount = 0;
    int compiledKernels = 0, sharedKernels = 0;

    /// Launches that run operators: events are not counted, and the parts of a super kernel are one.
    int kernelTaskCount() const;
};

} // namespace gelens
