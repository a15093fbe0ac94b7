// Spreads the axis order of images (NCHW, NHWC …) from where the model states it to the tensors around.
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <algorithm>
#include <deque>
#include <utility>
#include <vector>

namespace gelens {
namespace {

/// GE's parser gives constants no dims, and no dims means no format: they wait for the second round.
enum class Round { BeforeShapes, AfterShapes };

template <Round round>
class InferFormatPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        m_edit = &edit;
        m_report = {};
        for (const GraphId graph : edit.graph().liveSubgraphs()) {
            m_queued.assign(static_cast<std::size_t>(edit.graph().nodeIdBound()), Visit::None);
            for (const NodeId id : edit.graph().topologicalOrder(graph))
                if (statedFormat(edit.node(id)) != Format::ND)
                    enqueue(id, statesOutput(edit.node(id)) ? Visit::Edges : Visit::Whole);
            // A node is looked at again only when one of its descriptors got a format, so this ends.
            while (!m_pending.empty()) {
                if (context.isCancelled()) return Error::cancelled();
                const NodeId id = m_pending.front();
                m_pending.pop_front();
                Visit& queued = m_queued[static_cast<std::size_t>(id.value)];
                const Visit visit = std::exchange(queued, Visit::None);
                if (isBarrier(m_edit->node(id))) continue;
                if (visit == Visit::Whole) complete(id);
                handOn(id);
            }
        }
        return std::move(m_report);
    }

private:
    /// A node that the parser gave its formats hands them to its neighbours, and leaves its other slots (a bias, a size) as
    /// they are, until a neighbour gives it one: then the rule for whole nodes holds.
    enum class Visit : char { None, Edges, Whole };

    void enqueue(NodeId id, Visit visit)
    {
        Visit& queued = m_queued[static_cast<std::size_t>(id.value)];
        if (queued == Visit::None) m_pending.push_back(id);
        queued = std::max(queued, visit);
    }

    /// The first format that is not ND among the inputs, else among the outputs.
    static Format statedFormat(const Node& node)
    {
        for (const InputSlot& slot : node.inputs)
            if (slot.source.isValid() && isStated(slot.desc)) return slot.desc.originFormat.primary;
        for (const OutputSlot& slot : node.outputs)
            if (isStated(slot.desc)) return slot.desc.originFormat.primary;
        return Format::ND;
    }

    static bool statesOutput(const Node& node) { return !node.outputs.empty() && isStated(node.outputs[0].desc); }

    static bool isStated(const TensorDesc& desc)
    {
        const Format format = desc.originFormat.primary;
        return format != Format::ND && format != Format::Reserved && format != Format::Null && !isPrivateFormat(format);
    }

    static bool isOpen(const TensorDesc& desc) { return desc.originFormat == Format::ND && desc.format == Format::ND; }
    /// Over an edge only where the other end has dims.
    static bool mayTake(const TensorDesc& desc)
    {
        return isOpen(desc) && desc.originShape.hasRank() && desc.originShape.rank() > 0;
    }

    /// Below rank 4 a change of rank or order loses what the axes meant.
    static bool isBarrier(const Node& node)
    {
        const bool changesAxes = node.type == "Permute" || node.type == "ExpandDims" || node.type == "Squeeze";
        return node.isOpaque || attrBool(node.attrs, "_format_locked") ||
               (changesAxes && !node.inputs.empty() && node.inputs[0].desc.originShape.rank() < 4);
    }

    /// The default rule: the first stated format of a node is that of all its slots which have none, whatever their rank.
    void complete(NodeId id)
    {
        const Format format = statedFormat(m_edit->node(id));
        for (int i = 0; i < m_edit->node(id).inputCount(); ++i) {
            TensorDesc desc = m_edit->node(id).inputs[static_cast<std::size_t>(i)].desc;
            if (!m_edit->node(id).hasInput(i) || !isOpen(desc)) continue;
            set(desc, format);
            m_edit->setInputDesc({id, i}, std::move(desc));
        }
        for (int i = 0; i < m_edit->node(id).outputCount(); ++i) {
            TensorDesc desc = m_edit->graph().outputDesc({id, i});
            if (!isOpen(desc)) continue;
            set(desc, format);
            m_edit->setOutputDesc({id, i}, std::move(desc));
        }
    }

    /// The other end of each edge takes the format of this one.
    void handOn(NodeId id)
    {
        for (int i = 0; i < m_edit->node(id).inputCount(); ++i) {
            const OutputRef source = m_edit->node(id).source(i);
            const TensorDesc& read = m_edit->node(id).inputs[static_cast<std::size_t>(i)].desc;
            if (source.isValid() && isStated(read) && giveOutput(source, read.originFormat.primary))
                enqueue(source.node, Visit::Whole);
        }
        for (int i = 0; i < m_edit->node(id).outputCount(); ++i) {
            const TensorDesc& given = m_edit->node(id).outputs[static_cast<std::size_t>(i)].desc;
            if (!isStated(given)) continue;
            const Format format = given.originFormat.primary;
            for (const InputRef& reader : std::vector<InputRef>(m_edit->graph().consumers({id, i})))
                if (giveInput(reader, format)) enqueue(reader.node, Visit::Whole);
        }
    }

    bool giveInput(InputRef slot, Format format)
    {
        TensorDesc desc = m_edit->node(slot.node).inputs[static_cast<std::size_t>(slot.index)].desc;
        if (!mayTake(desc)) return false;
        set(desc, format);
        m_edit->setInputDesc(slot, std::move(desc));
        return true;
    }

    bool giveOutput(OutputRef slot, Format format)
    {
        TensorDesc desc = m_edit->graph().outputDesc(slot);
        if (!mayTake(desc) || (round == Round::BeforeShapes && isConstantType(m_edit->node(slot.node).type)))
            return false;
        set(desc, format);
        m_edit->setOutputDesc(slot, std::move(desc));
        return true;
    }

    void set(TensorDesc& desc, Format format)
    {
        desc.format = desc.originFormat = format;
        m_report.count("descriptors given " + std::string(formatName(format)));
    }

    GraphEditor* m_edit = nullptr;
    PassReport m_report;
    std::deque<NodeId> m_pending;
    std::vector<Visit> m_queued;
};

} // namespace

PassEntry firstInferFormatPass()
{
    return {.info = {.id = "InferFormatPass",
                     .phase = "AfterFirstInferformat",
                     .summary = "Spreads NCHW and the like from where the model states it, before shapes are known."},
            .make = makePass<InferFormatPass<Round::BeforeShapes>>};
}

PassEntry secondInferFormatPass()
{
    return {.info = {.id = "InferFormatPass",
                     .phase = "AfterSecondInferformat",
                     .summary = "Spreads NCHW and the like over the tensors whose shape is known by now."},
            .make = makePass<InferFormatPass<Round::AfterShapes>>};
}

} // namespace gelens
