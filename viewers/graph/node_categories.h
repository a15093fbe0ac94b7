#pragma once
// What a run says of its nodes, for colouring: estimated time, memory of the results, the pass that made them.

#include "engine/session/run.h"
#include "viewers/scene/scene.h"

namespace gelens {

struct NodeCategories {
    std::vector<NodeCategory> categories;
    std::vector<std::int16_t> categoryOf; ///< by node id: index, or -1
};

/// Empty for colourings that need no run. `idBound`: one more than the largest node id.
NodeCategories nodeCategories(const Run& run, ColorBy colorBy, int idBound);

} // namespace gelens
