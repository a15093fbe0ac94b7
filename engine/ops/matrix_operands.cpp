#include "engine/ops/matrix_operands.h"

#include "engine/ops/op_registry.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gelens {
namespace {

/// Operands that are read row by row beside the matrices, whatever their shape.
constexpr std::array<std::string_view, 9> plainPorts = {"cos",       "sin",          "r1",         "r2",   "real_shift",
                                                        "drop_mask", "padding_mask", "atten_mask", "gamma"};

/// A matrix has no axis of length one among its last two: padding to whole blocks would multiply it.
bool isMatrix(const TensorDesc& desc)
{
    const Shape& shape = desc.originShape;
    return shape.isStatic() && shape.rank() >= 2 && shape.dim(-1) > 1 && shape.dim(-2) > 1;
}

bool hasWholeHeads(const Node& node, std::int64_t blockColumns)
{
    const std::int64_t columns = headColumns(node);
    return columns == 0 || columns % blockColumns == 0;
}

} // namespace

bool loadsEachByItself(const Node& node) { return node.type == "FlashAttentionScore"; }

std::int64_t headColumns(const Node& node)
{
    if (node.type != "FlashAttentionScore" && node.type != "RotaryPositionEmbedding") return 0;
    const std::int64_t heads = attrInt(node.attrs, "head_num");
    if (heads < 1 || node.inputs.empty() || !node.inputs[0].desc.originShape.hasRank()) return 0;
    const Shape& shape = node.inputs[0].desc.originShape;
    if (shape.rank() != 3) return shape.rank() > 3 ? shape.dim(-1) : 0;
    const std::int64_t parts = attrString(node.attrs, "input_layout") == "BS3ND" ? 3 : 1;
    return shape.dim(-1) < 0 ? 0 : shape.dim(-1) / (parts * heads);
}

bool mayInputBeBlocked(const Node& node, int index, std::int64_t blockColumns)
{
    const OpDef* const def = OpRegistry::instance().find(node.type);
    if (!def || !node.hasInput(index)) return false;
    const std::string port = def->inputName(index, node.inputCount());
    if (std::find(plainPorts.begin(), plainPorts.end(), port) != plainPorts.end()) return false;
    return isMatrix(node.inputs[static_cast<std::size_t>(index)].desc) && hasWholeHeads(node, blockColumns);
}

bool mayOutputBeBlocked(const Node& node, int index, std::int64_t blockColumns)
{
    return isMatrix(node.outputs[static_cast<std::size_t>(index)].desc) && hasWholeHeads(node, blockColumns);
}

} // namespace gelens
