#pragma once
// One node of a ge_onnx dump as an operator of GE's own schema; private to this folder.

#include "engine/formats/onnx/onnx_proto_internal.h"

#include "formats/proto/ge_ir.pb.h"

namespace gelens {

void opFromGeOnnxNode(const onnx::NodeProto& node, ge::proto::OpDef& op);

} // namespace gelens
