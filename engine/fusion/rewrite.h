#pragma once
// Puts a rule's replacement in the place of a match.

#include "engine/fusion/checks.h"

namespace gelens {

/// Checks ahead of any edit that the new operators accept their inputs and give what the graph expects (C13): their own
/// inference is run on the would-be node.
void checkReplacement(const CheckContext& context, CheckList& list);

/// Replaces the match; all checks must have held. Returns the node that gives the root's result.
/// Origin names, stream label and the other shared attributes carry over; control edges move; nodes and constants that
/// nothing reads any more go.
NodeId rewrite(const CheckContext& context, GraphEditor& editor, FusionIndex& index);

/// Attributes that a fused operator takes over when all members agree on them (C02–C05).
inline constexpr const char* inheritedAttributes[] = {
    "_stream_label",  "_user_stream_label", "_super_kernel_scope", "_super_kernel_options",
    "_op_aicore_num", "_op_vectorcore_num", "deterministic",       "deterministicLevel"};

} // namespace gelens
