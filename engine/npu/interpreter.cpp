#include "engine/npu/interpreter.h"

#include "engine/npu/compare.h"
#include "engine/npu/node_runner.h"
#include "engine/ops/op_registry.h"

#include <algorithm>
#include <fmt/format.h>
#include <new>
#include <unordered_map>

namespace gelens {

namespace {

bool isDataType(std::string_view type) { return type == "Data" || type == "RefData" || type == "AippData"; }

/// Memory of one run. Tensors give theirs back when their last owner lets go; buffers are kept for later tensors, because
/// fresh pages cost more than many kernels do.
class Heap {
public:
    std::int64_t live = 0, peak = 0; ///< bytes

    std::unique_ptr<std::vector<std::byte>> take(std::size_t bytes)
    {
        std::unique_ptr<std::vector<std::byte>> buffer;
        // A buffer may be larger than asked for, but not so much that a small tensor holds a large one's memory.
        const auto found = m_free.lower_bound(bytes + 1);
        if (found != m_free.end() && found->first / 2 <= bytes + smallBytes) {
            buffer = std::move(found->second);
            m_freeBytes -= found->first;
            m_free.erase(found);
        } else {
            buffer = std::make_unique<std::vector<std::byte>>();
            buffer->reserve(bytes + 1); // an empty tensor has a valid address too
        }
        buffer->resize(bytes);
        live += static_cast<std::int64_t>(bytes);
        peak = std::max(peak, live);
        return buffer;
    }

    void giveBack(std::unique_ptr<std::vector<std::byte>> buffer)
    {
        live -= static_cast<std::int64_t>(buffer->size());
        const std::size_t capacity = buffer->capacity();
        if (m_freeBytes + capacity > keptBytes) return;
        m_freeBytes += capacity;
        m_free.emplace(capacity, std::move(buffer));
    }

private:
    static constexpr std::size_t smallBytes = 4096, keptBytes = std::size_t{256} << 20;
    std::multimap<std::size_t, std::unique_ptr<std::vector<std::byte>>> m_free; // by capacity
    std::size_t m_freeBytes = 0;
};

/// One graph made ready to run: slots numbered, needs counted. Made once, though a loop body runs many times.
struct GraphPlan {
    struct Step {
        NodeId node;
        int firstSlot = 0;
        std::vector<int> inputs; // slot of each input, -1 when unconnected
    };
    std::vector<Step> steps;                             // in order, only what is needed
    std::vector<int> uses;                               // by slot
    std::vector<std::pair<int, std::int64_t>> dataSlots; // slot of each Data node, and which input it takes
    std::vector<int> outputSlots;
    int slotCount = 0;
};

class Interpreter {
public:
    Interpreter(const Graph& graph, const InterpreterOptions& options)
        : m_graph(graph), m_options(options), m_heap(std::make_shared<Heap>())
    {
    }

    Result<RunResult> runRoot(const std::map<std::string, HostTensor>& inputs)
    {
        std::vector<HostTensor> values;
        for (const NodeId id : dataNodes(m_graph)) {
            const Node& node = m_graph.node(id);
            const auto found = inputs.find(node.name);
            if (found != inputs.end()) {
                GELENS_TRY(checkInput(node, found->second));
                values.push_back(found->second);
            } else {
                values.emplace_back(); // an error only if something reads it
            }
        }
        GELENS_ASSIGN(std::vector<HostTensor> outputs, run(rootGraph, values, 0));
        m_result.peakBytes = m_heap->peak;
        if (m_options.onlyKept) return std::move(m_result);
        const std::vector<OutputRef> sources = graphOutputs(m_graph);
        const std::vector<DataType> precisions = outputPrecisions(m_graph);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            HostTensor value = std::move(outputs[i]);
            if (sources[i].isValid()) {
                GELENS_ASSIGN(value, logicalOutput(std::move(value), m_graph.outputDesc(sources[i])));
            }
            const DataType precision = coarserType(value.dtype, precisions[i]);
            m_result.outputs.push_back(
                {outputName(m_graph, static_cast<int>(i)), sources[i], std::move(value), precision});
        }
        return std::move(m_result);
    }

    Result<std::vector<HostTensor>> run(GraphId graph, const std::vector<HostTensor>& inputs, int depth)
    {
        if (depth > m_options.maxDepth)
            return Error::limit(fmt::format("sub-graphs are nested more than {} deep", m_options.maxDepth),
                                m_graph.subgraph(graph).name);
        GELENS_ASSIGN(const GraphPlan* const plan, planOf(graph));
        std::vector<HostTensor> values(static_cast<std::size_t>(plan->slotCount));
        std::vector<int> uses = plan->uses;
        for (const auto& [slot, input] : plan->dataSlots)
            if (input >= 0 && input < static_cast<std::int64_t>(inputs.size()))
                values[static_cast<std::size_t>(slot)] = inputs[static_cast<std::size_t>(input)];
        for (const GraphPlan::Step& step : plan->steps) {
            if (m_options.stop.stop_requested()) return Error::cancelled();
            GELENS_TRY(runStep(step, values, uses, graph, depth));
            for (const int slot : step.inputs)
                if (slot >= 0 && --uses[static_cast<std::size_t>(slot)] == 0)
                    values[static_cast<std::size_t>(slot)] = {};
        }
        std::vector<HostTensor> outputs;
        for (const int slot : plan->outputSlots)
            outputs.push_back(slot < 0 ? HostTensor{} : values[static_cast<std::size_t>(slot)]);
        return outputs;
    }

private:
    Status checkInput(const Node& node, const HostTensor& value) const
    {
        if (node.outputs.empty()) return {};
        const TensorDesc& desc = node.outputs.front().desc;
        // Sequences and optionals have no shape; an optional is declared as what it may hold.
        const bool isContainer = value.dtype == DataType::Resource || value.dtype == DataType::Variant;
        if (isContainer && desc.attrs.contains("onnx_type")) return {};
        if (desc.dtype != DataType::Undefined && value.dtype != desc.dtype)
            return Error::invalid(fmt::format("input '{}' is {}, the model wants {}", node.name,
                                              dataTypeShortName(value.dtype), dataTypeShortName(desc.dtype)));
        bool fits = !desc.shape.hasRank() || desc.shape.rank() == value.shape.rank();
        for (int i = 0; fits && desc.shape.hasRank() && i < desc.shape.rank(); ++i)
            fits = desc.shape.dim(i) < 0 || desc.shape.dim(i) == value.shape.dim(i);
        if (!fits)
            return Error::invalid(fmt::format("input '{}' has shape {}, the model wants {}", node.name,
                                              value.shape.text(), desc.shape.text()));
        return {};
    }

    Result<const GraphPlan*> planOf(GraphId graph)
    {
        if (const auto found = m_plans.find(graph); found != m_plans.end()) return &found->second;
        bool hasCycle = false;
        const std::vector<NodeId> order = m_graph.topologicalOrder(graph, &hasCycle);
        if (hasCycle) return Error::invalid("the graph has a cycle, so it cannot be run", m_graph.subgraph(graph).name);

        GraphPlan plan;
        std::unordered_map<int, int> firstSlot;
        for (const NodeId id : order) {
            firstSlot[id.value] = plan.slotCount;
            plan.slotCount += m_graph.node(id).outputCount();
        }
        const auto slotOf = [&](OutputRef ref) {
            const auto found = ref.isValid() ? firstSlot.find(ref.node.value) : firstSlot.end();
            return found == firstSlot.end() ? -1 : found->second + ref.index;
        };
        plan.uses.assign(static_cast<std::size_t>(plan.slotCount), 0);
        const std::vector<OutputRef> outputs = graphOutputs(m_graph, graph);
        const std::unordered_map<int, bool> needed = neededNodes(graph, order, outputs);
        for (const OutputRef& ref : outputs) {
            plan.outputSlots.push_back(slotOf(ref));
            if (plan.outputSlots.back() >= 0) ++plan.uses[static_cast<std::size_t>(plan.outputSlots.back())];
        }
        for (const NodeId id : order) {
            if (!needed.contains(id.value)) continue;
            const Node& node = m_graph.node(id);
            GraphPlan::Step step{id, firstSlot[id.value], {}};
            for (const InputSlot& slot : node.inputs) {
                step.inputs.push_back(slotOf(slot.source));
                if (slot.source.isValid() && step.inputs.back() < 0)
                    return Error::invalid("an input comes from another graph", nodePlace(node));
                if (step.inputs.back() >= 0) ++plan.uses[static_cast<std::size_t>(step.inputs.back())];
            }
            plan.steps.push_back(std::move(step));
        }
        std::int64_t place = 0;
        for (const NodeId id : dataNodes(m_graph, graph)) {
            const Node& node = m_graph.node(id);
            std::int64_t input = place++;
            if (graph != rootGraph)
                input = attrInt(node.attrs, "_parent_node_index", attrInt(node.attrs, "index", input));
            if (!node.outputs.empty()) plan.dataSlots.emplace_back(firstSlot[id.value], input);
        }
        return &m_plans.emplace(graph, std::move(plan)).first->second;
    }

    /// Everything that outputs and kept values depend on. Control edges order nodes but make nothing needed.
    std::unordered_map<int, bool> neededNodes(GraphId graph, const std::vector<NodeId>& order,
                                              const std::vector<OutputRef>& outputs) const
    {
        std::unordered_map<int, bool> needed;
        std::vector<NodeId> open;
        const auto want = [&](NodeId id) {
            if (id.isValid() && needed.emplace(id.value, true).second) open.push_back(id);
        };
        const bool isPart = graph == rootGraph && m_options.onlyKept;
        for (const OutputRef& ref : outputs)
            if (!isPart) want(ref.node);
        if (graph == rootGraph) {
            for (const OutputRef& ref : m_options.keep) want(ref.node);
            if (m_options.keepAll)
                for (const NodeId id : order)
                    if (m_graph.node(id).type != "NetOutput") want(id);
        }
        while (!open.empty()) {
            const NodeId id = open.back();
            open.pop_back();
            for (const InputSlot& slot : m_graph.node(id).inputs) want(slot.source.node);
        }
        return needed;
    }

    Status runStep(const GraphPlan::Step& step, std::vector<HostTensor>& values, const std::vector<int>& uses,
                   GraphId graph, int depth)
    {
        const Node& node = m_graph.node(step.node);
        const auto slot = [&](int i) -> HostTensor& { return values[static_cast<std::size_t>(step.firstSlot + i)]; };
        if (isDataType(node.type)) {
            if (node.outputCount() > 0 && !slot(0).isPresent())
                return graph == rootGraph ? Error::invalid(fmt::format("input '{}' is not given", node.name))
                                          : Error::invalid("the body got fewer inputs than it has", nodePlace(node));
        } else if (isConstantType(node.type)) {
            const Tensor* constant = m_graph.constantOf(node.output());
            if (!constant || !constant->isPresent()) return Error::notFound("weights are absent", nodePlace(node));
            slot(0) = HostTensor::fromConstant(*constant);
        } else if (!node.outputs.empty()) {
            GELENS_TRY(runKernel(node, step, values, uses, depth));
            ++m_result.nodesRun;
        }
        if (graph == rootGraph && depth == 0) report(node, slot);
        return {};
    }

    template <typename Slot>
    void report(const Node& node, Slot&& slot)
    {
        for (int i = 0; i < node.outputCount(); ++i) {
            if (!slot(i).isPresent()) continue;
            if (m_options.onValue) m_options.onValue(node.output(i), slot(i));
            if (m_options.keepAll || m_options.keep.contains(node.output(i))) m_result.kept[node.output(i)] = slot(i);
        }
    }

    Status runKernel(const Node& node, const GraphPlan::Step& step, std::vector<HostTensor>& values,
                     const std::vector<int>& uses, int depth)
    {
        std::vector<TensorView> views;
        std::vector<HostTensor> inputs;     // keeps the bytes alive while the kernel runs
        inputs.reserve(step.inputs.size()); // views point at their constants
        for (std::size_t i = 0; i < step.inputs.size(); ++i) {
            const int source = step.inputs[i];
            inputs.push_back(source < 0 ? HostTensor{} : values[static_cast<std::size_t>(source)]);
            views.push_back(source < 0 ? TensorView{}
                                       : withLayout(inputs.back().view(), m_graph.outputDesc(node.inputs[i].source)));
        }
        std::vector<HostTensor> outputs(node.outputs.size());
        const OutputAllocator allocate = [&](int i, DataType dtype, const Shape& shape) -> Result<std::byte*> {
            HostTensor& output = outputs[static_cast<std::size_t>(i)];
            output = inPlace(node, step, i, dtype, shape, inputs, uses);
            if (!output.isPresent()) {
                GELENS_ASSIGN(output, newTensor(node, dtype, shape));
            }
            return output.bytes->data();
        };
        NodeRun nodeRun{{}, m_options.stop, m_options.seed, m_options.weights.get()};
        if (!node.subgraphs.empty())
            nodeRun.runSubgraph = [&](int index,
                                      const std::vector<HostTensor>& given) -> Result<std::vector<HostTensor>> {
                if (index < 0 || index >= static_cast<int>(node.subgraphs.size()))
                    return Error::invalid(fmt::format("sub-graph {} does not exist", index), nodePlace(node));
                return run(node.subgraphs[static_cast<std::size_t>(index)], given, depth + 1);
            };
        GELENS_ASSIGN(std::vector<ProducedOutput> produced, runNode(node, std::move(views), allocate, nodeRun));
        for (std::size_t i = 0; i < produced.size(); ++i) {
            HostTensor& output = outputs[i];
            output.dtype = produced[i].dtype;
            output.shape = produced[i].shape;
            if (produced[i].strings) output.strings = std::move(produced[i].strings);
            if (produced[i].sequence) output.sequence = std::move(produced[i].sequence);
            values[static_cast<std::size_t>(step.firstSlot) + i] = std::move(output);
        }
        return {};
    }

    /// The input that output i may be written over, when it dies here and nobody else holds it; else nothing.
    HostTensor inPlace(const Node& node, const GraphPlan::Step& step, int i, DataType dtype, const Shape& shape,
                       const std::vector<HostTensor>& inputs, const std::vector<int>& uses) const
    {
        const OpDef* const def = OpRegistry::instance().find(node.type);
        if (def == nullptr) return {};
        for (const auto& [out, in] : def->inPlacePairs()) {
            if (out != i || in >= static_cast<int>(step.inputs.size())) continue;
            const int slot = step.inputs[static_cast<std::size_t>(in)];
            const HostTensor& input = inputs[static_cast<std::size_t>(in)];
            if (slot < 0 || uses[static_cast<std::size_t>(slot)] != 1 || input.bytes == nullptr) continue;
            constexpr long owners = 2; // the slot, and the copy that the kernel's view shows
            const bool isSame = input.dtype == dtype && input.shape.dims() == shape.dims();
            if (!isSame || input.bytes.use_count() != owners) continue;
            HostTensor output;
            output.dtype = dtype;
            output.shape = shape;
            output.bytes = input.bytes;
            return output;
        }
        return {};
    }

    Result<HostTensor> newTensor(const Node& node, DataType dtype, const Shape& shape)
    {
        GELENS_ASSIGN(const std::int64_t bytes, checkedBytes(node, dtype, shape));
        if (bytes > m_options.memoryLimitBytes - m_heap->live)
            return Error::limit(
                fmt::format("a result of {} bytes beside {} bytes in use is more than the {} bytes that "
                            "the run may use",
                            bytes, m_heap->live, m_options.memoryLimitBytes),
                nodePlace(node));
        HostTensor tensor;
        tensor.dtype = dtype;
        tensor.shape = shape;
        // Tensors may outlive the run, and be let go on another thread: then their memory goes with them.
        tensor.bytes =
            std::shared_ptr<std::vector<std::byte>>(m_heap->take(static_cast<std::size_t>(bytes)).release(),
                                                    [heap = std::weak_ptr<Heap>(m_heap)](std::vector<std::byte>* dead) {
                                                        std::unique_ptr<std::vector<std::byte>> buffer(dead);
                                                        if (const auto owner = heap.lock())
                                                            owner->giveBack(std::move(buffer));
                                                    });
        return tensor;
    }

    const Graph& m_graph;
    const InterpreterOptions& m_options;
    std::shared_ptr<Heap> m_heap;
    std::map<GraphId, GraphPlan> m_plans;
    RunResult m_result;
};

} // namespace

std::vector<NodeId> dataNodes(const Graph& graph, GraphId subgraph)
{
    std::vector<NodeId> nodes;
    graph.forEachNode(subgraph, [&](const Node& node) {
        if (isDataType(node.type)) nodes.push_back(node.id);
    });
    std::stable_sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) {
        constexpr std::int64_t last = std::int64_t{1} << 40; // nodes that carry no index keep their place, behind
        return attrInt(graph.node(a).attrs, "index", last) < attrInt(graph.node(b).attrs, "index", last);
    });
    return nodes;
}

std::vector<OutputRef> graphOutputs(const Graph& graph, GraphId subgraph)
{
    std::vector<OutputRef> outputs;
    bool hasOutputNode = false;
    graph.forEachNode(subgraph, [&](const Node& node) {
        if (node.type != "NetOutput" || hasOutputNode) return;
        hasOutputNode = true;
        for (const InputSlot& slot : node.inputs) outputs.push_back(slot.source);
    });
    return hasOutputNode ? outputs : graph.subgraph(subgraph).outputs;
}

namespace {

/// Coarsest floating type on the ways to each node, by node id.
std::vector<DataType> nodePrecisions(const Graph& graph)
{
    std::vector<DataType> coarsest(static_cast<std::size_t>(graph.nodeIdBound()), DataType::Undefined);
    for (const NodeId id : graph.topologicalOrder()) {
        DataType& own = coarsest[static_cast<std::size_t>(id.value)];
        for (const InputSlot& slot : graph.node(id).inputs)
            if (slot.source.isValid())
                own = coarserType(own, coarsest[static_cast<std::size_t>(slot.source.node.value)]);
        for (const OutputSlot& slot : graph.node(id).outputs) own = coarserType(own, slot.desc.dtype);
    }
    return coarsest;
}

} // namespace

DataType precisionOf(const Graph& graph, OutputRef value)
{
    return value.isValid() ? nodePrecisions(graph)[static_cast<std::size_t>(value.node.value)] : DataType::Undefined;
}

std::vector<DataType> outputPrecisions(const Graph& graph)
{
    const std::vector<DataType> coarsest = nodePrecisions(graph);
    std::vector<DataType> precisions;
    for (const OutputRef& ref : graphOutputs(graph))
        precisions.push_back(ref.isValid() ? coarsest[static_cast<std::size_t>(ref.node.value)] : DataType::Undefined);
    return precisions;
}

std::string outputName(const Graph& graph, int index)
{
    std::string name;
    graph.forEachNode(rootGraph, [&](const Node& node) {
        if (node.type == "NetOutput" && index < node.inputCount())
            name = node.inputs[static_cast<std::size_t>(index)].desc.name;
    });
    if (!name.empty()) return name;
    const std::vector<OutputRef> outputs = graphOutputs(graph);
    if (index < 0 || index >= static_cast<int>(outputs.size())) return {};
    const OutputRef ref = outputs[static_cast<std::size_t>(index)];
    if (!ref.isValid()) return {};
    const TensorDesc& desc = graph.outputDesc(ref);
    return !desc.name.empty() ? desc.name : fmt::format("{}:{}", graph.node(ref.node).name, ref.index);
}

Result<RunResult> interpret(const Graph& graph, const std::map<std::string, HostTensor>& inputs,
                            const InterpreterOptions& options)
{
    try {
        return Interpreter(graph, options).runRoot(inputs);
    } catch (const std::bad_alloc&) {
        return Error::limit("the machine has no memory left for the run", graph.name());
    }
}

Result<std::vector<HostTensor>> interpretSubgraph(const Graph& graph, GraphId subgraph,
                                                  const std::vector<HostTensor>& inputs,
                                                  const InterpreterOptions& options)
{
    return Interpreter(graph, options).run(subgraph, inputs, 0);
}

} // namespace gelens
