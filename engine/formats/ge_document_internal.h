#pragma once
// From a graph that a GE reader built to the document that all readers give; private to this folder.

#include "engine/formats/ge_ir_convert.h"
#include "engine/formats/model_document.h"
#include "engine/formats/text_proto_reader_internal.h"

namespace gelens {

/// Fills the counts (operators, weights) from the graph and takes name, version and messages along.
ModelDocument documentOf(GeModel model, std::string format, std::size_t fileBytes);

/// Applies `--set` shapes to the Data nodes; an error for an input that does not exist or a rank that differs.
Status applyInputShapes(Graph& graph, const ReadOptions& options);

GeReadOptions geOptionsOf(const ReadOptions& options);

/// What to make of a text that stopped early: nothing when something came before (a message is added), else the error.
Status judgeProblem(const TextProblem& problem, int nodes, std::vector<Message>& messages);

} // namespace gelens
