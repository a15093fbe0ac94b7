#include "engine/ops/op_registry.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"
#include "engine/passes/prepare/constant_values.h"

#include <unordered_map>

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
            GELENS_ASSIGN(auto values,
                          evaluateNode(
                              edit.graph(), node, [&](int i) { return edit.graph().constantInput(node, i); },
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
            report.messages.push_back({Severity::Info,
                                       "fold.absent",
                                       "some nodes were not folded because their weights are not in the file",
                                       "",
                                       {}});
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

/// Types that GE never replaces by an empty constant, whatever their outputs (facts, 1.4 B6).
bool mayBeEmptied(const Node& node)
{
    return !isBoundaryType(node.type) && node.subgraphs.empty() && !node.isOpaque && node.type != "Switch" &&
           node.type != "Merge" && node.type != "Stack";
}

/// Empty tensors for a node whose every output has no elements; nothing otherwise.
std::optional<std::vector<Tensor>> emptyValues(const Node& node, const Graph&)
{
    if (!mayBeEmptied(node) || node.outputs.empty()) return std::nullopt;
    std::vector<Tensor> values;
    for (const OutputSlot& slot : node.outputs) {
        const auto count = slot.desc.originShape.elementCount();
        if (!count || *count != 0 || slot.desc.dtype == DataType::Undefined) return std::nullopt;
        Tensor empty;
        empty.desc = TensorDesc(slot.desc.dtype, slot.desc.originShape);
        values.push_back(std::move(empty));
    }
    return values;
}

std::optional<std::vector<Tensor>> dimensionsOf(const Node& node, const Graph& graph)
{
    return mayFold(node) ? dimensionValue(node, graph) : std::nullopt;
}

/// While shapes are inferred GE only marks what it could replace; PotentialConstTakenEffectPass does it at the end.
/// In optimisation stage 1 the replacement is made at once.
enum class Replace { Mark, AtOnce };

template <std::optional<std::vector<Tensor>> (*valuesOf)(const Node&, const Graph&), Replace how>
class KnownValuePass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const auto values = valuesOf(edit.node(id), edit.graph());
            if (!values) return Status::success();
            report.count(edit.node(id).type + (how == Replace::Mark ? " known" : " replaced"));
            if (how == Replace::AtOnce) replaceByConstants(edit, id, *values);
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }
};

/// Everything that follows from known dimensions and empty tensors, together with the constants it meets, is replaced in
/// one go: only what other nodes still read becomes a constant, the arithmetic between vanishes.
class PotentialConstTakenEffectPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        std::vector<NodeId> known;
        Values values;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            GELENS_ASSIGN(auto found, valuesOf(edit.graph(), edit.node(id), values, context.stop));
            if (!found) return Status::success();
            for (std::size_t i = 0; i < found->size(); ++i)
                values[{id, static_cast<std::int32_t>(i)}] = std::move((*found)[i]);
            known.push_back(id);
            return Status::success();
        });
        if (!status.ok()) return status.error();
        // Readers first: what is still read when a node's turn comes, is read from outside.
        for (auto id = known.rbegin(); id != known.rend(); ++id) {
            if (!edit.graph().contains(*id)) continue;
            report.count("nodes replaced");
            std::vector<Tensor> own;
            for (int i = 0; i < edit.node(*id).outputCount(); ++i) own.push_back(std::move(values[{*id, i}]));
            replaceByConstants(edit, *id, own);
        }
        return report;
    }

private:
    using Values = std::unordered_map<OutputRef, Tensor>;

    static Result<std::optional<std::vector<Tensor>>> valuesOf(const Graph& graph, const Node& node,
                                                               const Values& known, std::stop_token stop)
    {
        using Found = std::optional<std::vector<Tensor>>;
        if (!mayFold(node) || isBoundaryType(node.type)) return Found();
        if (auto dimensions = dimensionValue(node, graph)) return Found(std::move(dimensions));
        if (auto empty = emptyValues(node, graph)) return Found(std::move(empty));
        const auto valueOf = [&](int i) -> const Tensor* {
            const auto found = known.find(node.source(i));
            return found != known.end() ? &found->second : graph.constantInput(node, i);
        };
        bool hasKnown = false;
        for (int i = 0; i < node.inputCount(); ++i) {
            if (!node.hasInput(i)) continue;
            if (valueOf(i) == nullptr) return Found();
            hasKnown = hasKnown || known.contains(node.source(i));
        }
        if (!hasKnown) return Found(); // constants alone are ConstantFoldingPass's business
        return evaluateNode(graph, node, valueOf, foldedBytesLimit, stop);
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
                     .phase = "OptimizeStage1_2",
                     .summary = "Folds what layout left on constants: weights end in their storage format."},
            .make = makePass<ConstantFoldingPass>};
}

PassEntry dimensionComputePass()
{
    return {.info = {.id = "DimensionComputePass",
                     .phase = "AfterInfershape",
                     .summary = "Marks Shape, ShapeN, Rank and Size of known shapes as constants to be."},
            .make = makePass<KnownValuePass<dimensionsOf, Replace::Mark>>};
}

PassEntry stageOneDimensionComputePass()
{
    return {.info = {.id = "DimensionComputePass",
                     .phase = "OptimizeStage1_2",
                     .summary = "Replaces Shape, ShapeN, Rank and Size of known shapes by constants."},
            .make = makePass<KnownValuePass<dimensionsOf, Replace::AtOnce>>};
}

PassEntry replaceWithEmptyConstPass()
{
    return {.info = {.id = "ReplaceWithEmptyConstPass",
                     .phase = "AfterInfershape",
                     .summary = "Marks nodes whose every output has no elements as constants to be."},
            .make = makePass<KnownValuePass<emptyValues, Replace::Mark>>};
}

PassEntry stageOneReplaceWithEmptyConstPass()
{
    return {.info = {.id = "ReplaceWithEmptyConstPass",
                     .phase = "OptimizeStage1_2",
                     .summary = "Replaces nodes whose every output has no elements by empty constants."},
            .make = makePass<KnownValuePass<emptyValues, Replace::AtOnce>>};
}

PassEntry potentialConstTakenEffectPass()
{
    return {
        .info = {.id = "PotentialConstTakenEffectPass",
                 .phase = "AfterInfershape",
                 .summary = "Replaces what follows from known shapes by constants, whole shape arithmetic at once."},
        .make = makePass<PotentialConstTakenEffectPass>};
}

} // namespace gelens
