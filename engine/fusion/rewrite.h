#pragma once
// Puts a rule's replacement in the place of a match.

#include "engine/fusion/checks.h"

namespace gelens
{

/// Checks ahead of any edit that the new operators accept their inputs and give what the graph expects (C13): their own
/// inference is run on the would-be node.
void checkReplacement(const CheckContext& context, CheckList& list);

/// Replaces the match; all checks must have held. Returns the node that gives the root's result.
/// Origin names, stream label and the other shared attributes carry over; control edges move; nodes and constants that
/// nothing reads any more go.
NodeId rewrite(const CheckContext& context, GraphEditor& editor, FusionIndex& index);

} // namespace gelens
