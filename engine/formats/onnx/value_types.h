#pragma once
// TypeProto and ValueInfoProto to descriptors; private to this folder.

#include "engine/formats/onnx/onnx_proto_internal.h"
#include "engine/graph/tensor.h"

#include <string>

namespace gelens::onnx_import {

/// Symbolic dimensions keep their name. A sequence is a Resource that tells of its elements in attributes; an optional
/// gives the descriptor of what it may hold. All that are no plain tensors have the attribute `onnx_type`, for people:
/// "seq(tensor(fp32))".
TensorDesc descOf(const onnx::TypeProto& type);
/// "tensor(fp32)", "seq(map(int64,tensor(fp32)))".
std::string typeText(const onnx::TypeProto& type);

} // namespace gelens::onnx_import
