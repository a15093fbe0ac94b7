// Equal conversions of one tensor become one.
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace gelens {
namespace {

/// Nodes that change dims, order, type or layout of one tensor and nothing else.
bool isTransOp(const Node& node)
{
    static constexpr std::string_view types[] = {"TransData",   "Transpose",   "TransposeD", "Reshape",   "ReFormat",
                                                 "Cast",        "Squeeze",     "SqueezeV2",  "SqueezeV3", "Unsqueeze",
                                                 "UnsqueezeV2", "UnsqueezeV3", "ExpandDims"};
    return std::find(std::begin(types), std::end(types), node.type) != std::end(types);
}

/// What makes two conversions of one output equal; nothing where it cannot be told.
std::optional<std::string> conversionKey(const Node& node, const Graph& graph)
{
    if (!isTransOp(node) || node.isOpaque || node.outputs.size() != 1 || !node.hasInput(0)) return std::nullopt;
    const TensorDesc& from = node.inputs[0].desc;
    const TensorDesc& to = node.outputs[0].desc;
    std::string key =
        fmt::format("{}|{}:{}|{}>{}|{}>{}|{}>{}|{}|{}|{}", node.type, node.source(0).node.value, node.source(0).index,
                    static_cast<int>(from.dtype), static_cast<int>(to.dtype), from.format.packed(), to.format.packed(),
                    from.originShape.text(), to.originShape.text(), to.shape.text(),
                    attrString(node.attrs, "_stream_label"), attrInt(node.attrs, "groups", 1));
    if (node.type == "Transpose" || node.type == "TransposeD") {
        const IntList perm = axisOrder(node, graph);
        if (perm.empty()) return std::nullopt;
        for (const std::int64_t axis : perm) key += fmt::format(",{}", axis);
    }
    if (!to.originShape.isStatic()) {
        // Equal unknown dims prove nothing: the operands that make them must be equal.
        for (int i = 1; i < node.inputCount(); ++i) {
            const Tensor* constant = graph.constantInput(node, i);
            if (constant == nullptr || !constant->isPresent()) return std::nullopt;
            key += '/';
            for (const std::int64_t value : constant->asInts().value_or(IntList())) key += fmt::format(",{}", value);
        }
        for (const char* name : {"axis", "axes", "shape"})
            for (const std::int64_t value : attrInts(node.attrs, name)) key += fmt::format("|{}", value);
    }
    for (const NodeId id : node.controlInputs) key += fmt::format("^{}", id.value);
    return key;
}

class TransOpBreadthFusionPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        std::unordered_map<std::string, NodeId> seen;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const auto key = conversionKey(edit.node(id), edit.graph());
            if (!key) return Status::success();
            const auto [entry, isNew] = seen.emplace(*key, id);
            if (isNew || edit.node(entry->second).graph != edit.node(id).graph) return Status::success();
            edit.replaceUses({id, 0}, {entry->second, 0});
            for (const NodeId to : std::vector<NodeId>(edit.node(id).controlOutputs))
                edit.connectControl(entry->second, to);
            inheritOrigins(edit, entry->second, {entry->second, id});
            // Axis constants that only the duplicate read are left to UselessControlOutRemovePass, as in GE.
            edit.removeNode(id);
            report.count("conversions merged");
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }
};

} // namespace

PassEntry transOpBreadthFusionPass()
{
    return {.info = {.id = "TransOpBreadthFusionPass",
                     .phase = "OptimizeStage1_1",
                     .summary = "Merges conversions (dims, order, type, layout) that do the same to the same tensor."},
            .make = makePass<TransOpBreadthFusionPass>};
}

} // namespace gelens
