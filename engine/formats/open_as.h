#pragma once
// Opens a file as what a person says it is, for the few whose content does not tell.

#include "engine/formats/model_document.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

struct ReaderKind {
    std::string_view id;   ///< "onnx", "om", "air", "ge_proto", "ge_onnx", "ge_readable", "ge_json", "onnx_text"
    std::string_view name; ///< for people
};
std::span<const ReaderKind> readerKinds();

/// Errors: a kind that does not exist, or what the reader says of the file.
Result<ModelDocument> openModelAs(const std::filesystem::path& path, std::string_view kind,
                                  const ReadOptions& options = {});

/// Ids of the kinds that a file may be, the likeliest first; one where the content decides, none for a foreign file.
std::vector<std::string_view> plausibleKinds(std::span<const std::byte> bytes);
std::vector<std::string_view> plausibleKinds(const std::filesystem::path& path);

} // namespace gelens
