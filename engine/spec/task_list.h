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
    NodeId node;           ///< node it runs; invalid for events made by the scheduler
    std::string name;      ///< node name
    std::string opType;
    Unit unit = Unit::None;
    int kernel = -1;       ///< handle: index in TaskList::kernels
    std::int64_t stream = 0;
    std::int64_t event = -1; ///< for record and wait
    int blockDim = 1;        ///< cores used
    std::vector<DeviceAddress> inputs, outputs, workspaces;
};

/// A compiled kernel, shared by all tasks (and models) with the same key.
struct Kernel {
    std::string key;   ///< op, shapes, dtypes, formats, attributes
    std::string name;  ///< readable symbol
    std::string opType;
    bool wasShared = false; ///< taken from the cache instead of compiled
};

struct TaskList {
    std::vector<Task> tasks; ///< launch order; each stream's tasks in its own order
    std::vector<Kernel> kernels;
    int streamCount = 0;
    int eventCount = 0;
    int compiledKernels = 0, sharedKernels = 0;

    /// Tasks that run an operator (events not counted).
    int kernelTaskCount() const;
};

} // namespace gelens
