// What the attention operators of com.microsoft share. Part of the fused family.

#include "engine/ops/contrib_attention_private.h"
#include "engine/ops/cost_helpers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gelens::contrib_attention {

void setScale(AttentionJob& job, const AttrMap& attrs)
{
    const double scale = attrFloat(attrs, "scale");
    job.options.scale = scale != 0 ? static_cast<float>(scale)
                                   : 1.0f / std::sqrt(static_cast<float>(std::max<std::int64_t>(job.headSize, 1)));
    job.options.masked = std::numeric_limits<float>::lowest();
}

Status finish(KernelContext& context, AttentionJob& job, DataType type)
{
    if (const std::string problem = checkAttention(job); !problem.empty()) return context.error(problem);
    if (!runAttention(job)) return Error::cancelled();
    return context.setFloats(0, type, Shape{job.batch, job.queries, job.heads * job.valueSize}, job.out);
}

namespace {

Cost contribCost(const Node& node, const Graph& graph)
{
    Cost cost = bytesOnly(node, graph);
    const Shape& out = outputDesc(node, 0).originShape;
    const std::int64_t heads = std::max<std::int64_t>(attrInt(node.attrs, "num_heads", 1), 1);
    if (!out.hasRank() || out.rank() != 3) return cost;
    cost.batch = std::max<std::int64_t>(out.dim(0), 1) * heads;
    cost.m = cost.n = std::max<std::int64_t>(out.dim(1), 1);
    cost.k = std::max<std::int64_t>(out.dim(2) / heads, 1);
    cost.cubeMacs = 2.0 * static_cast<double>(cost.batch) * static_cast<double>(cost.m) * static_cast<double>(cost.n) *
                    static_cast<double>(cost.k);
    cost.vectorOps = 8.0 * static_cast<double>(cost.batch) * static_cast<double>(cost.m) * static_cast<double>(cost.n);
    return cost;
}

} // namespace

OpDef contribOp(const char* type, const char* doc, const char* source)
{
    OpDef def(type);
    def.doc(doc).source(source).unit(Unit::Mix).fusionClass(FusionClass::Other).cost(contribCost);
    return def;
}

} // namespace gelens::contrib_attention
