#pragma once
// Reads `ge_onnx_*.pbtxt` dumps: GE's graph in the ONNX schema, as protobuf text.

#include "engine/formats/model_document.h"

#include <string_view>

namespace gelens {

/// As tolerant as readGeProto. The format is no full one: bools come back as such only for operators that we know,
/// owners of sub-graphs are guessed by name, and level 3 has no attributes at all.
Result<ModelDocument> readGeOnnx(std::string_view text, const ReadOptions& options = {});

} // namespace gelens
