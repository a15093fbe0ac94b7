// Chooses the element type each operator runs in, by the precision mode, and puts a Cast where two ends disagree.
#include "engine/ops/op_registry.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace gelens {
namespace {

/// What mixed precision may do with an operator (CANN's precision_reduce: true, missing, false).
enum class MixClass { Reduces, Follows, Keeps };

/// Generation from which the cube unit takes fp32 operands (facts, 11.2 and the platform files: 910B and later).
constexpr int fp32CubeGeneration = 220;

class RefineRunningPrecisionPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        m_edit = &edit;
        m_context = &context;
        m_report = {};
        m_casts.clear();
        m_count = 0;
        const PrecisionMode mode = context.options.precision;
        if (mode == PrecisionMode::MustKeepOriginDtype) return std::move(m_report);
        // Bodies of control flow keep their types: what enters and leaves them is fixed by their owner.
        for (const NodeId id : edit.graph().topologicalOrder(rootGraph)) {
            if (context.isCancelled()) return Error::cancelled();
            const Node& node = edit.node(id);
            if (isConstantType(node.type) || node.type == "Data" || node.inputs.empty()) continue;
            if (chosenType(node, mode) == DataType::Float16)
                GELENS_TRY(runInHalf(id));
            else
                GELENS_TRY(restore(id));
        }
        return std::move(m_report);
    }

private:
    bool isFixed(const Node& node, const OpDef* def) const
    {
        return def == nullptr || node.isOpaque || !node.subgraphs.empty() || def->stateful() ||
               node.type == "NetOutput" || node.type == "Cast" || !def->inferFunction() || !def->kernelFunction() ||
               holdsMoreThanTensors(node);
    }

    /// A sequence or an optional value: what is put in comes out elsewhere, where its type is declared, or not known at all.
    bool holdsMoreThanTensors(const Node& node) const
    {
        const auto isHandle = [](DataType type) {
            return type == DataType::Resource || type == DataType::Variant || type == DataType::Undefined;
        };
        return std::any_of(node.inputs.begin(), node.inputs.end(),
                           [&](const InputSlot& slot) {
                               return slot.source.isValid() && isHandle(m_edit->graph().outputDesc(slot.source).dtype);
                           }) ||
               std::any_of(node.outputs.begin(), node.outputs.end(),
                           [&](const OutputSlot& slot) { return isHandle(slot.desc.dtype); });
    }

    static bool isCube(const OpDef& def)
    {
        return def.formatSupport() == FormatSupport::CubeMatrix || def.formatSupport() == FormatSupport::CubeConv ||
               def.unitOf() == Unit::Cube;
    }

    static MixClass mixClassOf(const Node& node, const OpDef& def)
    {
        if (isCube(def)) return MixClass::Reduces;
        // Sums over many elements and functions with a steep slope lose too much in half precision.
        static constexpr std::string_view steep[] = {"Exp",   "Expm1", "Pow",        "Log",
                                                     "Log1p", "Rsqrt", "Reciprocal", "Square"};
        if (std::find(std::begin(steep), std::end(steep), node.type) != std::end(steep)) return MixClass::Keeps;
        switch (def.fusionClassOf()) {
        case FusionClass::ElementWise:
        case FusionClass::Broadcast:
        case FusionClass::Transpose:
        case FusionClass::Concat:
        case FusionClass::Split:
        case FusionClass::Slice:
        case FusionClass::Gather:
        case FusionClass::Pool:
        case FusionClass::View: return MixClass::Follows;
        default: return MixClass::Keeps;
        }
    }

    /// Float16 where the node shall run in half precision; Float where it keeps what the model says.
    DataType chosenType(const Node& node, PrecisionMode mode) const
    {
        const OpDef* def = OpRegistry::instance().find(node.type);
        if (isFixed(node, def) || !readsFloat(node)) return DataType::Float;
        if (mode == PrecisionMode::ForceFp16) return DataType::Float16;
        if (def->view()) return allComputedInputsAreHalf(node) ? DataType::Float16 : DataType::Float;
        const bool needsHalf = isCube(*def) && m_context->soc.generation < fp32CubeGeneration;
        if (mode == PrecisionMode::AllowFp32ToFp16) return needsHalf ? DataType::Float16 : DataType::Float;
        switch (mixClassOf(node, *def)) {
        case MixClass::Reduces: return DataType::Float16;
        case MixClass::Keeps: return DataType::Float;
        case MixClass::Follows: return allComputedInputsAreHalf(node) ? DataType::Float16 : DataType::Float;
        }
        return DataType::Float;
    }

    static bool readsFloat(const Node& node)
    {
        return std::any_of(node.inputs.begin(), node.inputs.end(), [](const InputSlot& slot) {
            return slot.source.isValid() && slot.desc.dtype == DataType::Float;
        });
    }

    bool allComputedInputsAreHalf(const Node& node) const
    {
        bool hasComputed = false;
        for (const InputSlot& slot : node.inputs) {
            if (!slot.source.isValid() || slot.desc.dtype != DataType::Float) continue;
            if (isConstantType(m_edit->node(slot.source.node).type)) continue;
            if (m_edit->graph().outputDesc(slot.source).dtype != DataType::Float16) return false;
            hasComputed = true;
        }
        return hasComputed;
    }

    Status runInHalf(NodeId id)
    {
        // An operator whose own rules refuse half precision keeps its type.
        std::vector<int> slots;
        for (int i = 0; i < m_edit->node(id).inputCount(); ++i)
            if (m_edit->node(id).hasInput(i) && slotType(id, i) == DataType::Float) slots.push_back(i);
        for (const int i : slots) feed(id, i, DataType::Float16);
        InferContext infer(m_edit->graph(), m_edit->node(id));
        const OpDef* def = OpRegistry::instance().find(m_edit->node(id).type);
        if (const Status status = def->inferFunction()(infer); !status.ok()) {
            for (const int i : slots) feed(id, i, DataType::Float);
            m_report.count("operators that keep fp32");
            return Status::success();
        }
        bool isHalf = false;
        for (int i = 0; i < m_edit->node(id).outputCount(); ++i) {
            const auto& inferred = infer.outputs()[static_cast<std::size_t>(i)];
            TensorDesc desc = m_edit->node(id).outputs[static_cast<std::size_t>(i)].desc;
            if (!inferred || inferred->dtype == desc.dtype) continue;
            desc.dtype = inferred->dtype;
            isHalf = true;
            m_edit->setOutputDesc({id, i}, std::move(desc));
        }
        m_report.count(isHalf ? "operators in fp16" : "operators that read fp16");
        return Status::success();
    }

    /// Inputs that the model gives in fp32 and that now come in fp16 are widened again.
    Status restore(NodeId id)
    {
        for (int i = 0; i < m_edit->node(id).inputCount(); ++i)
            if (m_edit->node(id).hasInput(i) && slotType(id, i) == DataType::Float) feed(id, i, DataType::Float);
        return Status::success();
    }

    DataType slotType(NodeId id, int i) const
    {
        return m_edit->node(id).inputs[static_cast<std::size_t>(i)].desc.dtype;
    }

    /// Makes input i arrive as `type`: from the source itself, or through the one Cast that all such readers share.
    void feed(NodeId id, int i, DataType type)
    {
        OutputRef source = m_edit->node(id).source(i);
        if (const auto original = m_castOf.find(source.node); original != m_castOf.end()) source = original->second;
        const TensorDesc given = m_edit->graph().outputDesc(source);
        OutputRef from = source;
        if (given.dtype != type && (given.dtype == DataType::Float || given.dtype == DataType::Float16))
            from = castTo(source, type);
        if (m_edit->node(id).source(i) != from) {
            const NodeId old = m_edit->node(id).source(i).node;
            m_edit->connect(from, {id, i});
            if (m_castOf.contains(old) && !hasReaders(m_edit->node(old))) dropCast(old);
        }
        TensorDesc desc = m_edit->node(id).inputs[static_cast<std::size_t>(i)].desc;
        desc.dtype = m_edit->graph().outputDesc(from).dtype;
        m_edit->setInputDesc({id, i}, std::move(desc));
    }

    OutputRef castTo(OutputRef source, DataType type)
    {
        const auto [entry, isNew] = m_casts.try_emplace({source, type});
        if (!isNew) return {entry->second, 0};
        const TensorDesc from = m_edit->graph().outputDesc(source);
        TensorDesc to = from;
        to.attrs.clear();
        to.dtype = type;
        entry->second = m_edit->addNode({.name = fmt::format("trans_Cast_{}", m_count++),
                                         .type = "Cast",
                                         .inputs = {{"x", from}},
                                         .outputs = {{"y", to}},
                                         .attrs = {{"dst_type", AttrValue(static_cast<std::int64_t>(type))},
                                                   {"_inserted_by_precision_mode", AttrValue(true)}}},
                                        rootGraph, source.node);
        m_edit->connect(source, {entry->second, 0});
        m_castOf[entry->second] = source;
        m_report.count("casts inserted because of precision mode");
        return {entry->second, 0};
    }

    void dropCast(NodeId cast)
    {
        m_casts.erase({m_castOf[cast], m_edit->node(cast).outputs[0].desc.dtype});
        m_castOf.erase(cast);
        m_edit->removeNode(cast);
        m_report.count("casts inserted because of precision mode", -1);
    }

    GraphEditor* m_edit = nullptr;
    PassContext* m_context = nullptr;
    PassReport m_report;
    std::map<std::pair<OutputRef, DataType>, NodeId> m_casts;
    std::map<NodeId, OutputRef> m_castOf; ///< what a Cast of ours reads
    int m_count = 0;
};

} // namespace

PassEntry refineRunningPrecisionPass()
{
    return {.info = {.id = "RefineRunningPrecision",
                     .phase = "PreRunAfterRefineRunningPrecision",
                     .summary = "Chooses the element type of every operator by the precision mode and inserts Casts.",
                     .evidence = 'D'},
            .make = makePass<RefineRunningPrecisionPass>};
}

} // namespace gelens
