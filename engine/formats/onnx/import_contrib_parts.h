#pragma once
// What the files of the com.microsoft import share; private to this folder.

#include "engine/formats/onnx/import_cube_parts.h"

namespace gelens::onnx_import {

/// Quantised operators of com.microsoft: dequantise, compute, quantise.
void importContribQuant(ImportTable&);

/// An activation by its ONNX name with its parameters in order; "" gives `value` itself.
Result<OutputRef> activated(ImportContext& context, OutputRef value, const std::string& name,
                            const FloatList& parameters);

} // namespace gelens::onnx_import
