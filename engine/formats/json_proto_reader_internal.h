#pragma once
// A tolerant reader of messages that were written as JSON the way atc does it: keys are field names, a map is a list of
// {"key", "value"}, an enumerator is text, so is a single float, and bytes are C-escaped text. Private to this folder.

#include "engine/formats/text_proto_reader_internal.h"

#include <string_view>

namespace gelens {

/// Fills `root` and hands over the big messages as parseProtoText() does. Unknown keys are skipped. At the first place
/// that is no JSON reading stops; what was complete has been handed over. Nesting deeper than 200 stops too.
TextProblem parseProtoJson(std::string_view text, google::protobuf::Message& root, TextMessageSink& sink);

/// Whether a text begins as atc's JSON of a ModelDef does; other JSON has neither a list of graphs with operators nor
/// attributes as pairs of key and value.
bool looksLikeModelJson(std::string_view text);

} // namespace gelens
