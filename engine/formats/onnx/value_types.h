#pragma once
// TypeProto and ValueInfoProto to descriptors; private to this folder.

#include "engine/formats/onnx/onnx_proto.h"
#include "engine/graph/tensor.h"

#include <string>

namespace gelens::onnx_import {

/// Symbolic dimensions keep their name. Sequences, maps and optionals give the descriptor of their innermost tensor
/// with the attribute `onnx_type` = "seq(tensor(float))".
TensorDesc descOf(const onnx::TypeProto& type);
/// "tensor(float)", "seq(map(int64,tensor(float)))".
std::string typeText(const onnx::TypeProto& type);

} // namespace gelens::onnx_import
