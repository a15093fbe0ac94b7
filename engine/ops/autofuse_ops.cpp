#include "engine/ops/autofuse_ops.h"

#include "engine/ops/cost_helpers.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/read_as.h"

#include <fmt/format.h>

#include <cstring>
#include <unordered_map>

namespace gelens {

std::shared_ptr<const Graph> ascGraphOf(const AttrMap& attrs)
{
    const auto found = attrs.find(ascGraphAttr);
    if (found == attrs.end()) return nullptr;
    const AttrValue::GraphPtr* const graph = found->second.as<AttrValue::GraphPtr>();
    return graph ? *graph : nullptr;
}

namespace {

/// Runs the parts one after the other with their own kernels: what the generated kernel would compute.
class PartsRunner {
public:
    PartsRunner(KernelContext& context, const Graph& graph) : m_context(context), m_graph(graph) {}

    Status run()
    {
        for (const NodeId id : m_graph.topologicalOrder()) {
            if (m_context.stop.stop_requested()) return Error::cancelled();
            const Node& node = m_graph.node(id);
            if (node.type == "NetOutput") return giveOutputs(node);
            GELENS_TRY(runPart(node));
        }
        return m_context.error("its parts give nothing");
    }

private:
    Status runPart(const Node& node)
    {
        if (node.type == "Data") {
            m_views[node.output()] = m_context.input(static_cast<int>(attrInt(node.attrs, "index", 0)));
            return {};
        }
        if (isConstantType(node.type)) {
            const Tensor* const constant = m_graph.constantOf(node.output());
            if (!constant || !constant->isPresent()) return m_context.error("a constant of its parts is absent");
            keep(node.output(), HostTensor::fromConstant(*constant));
            return {};
        }
        const OpDef* const def = OpRegistry::instance().find(node.type);
        if (!def || !def->kernelFunction())
            return m_context.error(fmt::format("its part '{}' ({}) has no kernel", node.name, node.type));
        std::vector<TensorView> inputs;
        for (const InputSlot& slot : node.inputs) {
            inputs.push_back(slot.source.isValid() ? m_views[slot.source] : TensorView{});
            readAs(inputs.back(), slot.desc);
            if (!def->storageKernel()) inputs.back().originFormat = slot.desc.originFormat.primary;
        }
        std::vector<DataType> types;
        for (const OutputSlot& slot : node.outputs) types.push_back(slot.desc.dtype);
        std::vector<HostTensor> outputs(node.outputs.size());
        KernelContext part(node.name, node.type, node.attrs, std::move(inputs), std::move(types),
                           [&](int i, DataType dtype, const Shape& shape) -> Result<std::byte*> {
                               HostTensor& output = outputs[static_cast<std::size_t>(i)];
                               output = HostTensor::zeros(dtype, shape);
                               return output.bytes->data();
                           });
        part.stop = m_context.stop;
        GELENS_TRY(def->kernelFunction()(part));
        for (int i = 0; i < node.outputCount(); ++i)
            if (outputs[static_cast<std::size_t>(i)].isPresent())
                keep(node.output(i), std::move(outputs[static_cast<std::size_t>(i)]));
        return {};
    }

    void keep(OutputRef ref, HostTensor value)
    {
        m_kept.push_back(std::move(value));
        m_views[ref] = m_kept.back().view();
    }

    Status giveOutputs(const Node& node)
    {
        // All parts have run: an output may lie over an input by now.
        for (int i = 0; i < node.inputCount(); ++i) {
            const TensorView& value = m_views[node.source(i)];
            const auto bytes = storageBytes(value.dtype, value.shape);
            if (!value.data || !bytes) return m_context.error(fmt::format("its parts give no output {}", i));
            GELENS_ASSIGN(std::byte* const to, m_context.output(i, value.dtype, value.shape));
            std::memmove(to, value.data, static_cast<std::size_t>(*bytes));
        }
        return {};
    }

    KernelContext& m_context;
    const Graph& m_graph;
    std::unordered_map<OutputRef, TensorView> m_views;
    std::vector<HostTensor> m_kept; ///< owns the bytes behind the views
};

Status runParts(KernelContext& context)
{
    const auto graph = ascGraphOf(context.attrs());
    return graph ? PartsRunner(context, *graph).run() : Status(context.error("its parts are missing"));
}

/// The descriptors of the parts' results: shapes were known when the group was made.
Status inferFromParts(InferContext& context)
{
    const auto graph = ascGraphOf(context.attrs());
    if (!graph) return {};
    graph->forEachNode(rootGraph, [&](const Node& node) {
        for (int i = 0; node.type == "NetOutput" && i < node.inputCount(); ++i) {
            const TensorDesc& desc = graph->outputDesc(node.source(i));
            context.setOutput(i, desc.dtype, desc.originShape);
        }
    });
    return {};
}

/// The arithmetic of the parts, and the bytes that cross the border: what stays on chip is not moved.
Cost costOfParts(const Node& node, const Graph& graph)
{
    Cost cost = bytesOnly(node, graph);
    const auto parts = ascGraphOf(node.attrs);
    if (parts)
        parts->forEachNode(rootGraph, [&](const Node& part) {
            const Cost own = costOf(part, *parts);
            cost.vectorOps += own.vectorOps;
            cost.stridedFactor = std::max(cost.stridedFactor, own.stridedFactor);
        });
    return cost;
}

} // namespace

void registerAutofuseOps(OpRegistry& registry)
{
    registry.add(
        OpDef(std::string(ascBackendType))
            .doc("A group of vector operators that autofusion joined into one kernel; values between its parts "
                 "never leave the chip. Each part computes and rounds as it would alone.")
            .source("GE autofusion")
            .dynamicInput("x")
            .dynamicOutput("y")
            .unit(Unit::Vector)
            .fusionClass(FusionClass::Other)
            .infer(inferFromParts)
            .cost(costOfParts)
            .kernel(runParts));
}

} // namespace gelens
