#include "engine/report/models_json.h"

#include "engine/report/chart_internal.h"
#include "engine/report/json_internal.h"

#include <fmt/format.h>

namespace gelens {
namespace {

using report::Json;

template <typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

/// The JSON has a word on it beside its rows; a table's header has to say it itself.
constexpr const char *latencyInJson = "latency_us", *latencyInTable = "latency_us_estimated";

/// Everything that the table, the CSV and the JSON show, under the JSON's names but for the latency's.
Json rowOf(const FleetMember& member, std::size_t index, bool asCards, const char* latency)
{
    Json row = Json::object();
    if (asCards) {
        row["card"] = index;
        row["blocks"] = orNull(member.blocks);
        row["nodes"] = nullptr; // in this place, filled in below
    }
    row["file"] = member.path;
    if (!member.run) {
        for (const char* name :
             {"model", "soc", "mode", "nodes_before", "nodes_after", "fusion_rate", "memory_reuse_rate", "tasks",
              "peak", latency, "kernels_compiled", "kernels_shared", "ms"})
            row[name] = nullptr;
    } else {
        const RunStatistics& s = member.run->statistics;
        if (asCards) row["nodes"] = s.nodes.after;
        row["model"] = member.run->modelName;
        row["soc"] = member.run->soc.name;
        row["mode"] = member.run->mode;
        row["nodes_before"] = orNull(s.nodes.before);
        row["nodes_after"] = s.nodes.after;
        row["fusion_rate"] = s.nodes.before ? Json(s.fusionRate) : Json(nullptr);
        row["memory_reuse_rate"] = s.memoryReuseRate;
        row["tasks"] = s.tasks.after;
        row["peak"] = s.memoryAfter;
        row[latency] = s.latencyUs.after;
        row["kernels_compiled"] = member.compiledKernels;
        row["kernels_shared"] = member.sharedKernels;
        row["ms"] = s.engineMilliseconds;
    }
    row["error"] = member.error ? Json(member.error->message()) : Json(nullptr);
    return row;
}

std::string cellOf(const Json& value)
{
    if (value.is_null()) return {};
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
    return value.dump();
}

} // namespace

std::vector<std::vector<std::string>> modelsTable(const Fleet& fleet, bool asCards)
{
    std::vector<std::vector<std::string>> table;
    for (std::size_t i = 0; i < fleet.members.size(); ++i) {
        const Json row = rowOf(fleet.members[i], i, asCards, latencyInTable);
        if (table.empty()) {
            auto& header = table.emplace_back();
            for (const auto& [name, value] : row.items()) header.push_back(name);
        }
        auto& cells = table.emplace_back();
        for (const auto& [name, value] : row.items()) cells.push_back(cellOf(value));
    }
    return table;
}

std::string modelsToCsv(const Fleet& fleet, bool asCards)
{
    std::string text;
    for (const auto& row : modelsTable(fleet, asCards)) {
        for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + chart::csvField(row[i]);
        text += '\n';
    }
    return text;
}

std::string cardsToJson(const Fleet& fleet, const std::string& model)
{
    Json cards = Json::array();
    int nodesBefore = 0, nodesAfter = 0, tasksBefore = 0, tasksAfter = 0;
    std::int64_t largestPeak = 0;
    std::string soc, mode;
    for (std::size_t i = 0; i < fleet.members.size(); ++i) {
        cards.push_back(rowOf(fleet.members[i], i, true, latencyInJson));
        if (!fleet.members[i].run) continue;
        const RunStatistics& s = fleet.members[i].run->statistics;
        nodesBefore += s.nodes.before.value_or(0);
        nodesAfter += s.nodes.after;
        tasksBefore += s.tasks.before.value_or(0);
        tasksAfter += s.tasks.after;
        largestPeak = std::max(largestPeak, s.memoryAfter);
        soc = fleet.members[i].run->soc.name;
        mode = fleet.members[i].run->mode;
    }
    return report::dumped({{"model", model},
                           {"soc", soc},
                           {"mode", mode},
                           {"nodes", {{"before", nodesBefore}, {"after", nodesAfter}}},
                           {"tasks", {{"before", tasksBefore}, {"after", tasksAfter}}},
                           {"largest_peak", largestPeak},
                           {"cards", std::move(cards)},
                           {"latency_is_estimated", true},
                           {"ms", fleet.milliseconds}});
}

std::string modelsToJson(const Fleet& fleet, bool asCards)
{
    Json rows = Json::array();
    for (std::size_t i = 0; i < fleet.members.size(); ++i)
        rows.push_back(rowOf(fleet.members[i], i, asCards, latencyInJson));
    int compiled = 0, shared = 0;
    for (const FleetMember& member : fleet.members) {
        compiled += member.compiledKernels;
        shared += member.sharedKernels;
    }
    return report::dumped({{asCards ? "cards" : "models", std::move(rows)},
                           {"kernel_cache", {{"compiled", compiled}, {"shared", shared}}},
                           {"latency_is_estimated", true},
                           {"ms", fleet.milliseconds}});
}

} // namespace gelens
