#include "engine/ops/cost_helpers.h"

namespace gelens {

double elementsOf(const TensorDesc& desc)
{
    double count = 1;
    for (const std::int64_t dim : desc.shape.dims())
        if (dim >= 0) count *= static_cast<double>(dim);
    return count;
}

double bytesOf(const TensorDesc& desc) { return elementsOf(desc) * dataTypeBits(desc.dtype) / 8.0; }

const TensorDesc& inputDesc(const Node& node, const Graph& graph, int i)
{
    static const TensorDesc absent = TensorDesc::unconnected();
    if (i < 0 || i >= node.inputCount()) return absent;
    const InputSlot& slot = node.inputs[static_cast<std::size_t>(i)];
    return slot.source.isValid() ? graph.outputDesc(slot.source) : slot.desc;
}

const TensorDesc& outputDesc(const Node& node, int i)
{
    static const TensorDesc absent = TensorDesc::unconnected();
    return i >= 0 && i < node.outputCount() ? node.outputs[static_cast<std::size_t>(i)].desc : absent;
}

Cost bytesOnly(const Node& node, const Graph& graph)
{
    Cost cost;
    for (int i = 0; i < node.inputCount(); ++i)
        if (node.hasInput(i)) cost.bytesRead += bytesOf(inputDesc(node, graph, i));
    for (const OutputSlot& output : node.outputs) cost.bytesWritten += bytesOf(output.desc);
    return cost;
}

CostFunction elementwise(double weight)
{
    return [weight](const Node& node, const Graph& graph) {
        Cost cost = bytesOnly(node, graph);
        cost.vectorOps = weight * elementsOf(outputDesc(node, 0));
        return cost;
    };
}

CostFunction perInputElement(double weight)
{
    return [weight](const Node& node, const Graph& graph) {
        Cost cost = bytesOnly(node, graph);
        cost.vectorOps = weight * elementsOf(inputDesc(node, graph, 0));
        return cost;
    };
}

CostFunction moving(double strided)
{
    return [strided](const Node& node, const Graph& graph) {
        Cost cost = bytesOnly(node, graph);
        cost.stridedFactor = strided;
        return cost;
    };
}

} // namespace gelens
