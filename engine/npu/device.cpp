#include "engine/npu/device.h"

#include "engine/npu/node_runner.h"
#include "engine/ops/op_registry.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <new>

namespace gelens {

namespace {

using Region = DeviceAddress::Region;

constexpr std::int64_t arenaAlignment = 64;

/// Zeroed nowhere: starts as all ones, which is NaN in every floating type and no valid index.
class Arena {
public:
    void allocate(std::int64_t bytes)
    {
        m_size = bytes;
        m_storage.assign(static_cast<std::size_t>(bytes + arenaAlignment), std::byte{0xFF});
        const auto address = reinterpret_cast<std::uintptr_t>(m_storage.data());
        m_base = m_storage.data() + (arenaAlignment - address % arenaAlignment) % arenaAlignment;
    }
    std::int64_t size() const { return m_size; }
    std::byte* at(std::int64_t offset) { return m_base + offset; }

private:
    std::vector<std::byte> m_storage;
    std::byte* m_base = nullptr;
    std::int64_t m_size = 0;
};

Region regionOf(BufferKind kind)
{
    switch (kind) {
    case BufferKind::FeatureMap:
    case BufferKind::Workspace: return Region::FeatureMap;
    case BufferKind::Input: return Region::Input;
    case BufferKind::Output: return Region::Output;
    case BufferKind::Weight: return Region::Weight;
    }
    return Region::Null;
}

class Device {
public:
    Device(const Graph& graph, const MemoryPlan& plan, const TaskList& tasks, const DeviceOptions& options)
        : m_graph(graph), m_plan(plan), m_tasks(tasks), m_options(options)
    {
    }

    Result<DeviceRun> run(const std::map<std::string, HostTensor>& inputs)
    {
        DeviceRun result;
        GELENS_ASSIGN(result.order, interleave(m_tasks, m_options.interleaving));
        GELENS_TRY(allocate());
        GELENS_TRY(copyIn(inputs));
        // The model is done when its first stream is: what that stream did not wait for may still be running then.
        std::size_t last = result.order.size();
        while (last > 0 && m_tasks.tasks[static_cast<std::size_t>(result.order[last - 1])].stream != 0) --last;
        if (last > 0) result.order.resize(last);
        for (const int index : result.order) {
            if (m_options.stop.stop_requested()) return Error::cancelled();
            const Task& task = m_tasks.tasks[static_cast<std::size_t>(index)];
            if (task.node.isValid() && task.kind != TaskKind::EventRecord && task.kind != TaskKind::EventWait)
                GELENS_TRY(launch(task));
        }
        GELENS_TRY(copyOut(result));
        return result;
    }

private:
    Status allocate()
    {
        if (!m_plan.isComplete) return Error::unsupported("the device needs every shape to be known", m_graph.name());
        std::int64_t sizes[3] = {m_plan.totals.featureMapPeak, 0, 0};
        for (const MemoryBuffer& buffer : m_plan.buffers) {
            if (buffer.offset < 0) return Error::invalid(fmt::format("'{}' has no address", buffer.name));
            const std::int64_t end = buffer.offset + buffer.blockBytes;
            if (buffer.kind == BufferKind::Input) sizes[1] = std::max(sizes[1], end);
            if (buffer.kind == BufferKind::Output) sizes[2] = std::max(sizes[2], end);
        }
        if (sizes[0] + sizes[1] + sizes[2] > m_options.memoryLimitBytes)
            return Error::limit(fmt::format("the plan needs {} bytes, a simulated device may take {}",
                                            sizes[0] + sizes[1] + sizes[2], m_options.memoryLimitBytes));
        m_featureMap.allocate(sizes[0]);
        m_input.allocate(sizes[1]);
        m_output.allocate(sizes[2]);
        return {};
    }

    Arena* arena(Region region)
    {
        switch (region) {
        case Region::FeatureMap: return &m_featureMap;
        case Region::Input: return &m_input;
        case Region::Output: return &m_output;
        default: return nullptr;
        }
    }

    Result<DeviceAddress> addressOf(OutputRef tensor) const
    {
        const MemoryBuffer* buffer = m_plan.bufferOf(tensor);
        if (!buffer) return Error::invalid("a tensor has no memory", m_graph.node(tensor.node).name);
        DeviceAddress address;
        address.region = regionOf(buffer->kind);
        address.offset = buffer->offset + m_plan.sliceOffset(tensor);
        address.bytes = storageBytes(m_graph.outputDesc(tensor).dtype, m_graph.outputDesc(tensor).shape).value_or(0);
        address.tensor = tensor;
        return address;
    }

    Result<std::byte*> pointer(const DeviceAddress& address, std::int64_t bytes, const std::string& where)
    {
        Arena* memory = arena(address.region);
        if (!memory)
            return Error::invalid(fmt::format("no device memory behind a {} address", regionName(address.region)),
                                  where);
        if (address.offset < 0 || bytes > memory->size() - address.offset)
            return Error::invalid(fmt::format("address {} + {} bytes lies outside the {} region of {} bytes",
                                              address.offset, bytes, regionName(address.region), memory->size()),
                                  where);
        return memory->at(address.offset);
    }

    /// What lies at an address, as the tensor that the graph says it is.
    Result<TensorView> viewAt(const DeviceAddress& address, const std::string& where)
    {
        const TensorDesc& desc = m_graph.outputDesc(address.tensor);
        TensorView view;
        view.dtype = desc.dtype;
        view.shape = desc.shape;
        view = withLayout(view, desc);
        // An optional input is declared as what it may hold; one without a value lies aside.
        const bool mayBeAside = isAside(desc.dtype) || desc.attrs.contains("onnx_type");
        if (const HostTensor* aside = mayBeAside ? findAside(address) : nullptr) {
            const TensorView other = aside->view();
            view.dtype = other.dtype;
            view.strings = other.strings;
            view.sequence = other.sequence;
            return view;
        }
        if (address.region == Region::Weight) {
            GELENS_ASSIGN(view.data, weight(address, where));
            return view;
        }
        const auto bytes = storageBytes(desc.dtype, desc.shape);
        if (!bytes) return Error::unsupported("an input has no value that lies in device memory", where);
        GELENS_ASSIGN(view.data, pointer(address, *bytes, where));
        return view;
    }

    Result<const std::byte*> weight(const DeviceAddress& address, const std::string& where) const
    {
        const MemoryBuffer* buffer = m_plan.bufferOf(address.tensor);
        const Tensor* constant = buffer ? m_graph.constantOf(buffer->tensor) : nullptr;
        if (!constant || !constant->isPresent()) return Error::notFound("weights are absent", where);
        return constant->data.data() + (address.offset - buffer->offset);
    }

    // Strings and sequences are no bytes: they lie beside the arena, under the address they would have.
    using AsideKey = std::pair<int, std::int64_t>;
    static bool isAside(DataType dtype)
    {
        return dtype == DataType::String || dtype == DataType::StringRef || dtype == DataType::Resource ||
               dtype == DataType::Variant || dtype == DataType::Undefined;
    }
    const HostTensor* findAside(const DeviceAddress& address)
    {
        if (address.region == Region::Weight) {
            const MemoryBuffer* buffer = m_plan.bufferOf(address.tensor);
            const Tensor* constant = buffer ? m_graph.constantOf(buffer->tensor) : nullptr;
            if (!constant || constant->strings.empty()) return nullptr;
            return &m_aside
                        .emplace(AsideKey{static_cast<int>(address.region), address.offset},
                                 HostTensor::fromConstant(*constant))
                        .first->second;
        }
        const auto found = m_aside.find({static_cast<int>(address.region), address.offset});
        return found == m_aside.end() ? nullptr : &found->second;
    }

    Status copyIn(const std::map<std::string, HostTensor>& inputs)
    {
        for (const NodeId id : dataNodes(m_graph)) {
            const Node& node = m_graph.node(id);
            if (node.outputs.empty() || !m_plan.bufferOf(node.output())) continue;
            GELENS_ASSIGN(const DeviceAddress address, addressOf(node.output()));
            const auto found = inputs.find(node.name);
            if (found == inputs.end()) {
                if (node.outputs.front().consumers.empty()) continue;
                return Error::invalid(fmt::format("input '{}' is not given", node.name));
            }
            const HostTensor& value = found->second;
            if (value.strings || value.sequence || value.dtype == DataType::Variant) {
                m_aside[{static_cast<int>(address.region), address.offset}] = value;
                continue;
            }
            const auto bytes = storageBytes(value.dtype, value.shape);
            if (!bytes || *bytes != address.bytes || value.dtype != node.outputs.front().desc.dtype)
                return Error::invalid(fmt::format("input '{}' is {} {}, the compiled model wants {} {}", node.name,
                                                  dataTypeShortName(value.dtype), value.shape.text(),
                                                  dataTypeShortName(node.outputs.front().desc.dtype),
                                                  node.outputs.front().desc.shape.text()));
            GELENS_ASSIGN(std::byte* const to, pointer(address, *bytes, nodePlace(node)));
            if (*bytes > 0) std::memcpy(to, value.view().data, static_cast<std::size_t>(*bytes));
        }
        return {};
    }

    static bool rangesMeet(const DeviceAddress& a, const DeviceAddress& b)
    {
        return a.region == b.region && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
    }

    /// An operator that may work in place, or whose outputs are slices of its input, must not trample what it reads.
    static bool mayShareWithInputs(const Node& node)
    {
        const OpDef* def = OpRegistry::instance().find(node.type);
        if (!def) return false;
        return !def->inPlacePairs().empty() || def->view() || def->fusionClassOf() == FusionClass::ElementWise ||
               def->fusionClassOf() == FusionClass::Broadcast || def->fusionClassOf() == FusionClass::Split;
    }

    Status launch(const Task& task)
    {
        const Node& node = m_graph.node(task.node);
        const std::string where = nodePlace(node);
        for (const DeviceAddress& workspace : task.workspaces) {
            GELENS_ASSIGN(std::byte* const memory, pointer(workspace, workspace.bytes, where));
            std::memset(memory, 0xFF, static_cast<std::size_t>(workspace.bytes));
        }
        std::vector<TensorView> inputs;
        for (const DeviceAddress& address : task.inputs) {
            if (address.region == Region::Null) {
                inputs.emplace_back();
                continue;
            }
            GELENS_ASSIGN(TensorView view, viewAt(address, where));
            inputs.push_back(view);
        }
        const bool mayShare = mayShareWithInputs(node);
        std::vector<std::vector<std::byte>> copies(task.outputs.size());
        const OutputAllocator allocate = [&](int i, DataType dtype, const Shape& shape) -> Result<std::byte*> {
            const auto index = static_cast<std::size_t>(i);
            GELENS_ASSIGN(const std::int64_t bytes, checkedBytes(node, dtype, shape));
            if (index >= task.outputs.size()) return Error::invalid("the task has no address for an output", where);
            const DeviceAddress& address = task.outputs[index];
            if (address.region != Region::Null && bytes > address.bytes)
                return Error::invalid(
                    fmt::format("output {} writes {} bytes where {} are planned", i, bytes, address.bytes), where);
            const bool isShared = std::any_of(task.inputs.begin(), task.inputs.end(), [&](const DeviceAddress& input) {
                return input.region != Region::Null && rangesMeet(input, address);
            });
            if (address.region == Region::Null || (isShared && mayShare)) {
                copies[index].reserve(static_cast<std::size_t>(bytes) + 1);
                copies[index].resize(static_cast<std::size_t>(bytes));
                return copies[index].data();
            }
            return pointer(address, bytes, where);
        };
        NodeRun run{{}, m_options.stop, m_options.seed};
        if (!node.subgraphs.empty())
            run.runSubgraph = [&](int index, const std::vector<HostTensor>& given) -> Result<std::vector<HostTensor>> {
                if (index < 0 || index >= static_cast<int>(node.subgraphs.size()))
                    return Error::invalid(fmt::format("sub-graph {} does not exist", index), where);
                InterpreterOptions options;
                options.seed = m_options.seed;
                options.stop = m_options.stop;
                options.memoryLimitBytes = m_options.memoryLimitBytes;
                return interpretSubgraph(m_graph, node.subgraphs[static_cast<std::size_t>(index)], given, options);
            };
        GELENS_ASSIGN(const std::vector<ProducedOutput> produced, runNode(node, std::move(inputs), allocate, run));
        return settle(task, produced, copies);
    }

    Status settle(const Task& task, const std::vector<ProducedOutput>& produced,
                  const std::vector<std::vector<std::byte>>& copies)
    {
        for (std::size_t i = 0; i < produced.size() && i < task.outputs.size(); ++i) {
            const DeviceAddress& address = task.outputs[i];
            if (address.region == Region::Null) continue;
            const TensorDesc& planned = m_graph.outputDesc(address.tensor);
            const bool isThere = produced[i].dtype != DataType::Undefined;
            if (isThere && !produced[i].sequence &&
                (produced[i].dtype != planned.dtype ||
                 produced[i].shape.elementCount() != planned.shape.elementCount()))
                return Error::invalid(fmt::format("output {} came out as {} {}, the plan says {} {}", i,
                                                  dataTypeShortName(produced[i].dtype), produced[i].shape.text(),
                                                  dataTypeShortName(planned.dtype), planned.shape.text()),
                                      fmt::format("node '{}' ({})", task.name, task.opType));
            if (produced[i].strings || produced[i].sequence) {
                HostTensor aside;
                aside.dtype = produced[i].dtype;
                aside.shape = produced[i].shape;
                aside.strings = produced[i].strings;
                aside.sequence = produced[i].sequence;
                m_aside[{static_cast<int>(address.region), address.offset}] = std::move(aside);
            } else if (!copies[i].empty()) {
                GELENS_ASSIGN(std::byte* const to,
                              pointer(address, static_cast<std::int64_t>(copies[i].size()), task.name));
                std::memcpy(to, copies[i].data(), copies[i].size());
            }
        }
        return {};
    }

    Status copyOut(DeviceRun& result)
    {
        const std::vector<OutputRef> sources = graphOutputs(m_graph);
        const std::vector<DataType> precisions = outputPrecisions(m_graph);
        for (std::size_t i = 0; i < sources.size(); ++i) {
            NamedTensor output{outputName(m_graph, static_cast<int>(i)), sources[i], {}, precisions[i]};
            if (sources[i].isValid()) {
                GELENS_ASSIGN(const DeviceAddress address, addressOf(sources[i]));
                GELENS_ASSIGN(const TensorView view, viewAt(address, output.name));
                if (view.strings || view.sequence) {
                    output.value = *findAside(address);
                } else {
                    output.value = HostTensor::zeros(view.dtype, view.shape);
                    if (address.bytes > 0)
                        std::memcpy(output.value.bytes->data(), view.data, static_cast<std::size_t>(address.bytes));
                    GELENS_ASSIGN(output.value, logicalOutput(std::move(output.value), m_graph.outputDesc(sources[i])));
                }
            }
            result.outputs.push_back(std::move(output));
        }
        return {};
    }

    const Graph& m_graph;
    const MemoryPlan& m_plan;
    const TaskList& m_tasks;
    const DeviceOptions& m_options;
    Arena m_featureMap, m_input, m_output;
    std::map<AsideKey, HostTensor> m_aside;
};

} // namespace

Result<DeviceRun> runOnDevice(const Graph& graph, const MemoryPlan& plan, const TaskList& tasks,
                              const std::map<std::string, HostTensor>& inputs, const DeviceOptions& options)
{
    try {
        return Device(graph, plan, tasks, options).run(inputs);
    } catch (const std::bad_alloc&) {
        return Error::limit("the machine has no memory left for the device", graph.name());
    }
}

} // namespace gelens
