#include "engine/formats/om/om_tasks.h"

#include "engine/formats/ge_model_parts_internal.h"

#include "formats/proto/task.pb.h"

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <array>
#include <cstring>
#include <string_view>

namespace gelens::om {
namespace {

constexpr std::size_t maxTasks = 2'000'000; ///< a model has some ten thousands

constexpr std::array<std::string_view, 51> typeNames = {"KERNEL",
                                                        "EVENT_RECORD",
                                                        "EVENT_WAIT",
                                                        "FUSION_START",
                                                        "FUSION_END",
                                                        "KERNEL_EX",
                                                        "HCCL",
                                                        "STREAM_SWITCH",
                                                        "STREAM_ACTIVE",
                                                        "LABEL_SET",
                                                        "LABEL_SWITCH",
                                                        "LABEL_GOTO",
                                                        "PROFILER_TRACE",
                                                        "MEMCPY_ASYNC",
                                                        "NOTIFY_RECORD",
                                                        "NOTIFY_WAIT",
                                                        "REDUCE_ASYNC",
                                                        "RDMA_SEND",
                                                        "EVENT_RESET",
                                                        "MODEL_END_GRAPH",
                                                        "STREAM_SWITCH_N",
                                                        "RDMA_DB_SEND",
                                                        "MEMCPY_ADDR_ASYNC",
                                                        "STREAM_LABEL_SWITCH_BY_INDEX",
                                                        "STREAM_LABEL_GOTO",
                                                        "MODEL_EXIT",
                                                        "ALL_KERNEL",
                                                        "PROFILER_TRACE_EX",
                                                        "FFTS_TASK",
                                                        "FFTS_PLUS_TASK",
                                                        "DSA_TASK",
                                                        "CMO",
                                                        "BARRIER",
                                                        "NPU_GET_FLOAT_STATUS",
                                                        "NPU_CLEAR_FLOAT_STATUS",
                                                        "DVPP",
                                                        "NPU_GET_DEBUG_FLOAT_STATUS",
                                                        "NPU_CLEAR_DEBUG_FLOAT_STATUS",
                                                        "CMO_ADDR",
                                                        "VECTOR_KERNEL",
                                                        "VECTOR_ALL_KERNEL",
                                                        "UPDATE",
                                                        "NOP",
                                                        "PREPROCESS_KERNEL",
                                                        "SUPER_KERNEL",
                                                        "MEM_EVENT_RECORD",
                                                        "MEM_EVENT_WAIT",
                                                        "FUSION_KERNEL",
                                                        "KERNEL_LAUNCH_V2",
                                                        "CCU_KERNEL",
                                                        "CUSTOM_KERNEL"};

std::vector<std::uint64_t> wordsOf(const std::string& bytes)
{
    std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint64_t));
    return words;
}

void takeContext(const domi::KernelContext& context, OmTask& task)
{
    task.opIndex = context.op_index();
    task.kernelType = static_cast<int>(context.kernel_type());
}

/// The payload tells the node; a task with none (a marker, an event of the scheduler) keeps -1.
void takePayload(const domi::TaskDef& def, OmTask& task)
{
    if (def.has_kernel()) {
        takeContext(def.kernel().context(), task);
        task.kernelName = def.kernel().kernel_name();
        task.blockDim = def.kernel().block_dim();
        task.args = wordsOf(def.kernel().args());
    } else if (def.has_kernel_with_handle()) {
        takeContext(def.kernel_with_handle().context(), task);
        task.kernelName = def.kernel_with_handle().dev_func();
        task.blockDim = def.kernel_with_handle().block_dim();
        task.args = wordsOf(def.kernel_with_handle().args());
    } else if (def.has_kernel_ex()) {
        task.opIndex = def.kernel_ex().op_index();
        task.kernelType = AiCpuKernelType;
    } else if (def.has_kernel_hccl()) {
        task.opIndex = def.kernel_hccl().op_index();
        task.kernelName = def.kernel_hccl().hccl_type();
    } else if (def.has_event_ex()) {
        task.opIndex = def.event_ex().op_index();
    } else if (def.has_memcpy_async()) {
        task.opIndex = def.memcpy_async().op_index();
        task.args = {def.memcpy_async().src(), def.memcpy_async().dst()};
    }
    for (const auto* label :
         {def.has_label_set() ? &def.label_set() : nullptr, def.has_label_goto_ex() ? &def.label_goto_ex() : nullptr})
        if (label) task.opIndex = label->op_index();
    for (const auto* other :
         {def.has_stream_switch() ? &def.stream_switch() : nullptr,
          def.has_stream_active() ? &def.stream_active() : nullptr,
          def.has_stream_switch_n() ? &def.stream_switch_n() : nullptr,
          def.has_label_switch_by_index() ? &def.label_switch_by_index() : nullptr,
          def.has_ffts_task() ? &def.ffts_task() : nullptr, def.has_ffts_plus_task() ? &def.ffts_plus_task() : nullptr,
          def.has_dsa_task() ? &def.dsa_task() : nullptr, def.has_update_pc_task() ? &def.update_pc_task() : nullptr,
          def.has_fusion_task() ? &def.fusion_task() : nullptr})
        if (other) task.opIndex = other->op_index();
}

bool isEventType(std::uint32_t type)
{
    return type == EventRecordTask || type == EventWaitTask || type == EventResetTask;
}

void fillKernel(const OmTask& task, domi::KernelDef& kernel)
{
    domi::KernelContext& context = *kernel.mutable_context();
    context.set_kernel_type(static_cast<std::uint32_t>(task.kernelType));
    context.set_op_id(static_cast<std::uint32_t>(task.opIndex));
    context.set_op_index(static_cast<std::uint32_t>(task.opIndex));
    context.set_args_count(1);
    context.set_args_offset(std::string(2, '\0')); // one group of arguments, from byte 0
    context.add_origin_op_index(static_cast<std::uint32_t>(task.opIndex));
    kernel.set_stub_func("0_0_" + task.kernelName);
    kernel.set_kernel_name(task.kernelName);
    kernel.set_block_dim(static_cast<std::uint32_t>(task.blockDim));
    kernel.set_args(task.args.data(), task.args.size() * sizeof(std::uint64_t));
    kernel.set_args_size(static_cast<std::uint32_t>(kernel.args().size()));
    if (task.kernelType == AiCpuKernelType) kernel.set_so_name("libaicpu_kernels.so");
}

} // namespace

std::string taskTypeName(std::uint32_t type)
{
    return type < typeNames.size() ? std::string(typeNames[type]) : fmt::format("type {}", type);
}

Result<std::vector<OmTask>> readTasks(std::span<const std::byte> bytes, TaskSizes& sizes)
{
    const Error damaged = Error::invalid("the task list is no protobuf message");
    google::protobuf::Arena arena; // a task's memory is taken for the next one
    std::string rest;
    std::vector<OmTask> tasks;
    WireFields fields(wireText(bytes));
    for (WireFields::Field field; fields.next(field);) {
        if (!field.isMessage || field.number != domi::ModelTaskDef::kTaskFieldNumber) {
            rest.append(field.whole);
            continue;
        }
        if (tasks.size() >= maxTasks)
            return Error::limit(fmt::format("the task list has more than {} tasks", maxTasks));
        arena.Reset();
        auto& def = *google::protobuf::Arena::CreateMessage<domi::TaskDef>(&arena);
        if (!parseWire(field.content, def)) return damaged;
        OmTask& task = tasks.emplace_back();
        task.type = def.type();
        task.typeName = taskTypeName(def.type());
        task.stream = def.stream_id();
        if (isEventType(task.type)) task.event = def.event_id();
        takePayload(def, task);
    }
    domi::ModelTaskDef model;
    if (!fields.isSound() || !parseWire(rest, model)) return damaged;
    sizes.memoryBytes = static_cast<std::int64_t>(model.memory_size());
    sizes.weightBytes = static_cast<std::int64_t>(model.weight_size());
    return tasks;
}

std::string writeTasks(const std::vector<OmTask>& tasks, const TaskSizes& sizes)
{
    domi::ModelTaskDef model;
    model.set_memory_size(static_cast<std::uint64_t>(sizes.memoryBytes));
    model.set_weight_size(static_cast<std::uint64_t>(sizes.weightBytes));
    for (const OmTask& task : tasks) {
        domi::TaskDef& def = *model.add_task();
        def.set_type(task.type);
        def.set_stream_id(static_cast<std::uint32_t>(task.stream));
        if (isEventType(task.type)) def.set_event_id(static_cast<std::uint32_t>(task.event));
        if (task.type == KernelTask) fillKernel(task, *def.mutable_kernel());
    }
    std::string bytes;
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream out(&stream);
    out.SetSerializationDeterministic(true);
    model.SerializeToCodedStream(&out);
    out.Trim();
    return bytes;
}

} // namespace gelens::om
