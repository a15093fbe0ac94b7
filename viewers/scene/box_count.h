#pragma once
// How many boxes a drawing would have, before it is made.

#include "viewers/scene/scene.h"

#include <cstddef>

namespace gelens {

/// Nodes, folded blocks and frames of open ones: no fewer than buildScene() makes, ghosts and ports aside. Looks at the
/// nodes of open blocks only.
std::size_t boxCount(const Graph& graph, const FoldModel& fold, const SceneOptions& options);

} // namespace gelens
