#pragma once
// How many boxes a drawing would have, before it is made.

#include "viewers/scene/scene.h"

#include <cstddef>

namespace gelens {

/// Boxes of one drawing: some 200 MB with index and tiles. More are told of, not drawn.
inline constexpr std::size_t mostDrawnBoxes = 200'000;

/// Nodes, folded blocks and frames of open ones: no fewer than buildScene() makes, ghosts and ports aside. Looks at the
/// nodes of open blocks only.
std::size_t boxCount(const Graph& graph, const FoldModel& fold, const SceneOptions& options);
/// The same for what buildExportScene() would make.
std::size_t exportBoxCount(const Graph& graph, ExportFolding folding);

} // namespace gelens
