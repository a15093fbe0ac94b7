#pragma once
// A run as JSON: the contract of `gelens-cli compile --json`, `explain --json` and `info --json`.

#include "engine/session/bisect.h"
#include "engine/session/session.h"

#include <optional>
#include <string>

namespace gelens {

/// What `compile --bisect` was asked, and its answer.
struct BisectReport {
    std::string question;
    BisectAnswer answer;
};

/// One JSON object, UTF-8, two-space indent, newline at the end. Figures without an original graph are null. With
/// `bisected` it has `bisect{question,outcome,step,pass,stage,phase,node,before,after,probes,by}`: outcome is "found",
/// "never" or "from_start", what has no value is null.
std::string runToJson(const Run& run, const BisectReport* bisected = nullptr);

/// Which chains `explain` reports.
struct ChainFilter {
    std::string node;             ///< only chains with a node of this name (or made from it); empty = all
    std::optional<Reason> reason; ///< only chains with a link refused for this reason
};
/// Indices into run.chains that pass the filter.
std::vector<std::size_t> filteredChains(const Run& run, const ChainFilter& filter);

/// The chains that pass the filter, with every check of every rule that was tried.
std::string chainsToJson(const Run& run, const ChainFilter& filter);

std::string infoToJson(const ModelInfo& info);

} // namespace gelens
