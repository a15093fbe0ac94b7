#pragma once
// The one place that includes the ONNX protobuf classes; private to this folder.

#ifndef ONNX_ML
#define ONNX_ML 1 // the full schema, as the library is built
#endif
#include <onnx/onnx_pb.h>
