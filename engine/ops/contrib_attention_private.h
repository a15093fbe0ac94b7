#pragma once
// What the attention operators of com.microsoft share.

#include "engine/ops/attention_job.h"
#include "engine/ops/op_registry.h"

namespace gelens::contrib_attention {

/// scale attribute, 1 / sqrt(head size) when it is 0; masked scores become the lowest number.
void setScale(AttentionJob& job, const AttrMap& attrs);
/// Checks, runs and writes output 0 as [batch, queries, heads · size].
Status finish(KernelContext& context, AttentionJob& job, DataType type);
OpDef contribOp(const char* type, const char* doc, const char* source);

} // namespace gelens::contrib_attention

namespace gelens {

void registerGroupQueryAttentionOps(OpRegistry&); ///< MsGroupQueryAttention

} // namespace gelens
