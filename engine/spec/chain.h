#pragma once
// Kernels that stand side by side at the end of a run and were not fused, with the reason for each link.

#include "engine/spec/fusion_verdict.h"

#include <string>
#include <vector>

namespace gelens {

/// A data edge between two kernels of the final graph that some rule (or autofusion) could have fused.
struct ChainLink {
    NodeId from, to; ///< nodes of the final graph
    std::string fromName, toName, fromType, toType;
    Reason reason = Reason::NoRule;
    std::string evidence; ///< one sentence with the numbers
    std::string remedy;
    std::vector<FusionVerdict> tried; ///< every rule tried on the pair, nearest first
};

/// A maximal run of links along first data inputs. Equal chains of repeated blocks are one chain with a count.
struct Chain {
    std::vector<NodeId> nodes; ///< of the first occurrence
    std::vector<std::string> nodeNames;
    std::vector<std::string> nodeTypes;
    Reason reason = Reason::NoRule; ///< of the first blocking link
    std::string evidence, remedy;
    int count = 1;
    std::vector<ChainLink> links;
    std::vector<std::vector<NodeId>> occurrences; ///< nodes of each occurrence, the first included
};

} // namespace gelens
