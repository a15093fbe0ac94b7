#include "engine/ops/op_registry.h"
#include "engine/passes/optimize/reshape_recovery.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"
#include "engine/passes/prepare/constant_values.h"
#include "engine/passes/prepare/partial_dims.h"
#include "engine/passes/prepare/stated_node.h"

#include <fmt/format.h>

#include <unordered_map>

namespace gelens {
namespace {

/// Nesting depth of sub-graphs that GE follows (facts, 1.4: "depth ≤ 25").
constexpr int maxDepth = 25;
/// Values of this size or less are tracked through shape arithmetic. Shapes have a handful of elements; the limit only
/// keeps weights out.
constexpr std::int64_t trackedBytesLimit = 4096;

class InferShapePass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        m_edit = &edit;
        m_context = &context;
        if (context.isGeGraph) recoverReshapes();
        GELENS_TRY(inferGraph(rootGraph, 0));
        edit.graph().forEachNode(rootGraph, [this](const Node& node) {
            for (const OutputSlot& slot : node.outputs)
                if (!slot.desc.originShape.isStatic()) {
                    m_report.count("tensors of unknown shape");
                }
        });
        return std::move(m_report);
    }

private:
    const Tensor* valueOf(OutputRef ref) const
    {
        if (!ref.isValid()) return nullptr;
        if (const Tensor* constant = m_edit->graph().constantOf(ref)) return constant;
        const auto found = m_values.find(ref);
        return found == m_values.end() ? nullptr : &found->second;
    }

    /// Between its passes GE goes without Reshapes: a reader states the dims that it reads a tensor under.
    void recoverReshapes()
    {
        ReshapeRecovery recovery(*m_edit);
        for (const GraphId graph : m_edit->graph().liveSubgraphs()) {
            recovery.beginGraph();
            for (const NodeId id : m_edit->graph().topologicalOrder(graph))
                for (int i = 0; i < m_edit->node(id).inputCount(); ++i) {
                    const Node& node = m_edit->node(id);
                    // No dims may also be what a descriptor holds before anything is known.
                    if (!recovery.disagrees(node, i) ||
                        node.inputs[static_cast<std::size_t>(i)].desc.originShape.rank() == 0)
                        continue;
                    note(
                        id, "infer.reshape",
                        fmt::format("input {} is given as {} and read as {}; a Reshape takes the place of the one that "
                                    "GE took out",
                                    i, m_edit->graph().outputDesc(node.source(i)).originShape.text(),
                                    node.inputs[static_cast<std::size_t>(i)].desc.originShape.text()));
                    recovery.insert({id, i});
                    m_report.count("Reshapes put back");
                }
        }
    }

    void note(NodeId id, const char* kind, std::string text)
    {
        m_report.messages.push_back({Severity::Info, kind, std::move(text), m_edit->node(id).name, id});
    }

    /// Copies what the producers say into the node's own input descriptors.
    void refreshInputs(NodeId id)
    {
        for (int i = 0; i < m_edit->node(id).inputCount(); ++i) {
            const OutputRef source = m_edit->node(id).source(i);
            if (!source.isValid()) continue;
            const TensorDesc& produced = m_edit->graph().outputDesc(source);
            TensorDesc desc = m_edit->node(id).inputs[static_cast<std::size_t>(i)].desc;
            desc.dtype = produced.dtype;
            desc.shape = produced.shape;
            desc.originShape = produced.originShape;
            // Axis orders are InferFormatPass's business; a storage layout is what the bytes are in.
            if (isPrivateFormat(produced.format.primary)) {
                desc.format = produced.format;
                desc.originFormat = produced.originFormat;
            }
            m_edit->setInputDesc({id, i}, std::move(desc));
        }
    }

    Status inferGraph(GraphId graph, int depth)
    {
        bool hasCycle = false;
        const std::vector<NodeId> order = m_edit->graph().topologicalOrder(graph, &hasCycle);
        if (hasCycle) return Error::invalid("the graph has a cycle", m_edit->graph().subgraph(graph).name);
        int sinceCheck = 0;
        for (const NodeId id : order) {
            if (++sinceCheck % 256 == 0 && m_context->isCancelled()) return Error::cancelled();
            GELENS_TRY(inferNode(id, depth));
        }
        return Status::success();
    }

    Status inferNode(NodeId id, int depth)
    {
        std::optional<StatedNode> stated;
        if (m_context->isGeGraph) stated.emplace(m_edit->graph(), m_edit->node(id));
        refreshInputs(id);
        const Node& node = m_edit->node(id);
        if (node.type == "Data" || isConstantType(node.type) || node.type == "NetOutput") return Status::success();
        for (const GraphId body : std::vector<GraphId>(node.subgraphs)) {
            if (depth + 1 > maxDepth) {
                m_report.messages.push_back(
                    {Severity::Warning, "infer.depth",
                     fmt::format("node '{}': sub-graphs nested deeper than {} are not inferred", node.name, maxDepth),
                     node.name, id});
                break;
            }
            enterBody(id, body);
            const bool isBranch = node.type == "If" || node.type == "Case" || node.type == "StatelessIf";
            m_branchDepth += isBranch ? 1 : 0;
            const Status status = inferGraph(body, depth + 1);
            m_branchDepth -= isBranch ? 1 : 0;
            GELENS_TRY(status);
        }
        const OpDef* def = OpRegistry::instance().find(node.type);
        if (def == nullptr || !def->inferFunction()) return Status::success();
        InferContext infer(m_edit->graph(), m_edit->node(id),
                           [this, id](int i) { return valueOf(m_edit->node(id).source(i)); });
        if (const Status status = def->inferFunction()(infer); !status.ok()) {
            if (const auto reason = stated ? stated->reasonToKeep(node, *def, status.error().what) : std::nullopt) {
                note(id, "infer.kept", *reason);
                return Status::success();
            }
            if (m_branchDepth == 0) return status;
            // A branch that is not taken for these shapes need not be right for them.
            m_report.messages.push_back({Severity::Warning, "infer.branch",
                                         status.error().what + "; the branch cannot run with these shapes",
                                         m_edit->node(id).name, id});
            forget(id);
            return Status::success();
        }
        if (!store(id, infer, stated)) return Status::success(); // a value of our own would have other dims
        completeReshape(id);
        return track(id);
    }

    /// A Reshape whose wanted dims are known in part has at least those.
    void completeReshape(NodeId id)
    {
        const Node& node = m_edit->node(id);
        if (node.type != "Reshape" || node.outputs[0].desc.originShape.isStatic()) return;
        const auto wanted = partialOf(node.source(1));
        if (!wanted) return;
        TensorDesc desc = node.outputs[0].desc;
        desc.setShape(reshapedDims(desc.originShape, *wanted));
        m_edit->setOutputDesc({id, 0}, std::move(desc));
    }

    std::optional<PartialInts> partialOf(OutputRef ref) const
    {
        if (const Tensor* value = valueOf(ref); value != nullptr && value->isPresent()) {
            // A known negative number is an instruction (-1: the rest), not a dim; both are "not known" as a dim.
            if (!isInteger(value->desc.dtype) || value->desc.originShape.rank() > 1) return std::nullopt;
            const auto ints = value->asInts(64);
            return ints ? std::optional<PartialInts>(*ints) : std::nullopt;
        }
        const auto found = m_partial.find(ref);
        return found == m_partial.end() ? std::nullopt : std::optional(found->second);
    }

    /// Outputs of a node that contradicts its inputs keep their types and lose their shapes.
    void forget(NodeId id)
    {
        for (int i = 0; i < m_edit->node(id).outputCount(); ++i) {
            TensorDesc desc = m_edit->node(id).outputs[static_cast<std::size_t>(i)].desc;
            desc.setShape(Shape::unknownRank());
            m_edit->setOutputDesc({id, i}, std::move(desc));
        }
    }

    /// Data nodes of a body take the descriptors of the parent's inputs they stand for.
    void enterBody(NodeId parent, GraphId body)
    {
        for (const NodeId id : m_edit->graph().nodes(body)) {
            const Node& data = m_edit->node(id);
            if (data.type != "Data" || data.outputs.empty()) continue;
            const std::int64_t index = attrInt(data.attrs, "_parent_node_index", -1);
            const OutputRef source = m_edit->node(parent).source(static_cast<int>(index));
            if (!source.isValid()) continue;
            TensorDesc desc = data.outputs[0].desc;
            const TensorDesc& outer = m_edit->graph().outputDesc(source);
            if (m_edit->node(parent).type == "If" || m_edit->node(parent).type == "Case" ||
                desc.dtype == DataType::Undefined) {
                desc.dtype = outer.dtype;
                desc.setShape(outer.originShape);
                m_edit->setOutputDesc({id, 0}, std::move(desc));
            }
            if (const Tensor* value = valueOf(source); value != nullptr && m_edit->node(parent).type == "If")
                m_values[{id, 0}] = *value;
        }
    }

    /// False where a descriptor of GE's was kept against what is inferred.
    bool store(NodeId id, const InferContext& infer, const std::optional<StatedNode>& stated)
    {
        bool isOurs = true;
        for (std::size_t i = 0; i < infer.outputs().size() && i < m_edit->node(id).outputs.size(); ++i) {
            if (!infer.outputs()[i]) continue;
            TensorDesc desc = m_edit->node(id).outputs[i].desc;
            if (stated) {
                std::optional<std::string> contradiction;
                desc = stated->settle(static_cast<int>(i), *infer.outputs()[i], contradiction);
                if (contradiction && !m_edit->graph().consumers({id, static_cast<int>(i)}).empty()) {
                    note(id, "infer.kept", *contradiction);
                    isOurs = false;
                }
            } else {
                desc.dtype = infer.outputs()[i]->dtype;
                desc.setShape(infer.outputs()[i]->originShape);
            }
            m_edit->setOutputDesc({id, static_cast<int>(i)}, std::move(desc));
            m_report.count("descriptors set");
        }
        return isOurs;
    }

    /// Remembers the value of small tensors that depend on constants and static shapes only, so that a Reshape fed by
    /// Shape → Gather → Concat gets its shape in the same sweep. Nothing is rewritten here.
    Status track(NodeId id)
    {
        const Node& node = m_edit->node(id);
        if (auto values = dimensionValue(node, m_edit->graph())) {
            remember(id, std::move(*values));
            return Status::success();
        }
        if (auto partial =
                partialValue(node, m_edit->graph(), [&](int i) { return partialOf(m_edit->node(id).source(i)); }))
            m_partial[{id, 0}] = std::move(*partial);
        for (const OutputSlot& slot : node.outputs) {
            const auto bytes = storageBytes(slot.desc.dtype, slot.desc.originShape);
            if (!bytes || *bytes > trackedBytesLimit) return Status::success();
        }
        GELENS_ASSIGN(auto values,
                      evaluateNode(
                          m_edit->graph(), node, [&](int i) { return valueOf(m_edit->node(id).source(i)); },
                          trackedBytesLimit, m_context->stop));
        if (values) remember(id, std::move(*values));
        return Status::success();
    }

    void remember(NodeId id, std::vector<Tensor> values)
    {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (values[i].desc.dtype != DataType::Undefined) m_values[{id, static_cast<int>(i)}] = std::move(values[i]);
    }

    GraphEditor* m_edit = nullptr;
    PassContext* m_context = nullptr;
    PassReport m_report;
    std::unordered_map<OutputRef, Tensor> m_values;
    std::unordered_map<OutputRef, PartialInts> m_partial; ///< values of which only some elements are known
    int m_branchDepth = 0;                                ///< > 0 inside a branch of an If or Case, which may never run
};

} // namespace

PassEntry inferShapePass()
{
    return {
        .info = {.id = "InferShapePass",
                 .phase = "AfterInfershape",
                 .summary = "Gives every tensor its element type and shape; shape arithmetic is followed by value."},
        .make = makePass<InferShapePass>};
}

} // namespace gelens
