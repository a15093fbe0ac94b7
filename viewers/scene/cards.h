#pragma once
// What a box says and how large that makes it.

#include "engine/graph/graph.h"
#include "engine/report/graph_drawing.h"
#include "viewers/scene/fold_model.h"
#include "viewers/scene/scene.h"

#include <string>

namespace gelens {

/// Card of a node, its size included. `scope` is the text that the block around it already says: a name starting with
/// it is shown without.
DrawnBox nodeCard(const Graph& graph, const Node& node, std::string_view scope);
/// Card of a folded block.
DrawnBox groupCard(const FoldModel& fold, int group, const Graph& graph, const SceneWords& words);
/// Title bar of an open block; the caller knows its size.
DrawnBox frameCard(const FoldModel& fold, int group);
DrawnBox portCard(const Graph& graph, OutputRef value, bool isInput);
/// Whether the operator type can be read whole on a card of this width.
bool fitsTitle(const DrawnBox& box, double width);
/// Keeps a card's place in the picture: the texts are cut to the given size.
void fitCard(DrawnBox& box, double width, double height);

/// "1×332×4096 · fp16 · FRACTAL_NZ"; "scalar"; empty when nothing is known or wanted. Names of sizes that are longer than
/// `longSymbol` bytes lose their middle: exporters write whole sentences. Takes the place of `text`, whose memory is used
/// again for the next one.
void tensorLabel(const TensorDesc& desc, const EdgeLabels& labels, std::size_t longSymbol, std::string& text);

} // namespace gelens
