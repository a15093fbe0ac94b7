#pragma once
// Reads `ge_proto_*.txt` dumps and `.air` files: GE's ModelDef as text or in wire form.

#include "engine/formats/model_document.h"

#include <cstddef>
#include <span>
#include <string_view>

namespace gelens {

/// Tolerant: unknown fields are skipped; a file that breaks off gives what came before and a message. A text that holds
/// one bare GraphDef (as TorchAir writes it) is read too. Errors say line and column.
Result<ModelDocument> readGeProto(std::string_view text, const ReadOptions& options = {});

/// A ModelDef in wire form.
Result<ModelDocument> readAir(std::span<const std::byte> bytes, const ReadOptions& options = {});

} // namespace gelens
