#include "engine/memory/in_place.h"

#include "engine/ops/op_registry.h"

namespace gelens {

int InPlaceJudge::inputFor(const Node& node, int index, const OpDef* def)
{
    if (m_rule == InPlaceRule::None || m_rule == InPlaceRule::Stated || !def || !node.subgraphs.empty()) return -1;
    if (m_rule == InPlaceRule::Imported) {
        const bool isElementWise =
            def->fusionClassOf() == FusionClass::ElementWise || def->fusionClassOf() == FusionClass::Broadcast;
        if (!isElementWise || index != 0) return -1;
        const OutputRef source = node.source(0);
        return fits(node, 0, source) && m_tensors.info(source)->isSoleChain ? 0 : -1;
    }
    for (const auto& [out, in] : def->inPlacePairs()) {
        if (out != index) continue;
        const OutputRef source = node.source(in);
        if (fits(node, index, source) && isLastReader(node, source) && !servesAnotherOutput(node, index, source))
            return in;
    }
    return -1;
}

bool InPlaceJudge::fits(const Node& node, int index, OutputRef source)
{
    const TensorInfo* from = m_tensors.info(source);
    const TensorInfo* to = m_tensors.info(node.output(index));
    if (!from || from->buffer < 0 || !from->isKnown || !to->isKnown || to->feedsOutput) return false;
    const MemoryBuffer& buffer = m_plan.buffers[static_cast<std::size_t>(from->buffer)];
    if (buffer.kind != BufferKind::FeatureMap) return false;
    if (from->bytes != to->bytes || from->bytes == 0) return false;
    const TensorDesc& given = m_graph.outputDesc(source);
    const TensorDesc& target = node.outputs[static_cast<std::size_t>(index)].desc;
    // Plain formats only name the axes; a private one decides where each element lies.
    const bool isPrivate = isPrivateFormat(given.format.primary) || isPrivateFormat(target.format.primary);
    return given.dtype == target.dtype && (!isPrivate || given.format == target.format);
}

bool InPlaceJudge::isLastReader(const Node& node, OutputRef source)
{
    const TensorInfo from = *m_tensors.info(source);
    const std::int64_t at = m_axis.position(node.id);
    if (from.lastReader > at) return false;
    for (const OutputRef other : m_active[static_cast<std::size_t>(from.buffer)]) {
        const TensorInfo& tensor = *m_tensors.info(other);
        if (!rangesMeet(tensor, from)) continue;
        if (tensor.lastReader > at || tensor.hasForeignReader || tensor.feedsOutput) return false;
        if (m_axis.stream(other.node) != m_axis.stream(node.id)) return false;
    }
    return true;
}

bool InPlaceJudge::servesAnotherOutput(const Node& node, int index, OutputRef source)
{
    for (int other = 0; other < index; ++other) {
        const TensorInfo& tensor = *m_tensors.info(node.output(other));
        if (tensor.buffer == m_tensors.info(source)->buffer && rangesMeet(tensor, *m_tensors.info(source))) return true;
    }
    return false;
}

} // namespace gelens
