#include "engine/graph/node.h"
#include "engine/spec/fusion_verdict.h"
#include "engine/spec/memory_plan.h"
#include "engine/spec/soc_spec.h"
#include "engine/spec/step.h"
#include "engine/spec/task_list.h"
#include "engine/spec/timeline.h"
#include "engine/spec/unit.h"

#include <algorithm>
#include <utility>

namespace gelens {

std::string_view unitName(Unit unit)
{
    switch (unit) {
    case Unit::None: return "none";
    case Unit::Cube: return "cube";
    case Unit::Vector: return "vector";
    case Unit::Mix: return "mix";
    case Unit::AiCpu: return "AI CPU";
    case Unit::Host: return "host";
    case Unit::Runtime: return "runtime";
    case Unit::GeLocal: return "GE local";
    }
    return "?";
}

char unitLetter(Unit unit)
{
    switch (unit) {
    case Unit::Cube: return 'C';
    case Unit::Vector: return 'V';
    case Unit::Mix: return 'M';
    case Unit::AiCpu:
    case Unit::Host: return 'H';
    case Unit::Runtime: return 'R';
    default: return '.';
    }
}

std::string_view fusionClassName(FusionClass fusionClass)
{
    switch (fusionClass) {
    case FusionClass::Opaque: return "Opaque";
    case FusionClass::ElementWise: return "ElemWise";
    case FusionClass::Broadcast: return "Broadcast";
    case FusionClass::Reduce: return "CommReduce";
    case FusionClass::Transpose: return "Transpose";
    case FusionClass::Concat: return "Concat";
    case FusionClass::Split: return "Split";
    case FusionClass::Slice: return "Slice";
    case FusionClass::Gather: return "Gather";
    case FusionClass::MatMul: return "Matmul";
    case FusionClass::Convolution: return "Convolution";
    case FusionClass::Pool: return "Pool2d";
    case FusionClass::View: return "View";
    case FusionClass::Other: return "Other";
    }
    return "?";
}

const BlockSize& SocSpec::blockFor(std::string_view geTypeName) const
{
    static const BlockSize fallback;
    if (const auto found = blocks.find(geTypeName); found != blocks.end()) return found->second;
    if (const auto found = blocks.find("Default"); found != blocks.end()) return found->second;
    return fallback;
}

double SocSpec::peakCubeFlops() const { return 2.0 * cubeM * cubeK * cubeN * cubeMegahertz * 1e6 * cubeCores; }

namespace {
constexpr std::pair<Reason, std::string_view> reasonNames[] = {
    {Reason::None, "None"},
    {Reason::NoRule, "NoRule"},
    {Reason::RuleDisabled, "RuleDisabled"},
    {Reason::L1Capacity, "L1Capacity"},
    {Reason::UbCapacity, "UbCapacity"},
    {Reason::L0Capacity, "L0Capacity"},
    {Reason::UnitConflict, "UnitConflict"},
    {Reason::CoreCount, "CoreCount"},
    {Reason::ChipUnsupported, "ChipUnsupported"},
    {Reason::KernelType, "KernelType"},
    {Reason::MultiConsumer, "MultiConsumer"},
    {Reason::GraphOutput, "GraphOutput"},
    {Reason::ControlEdge, "ControlEdge"},
    {Reason::Cycle, "Cycle"},
    {Reason::SubgraphBorder, "SubgraphBorder"},
    {Reason::DynamicShape, "DynamicShape"},
    {Reason::DtypeMismatch, "DtypeMismatch"},
    {Reason::FormatMismatch, "FormatMismatch"},
    {Reason::AttributeMismatch, "AttributeMismatch"},
    {Reason::ValueMismatch, "ValueMismatch"},
    {Reason::NotConstant, "NotConstant"},
    {Reason::InputCount, "InputCount"},
    {Reason::Alignment, "Alignment"},
    {Reason::StreamLabel, "StreamLabel"},
    {Reason::PrecisionMode, "PrecisionMode"},
    {Reason::AlreadyFused, "AlreadyFused"},
    {Reason::ScopeDiffers, "ScopeDiffers"},
    {Reason::Determinism, "Determinism"},
    {Reason::DumpEnabled, "DumpEnabled"},
    {Reason::ThreadMode, "ThreadMode"},
    {Reason::OutputLimit, "OutputLimit"},
    {Reason::RepeatCount, "RepeatCount"},
    {Reason::SliceMismatch, "SliceMismatch"},
    {Reason::NoSavings, "NoSavings"},
    {Reason::PeakMemory, "PeakMemory"},
    {Reason::NodeLimit, "NodeLimit"},
};
} // namespace

std::string_view reasonName(Reason reason)
{
    for (const auto& [value, name] : reasonNames)
        if (value == reason) return name;
    return "?";
}

std::optional<Reason> reasonFromName(std::string_view name)
{
    for (const auto& [value, text] : reasonNames)
        if (text == name) return value;
    return std::nullopt;
}

const std::vector<Reason>& allReasons()
{
    static const std::vector<Reason> reasons = [] {
        std::vector<Reason> list;
        for (const auto& [value, name] : reasonNames)
            if (value != Reason::None) list.push_back(value);
        return list;
    }();
    return reasons;
}

ReasonClass reasonClass(Reason reason)
{
    switch (reason) {
    case Reason::NoRule:
    case Reason::RuleDisabled: return ReasonClass::NoRule;
    case Reason::L1Capacity:
    case Reason::UbCapacity:
    case Reason::L0Capacity: return ReasonClass::Capacity;
    case Reason::UnitConflict:
    case Reason::CoreCount:
    case Reason::ChipUnsupported:
    case Reason::KernelType: return ReasonClass::Unit;
    default: return ReasonClass::Structure;
    }
}

std::string_view reasonClassName(ReasonClass reasonClass)
{
    switch (reasonClass) {
    case ReasonClass::NoRule: return "no rule";
    case ReasonClass::Capacity: return "capacity";
    case ReasonClass::Unit: return "execution unit";
    case ReasonClass::Structure: return "structure";
    }
    return "?";
}

const Check* FusionVerdict::headline() const
{
    if (fused) return nullptr;
    const auto found = std::find_if(checks.begin(), checks.end(),
                                    [this](const Check& check) { return !check.held && check.reason == reason; });
    return found == checks.end() ? nullptr : &*found;
}

std::string_view stageName(Stage stage)
{
    switch (stage) {
    case Stage::Parse: return "parse";
    case Stage::Compile: return "compile";
    case Stage::Memory: return "memory";
    case Stage::Tasks: return "tasks";
    case Stage::Launch: return "launch";
    }
    return "?";
}

std::string_view bufferKindName(BufferKind kind)
{
    switch (kind) {
    case BufferKind::FeatureMap: return "feature map";
    case BufferKind::Workspace: return "workspace";
    case BufferKind::Input: return "input";
    case BufferKind::Output: return "output";
    case BufferKind::Weight: return "weight";
    }
    return "?";
}

BlockLayout BlockLayout::of(const MemoryPlan& plan)
{
    std::int64_t inputs = 0, outputs = 0;
    for (const MemoryBuffer& buffer : plan.buffers) {
        const std::int64_t end = buffer.offset + buffer.blockBytes;
        if (buffer.kind == BufferKind::Input) inputs = std::max(inputs, end);
        if (buffer.kind == BufferKind::Output) outputs = std::max(outputs, end);
    }
    BlockLayout layout;
    layout.outputBase = plan.totals.featureMapPeak;
    layout.inputBase = layout.outputBase + outputs;
    layout.end = layout.inputBase + inputs;
    return layout;
}

std::int64_t BlockLayout::offsetOf(const MemoryPlan& plan, OutputRef tensor) const
{
    const MemoryBuffer* const buffer = plan.bufferOf(tensor);
    if (!buffer || buffer->offset < 0) return -1;
    const std::int64_t base = buffer->kind == BufferKind::Input    ? inputBase
                              : buffer->kind == BufferKind::Output ? outputBase
                                                                   : 0;
    return base + buffer->offset + plan.sliceOffset(tensor);
}

void setOffsets(const Node& node, const MemoryPlan& plan, const BlockLayout& layout, Placement& placement)
{
    placement.outputOffsets.clear();
    placement.inputOffsets.clear();
    for (int i = 0; i < node.outputCount(); ++i)
        placement.outputOffsets.push_back(layout.offsetOf(plan, node.output(i)));
    for (int i = 0; i < node.inputCount(); ++i)
        if (node.hasInput(i)) placement.inputOffsets.push_back(layout.offsetOf(plan, node.source(i)));
}

std::string_view taskKindName(TaskKind kind)
{
    switch (kind) {
    case TaskKind::Kernel: return "kernel";
    case TaskKind::AiCpuKernel: return "AI CPU kernel";
    case TaskKind::MemcpyAsync: return "memcpy";
    case TaskKind::EventRecord: return "event record";
    case TaskKind::EventWait: return "event wait";
    case TaskKind::Label: return "label";
    case TaskKind::Other: return "other";
    }
    return "?";
}

std::string_view regionName(DeviceAddress::Region region)
{
    switch (region) {
    case DeviceAddress::Region::FeatureMap: return "feature map";
    case DeviceAddress::Region::Input: return "input";
    case DeviceAddress::Region::Output: return "output";
    case DeviceAddress::Region::Weight: return "weight";
    case DeviceAddress::Region::Null: return "null";
    }
    return "?";
}

int TaskList::kernelTaskCount() const
{
    const auto launches = std::count_if(tasks.begin(), tasks.end(), [](const Task& task) {
        const bool runs =
            task.kind == TaskKind::Kernel || task.kind == TaskKind::AiCpuKernel || task.kind == TaskKind::MemcpyAsync;
        return runs && task.superKernel < 0;
    });
    return static_cast<int>(launches) + static_cast<int>(superKernels.size());
}

std::string_view boundName(Bound bound)
{
    switch (bound) {
    case Bound::Launch: return "launch";
    case Bound::Compute: return "compute";
    case Bound::Memory: return "memory";
    }
    return "?";
}

} // namespace gelens
