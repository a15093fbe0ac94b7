#pragma once
// Groups the vector operators of one graph into kernels.

#include "engine/passes/fusion/autofuse_box.h"

#include <map>
#include <stop_token>
#include <vector>

namespace gelens {

/// A pair that stays apart: the two operators of the edge (or of the tensor that both read), and the test that failed.
struct RefusedPair {
    NodeId first, second;
    Check check;
};

struct AutofuseResult {
    std::vector<Box> kernels;         ///< with at least two operators, in execution order
    std::vector<std::int64_t> saved;  ///< bytes of traffic saved, for each kernel
    std::vector<RefusedPair> refused; ///< in execution order
    int rounds = 0;
    bool wasCancelled = false;
};

/// GE's steps: operators are lowered to loops, a result of one reader joins its reader; then, in at most ten rounds, pairs
/// of kernels that touch one tensor are tried by saved traffic, then by closeness. Linear in the graph for each round,
/// but for the cycle test, which looks at no more than a bounded number of nodes.
AutofuseResult solveAutofuse(const Graph& graph, GraphId id, const AutofuseFlags& flags, std::stop_token stop);

} // namespace gelens
