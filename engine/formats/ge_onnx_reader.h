#pragma once
// Reads `ge_onnx_*.pbtxt` dumps: GE's graph in the ONNX schema, as protobuf text.

#include "engine/formats/model_document.h"

#include <memory>
#include <string_view>

namespace gelens {

/// As tolerant as readGeProto. The format is no full one: bools come back as such only for operators that we know,
/// owners of sub-graphs are guessed by name, and level 3 has no attributes at all.
/// `owner` is what keeps `text` in memory; with it attributes stay in the text until they are looked at.
Result<ModelDocument> readGeOnnx(std::string_view text, const ReadOptions& options = {},
                                 std::shared_ptr<const void> owner = {});

} // namespace gelens
