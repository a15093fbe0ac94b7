#pragma once
// Reads `ge_proto_*.txt` dumps, `.air` files and the JSON of atc: GE's ModelDef as text, in wire form or as JSON.

#include "engine/formats/model_document.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace gelens {

/// Tolerant: unknown fields are skipped; a file that breaks off gives what came before and a message. A text that holds
/// one bare GraphDef (as TorchAir writes it) is read too. Errors say line and column.
/// With an `owner`, who keeps `text` in memory, attributes stay in the text until they are looked at.
Result<ModelDocument> readGeProto(std::string_view text, const ReadOptions& options = {},
                                  std::shared_ptr<const void> owner = {});

/// A ModelDef in wire form. With an `owner`, who keeps the bytes in memory, constants are windows into them.
Result<ModelDocument> readAir(std::span<const std::byte> bytes, const ReadOptions& options = {},
                              std::shared_ptr<const void> owner = {});

/// What `atc --mode=1` makes of an OM file and `--mode=5` of a ge_proto dump: no values of constants, no sizes and no
/// offsets of memory but those of the operators. As tolerant as readGeProto().
Result<ModelDocument> readGeJson(std::string_view text, const ReadOptions& options = {});

} // namespace gelens
