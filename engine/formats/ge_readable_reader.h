#pragma once
// Reads `ge_readable_*.txt`: GE's listing of a graph for people.

#include "engine/formats/model_document.h"

#include <string_view>

namespace gelens {

/// The listing has no shapes, types, formats or control edges, and shows long constants in part. What it does show comes
/// back as printed. Tolerant: lines that are no node are skipped with a message. Errors: no graph at all, a cycle.
Result<ModelDocument> readGeReadable(std::string_view text, const ReadOptions& options = {});

} // namespace gelens
