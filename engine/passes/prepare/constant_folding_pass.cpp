#include "engine/ops/op_registry.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"
#include "engine/passes/prepare/constant_values.h"

namespace gelens {
namespace {

/// A folded constant may be this large: weights that change layout are folded, a Tile that blows a constant up is not.
/// A choice of ours; GE has no limit.
constexpr std::int64_t foldedBytesLimit = std::int64_t{512} << 20;

bool mayFold(const Node& node)
{
    return !attrBool(node.attrs, "no_need_constant_folding") && !attrBool(node.attrs, "_do_not_constant_folding") &&
           node.subgraphs.empty();
}

class ConstantFoldingPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        bool isAnyAbsent = false;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const Node& node = edit.node(id);
            if (isBoundaryType(node.type) || !mayFold(node)) return Status::success();
            GELENS_ASSIGN(auto values, evaluateNode(edit.graph(), node,
                                                    [&](int i) { return edit.graph().constantInput(node, i); },
                                                    foldedBytesLimit, context.stop));
            if (!values) {
                isAnyAbsent = isAnyAbsent || hasAbsentConstant(edit.graph(), node);
                return Status::success();
            }
            replaceByConstants(edit, id, *values);
            report.count("nodes folded");
            return Status::success();
        });
        if (!status.ok()) return status.error();
        if (isAnyAbsent)
            report.messages.push_back({Severity::Info, "fold.absent",
                                       "some nodes were not folded because their weights are not in the file", "", {}});
        return report;
    }

private:
    static bool hasAbsentConstant(const Graph& graph, const Node& node)
    {
        bool hasConstant = false;
        for (int i = 0; i < node.inputCount(); ++i) {
            if (!node.hasInput(i)) continue;
            const Tensor* constant = graph.constantInput(node, i);
            if (constant == nullptr) return false;
            hasConstant = hasConstant || !constant->isPresent();
        }
        return hasConstant;
    }
};

class DimensionComputePass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const auto values = dimensionValue(edit.node(id), edit.graph());
            if (!values || !mayFold(edit.node(id))) return Status::success();
            report.count(edit.node(id).type + " computed");
            replaceByConstants(edit, id, *values);
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }
};

/// Types that GE never replaces by an empty constant, whatever their outputs (facts, 1.4 B6).
bool mayBeEmptied(const Node& node)
{
    return !isBoundaryType(node.type) && node.subgraphs.empty() && !node.isOpaque && node.type != "Switch" &&
           node.type != "Merge" && node.type != "Stack";
}

class ReplaceWithEmptyConstPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const Node& node = edit.node(id);
            if (!mayBeEmptied(node) || node.outputs.empty()) return Status::success();
            std::vector<Tensor> values;
            for (const OutputSlot& slot : node.outputs) {
                const auto count = slot.desc.originShape.elementCount();
                if (!count || *count != 0 || slot.desc.dtype == DataType::Undefined) return Status::success();
                Tensor empty;
                empty.desc = TensorDesc(slot.desc.dtype, slot.desc.originShape);
                values.push_back(std::move(empty));
            }
            replaceByConstants(edit, id, values);
            report.count("empty results");
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }
};

} // namespace

PassEntry constantFoldingPass()
{
    return {.info = {.id = "ConstantFoldingPass",
                     .phase = "AfterInfershape",
                     .summary = "Computes every node whose inputs are all constant, with the reference kernels."},
            .make = makePass<ConstantFoldingPass>};
}

PassEntry stageOneConstantFoldingPass()
{
    return {.info = {.id = "ConstantFoldingPass",
                     .phase = "PreRunAfterOptimize1",
                     .summary = "Folds what layout left on constants: weights end in their storage format."},
            .make = makePass<ConstantFoldingPass>};
}

PassEntry dimensionComputePass()
{
    return {.info = {.id = "DimensionComputePass",
                     .phase = "AfterInfershape",
                     .summary = "Replaces Shape, ShapeN, Rank and Size of known shapes by constants."},
            .make = makePass<DimensionComputePass>};
}

PassEntry replaceWithEmptyConstPass()
{
    return {.info = {.id = "ReplaceWithEmptyConstPass",
                     .phase = "AfterInfershape",
                     .summary = "Replaces nodes whose every output has no elements by empty constants."},
            .make = makePass<ReplaceWithEmptyConstPass>};
}

} // namespace gelens
