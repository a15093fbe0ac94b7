#pragma once
// Task lists of OM files (ModelTaskDef), both ways. Private to this folder.

#include "engine/graph/result.h"
#include "engine/spec/om_details.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gelens::om {

/// Task numbers of the runtime that this program writes or treats specially.
enum TaskType : std::uint32_t {
    KernelTask = 0,
    EventRecordTask = 1,
    EventWaitTask = 2,
    FusionStartTask = 3,
    FusionEndTask = 4,
    KernelExTask = 5,
    MemcpyTask = 13,
    EventResetTask = 18,
    ModelEndTask = 19,
};
/// Kernel types of KernelContext.
enum KernelType { TeKernel = 2, AiCpuKernelType = 6, CustomAiCpuKernel = 7, MixKernel = 11 };

std::string taskTypeName(std::uint32_t type);

struct TaskSizes {
    std::int64_t memoryBytes = 0, weightBytes = 0;
};

/// Errors: the bytes are no task list. `sizes` gets what the list itself says.
Result<std::vector<OmTask>> readTasks(std::span<const std::byte> bytes, TaskSizes& sizes);

/// The wire form. Of an OmTask type, stream, event, opIndex, kernelName, kernelType, blockDim and args are written.
std::string writeTasks(const std::vector<OmTask>& tasks, const TaskSizes& sizes);

} // namespace gelens::om
