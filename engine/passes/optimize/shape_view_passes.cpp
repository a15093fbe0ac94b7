// Stage 1 takes every node out that only renames dims, and puts one Reshape back on each edge that needs it.
#include "engine/passes/optimize/reshape_recovery.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <string_view>

namespace gelens {
namespace {

template <std::size_t N>
bool isOneOf(const Node& node, const std::string_view (&types)[N])
{
    for (const std::string_view type : types)
        if (node.type == type) return true;
    return false;
}

/// A node whose output is its first input under other known dims, both stored as the model means them.
bool isStaticView(const Node& node)
{
    if (!node.hasInput(0) || node.outputs.size() != 1 || node.isOpaque) return false;
    const TensorDesc& from = node.inputs[0].desc;
    const TensorDesc& to = node.outputs[0].desc;
    return from.originShape.isStatic() && to.originShape.isStatic() && from.dtype == to.dtype &&
           from.originShape.elementCount() == to.originShape.elementCount() && !isPrivateFormat(from.format.primary) &&
           !isPrivateFormat(to.format.primary);
}

/// Whether taking the node out leaves a graph that ReshapeRecoveryPass can complete.
bool mayBypass(const Node& node, const Graph& graph)
{
    if (tiesInputToOutput(node, graph)) return false;
    for (const InputRef& reader : node.outputs[0].consumers) {
        const Node& target = graph.node(reader.node);
        // What a graph gives keeps its dims at every step: GE takes these out as well, and puts them back.
        if (target.type == "NetOutput" &&
            (node.inputs[0].desc.originShape != node.outputs[0].desc.originShape || target.graph != rootGraph))
            return false;
        // These read the dims themselves.
        if (target.type == "GatherShapes" || target.type == "GatherNd" || target.isOpaque || !target.subgraphs.empty())
            return false;
    }
    return true;
}

/// The readers keep the dims they read, then read from the node's source.
void bypassView(GraphEditor& edit, NodeId id)
{
    const TensorDesc given = edit.node(id).outputs[0].desc;
    for (const InputRef& reader : edit.node(id).outputs[0].consumers) {
        // Where another view between was taken out before, the reader's dims already differ, and they are what counts.
        TensorDesc desc = edit.node(reader.node).inputs[static_cast<std::size_t>(reader.index)].desc;
        if (desc.originShape.isStatic() && desc.originShape.elementCount() == given.originShape.elementCount())
            continue;
        desc.setShape(given.originShape);
        edit.setInputDesc(reader, std::move(desc));
    }
    bypassNode(edit, id, 0, DeadProducers::RemoveConstants);
}

template <bool (*applies)(const Node&)>
class ViewRemovePass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            const Node& node = edit.node(id);
            if (!applies(node) || !isStaticView(node) || !mayBypass(node, edit.graph())) return Status::success();
            report.count(node.type + " removed");
            bypassView(edit, id);
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }
};

bool isReshape(const Node& node)
{
    static constexpr std::string_view types[] = {"Reshape", "ReFormat"};
    return isOneOf(node, types);
}

bool isDimensionChange(const Node& node)
{
    static constexpr std::string_view types[] = {"ExpandDims", "Squeeze",     "SqueezeV2",   "SqueezeV3",
                                                 "Unsqueeze",  "UnsqueezeV2", "UnsqueezeV3", "FlattenV2"};
    return isOneOf(node, types);
}

/// A Transpose that only moves dims of one is a Squeeze and an Unsqueeze.
class Dim1TransposeToSqueezePass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        // Where a block of the unified buffer has 16 bytes, GE leaves the Transpose.
        if (context.soc.ubBlockBytes == 16) return report;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            if (!movesOnlyOnes(edit.node(id), edit.graph()) || !mayBypass(edit.node(id), edit.graph()))
                return Status::success();
            replace(edit, id);
            report.count("Transposes replaced");
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return report;
    }

private:
    static bool movesOnlyOnes(const Node& node, const Graph& graph)
    {
        if ((node.type != "Transpose" && node.type != "TransposeD") || !isStaticView(node) ||
            attrBool(node.attrs, "_inserted_by_fe"))
            return false;
        const Shape& shape = node.inputs[0].desc.originShape;
        const IntList perm = axisOrder(node, graph);
        if (perm.size() != static_cast<std::size_t>(shape.rank())) return false;
        std::int64_t last = -1;
        for (std::int64_t axis : perm) {
            if (axis < 0) axis += shape.rank();
            if (axis < 0 || axis >= shape.rank()) return false;
            if (shape.dim(static_cast<int>(axis)) == 1) continue;
            if (axis < last) return false;
            last = axis;
        }
        return true;
    }

    static IntList onesOf(const Shape& shape)
    {
        IntList axes;
        for (int i = 0; i < shape.rank(); ++i)
            if (shape.dim(i) == 1) axes.push_back(i);
        return axes;
    }

    static void replace(GraphEditor& edit, NodeId id)
    {
        const TensorDesc from = edit.node(id).inputs[0].desc, to = edit.node(id).outputs[0].desc;
        const std::string name = edit.node(id).name;
        const GraphId graph = edit.node(id).graph;
        TensorDesc between = from;
        std::vector<std::int64_t> dims;
        for (const std::int64_t dim : from.originShape.dims())
            if (dim != 1) dims.push_back(dim);
        between.setShape(Shape(dims));
        const NodeId squeeze = edit.addNode({.name = name + "_replaced_Squeeze",
                                             .type = "Squeeze",
                                             .inputs = {{"x", from}},
                                             .outputs = {{"y", between}},
                                             .attrs = {{"axis", AttrValue(onesOf(from.originShape))}}},
                                            graph, id);
        const NodeId unsqueeze = edit.addNode({.name = name + "_replaced_Unsqueeze",
                                               .type = "Unsqueeze",
                                               .inputs = {{"x", between}},
                                               .outputs = {{"y", to}},
                                               .attrs = {{"axes", AttrValue(onesOf(to.originShape))}}},
                                              graph, squeeze);
        inheritOrigins(edit, squeeze, {id});
        inheritOrigins(edit, unsqueeze, {id});
        edit.connect(edit.node(id).source(0), {squeeze, 0});
        edit.connect({squeeze, 0}, {unsqueeze, 0});
        edit.replaceUses({id, 0}, {unsqueeze, 0});
        for (const NodeId before : std::vector<NodeId>(edit.node(id).controlInputs))
            edit.connectControl(before, squeeze);
        for (const NodeId after : std::vector<NodeId>(edit.node(id).controlOutputs)) {
            edit.connectControl(unsqueeze, after);
            edit.disconnectControl(id, after);
        }
        removeWithDeadProducers(edit, id);
    }
};

class ReshapeRecoveryPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        ReshapeRecovery recovery(edit);
        for (const GraphId graph : edit.graph().liveSubgraphs()) {
            recovery.beginGraph();
            for (const NodeId id : edit.graph().topologicalOrder(graph)) {
                if (context.isCancelled()) return Error::cancelled();
                for (int i = 0; i < edit.node(id).inputCount(); ++i) {
                    if (!recovery.disagrees(edit.node(id), i)) continue;
                    recovery.insert({id, i});
                    report.count("Reshapes inserted");
                }
            }
        }
        return report;
    }
};

} // namespace

PassEntry reshapeRemovePass()
{
    return {.info = {.id = "ReshapeRemovePass",
                     .phase = "OptimizeStage1_2",
                     .summary = "Takes every Reshape out; what is needed comes back in ReshapeRecoveryPass."},
            .make = makePass<ViewRemovePass<isReshape>>};
}

PassEntry dimensionAdjustPass()
{
    return {.info = {.id = "DimensionAdjustPass",
                     .phase = "OptimizeStage1_2",
                     .summary = "Takes Squeeze, Unsqueeze and other changes of dims out, with their axis constants."},
            .make = makePass<ViewRemovePass<isDimensionChange>>};
}

PassEntry dim1TransposeToSqueezePass()
{
    return {.info = {.id = "Dim1TransposeToSqueezePass",
                     .phase = "OptimizeStage1_2",
                     .summary = "Turns a Transpose that only moves dims of one into Squeeze and Unsqueeze."},
            .make = makePass<Dim1TransposeToSqueezePass>};
}

PassEntry reshapeRecoveryPass()
{
    return {.info = {.id = "ReshapeRecoveryPass",
                     .phase = "PreRunAfterOptimize1",
                     .summary = "Puts a Reshape on every edge whose two ends disagree in their dims."},
            .make = makePass<ReshapeRecoveryPass>};
}

} // namespace gelens
