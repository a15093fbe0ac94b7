#pragma once
// Reads OM files: models compiled by CANN's ATC, by GE, or by this program.

#include "engine/formats/model_document.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace gelens {

/// Every header version, 32- and 64-bit tables, several models in one file, flow models and bundles. Partitions of
/// unknown type are listed. Weights stay in the mapped file. `ModelDocument::om` holds what goes beyond the graph.
/// Errors are one sentence that names the byte: encrypted, cut, a table that does not fit, a graph that is none.
Result<ModelDocument> readOm(const std::filesystem::path& path, const ReadOptions& options = {});

/// The same from memory that `owner` keeps; `folder` is where external weights may lie, empty for none.
Result<ModelDocument> readOmBytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                  const std::filesystem::path& folder, const ReadOptions& options = {});

/// Whether bytes begin like an OM file (or a bundle of several).
bool isOm(std::span<const std::byte> bytes);

} // namespace gelens
