#pragma once
// The axis orders that GE's ONNX parser states on the operators it makes; private to this folder.

#include "engine/graph/graph_editor.h"

namespace gelens::onnx_import {

/// Sets them on a node's descriptors; other nodes, and other slots of the node, stay ND until InferFormat.
/// Source: dumps of GE's parser (Conv2D, Conv2DTranspose, MaxPoolV3, AvgPoolV2, BatchMatMulV2). Three spatial axes are
/// not in them and stay ND.
void stateParserFormats(GraphEditor& edit, NodeId id);

} // namespace gelens::onnx_import
