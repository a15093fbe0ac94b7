#pragma once
// JSON building shared by the files of this folder.

#include "engine/memory/explain_plan.h"
#include "engine/session/session.h"

#include <nlohmann/json.hpp>

namespace gelens::report {

using Json = nlohmann::ordered_json;

/// Text from a file may hold bytes that are not UTF-8; they come out as replacement characters.
std::string dumped(const Json& json);

Json verdictToJson(const FusionVerdict& verdict);
Json chainToJson(const Chain& chain, bool withChecks);
/// The tensors that the peak is made of, largest first.
Json peakToJson(const PeakReport& peak);

} // namespace gelens::report
