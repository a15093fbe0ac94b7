#pragma once
// "Which pass broke it": for operators that stayed unfused, the rule whose pattern fitted at an earlier step, and the step
// that made it stop fitting.

#include "engine/session/run.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gelens {

struct BrokenPattern {
    std::string rule, gePass;
    StepId matchedUntil;            ///< last step at which the pattern fitted
    StepId brokenBy;                ///< the step after which it did not
    std::string pass;               ///< of that step
    std::vector<std::string> nodes; ///< where it fitted, by their names then
};

/// By chain and link. Links for which some rule matched all of its pattern are left out: what held those back is in their
/// verdicts. Only structure is looked at, in the graphs of all steps that changed something before the rule's own step.
/// Cost: for each such step a match of the rules in question; call it off the GUI thread.
std::map<std::pair<std::size_t, std::size_t>, BrokenPattern> findBrokenPatterns(const Run& run,
                                                                                const std::vector<std::size_t>& chains);

} // namespace gelens
