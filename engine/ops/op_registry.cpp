#include "engine/ops/op_registry.h"

#include "engine/ops/cost_helpers.h"
#include "engine/ops/op_families.h"

#include <algorithm>

namespace gelens {

const OpRegistry& OpRegistry::instance()
{
    static const OpRegistry registry = [] {
        OpRegistry ops;
        registerBoundaryOps(ops);
        registerArithmeticOps(ops);
        registerLogicOps(ops);
        registerActivationOps(ops);
        registerReductionOps(ops);
        registerNormalizationOps(ops);
        registerShapeOps(ops);
        registerGatherOps(ops);
        registerMatMulOps(ops);
        registerConvolutionOps(ops);
        registerPoolingOps(ops);
        registerImageOps(ops);
        registerQuantizationOps(ops);
        registerRecurrentOps(ops);
        registerControlOps(ops);
        registerRandomOps(ops);
        registerFormatOps(ops);
        registerFusedOps(ops);
        registerAutofuseOps(ops);
        return ops;
    }();
    return registry;
}

const OpDef* OpRegistry::find(std::string_view type) const
{
    const auto found = m_ops.find(type);
    return found == m_ops.end() ? nullptr : &found->second;
}

std::vector<const OpDef*> OpRegistry::all() const
{
    std::vector<const OpDef*> ops;
    ops.reserve(m_ops.size());
    for (const auto& [type, def] : m_ops) ops.push_back(&def);
    std::sort(ops.begin(), ops.end(), [](const OpDef* a, const OpDef* b) { return a->type() < b->type(); });
    return ops;
}

void OpRegistry::add(OpDef def)
{
    const std::string type = def.type();
    const bool isNew = m_ops.emplace(type, std::move(def)).second;
    if (!isNew) throw InternalError("operator '" + type + "' is defined twice");
}

Unit unitOf(const Node& node)
{
    const OpDef* const def = OpRegistry::instance().find(node.type);
    return def ? def->unitOf() : Unit::AiCpu;
}

FusionClass fusionClassOf(const Node& node)
{
    const OpDef* const def = OpRegistry::instance().find(node.type);
    return def ? def->fusionClassOf() : FusionClass::Opaque;
}

Cost costOf(const Node& node, const Graph& graph)
{
    if (isBoundaryType(node.type)) return {};
    const OpDef* const def = OpRegistry::instance().find(node.type);
    if (!def) return bytesOnly(node, graph);
    if (def->view() || def->unitOf() == Unit::None || !def->costFunction()) return {};
    return def->costFunction()(node, graph);
}

} // namespace gelens
