#include "engine/ops/infer_context.h"

#include <fmt/format.h>

#include <algorithm>

namespace gelens {

InferContext::InferContext(const Graph& graph, const Node& node, std::function<const Tensor*(int)> constants)
    : m_graph(graph), m_node(node), m_constants(std::move(constants)), m_outputs(node.outputs.size())
{
}

const TensorDesc& InferContext::input(int i) const
{
    static const TensorDesc absent = TensorDesc::unconnected();
    if (i < 0 || i >= m_node.inputCount()) return absent;
    const InputSlot& slot = m_node.inputs[static_cast<std::size_t>(i)];
    return slot.source.isValid() ? m_graph.outputDesc(slot.source) : slot.desc;
}

const Tensor* InferContext::constant(int i) const
{
    if (!hasInput(i)) return nullptr;
    if (m_constants)
        if (const Tensor* const value = m_constants(i)) return value;
    return m_graph.constantInput(m_node, i);
}

std::optional<std::vector<std::int64_t>> InferContext::constantInts(int i) const
{
    const Tensor* const value = constant(i);
    return value ? value->asInts() : std::nullopt;
}

void InferContext::setOutput(int i, DataType dtype, Shape shape)
{
    // A node may have fewer outputs than its definition: trailing ones that nobody reads.
    if (i < 0 || i >= outputCount()) return;
    const TensorDesc& before = m_node.outputs[static_cast<std::size_t>(i)].desc;
    TensorDesc desc(dtype, std::move(shape), before.originFormat);
    desc.name = before.name;
    m_outputs[static_cast<std::size_t>(i)] = std::move(desc);
}

Error InferContext::error(const std::string& text) const
{
    return Error::invalid(text, fmt::format("node '{}' ({})", m_node.name, m_node.type));
}

Result<Shape> broadcastShapes(const Shape& a, const Shape& b)
{
    if (!a.hasRank() || !b.hasRank()) return Shape::unknownRank();
    const int rank = std::max(a.rank(), b.rank());
    Shape result;
    for (int i = 0; i < rank; ++i) {
        const int ia = i - (rank - a.rank());
        const int ib = i - (rank - b.rank());
        const std::int64_t da = ia < 0 ? 1 : a[static_cast<std::size_t>(ia)];
        const std::int64_t db = ib < 0 ? 1 : b[static_cast<std::size_t>(ib)];
        const std::string_view sa = ia < 0 ? std::string_view() : a.symbol(static_cast<std::size_t>(ia));
        const std::string_view sb = ib < 0 ? std::string_view() : b.symbol(static_cast<std::size_t>(ib));
        if (da == 1) {
            result.append(db, sb);
        } else if (db == 1) {
            result.append(da, sa);
        } else if (da >= 0 && db >= 0) {
            if (da != db)
                return Error::invalid(fmt::format("shapes {} and {} cannot be broadcast together", a.text(), b.text()));
            result.append(da);
        } else if (da >= 0 || db >= 0) {
            result.append(std::max(da, db)); // the unknown one is 1 or the same
        } else {
            result.append(unknownDim, sa == sb ? sa : std::string_view());
        }
    }
    return result;
}

std::optional<int> normalizeAxis(std::int64_t axis, int rank)
{
    if (axis < -rank || axis >= rank) return std::nullopt;
    return static_cast<int>(axis < 0 ? axis + rank : axis);
}

} // namespace gelens
