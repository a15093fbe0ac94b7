// Chooses the engine and the kernel library that run each node.
#include "engine/ops/op_registry.h"
#include "engine/passes/pass_helpers.h"
#include "engine/passes/passes.h"

namespace gelens {
namespace {

struct Engine {
    std::string_view name, kernelLib;
};

/// Engine names of GE (facts, section 0). Unknown operators go to the AI CPU, as GE's cost order ends up doing for
/// whatever no AI Core library takes.
Engine engineOf(const Node& node, const SocSpec& soc)
{
    switch (unitOf(node)) {
    case Unit::Cube:
    case Unit::Mix: return {"AIcoreEngine", "AIcoreEngine"};
    case Unit::Vector:
        // Chips with vector cores of their own may run vector kernels there; FE still registers them under AI Core.
        return soc.coreLayout == CoreLayout::Split ? Engine{"VectorEngine", "VectorEngine"}
                                                   : Engine{"AIcoreEngine", "AIcoreEngine"};
    case Unit::AiCpu: return {"DNN_VM_AICPU_ASCEND", "aicpu_ascend_kernel"};
    case Unit::Host: return {"DNN_VM_HOST_CPU", "DNN_VM_HOST_CPU_OP_STORE"};
    case Unit::Runtime: return {"DNN_VM_RTS", "DNN_VM_RTS_OP_STORE"};
    case Unit::None:
    case Unit::GeLocal: break;
    }
    return {"DNN_VM_GE_LOCAL", "DNN_VM_GE_LOCAL_OP_STORE"};
}

class EnginePlacerPass final : public Pass {
public:
    Result<PassReport> run(GraphEditor& edit, PassContext& context) override
    {
        PassReport report;
        for (const NodeId id : edit.graph().allNodes()) {
            const Engine engine = engineOf(edit.node(id), context.soc);
            Placement placement = edit.node(id).placement;
            placement.engine = engine.name;
            placement.kernelLib = engine.kernelLib;
            edit.setPlacement(id, std::move(placement));
            report.count(std::string(engine.name));
        }
        return report;
    }
};

} // namespace

PassEntry enginePlacerPass()
{
    return {.info = {.id = "EnginePlacer",
                     .phase = "PreRunAfterOptimizeSubgraph",
                     .summary = "Chooses engine and kernel library of every node."},
            .make = makePass<EnginePlacerPass>};
}

} // namespace gelens
