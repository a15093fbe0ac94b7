// Spreads the axis order of images (NCHW, NHWC …) from where the model states it to the tensors around.
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <deque>

namespace gelens {
namespace {

class InferFormatPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        m_edit = &edit;
        m_report = {};
        for (const GraphId graph : edit.graph().liveSubgraphs()) {
            m_isQueued.assign(static_cast<std::size_t>(edit.graph().nodeIdBound()), 0);
            for (const NodeId id : edit.graph().topologicalOrder(graph))
                if (statedFormat(edit.node(id)) != Format::ND) enqueue(id);
            // A node is looked at again only when one of its descriptors got a format, so this ends.
            while (!m_pending.empty()) {
                if (context.isCancelled()) return Error::cancelled();
                const NodeId id = m_pending.front();
                m_pending.pop_front();
                m_isQueued[static_cast<std::size_t>(id.value)] = 0;
                if (const Format format = statedFormat(edit.node(id)); format != Format::ND) spread(id, format);
            }
        }
        return std::move(m_report);
    }

private:
    void enqueue(NodeId id)
    {
        char& mark = m_isQueued[static_cast<std::size_t>(id.value)];
        if (mark == 0) m_pending.push_back(id);
        mark = 1;
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

    static bool isStated(const TensorDesc& desc)
    {
        const Format format = desc.originFormat.primary;
        return format != Format::ND && format != Format::Reserved && format != Format::Null && !isPrivateFormat(format);
    }

    static bool mayTake(const TensorDesc& desc)
    {
        return desc.originFormat == Format::ND && desc.format == Format::ND && desc.originShape.hasRank() &&
               desc.originShape.rank() > 0;
    }

    /// Below rank 4 a change of rank or order loses what the axes meant.
    static bool isBarrier(const Node& node)
    {
        const bool changesAxes = node.type == "Permute" || node.type == "ExpandDims" || node.type == "Squeeze";
        return node.isOpaque || attrBool(node.attrs, "_format_locked") ||
               (changesAxes && !node.inputs.empty() && node.inputs[0].desc.originShape.rank() < 4);
    }

    void spread(NodeId id, Format format)
    {
        if (isBarrier(m_edit->node(id))) return;
        for (int i = 0; i < m_edit->node(id).inputCount(); ++i) {
            const OutputRef source = m_edit->node(id).source(i);
            if (!source.isValid()) continue;
            TensorDesc desc = m_edit->node(id).inputs[static_cast<std::size_t>(i)].desc;
            if (mayTake(desc)) {
                set(desc, format);
                m_edit->setInputDesc({id, i}, std::move(desc));
            }
            if (TensorDesc given = m_edit->graph().outputDesc(source); mayTake(given)) {
                set(given, format);
                m_edit->setOutputDesc(source, std::move(given));
                enqueue(source.node);
            }
        }
        for (int i = 0; i < m_edit->node(id).outputCount(); ++i) {
            TensorDesc desc = m_edit->node(id).outputs[static_cast<std::size_t>(i)].desc;
            if (mayTake(desc)) {
                set(desc, format);
                m_edit->setOutputDesc({id, i}, std::move(desc));
            }
            for (const InputRef& reader : m_edit->graph().consumers({id, i})) {
                TensorDesc read = m_edit->node(reader.node).inputs[static_cast<std::size_t>(reader.index)].desc;
                if (!mayTake(read)) continue;
                set(read, format);
                m_edit->setInputDesc(reader, std::move(read));
                enqueue(reader.node);
            }
        }
    }

    void set(TensorDesc& desc, Format format)
    {
        desc.format = desc.originFormat = format;
        m_report.count("descriptors given " + std::string(formatName(format)));
    }

    GraphEditor* m_edit = nullptr;
    PassReport m_report;
    std::deque<NodeId> m_pending;
    std::vector<char> m_isQueued;
};

} // namespace

PassEntry firstInferFormatPass()
{
    return {.info = {.id = "InferFormatPass",
                     .phase = "AfterFirstInferformat",
                     .summary = "Spreads NCHW and the like from where the model states it, before shapes are known."},
            .make = makePass<InferFormatPass>};
}

PassEntry secondInferFormatPass()
{
    return {.info = {.id = "InferFormatPass",
                     .phase = "AfterSecondInferformat",
                     .summary = "Spreads NCHW and the like over the tensors whose shape is known by now."},
            .make = makePass<InferFormatPass>};
}

} // namespace gelens
