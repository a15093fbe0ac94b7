#pragma once
// Opens a graph in text form, whichever of GE's four it is, or a plain ONNX model as text.

#include "engine/formats/model_document.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace gelens {

enum class TextDumpKind { GeOnnx, GeProto, GeReadable, GeJson, OnnxText };

/// What a text is, by its beginning. What nothing decides is taken for ge_onnx or ge_proto, whose reader then says what
/// is wrong.
struct TextDumpGuess {
    TextDumpKind kind = TextDumpKind::GeProto;
    bool isSure = false; ///< something in the text decides
};
TextDumpGuess guessTextDump(std::string_view text);

/// `owner` keeps `text` in memory; it is needed for large dumps only, whose attributes then stay there.
Result<ModelDocument> readTextDump(std::string_view text, const ReadOptions& options = {},
                                   std::shared_ptr<const void> owner = {});

/// The same without a look at what it is.
Result<ModelDocument> readTextDumpAs(TextDumpKind kind, std::string_view text, const ReadOptions& options = {},
                                     std::shared_ptr<const void> owner = {});

/// Whether a text begins as the JSON of a ModelDef that atc writes.
bool looksLikeGeJson(std::string_view text);

/// Whether bytes begin as a ModelDef with a name does; no ONNX model begins like that.
bool looksLikeAir(std::span<const std::byte> bytes);

} // namespace gelens
