#include "engine/report/fusion_result.h"

#include <nlohmann/json.hpp>

#include <map>

namespace gelens {
namespace {

struct Counts {
    std::int64_t matched = 0, effective = 0;
};
using PassCounts = std::map<std::string, Counts>;

nlohmann::json toJson(const PassCounts& passes, bool isBuffer)
{
    nlohmann::json json = nlohmann::json::object();
    for (const auto& [pass, counts] : passes) {
        nlohmann::json entry = {{"effect_times", std::to_string(counts.effective)},
                                {"match_times", std::to_string(counts.matched)}};
        // There is no tuning knowledge base here, so that nothing is ever taken from it.
        if (isBuffer) entry["repository_hit_times"] = "0";
        json[pass] = std::move(entry);
    }
    return json;
}

} // namespace

std::string fusionResultJson(const Run& run, int session, int graph)
{
    PassCounts graphPasses, bufferPasses;
    for (const Step& step : run.steps) {
        // GE counts what autofusion does in its log, not in this file.
        if (step.rule.empty() || step.phase == "AfterPrecisionRefine") continue;
        Counts counts;
        for (const auto& [what, value] : step.counters) {
            if (what == "matched") counts.matched = value;
            if (what == "effective") counts.effective = value;
        }
        if (counts.matched == 0) continue;
        // Buffer fusion runs while sub-graphs are optimised; everything before is graph fusion.
        Counts& sum = (step.phase == "PreRunAfterOptimizeSubgraph" ? bufferPasses : graphPasses)[step.pass];
        sum.matched += counts.matched;
        sum.effective += counts.effective;
    }
    const std::string key = "session_and_graph_id_" + std::to_string(session) + "_" + std::to_string(graph);
    const nlohmann::json json = {
        {key, {{"graph_fusion", toJson(graphPasses, false)}, {"ub_fusion", toJson(bufferPasses, true)}}}};
    return json.dump(4, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace gelens
