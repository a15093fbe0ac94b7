#pragma once
// Opens a model of any format that the program reads; the content decides, not the extension.

#include "engine/formats/model_document.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

namespace gelens {

/// What a file looks like from its first bytes.
enum class FileKind { Onnx, Om, TextDump, Foreign };

struct FileGuess {
    FileKind kind = FileKind::Onnx;
    std::string name; ///< of a foreign kind, with its article: "a ZIP archive"
};

/// Never fails: what nothing else claims is taken for ONNX, whose reader then judges it.
FileGuess guessFileKind(std::span<const std::byte> bytes);

/// Errors are one sentence with the path as `where`.
Result<ModelDocument> openModel(const std::filesystem::path& path, const ReadOptions& options = {});

} // namespace gelens
