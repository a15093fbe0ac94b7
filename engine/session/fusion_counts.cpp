#include "engine/session/fusion_counts.h"

#include "engine/formats/mapped_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

namespace gelens {
namespace {

using Json = nlohmann::json;

constexpr std::size_t maxBytes = 64u << 20; ///< real files have some kilobytes
constexpr std::string_view unnamedPass = "(unnamed pass)";
constexpr std::size_t namedPasses = 3; ///< passes spelt out in one line

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
            result.counts.push_back({name.empty() ? std::string(unnamedPass) : name, isBuffer,
                                     numberIn(entry, "match_times"), numberIn(entry, "effect_times"),
                                     numberIn(entry, "repository_hit_times")});
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

/// What one pass left in a dump.
struct PassMarks {
    int nodes = 0;
    NodeId first;
    std::set<std::int64_t> scopes;
    int places() const { return static_cast<int>(scopes.size()); }
};

/// A text or a list of texts: both spellings occur.
StringList namesIn(const Node& node, std::string_view attr)
{
    const auto found = node.attrs.find(attr);
    if (found == node.attrs.end()) return {};
    if (const auto* list = found->second.as<StringList>()) return *list;
    const auto* text = found->second.as<std::string>();
    return text != nullptr && !text->empty() ? StringList{*text} : StringList{};
}

/// Scopes whose trial compile failed were matched, but not joined.
std::map<std::string, PassMarks> marksIn(const Graph& graph, bool isBuffer)
{
    std::map<std::string, PassMarks> marks;
    std::int64_t single = -1; // ids of scopes of one node, which GE numbers from 1
    for (const NodeId id : graph.allNodes()) {
        const Node& node = graph.node(id);
        const auto mark = [&](const std::string& pass) -> PassMarks& {
            PassMarks& one = marks[pass];
            if (one.nodes++ == 0) one.first = id;
            return one;
        };
        if (!isBuffer) {
            for (const std::string& pass : namesIn(node, "pass_name")) mark(pass);
            continue;
        }
        if (node.attrs.contains("fusion_failed") || node.attrs.contains("_failed_l1_fusion_scope")) continue;
        const std::int64_t scope = attrInt(node.attrs, "fusion_scope", attrInt(node.attrs, "_l1_fusion_scope"));
        if (scope > 0)
            for (const std::string& pass : namesIn(node, "pass_name_ub")) mark(pass).scopes.insert(scope);
        for (const std::string& pass : namesIn(node, "_single_op_ub_pass_name")) mark(pass).scopes.insert(single--);
    }
    return marks;
}

Message doubt(std::string text, NodeId node)
{
    return {Severity::Warning, "dump.fusion-result-differs", std::move(text), {}, node};
}

/// Names that stand on nodes although the file counts none of their effects.
void addUncounted(const FusionResult& result, const std::map<std::string, PassMarks>& marks, const Graph& dump,
                  std::vector<Message>& doubts)
{
    std::map<std::string, std::int64_t> effects;
    for (const FusionCount& count : result.counts) effects[count.pass] += count.effective;
    if (effects.contains(std::string(unnamedPass))) return; // any of them may be meant
    for (const auto& [pass, mark] : marks) {
        const auto counted = effects.find(pass);
        if (counted != effects.end() && counted->second > 0) continue;
        doubts.push_back(doubt(
            fmt::format(
                "fusion_result.json counts no effect of {}, but its name stands on nodes of this dump ({}, first '{}')",
                pass, mark.nodes, dump.node(mark.first).name),
            mark.first));
    }
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

std::vector<Message> fusionDoubts(const FusionResult& result, bool isBuffer, const Graph& dump)
{
    const std::map<std::string, PassMarks> marks = marksIn(dump, isBuffer);
    std::vector<Message> doubts;
    if (!isBuffer) addUncounted(result, marks, dump, doubts);
    StringList untold;
    for (const FusionCount& count : result.counts) {
        if (count.isBuffer != isBuffer || count.effective <= 0) continue;
        const auto mark = marks.find(count.pass);
        if (mark == marks.end()) {
            untold.push_back(count.pass);
        } else if (isBuffer && mark->second.places() > count.effective) {
            doubts.push_back(doubt(
                fmt::format(
                    "fusion_result.json counts effects of {} ({}), but more scopes of this dump bear its name ({})",
                    count.pass, count.effective, mark->second.places()),
                mark->second.first));
        }
    }
    if (untold.empty()) return doubts;
    std::string names;
    for (std::size_t i = 0; i < std::min(untold.size(), namedPasses); ++i) names += (i == 0 ? "" : ", ") + untold[i];
    if (untold.size() > namedPasses) names += ", …";
    doubts.push_back(
        {Severity::Info,
         "dump.fusion-result-untold",
         fmt::format("this dump does not tell whether the counts of {} hold: no node bears their names", names),
         {},
         {}});
    return doubts;
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
