#pragma once
// Memory plans as JSON: the contract of `gelens-cli memplan --json`.

#include "engine/memory/csv_instance.h"
#include "engine/memory/explain_plan.h"

#include <string>
#include <utility>
#include <vector>

namespace gelens {

/// What a `memplan` found, from a CSV instance or a graph. Bytes.
struct MemplanReport {
    std::string file, policy; ///< policy: the one that made the plan
    std::int64_t peak = 0, lowerBound = 0;
    double seconds = 0;
    bool isProvedOptimal = false;
    std::int64_t capacity = 0;                                 ///< 0: none was given
    std::vector<std::pair<std::string, std::int64_t>> offsets; ///< in the order of the file; -1 = no memory

    bool isGraph = false; ///< the fields below are a graph's
    std::int64_t featureMap = 0, zeroCopy = 0, weights = 0, unshared = 0, gePeak = 0;
    std::string strategy;                                         ///< GE's assigner, or the policy
    std::vector<std::pair<std::string, std::int64_t>> candidates; ///< size that each of GE's assigners came to
    PeakReport peakReport;
    std::vector<PeakSaving> savings;
};

std::string memplanToJson(const MemplanReport& report);

} // namespace gelens
