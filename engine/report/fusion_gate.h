#pragma once
// The fusion gate: which fusions a model must keep, and whether a run kept them.

#include "engine/graph/result.h"
#include "engine/session/run.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

/// One line of an expectation file, and what a run gave.
struct FusionExpectation {
    std::string name;        ///< rule id or GE pass name
    std::int64_t least = 0;  ///< how often it has to take effect
    std::int64_t actual = 0; ///< filled by `measureFusions`
    bool holds() const { return actual >= least; }
};

/// Reads a JSON object from rule id or GE pass name to the least count. Errors name the place in the text.
Result<std::vector<FusionExpectation>> readFusionExpectations(std::string_view text, const std::string& where);

/// Fills `actual`: places where rules of that id or pass name took effect.
void measureFusions(const Run& run, std::vector<FusionExpectation>& expectations);

} // namespace gelens
