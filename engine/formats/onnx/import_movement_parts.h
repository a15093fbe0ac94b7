#pragma once
// The files of the movement import; private to this folder.

#include "engine/formats/onnx/import_arithmetic_parts.h"

namespace gelens::onnx_import {

void importShapes(ImportTable&); ///< Reshape, Slice, Concat, Split, Pad, Expand …
void importGather(ImportTable&); ///< Gather, Scatter, OneHot, TopK, NonZero, Unique, Compress
void importImage(ImportTable&);  ///< Resize, GridSample, RoiAlign, NonMaxSuppression

/// The element type that an attribute with ONNX's number names; `otherwise` where it is absent.
DataType typeAttr(const ImportContext& context, std::string_view name, DataType otherwise);
/// int64 vector constant.
OutputRef intVector(ImportContext& context, const IntList& values, std::string_view suffix);
/// int32 scalar constant, as GE's own plug-ins give axes.
OutputRef axisConstant(ImportContext& context, std::int64_t axis, std::string_view suffix);
/// Outputs k of a node become the ONNX outputs k.
void takeOutputs(ImportContext& context, NodeId node, int count);

} // namespace gelens::onnx_import
