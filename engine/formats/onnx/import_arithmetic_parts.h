#pragma once
// What the files of the arithmetic import share; private to this folder.

#include "engine/formats/onnx/import_op.h"

#include <initializer_list>
#include <string>

namespace gelens::onnx_import {

void importReduction(ImportTable&);     ///< Reduce…, ArgMax, CumSum, losses
void importActivation(ImportTable&);    ///< Relu … Softmax
void importNormalization(ImportTable&); ///< BatchNormalization, LayerNormalization …

inline const AttrMap& attrsOf(const ImportContext& context) { return context.onnx().attrs; }

/// An error that makes the node opaque instead of refusing the model.
Error unsupported(const ImportContext& context, const std::string& text);
/// The first `count` inputs, which must all be there.
Result<std::vector<OutputRef>> requiredInputs(const ImportContext& context, int count);

/// One GE operator with the same inputs; `attrs` are fixed.
ImportFunction direct(std::string geType, int inputs, AttrMap attrs = {});

/// A real attribute that goes over under another name; `otherwise` is ONNX's default.
struct RealAttr {
    const char* onnxName;
    const char* geName;
    double otherwise;
};
/// One GE operator with one input and real attributes.
ImportFunction withReals(std::string geType, std::vector<RealAttr> attrs);

/// Makes a node and gives its first output.
OutputRef makeOne(ImportContext& context, std::string_view geType, const std::vector<OutputRef>& inputs,
                  AttrMap attrs = {}, std::string_view suffix = {});
/// A vector or scalar constant of integers.
OutputRef intConstant(ImportContext& context, const IntList& values, bool isScalar, DataType dtype,
                      std::string_view suffix);
/// A scalar constant.
OutputRef realConstant(ImportContext& context, double value, DataType dtype, std::string_view suffix);

} // namespace gelens::onnx_import
