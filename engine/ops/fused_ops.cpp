#include "engine/ops/attention_job.h"
#include "engine/ops/fused_private.h"
#include "engine/ops/op_families.h"
#include "engine/ops/op_registry.h"

namespace gelens {

void registerFusedOps(OpRegistry& registry)
{
    registerFlashAttentionOps(registry);
    registerFusedNormOps(registry);
    registerFusedMatMulOps(registry);
    registerEltwiseCastOps(registry);
    registerRotaryOps(registry);
    registerGatedOps(registry);
    registerOnnxAttentionOps(registry);
    registerContribAttentionOps(registry);
    registerContribNormOps(registry);
}

} // namespace gelens
