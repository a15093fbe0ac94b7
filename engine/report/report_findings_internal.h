#pragma once
// What a report says in sentences: numbers put into translated texts, and why chains were not fused, counted.

#include "engine/session/run.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace gelens::report {

/// "%1" … "%9" in a text of ours replaced by values, each of which stays text whatever it holds.
std::string filled(std::string_view text, std::initializer_list<std::string> values);

/// "L1Capacity" as words: "L1 capacity".
std::string spacedName(std::string_view name);

struct ReasonCount {
    Reason reason = Reason::NoRule;
    int chains = 0;
    int places = 0; ///< a chain that occurs in every layer counts once for each
};
/// Most places first.
std::vector<ReasonCount> reasonsOf(const Run& run);

} // namespace gelens::report
