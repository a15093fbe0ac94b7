#include "engine/session/node_facts.h"

#include "engine/graph/graph.h"
#include "engine/ops/op_registry.h"

namespace gelens {

Unit nodeUnit(const Node& node)
{
    if (isBoundaryType(node.type)) return Unit::None;
    if (node.placement.engine == "DNN_VM_GE_LOCAL") return Unit::GeLocal;
    if (node.placement.engine == "DNN_VM_AICPU" || node.placement.engine == "DNN_VM_AICPU_ASCEND") return Unit::AiCpu;
    if (node.placement.engine == "DNN_VM_HOST_CPU") return Unit::Host;
    return unitOf(node);
}

FusionClass nodeClass(const Node& node) { return fusionClassOf(node); }

std::string_view nodeUnitSign(Unit unit)
{
    switch (unit) {
    case Unit::Cube: return "C";
    case Unit::Vector: return "V";
    case Unit::Mix: return "M";
    case Unit::AiCpu:
    case Unit::Host: return "H";
    case Unit::Runtime: return "R";
    case Unit::None:
    case Unit::GeLocal: break;
    }
    return "·";
}

} // namespace gelens
