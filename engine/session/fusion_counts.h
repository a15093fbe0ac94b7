#pragma once
// Reads fusion_result.json: how often each fusion pass matched and took effect, as GE counts it. And holds the counts
// against the marks that the passes left in a dump.

#include "engine/graph/graph.h"
#include "engine/graph/result.h"
#include "engine/session/run.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gelens {

struct FusionCount {
    std::string pass;      ///< "(unnamed pass)" where the file has an empty name
    bool isBuffer = false; ///< under `ub_fusion`, else `graph_fusion`
    std::int64_t matched = 0, effective = 0, repositoryHits = 0;
};

struct FusionResult {
    int session = -1, graph = -1; ///< from the key `session_and_graph_id_<session>_<graph>`; -1 where it says none
    std::vector<FusionCount> counts;
};

/// Tolerant: numbers may be texts or numbers, the two objects may be absent, one graph may stand in a list. Errors: no
/// JSON, or JSON without any fusion counts.
Result<std::vector<FusionResult>> readFusionResult(const std::filesystem::path& path);

/// Where the counts of one graph and a dump of it contradict each other, and of which passes the dump does not tell. A
/// graph pass writes its name on the nodes that it makes (`pass_name`), so a name that stands there took effect; later
/// passes may remove such nodes, so fewer say nothing. For buffer fusion, scopes that bear the pass's name are counted.
std::vector<Message> fusionDoubts(const FusionResult& result, bool isBuffer, const Graph& dump);

/// As summaries for views: those that matched more often than they took effect come first.
std::vector<FusionSummary> fusionSummaries(const std::vector<FusionResult>& results);

} // namespace gelens
