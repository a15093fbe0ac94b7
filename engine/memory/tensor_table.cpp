#include "engine/memory/tensor_table.h"

#include "engine/memory/sizes.h"
#include "engine/ops/op_registry.h"

#include <algorithm>

namespace gelens {

bool isViewNode(const Node& node)
{
    const OpDef* def = OpRegistry::instance().find(node.type);
    return (isViewType(node.type) || (def && def->view())) && !attrBool(node.attrs, "_cannot_be_deleted");
}

TensorTable::TensorTable(const Graph& graph, const ExecutionOrder& order, InPlaceRule rule)
{
    m_first.assign(static_cast<std::size_t>(graph.nodeIdBound()), -1);
    for (const NodeId id : order.order()) read(graph, order, rule, graph.node(id));
}

TensorInfo* TensorTable::info(OutputRef ref)
{
    if (!ref.isValid()) return nullptr;
    const int first = m_first[static_cast<std::size_t>(ref.node.value)];
    return first < 0 ? nullptr : &m_tensors[static_cast<std::size_t>(first + ref.index)];
}

void TensorTable::read(const Graph& graph, const ExecutionOrder& axis, InPlaceRule rule, const Node& node)
{
    m_first[static_cast<std::size_t>(node.id.value)] = static_cast<int>(m_tensors.size());
    for (const OutputSlot& slot : node.outputs) {
        TensorInfo tensor;
        const auto bytes = tensorBytes(slot.desc);
        tensor.isKnown = bytes.has_value();
        tensor.bytes = bytes.value_or(0);
        if (rule == InPlaceRule::Stated && slot.desc.reservedBytes > 0) {
            tensor.isKnown = true;
            tensor.reserved = std::min(slot.desc.reservedBytes, maxTensorBytes);
            if (!bytes) tensor.bytes = tensor.reserved;
        } else {
            tensor.reserved = geTensorBytes(tensor.bytes);
        }
        NodeId previous;
        for (const InputRef& reader : slot.consumers) {
            const std::int64_t at = axis.position(reader.node);
            if (at < 0) continue;
            tensor.lastReader = std::max(tensor.lastReader, at);
            tensor.hasForeignReader |= axis.stream(reader.node) != axis.stream(node.id);
            tensor.feedsOutput |= graph.node(reader.node).type == "NetOutput";
            // The slots of one reader are linked one after the other when a node reads a tensor twice; a rare
            // miss only makes the count larger, which forbids an in-place result that would have been fine.
            if (reader.node != previous) ++tensor.readerNodes;
            previous = reader.node;
        }
        m_tensors.push_back(tensor);
    }
}

OutputRef TensorTable::behindViews(const Graph& graph, OutputRef tensor)
{
    while (tensor.isValid()) {
        const Node& node = graph.node(tensor.node);
        if (!isViewNode(node) || node.outputCount() != 1 || !info(node.source(0))) break;
        tensor = node.source(0);
    }
    return tensor;
}

} // namespace gelens
