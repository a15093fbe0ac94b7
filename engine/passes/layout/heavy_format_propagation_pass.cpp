// Chooses a storage format for every tensor: cube operators ask for their own, neighbours that can follow do.
#include "engine/ops/cube_common.h"
#include "engine/ops/matrix_operands.h"
#include "engine/ops/op_registry.h"
#include "engine/ops/storage_shape.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <deque>

namespace gelens {
namespace {

/// Wanted format of every slot of a node; Format::ND means "as it is".
struct NodeFormats {
    std::vector<Format> inputs, outputs;
    bool isHeavy = false;
    bool isAssigned = false;
};

class HeavyFormatPropagationPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        m_graph = &edit.graph();
        m_soc = &context.soc;
        m_formats.assign(static_cast<std::size_t>(edit.graph().nodeIdBound()), {});
        std::deque<NodeId> pending;
        // Sub-graphs keep ND: their borders are those of the owner, which is no heavy operator.
        m_graph->forEachNode(rootGraph, [&](const Node& node) {
            if (chooseHeavy(node)) pending.push_back(node.id);
        });
        const std::size_t heavy = pending.size();
        while (!pending.empty()) {
            if (context.isCancelled()) return Error::cancelled();
            const NodeId id = pending.front();
            pending.pop_front();
            spread(id, pending);
        }
        dropIdleFormats();
        PassReport report;
        report.count("heavy operators", static_cast<std::int64_t>(heavy));
        GELENS_TRY(writeDescriptors(edit, report));
        return report;
    }

private:
    NodeFormats& formatsOf(NodeId id) { return m_formats[static_cast<std::size_t>(id.value)]; }

    static bool isCubeType(DataType type)
    {
        return type == DataType::Float16 || type == DataType::BFloat16 || type == DataType::Int8;
    }

    /// On chips whose cube and vector units share a core, matrix products read and write FRACTAL_NZ; where they are
    /// split, the kernels convert on the way in and out and ND is normal (facts, 4.4). One row or column stays plain:
    /// in blocks it would be padded sixteen-fold, and two conversions would move more than the product itself.
    bool wantsNz(const TensorDesc& desc) const
    {
        const Shape& shape = desc.originShape;
        return m_soc->coreLayout == CoreLayout::Fused && isCubeType(desc.dtype) && shape.isStatic() &&
               shape.rank() >= 2 && shape.dim(-1) > 1 && shape.dim(-2) > 1;
    }

    /// Axis order that a convolution or pooling works in; the blocked layout is made from NCHW here.
    static bool isChannelsFirst(const Node& node) { return !isChannelsLast(node.attrs, declaredFormat(node, 0)); }

    bool chooseHeavy(const Node& node)
    {
        const OpDef* def = OpRegistry::instance().find(node.type);
        if (def == nullptr || node.outputs.empty()) return false;
        NodeFormats formats;
        formats.inputs.assign(node.inputs.size(), Format::ND);
        formats.outputs.assign(node.outputs.size(), Format::ND);
        if (def->formatSupport() == FormatSupport::CubeMatrix) {
            for (std::size_t i = 0; i < node.inputs.size() && i < 2; ++i)
                if (node.hasInput(static_cast<int>(i)) && wantsNz(node.inputs[i].desc))
                    formats.inputs[i] = Format::FractalNz;
            if (wantsNz(node.outputs[0].desc)) formats.outputs[0] = Format::FractalNz;
            formats.isHeavy = formats.outputs[0] != Format::ND && formats.inputs[0] != Format::ND;
        } else if (def->formatSupport() == FormatSupport::CubeConv) {
            formats.isHeavy = chooseConvolution(node, formats);
        }
        if (!formats.isHeavy) return false;
        formats.isAssigned = true;
        formatsOf(node.id) = std::move(formats);
        return true;
    }

    bool chooseConvolution(const Node& node, NodeFormats& formats) const
    {
        if (node.inputs.size() < 2 || !isCubeType(node.inputs[0].desc.dtype) || !isChannelsFirst(node)) return false;
        const auto isPlain4d = [](const TensorDesc& desc) {
            return desc.originShape.isStatic() && desc.originShape.rank() == 4 &&
                   (desc.originFormat == Format::NCHW || desc.originFormat == Format::ND);
        };
        if (!isPlain4d(node.inputs[0].desc) || !isPlain4d(node.outputs[0].desc)) return false;
        formats.inputs[0] = Format::NC1HWC0;
        formats.outputs[0] = Format::NC1HWC0;
        if (isPlain4d(node.inputs[1].desc) && attrInt(node.attrs, "groups", 1) == 1)
            formats.inputs[1] = Format::FractalZ;
        return true;
    }

    /// Breadth-first, backward then forward along data edges.
    void spread(NodeId id, std::deque<NodeId>& pending)
    {
        const Node& node = m_graph->node(id);
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            const OutputRef source = node.inputs[i].source;
            if (source.isValid() && tryFollow(source.node, formatsOf(id).inputs[i])) pending.push_back(source.node);
        }
        for (std::size_t i = 0; i < node.outputs.size(); ++i)
            for (const InputRef& reader : node.outputs[i].consumers)
                if (tryFollow(reader.node, formatsOf(id).outputs[i])) pending.push_back(reader.node);
    }

    bool tryFollow(NodeId id, Format format)
    {
        if (format != Format::FractalNz && format != Format::NC1HWC0) return false; // filters stay where they are
        const Node& node = m_graph->node(id);
        if (formatsOf(id).isAssigned || node.graph != rootGraph || isBoundaryType(node.type) || node.isOpaque)
            return false;
        const OpDef* def = OpRegistry::instance().find(node.type);
        if (def != nullptr && def->formatSupport() == FormatSupport::Matrices) return followByMatrix(node, format);
        if (def == nullptr || node.outputs.size() != 1) return false;
        const bool follows =
            def->formatSupport() == FormatSupport::AnyElement ||
            (def->formatSupport() == FormatSupport::FiveHd && format == Format::NC1HWC0 && isChannelsFirst(node));
        if (!follows) return false;
        NodeFormats formats;
        formats.isAssigned = true;
        formats.outputs.assign(1, format);
        const Shape& whole = node.outputs[0].desc.originShape;
        if (!whole.isStatic() || whole.rank() < 2 || (format == Format::NC1HWC0 && whole.rank() != 4)) return false;
        for (const InputSlot& slot : node.inputs) {
            const Shape& shape = slot.desc.originShape;
            if (!slot.source.isValid() || shape.elementCount() == 1) {
                formats.inputs.push_back(Format::ND); // a scalar needs no layout
                continue;
            }
            const bool isPooling = def->formatSupport() == FormatSupport::FiveHd;
            if (!isPooling && shape != whole) return false; // broadcasting inside a block needs ND
            if (isPooling && shape.rank() != 4) {
                formats.inputs.push_back(Format::ND);
                continue;
            }
            formats.inputs.push_back(format);
        }
        formatsOf(id) = std::move(formats);
        return true;
    }

    /// Library kernels take each tensor in its own layout: what is a matrix of the result's type follows, the rest (gains,
    /// tables, statistics, masks) stays.
    bool followByMatrix(const Node& node, Format format)
    {
        if (format != Format::FractalNz) return false;
        const DataType type = node.outputs[0].desc.dtype;
        if (!isCubeType(type)) return false;
        const std::int64_t columns = m_soc->blockFor(dataTypeName(type)).k0;
        NodeFormats formats;
        bool hasAny = false;
        // Operands that the model computes follow; constants would only be converted for nothing.
        for (int i = 0; i < node.inputCount(); ++i) {
            const InputSlot& slot = node.inputs[static_cast<std::size_t>(i)];
            const bool isComputed = slot.source.isValid() && !isBoundaryType(m_graph->node(slot.source.node).type);
            const bool follows = isComputed && slot.desc.dtype == type && mayInputBeBlocked(node, i, columns);
            formats.inputs.push_back(follows ? format : Format::ND);
            hasAny = hasAny || follows;
        }
        for (int i = 0; i < node.outputCount(); ++i) {
            const bool follows =
                node.outputs[static_cast<std::size_t>(i)].desc.dtype == type && mayOutputBeBlocked(node, i, columns);
            formats.outputs.push_back(follows ? format : Format::ND);
            hasAny = hasAny || follows;
        }
        formats.isAssigned = hasAny;
        if (hasAny) formatsOf(node.id) = std::move(formats);
        return hasAny;
    }

    bool gives(OutputRef source, Format format)
    {
        if (!source.isValid()) return false;
        const NodeFormats& formats = formatsOf(source.node);
        return static_cast<std::size_t>(source.index) < formats.outputs.size() &&
               formats.outputs[static_cast<std::size_t>(source.index)] == format;
    }

    bool isAttention(NodeId id) const { return loadsEachByItself(m_graph->node(id)); }

    /// Takes FRACTAL_NZ back where nobody needed it: matrices of an attention that come plain (a cache, heads that were
    /// transposed), and kernels between such a plain matrix and the attention. Producers come first, so one round is enough.
    void dropIdleFormats()
    {
        for (const NodeId id : m_graph->topologicalOrder(rootGraph)) {
            NodeFormats& formats = formatsOf(id);
            if (!formats.isAssigned || formats.isHeavy) continue;
            const Node& node = m_graph->node(id);
            bool hasBlockedInput = false, isNeeded = false;
            for (std::size_t i = 0; i < formats.inputs.size(); ++i) {
                if (formats.inputs[i] != Format::FractalNz) continue;
                if (gives(node.inputs[i].source, Format::FractalNz))
                    hasBlockedInput = true;
                else if (isAttention(id))
                    formats.inputs[i] = Format::ND;
            }
            for (std::size_t i = 0; i < formats.outputs.size(); ++i)
                for (const InputRef& reader : node.outputs[i].consumers)
                    isNeeded = isNeeded || (formats.outputs[i] == Format::FractalNz && !isAttention(reader.node));
            if (hasBlockedInput || isNeeded || formats.outputs.empty() || formats.outputs[0] != Format::FractalNz)
                continue;
            formats = {};
        }
    }

    Status writeDescriptors(GraphEditor& edit, PassReport& report)
    {
        for (const NodeId id : edit.graph().nodes(rootGraph)) {
            const NodeFormats& formats = formatsOf(id);
            if (!formats.isAssigned) continue;
            for (std::size_t i = 0; i < formats.inputs.size(); ++i) {
                if (formats.inputs[i] == Format::ND) continue;
                TensorDesc desc = edit.node(id).inputs[i].desc;
                GELENS_TRY(setFormat(desc, formats.inputs[i]));
                edit.setInputDesc({id, static_cast<std::int32_t>(i)}, std::move(desc));
            }
            for (std::size_t i = 0; i < formats.outputs.size(); ++i) {
                if (formats.outputs[i] == Format::ND) continue;
                TensorDesc desc = edit.node(id).outputs[i].desc;
                GELENS_TRY(setFormat(desc, formats.outputs[i]));
                edit.setOutputDesc({id, static_cast<std::int32_t>(i)}, std::move(desc));
                report.count("tensors in " + std::string(formatName(formats.outputs[i])));
            }
        }
        return Status::success();
    }

    Status setFormat(TensorDesc& desc, Format format) const
    {
        if (format != Format::FractalNz && desc.originFormat == Format::ND) desc.originFormat = Format::NCHW;
        GELENS_ASSIGN(desc.shape, storageShape(TensorFormat(format), desc.originShape, desc.originFormat.primary,
                                               desc.dtype, m_soc->blockFor(dataTypeName(desc.dtype)).k0));
        desc.format = format;
        return Status::success();
    }

    const Graph* m_graph = nullptr;
    const SocSpec* m_soc = nullptr;
    std::vector<NodeFormats> m_formats;
};

} // namespace

PassEntry heavyFormatPropagationPass()
{
    return {.info = {.id = "HeavyFormatPropagation",
                     .phase = "PreRunAfterRefineRunningFormat",
                     .summary = "Gives cube operators their storage formats and lets neighbours follow."},
            .make = makePass<HeavyFormatPropagationPass>};
}

} // namespace gelens
