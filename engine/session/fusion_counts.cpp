#include "engine/session/fusion_counts.h"

#include "engine/formats/mapped_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <tuple>

namespace gelens {
namespace {

using Json = nlohmann::json;

constexpr std::size_t maxBytes = 64u << 20; ///< real files have some kilobytes

std::int64_t numberIn(const Json& entry, const char* key)
{
    const auto found = entry.find(key);
    if (found == entry.end()) return 0;
    if (found->is_number_integer()) return found->get<std::int64_t>();
    std::int64_t value = 0;
    if (found->is_string()) {
        const std::string& text = found->get_ref<const std::string&>();
        (void)std::from_chars(text.data(), text.data() + text.size(), value);
    }
    return value;
}

void addCounts(const Json& graph, const char* key, bool isBuffer, FusionResult& result)
{
    const auto passes = graph.find(key);
    if (passes == graph.end() || !passes->is_object()) return;
    for (const auto& [name, entry] : passes->items())
        if (entry.is_object())
            result.counts.push_back({name.empty() ? "(unnamed pass)" : name, isBuffer, numberIn(entry, "match_times"),
                                     numberIn(entry, "effect_times"), numberIn(entry, "repository_hit_times")});
}

/// One compiled graph; `key` names session and graph where they are known.
void addGraph(const std::string& key, const Json& graph, std::vector<FusionResult>& results)
{
    if (!graph.is_object()) return;
    FusionResult result;
    std::string id = key;
    if (const auto stated = graph.find("session_and_graph_id"); stated != graph.end() && stated->is_string())
        id = "session_and_graph_id_" + stated->get<std::string>();
    if (std::sscanf(id.c_str(), "session_and_graph_id_%d_%d", &result.session, &result.graph) != 2)
        result.session = result.graph = -1;
    addCounts(graph, "graph_fusion", false, result);
    addCounts(graph, "ub_fusion", true, result);
    if (!result.counts.empty()) results.push_back(std::move(result));
}

} // namespace

Result<std::vector<FusionResult>> readFusionResult(const std::filesystem::path& path)
{
    GELENS_ASSIGN(const std::shared_ptr<const MappedFile> file, MappedFile::open(path));
    if (file->size() > maxBytes) return Error::limit("larger than 64 MiB", path.string());
    const char* const text = reinterpret_cast<const char*>(file->bytes().data());
    const Json json = Json::parse(text, text + file->size(), nullptr, false);
    if (json.is_discarded()) return Error::invalid("not JSON", path.string());
    std::vector<FusionResult> results;
    if (json.is_array())
        for (const Json& graph : json) addGraph({}, graph, results);
    if (json.is_object()) {
        if (json.contains("graph_fusion") || json.contains("ub_fusion")) addGraph({}, json, results);
        for (const auto& [key, graph] : json.items())
            if (key != "graph_fusion" && key != "ub_fusion") addGraph(key, graph, results);
    }
    if (results.empty()) return Error::invalid("no fusion counts inside", path.string());
    return results;
}

std::vector<FusionSummary> fusionSummaries(const std::vector<FusionResult>& results)
{
    std::map<std::pair<std::string, bool>, FusionSummary> sums;
    for (const FusionResult& result : results)
        for (const FusionCount& count : result.counts) {
            FusionSummary& sum = sums[{count.pass, count.isBuffer}];
            sum.rule = sum.gePass = count.pass;
            sum.summary = count.isBuffer ? "UB fusion, counted by GE" : "graph fusion, counted by GE";
            sum.matched += static_cast<int>(count.matched);
            sum.effective += static_cast<int>(count.effective);
        }
    std::vector<FusionSummary> list;
    for (auto& [key, sum] : sums) list.push_back(std::move(sum));
    std::stable_sort(list.begin(), list.end(), [](const FusionSummary& a, const FusionSummary& b) {
        return std::tuple(a.matched - a.effective, a.effective) > std::tuple(b.matched - b.effective, b.effective);
    });
    return list;
}

} // namespace gelens
