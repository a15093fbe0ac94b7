#pragma once
// A run as JSON: the contract of `gelens-cli compile --json`, `explain --json` and `info --json`.

#include "engine/session/session.h"

#include <optional>
#include <string>

namespace gelens {

/// One JSON object, UTF-8, two-space indent, newline at the end. Figures without an original graph are null.
std::string runToJson(const Run& run);

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
