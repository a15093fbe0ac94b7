#pragma once
// What the imports of matrix, convolution, pooling and their quantised forms share; private to this folder.

#include "engine/formats/onnx/import_arithmetic_parts.h"

namespace gelens::onnx_import {

/// Spatial axes of a convolution, from whatever states them: the weight, kernel_shape, other lists, x. 2 when nothing
/// does.
int spatialAxes(const ImportContext& context, int weightInput);
/// A list with one entry for each spatial axis, behind entries of 1 (or `front`) for batch and channels; 1-D lists get
/// a row axis first.
IntList withBatchAndChannels(const IntList& list, int spatial, std::int64_t fallback, std::int64_t front = 1);
/// ONNX's begins-then-ends as GE's begin and end of each axis; a row axis first for 1-D.
IntList pairedPads(const ImportContext& context, int spatial);
/// strides, pads, dilations, groups, data_format, auto_pad and what GE's parser adds. `spatial` is 2 or 3 in the
/// result.
Result<AttrMap> convolutionAttrs(const ImportContext& context, int spatial);
/// Inserts an axis at 2 (1-D operators run as 2-D ones of one row), or takes it out again.
OutputRef addRowAxis(ImportContext& context, OutputRef value, std::string_view suffix);
OutputRef dropRowAxis(ImportContext& context, OutputRef value, std::string_view suffix);

/// ONNX Conv as Conv2D or Conv3D (1-D ones as one row); its result.
Result<OutputRef> convolutionOf(ImportContext& context);
/// ONNX Gemm as MatMulV2 with an Add behind it; scales are operators of their own.
Result<OutputRef> gemmOf(ImportContext& context);

} // namespace gelens::onnx_import
