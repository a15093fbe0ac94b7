#include "engine/passes/prepare/stated_node.h"

#include "engine/ops/control_helpers.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {
namespace {

bool isStated(const TensorDesc& desc) { return desc.dtype != DataType::Undefined && desc.originShape.isStatic(); }

bool hasEngine(const Node& node)
{
    return !node.placement.engine.empty() || !node.placement.kernelLib.empty() ||
           node.attrs.contains("_fe_imply_type"); // by FE, with the kernel that it chose
}

/// Whether the node reads as many elements as its source gives, as far as both are known.
bool readsWhatIsGiven(const Graph& graph, const Node& node)
{
    for (const InputSlot& slot : node.inputs) {
        if (!slot.source.isValid()) continue;
        const Shape &read = slot.desc.originShape, &given = graph.outputDesc(slot.source).originShape;
        if (read.isStatic() && given.isStatic() && read.elementCount() != given.elementCount()) return false;
    }
    return true;
}

/// First attribute that the operator cannot do without and the file leaves out: dumps of levels 2 and 3 do.
std::string absentAttribute(const Node& node, const OpDef& def)
{
    for (const AttrSpec& spec : def.attrs())
        if (!spec.defaultValue.isSet() && !node.attrs.contains(spec.name)) return spec.name;
    return {};
}

bool contradicts(const TensorDesc& ours, const TensorDesc& stated)
{
    if (ours.dtype != DataType::Undefined && ours.dtype != stated.dtype) return true;
    const Shape &a = ours.originShape, &b = stated.originShape;
    if (!a.hasRank()) return false;
    if (a.rank() != b.rank()) return true;
    for (int i = 0; i < a.rank(); ++i)
        if (a.dim(i) >= 0 && a.dim(i) != b.dim(i)) return true;
    return false;
}

std::string descText(const TensorDesc& desc)
{
    return fmt::format("{} {}", dataTypeShortName(desc.dtype), desc.originShape.text());
}

} // namespace

StatedNode::StatedNode(const Graph& graph, const Node& node)
{
    m_outputs.reserve(node.outputs.size());
    for (const OutputSlot& slot : node.outputs) m_outputs.push_back(slot.desc);
    m_isSettled =
        hasEngine(node) && std::all_of(m_outputs.begin(), m_outputs.end(), isStated) && readsWhatIsGiven(graph, node);
}

std::optional<std::string> StatedNode::reasonToKeep(const Node& node, const OpDef& def,
                                                    const std::string& failure) const
{
    if (m_isSettled) return failure + "; GE has given the operator to an engine, so what it inferred is kept";
    if (const std::string name = absentAttribute(node, def); !name.empty())
        return fmt::format("the file leaves out the attribute '{}' of {}, so its results stay as the file has them",
                           name, node.type);
    if (node.subgraphs.empty() && control::ownsGraphs(node.type))
        return fmt::format("the file leaves out the sub-graphs of {}, so its results stay as the file has them",
                           node.type);
    return std::nullopt;
}

TensorDesc StatedNode::settle(int index, const TensorDesc& ours, std::optional<std::string>& note) const
{
    const TensorDesc& stated = m_outputs[static_cast<std::size_t>(index)];
    const bool agrees = isStated(stated) && !contradicts(ours, stated);
    if (agrees) return stated; // with its storage shape, which inference does not look at
    if (!m_isSettled) {
        TensorDesc desc = stated;
        desc.dtype = ours.dtype;
        desc.setShape(ours.originShape);
        return desc;
    }
    note = fmt::format("output {} is {} in GE's graph and {} by our inference; GE's is kept", index, descText(stated),
                       descText(ours));
    return stated;
}

} // namespace gelens
