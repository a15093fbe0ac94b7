#include "engine/passes/optimize/reshape_recovery.h"

#include <fmt/format.h>

namespace gelens {

bool ReshapeRecovery::disagrees(const Node& node, int input) const
{
    if (!node.hasInput(input)) return false;
    const TensorDesc& given = m_edit.graph().outputDesc(node.source(input));
    const TensorDesc& read = node.inputs[static_cast<std::size_t>(input)].desc;
    return given.originShape.isStatic() && read.originShape.isStatic() && given.originShape != read.originShape &&
           given.originShape.elementCount() == read.originShape.elementCount() &&
           !isPrivateFormat(given.format.primary) && !isPrivateFormat(read.format.primary);
}

void ReshapeRecovery::insert(InputRef slot)
{
    const OutputRef source = m_edit.node(slot.node).source(slot.index);
    const GraphId graph = m_edit.node(slot.node).graph;
    const TensorDesc from = m_edit.graph().outputDesc(source);
    TensorDesc to = from;
    to.attrs.clear();
    to.setShape(m_edit.node(slot.node).inputs[static_cast<std::size_t>(slot.index)].desc.originShape);
    const OutputRef shape = shapeConstant(to.originShape, graph);
    const NodeId reshape =
        m_edit.addNode({.name = fmt::format("Reshape_ReshapeRecoveryPass_{}", m_count++),
                        .type = "Reshape",
                        .inputs = {{"x", from}, {"shape", m_edit.graph().outputDesc(shape)}},
                        .outputs = {{"y", to}},
                        .attrs = {{"axis", AttrValue(std::int64_t{0})}, {"num_axes", AttrValue(std::int64_t{-1})}}},
                       graph, source.node);
    m_edit.connect(source, {reshape, 0});
    m_edit.connect(shape, {reshape, 1});
    m_edit.connect({reshape, 0}, slot);
}

OutputRef ReshapeRecovery::shapeConstant(const Shape& shape, GraphId graph)
{
    const auto [entry, isNew] = m_shapes.try_emplace(shape.dims());
    if (isNew) {
        const auto rank = static_cast<std::int64_t>(shape.rank());
        entry->second = {m_edit.addConstant(fmt::format("dynamic_const_{}", m_constants++),
                                            Tensor::fromInts(shape.dims(), Shape{rank}, DataType::Int32), graph),
                         0};
    }
    return entry->second;
}

} // namespace gelens
