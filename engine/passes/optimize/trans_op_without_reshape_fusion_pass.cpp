// A chain of layout and type conversions between two operators becomes at most one of each.
#include "engine/passes/optimize/lossless_cast.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <fmt/format.h>

namespace gelens {
namespace {

/// A Transpose that does to the dims what its formats say: NCHW → NHWC by 0, 2, 3, 1.
bool isFormatTranspose(const Node& node, const Graph& graph)
{
    if (node.type != "Transpose" && node.type != "TransposeD") return false;
    const IntList perm = axisOrder(node, graph);
    const std::string_view from = formatName(node.inputs[0].desc.format.primary);
    const std::string_view to = formatName(node.outputs[0].desc.format.primary);
    if (from == to || perm.size() != from.size() || perm.size() != to.size()) return false;
    for (std::size_t i = 0; i < perm.size(); ++i)
        if (perm[i] < 0 || static_cast<std::size_t>(perm[i]) >= from.size() ||
            to[i] != from[static_cast<std::size_t>(perm[i])])
            return false;
    return true;
}

bool isConversion(const Node& node, const Graph& graph)
{
    if (!node.hasInput(0) || node.outputs.size() != 1 || node.isOpaque) return false;
    return node.type == "TransData" || node.type == "Cast" || isFormatTranspose(node, graph);
}

class TransOpWithoutReshapeFusionPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        m_report = {};
        int count = 0;
        const Status status = forEachNodeInOrder(edit, context, [&](NodeId id) -> Status {
            // `id` is the last conversion of a chain: nothing behind it converts on its own account.
            const Node& last = edit.node(id);
            if (!isConversion(last, edit.graph()) || continues(edit.graph(), last)) return Status::success();
            std::vector<NodeId> chain{id};
            while (true) {
                const Node& source = edit.node(edit.node(chain.back()).source(0).node);
                if (!isConversion(source, edit.graph()) || !continues(edit.graph(), source)) break;
                chain.push_back(source.id);
            }
            if (chain.size() > 1) shorten(edit, chain, count);
            return Status::success();
        });
        if (!status.ok()) return status.error();
        return std::move(m_report);
    }

private:
    /// One reader, a conversion, no order by control edges.
    static bool continues(const Graph& graph, const Node& node)
    {
        const auto& readers = node.outputs[0].consumers;
        if (readers.size() != 1 || !node.controlOutputs.empty()) return false;
        const Node& reader = graph.node(readers[0].node);
        return isConversion(reader, graph) && reader.controlInputs.empty() && node.graph == reader.graph;
    }

    /// `chain` runs from the last conversion to the first.
    void shorten(GraphEditor& edit, const std::vector<NodeId>& chain, int& count)
    {
        const OutputRef source = edit.node(chain.back()).source(0);
        const TensorDesc from = edit.graph().outputDesc(source);
        const TensorDesc to = edit.node(chain.front()).outputs[0].desc;
        const bool changesFormat = !(from.format == to.format), changesType = from.dtype != to.dtype;
        if (from.format == Format::ND || to.format == Format::ND || !edit.node(chain.back()).controlInputs.empty())
            return;
        if (!changesFormat && !changesType && tiesInputToOutput(edit.graph(), source, {chain.front(), 0})) return;
        if (to.originShape != from.originShape || (!changesFormat && to.shape != from.shape)) return;
        for (std::size_t i = 0; i < chain.size(); ++i) {
            const TensorDesc& between = edit.node(chain[i]).outputs[0].desc;
            if (!between.originShape.isStatic()) return;
            // A Transpose has no TransData to stand for it here: only where nothing is left to convert.
            const bool isTransData = edit.node(chain[i]).type == "TransData";
            if (changesFormat &&
                (between.originShape != from.originShape || (!isTransData && edit.node(chain[i]).type != "Cast")))
                return;
            // The type on the way must hold the first value exactly; the last one may round.
            if (i > 0 && !castLosesNothing(from.dtype, between.dtype)) return;
        }
        if (static_cast<std::size_t>(changesFormat) + static_cast<std::size_t>(changesType) >= chain.size()) return;
        const GraphId graph = edit.node(chain.front()).graph;
        OutputRef result = source;
        NodeId after = chain.front();
        if (changesFormat) {
            TensorDesc moved = to;
            moved.dtype = from.dtype;
            result = append(edit, count, "TransData", result, moved, graph, after, chain,
                            {{"src_format", AttrValue(std::string(formatName(from.format.primary)))},
                             {"dst_format", AttrValue(std::string(formatName(to.format.primary)))},
                             {"groups", AttrValue(std::int64_t{1})}});
        }
        if (changesType)
            result = append(edit, count, "Cast", result, to, graph, after, chain,
                            {{"dst_type", AttrValue(static_cast<std::int64_t>(to.dtype))}});
        for (const NodeId waiting : std::vector<NodeId>(edit.node(chain.front()).controlOutputs)) {
            edit.connectControl(result.node, waiting);
            edit.disconnectControl(chain.front(), waiting);
        }
        edit.replaceUses({chain.front(), 0}, result);
        // Orders that only a Transpose read are left to UselessControlOutRemovePass, as in GE.
        for (const NodeId id : chain)
            if (!hasReaders(edit.node(id))) edit.removeNode(id);
        m_report.count("chains shortened");
    }

    static OutputRef append(GraphEditor& edit, int& count, const char* type, OutputRef source, const TensorDesc& to,
                            GraphId graph, NodeId& after, const std::vector<NodeId>& chain, AttrMap attrs)
    {
        const bool isCast = std::string_view(type) == "Cast";
        const NodeId id = edit.addNode({.name = fmt::format("fusion_format_transfer_{}", count++),
                                        .type = type,
                                        .inputs = {{isCast ? "x" : "src", edit.graph().outputDesc(source)}},
                                        .outputs = {{isCast ? "y" : "dst", to}},
                                        .attrs = std::move(attrs)},
                                       graph, after);
        after = id;
        edit.connect(source, {id, 0});
        inheritOrigins(edit, id, chain);
        return {id, 0};
    }

    PassReport m_report;
};

} // namespace

PassEntry transOpWithoutReshapeFusionPass()
{
    return {.info = {.id = "TransOpWithoutReshapeFusionPass",
                     .phase = "OptimizeStage1_1",
                     .summary = "Shortens chains of TransData and Cast to at most one of each."},
            .make = makePass<TransOpWithoutReshapeFusionPass>};
}

PassEntry precisionTransOpFusionPass()
{
    PassEntry entry = transOpWithoutReshapeFusionPass();
    entry.info.phase = "AfterPrecisionRefine";
    return entry;
}

} // namespace gelens
