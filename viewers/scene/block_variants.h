#pragma once
// "Same block, fused here, not there": how the instances of a repeated block differ from most of them.

#include "viewers/scene/fold_model.h"

#include <string>
#include <utility>
#include <vector>

namespace gelens {

/// Instances of equal structure.
struct BlockVariant {
    std::vector<int> instances; ///< groups of the fold model, in their order
    /// Operator types of which it has more or fewer than the most frequent variant, with how many; sorted by name. Both
    /// empty for that variant, and for one that differs in shapes or edges only.
    std::vector<std::pair<std::string, int>> more, fewer;
};

/// Variants of a repeated block, the most frequent first; of two as frequent, the one that comes first.
std::vector<BlockVariant> blockVariants(const Graph& graph, const FoldModel& fold, int repeat);

} // namespace gelens
