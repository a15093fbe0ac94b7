// Joins that need no kernel: the operands are written side by side from the start, and the join is a name for the whole.
#include "engine/ops/op_registry.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace gelens {
namespace {

/// Operands must start at multiples of this (GE: raw sizes of all of them). Unit: bytes.
constexpr std::int64_t operandAlignment = 32;

/// The first reason why a join keeps its task; empty when it needs none (facts, 5.6). Where GE would insert an Identity for
/// a memory conflict instead (a tensor in two such joins, a model input as operand), the join keeps its task as well.
class JoinJudge {
public:
    explicit JoinJudge(const Graph& graph) : m_graph(graph) {}

    std::string_view refusal(const Node& node) const
    {
        if (node.outputCount() != 1 || node.inputCount() < 2) return "it has fewer than two operands";
        if (!node.subgraphs.empty() || attrBool(node.attrs, "_no_task")) return "it has no task already";
        const TensorDesc& whole = node.outputs[0].desc;
        if (!whole.shape.isStatic() || whole.shape.rank() == 0) return "shapes are not known";
        if (const std::string_view reason = axisRefusal(node); !reason.empty()) return reason;
        if (feedsOutput(node.output())) return "its result leaves the model";
        for (int i = 0; i < node.inputCount(); ++i)
            if (const std::string_view reason = operandRefusal(node, i); !reason.empty()) return reason;
        return {};
    }

private:
    /// Whether the model gives this memory away, under whatever shape a view makes of it.
    bool feedsOutput(OutputRef ref) const
    {
        std::vector<OutputRef> open{ref};
        for (std::size_t i = 0; i < open.size(); ++i) {
            for (const InputRef& reader : m_graph.consumers(open[i])) {
                const Node& node = m_graph.node(reader.node);
                if (node.type == "NetOutput") return true;
                if (isViewType(node.type) && node.outputCount() == 1) open.push_back(node.output());
            }
        }
        return false;
    }

    /// All axes of the stored tensor before the joined one must have length one, and no block may hold parts of two operands.
    std::string_view axisRefusal(const Node& node) const
    {
        const TensorDesc& whole = node.outputs[0].desc;
        const bool isPack = node.type == "Pack";
        const int rank = whole.originShape.rank();
        std::int64_t axis = attrInt(node.attrs, isPack ? "axis" : "concat_dim", 0);
        if (axis < 0) axis += rank;
        if (axis < 0 || axis >= rank) return "its axis is out of range";
        std::int64_t stored = axis;
        const Format format = whole.format.primary;
        if (isPrivateFormat(format)) {
            if (isPack && format != Format::FractalNz) return "packing takes ND or FRACTAL_NZ";
            if (format == Format::NC1HWC0) {
                // N, C1, H, W, C0: blocks of channels lie behind each other where all operands fill theirs.
                if (axis == 1 && !fillsBlocks(node, 1, whole.shape.dim(-1)))
                    return "an operand does not fill its blocks of channels";
            } else if (format == Format::FractalNz) {
                if (axis == rank - 2) return "rows of an operand do not lie side by side in FRACTAL_NZ";
                if (axis == rank - 1) {
                    if (!fillsBlocks(node, rank - 1, whole.shape.dim(-1)))
                        return "an operand does not fill its blocks of columns";
                    stored = whole.shape.rank() - 4;
                }
            } else {
                return "its storage format is not one that joins without a task";
            }
        }
        for (std::int64_t i = 0; i < stored; ++i)
            if (whole.shape.dim(static_cast<int>(i)) != 1) return "an axis before the joined one is longer than one";
        return {};
    }

    static bool fillsBlocks(const Node& node, int axis, std::int64_t block)
    {
        return std::all_of(node.inputs.begin(), node.inputs.end(), [&](const InputSlot& slot) {
            return block > 0 && slot.desc.originShape.rank() > axis && slot.desc.originShape.dim(axis) % block == 0;
        });
    }

    std::string_view operandRefusal(const Node& node, int index) const
    {
        const OutputRef source = node.source(index);
        if (!source.isValid()) return "an operand is missing";
        const TensorDesc& desc = m_graph.outputDesc(source);
        const TensorDesc& whole = node.outputs[0].desc;
        if (!desc.shape.isStatic() || desc.shape.rank() == 0) return "an operand is a scalar or of unknown shape";
        if (desc.dtype != whole.dtype || !(desc.format == whole.format || (!isPrivateFormat(desc.format.primary) &&
                                                                           !isPrivateFormat(whole.format.primary))))
            return "an operand is stored differently";
        const auto bytes = storageBytes(desc.dtype, desc.shape);
        if (!bytes || *bytes % operandAlignment != 0) return "an operand is no multiple of 32 bytes";
        const Node& producer = m_graph.node(source.node);
        if (isBoundaryType(producer.type)) return "an operand is a model input or a constant";
        const OpDef* def = OpRegistry::instance().find(producer.type);
        if (def == nullptr || def->view() || isViewType(producer.type) || !producer.subgraphs.empty())
            return "an operand has no kernel of its own";
        for (const char* name : {"_no_task", "continuous_input", "continuous_output", "_no_padding_continuous_output",
                                 "reference", "is_atomic_node"})
            if (attrBool(producer.attrs, name)) return "an operand's place is given already";
        if (isSplit(producer.type)) return "an operand is a slice of another tensor";
        // GE puts an Identity where a second reader would pin the operand; one reader is the case without conflict.
        if (m_graph.consumers(source).size() != 1) return "an operand has other readers";
        return {};
    }

    static bool isSplit(std::string_view type)
    {
        return type == "Split" || type == "SplitD" || type == "SplitV" || type == "SplitVD";
    }

    const Graph& m_graph;
};

class NotaskPass final : public Pass {
public:
    explicit NotaskPass(std::vector<std::string_view> types) : m_types(std::move(types)) {}

    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        // Operands of several streams would have to agree about one block before either has begun.
        if (context.options.parallelStreams || !context.options.streamLabels.empty()) return report;
        const JoinJudge judge(edit.graph());
        for (const NodeId id : edit.graph().nodes(rootGraph)) {
            if (context.isCancelled()) return Error::cancelled();
            const Node& node = edit.node(id);
            if (std::find(m_types.begin(), m_types.end(), node.type) == m_types.end()) continue;
            if (const std::string_view reason = judge.refusal(node); !reason.empty()) {
                report.count(std::string("kept its task: ").append(reason));
                continue;
            }
            edit.setAttr(id, "_no_task", AttrValue(true));
            edit.setAttr(id, "_no_padding_continuous_input", AttrValue(true));
            edit.setAttr(id, "_output_reuse_input", AttrValue(true));
            edit.setAttr(id, "_reuse_input_on_dim_index", AttrValue(std::int64_t{0}));
            edit.setAttr(id, "can_reused_for_concat_optimize", AttrValue(false));
            report.count("joins without a task");
        }
        return report;
    }

private:
    std::vector<std::string_view> m_types;
};

} // namespace

PassEntry concatNotaskPass()
{
    return {.info = {.id = "ConcatNotaskPass",
                     .phase = "PreRunAfterOptimize2",
                     .summary = "Operands of a Concat are written side by side, so that it needs no task."},
            .make = [] {
                return std::make_unique<NotaskPass>(std::vector<std::string_view>{"ConcatD", "ConcatV2D"});
            }};
}

PassEntry packNotaskPass()
{
    return {.info = {.id = "PackNotaskPass",
                     .phase = "PreRunAfterOptimize2",
                     .summary = "Operands of a Pack are written side by side, so that it needs no task."},
            .make = [] { return std::make_unique<NotaskPass>(std::vector<std::string_view>{"Pack"}); }};
}

} // namespace gelens
