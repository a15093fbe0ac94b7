#pragma once
// ONNX models, from IR version 3 and opset 7 up to the newest that the tables know.

#include "engine/formats/model_document.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace gelens {

/// Newest versions whose meaning the reader knows; newer files are read with a warning.
inline constexpr std::int64_t newestOnnxIrVersion = 13;
inline constexpr std::int64_t newestOnnxOpset = 24;

/// Reads a model and gives the graph that GE's own ONNX parser would hand over: operators under their GE types and
/// names, Data nodes for the inputs, Const nodes for initialisers, a NetOutput at the end, no shapes inferred.
///
/// What the tables do not know stays in the graph as an opaque node with a message (`onnx.unknown-op`). Weights whose
/// external file is missing are constants without values, with a message (`onnx.weights-absent`). Everything that makes
/// the file senseless (cycles, undefined values, data that does not fit its shape, damaged bytes, nesting or expansion
/// without end, weights outside the model's folder) is an error of one sentence with the path as `where`.
Result<ModelDocument> readOnnx(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same from memory. External data is looked for in `folder`; none is read when it is empty.
Result<ModelDocument> readOnnxBytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                    const std::filesystem::path& folder, const ReadOptions& options = {});

} // namespace gelens
