#pragma once
// Opens a graph in text form, whichever of GE's three it is, or a plain ONNX model as text.

#include "engine/formats/model_document.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace gelens {

enum class TextDumpKind { GeOnnx, GeProto, GeReadable, OnnxText };

/// By content. What is none of them surely is taken for ge_proto, whose reader then says what is wrong.
TextDumpKind textDumpKind(std::string_view text);

Result<ModelDocument> readTextDump(std::string_view text, const ReadOptions& options = {});

/// Whether bytes begin as a ModelDef with a name does; no ONNX model begins like that.
bool looksLikeAir(std::span<const std::byte> bytes);

} // namespace gelens
