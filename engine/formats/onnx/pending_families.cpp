#include "engine/formats/onnx/import_op.h"
namespace gelens::onnx_import {
__attribute__((weak)) void importContrib(ImportTable&) {}
} // namespace gelens::onnx_import
