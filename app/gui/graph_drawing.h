#pragma once
// How the graph of the window is drawn, as words and back (app/core/drawing_words.h).

#include "app/core/drawing_words.h"

#include <QStringList>

#include <optional>

namespace gelens {

class GraphView;

/// What differs from a drawing as shipped.
DrawingWords drawingOf(const GraphView& graph);
/// What the words leave out is as shipped, whatever the person prefers.
void applyDrawing(GraphView& graph, const DrawingWords& words);

/// Blocks that are open, by their keys; "*" alone: all. Nothing: those that are open at first.
std::optional<QStringList> openBlocksOf(const GraphView& graph);
void applyOpenBlocks(GraphView& graph, const QStringList& keys);

} // namespace gelens
