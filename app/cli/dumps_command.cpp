#include "app/cli/command_internal.h"
#include "engine/formats/dump_folder.h"
#include "engine/session/graph_matcher.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <ostream>

namespace gelens::cli {
namespace {

struct Arguments {
    std::string folder;
    bool asJson = false;
};

/// What is said of one phase; counts are absent where the dump could not be read.
struct PhaseRow {
    const DumpPhase* phase = nullptr;
    std::string error;
    int nodes = 0, edges = 0;
    std::map<std::string, int> types;
    std::optional<GraphDiff> change; ///< against the phase before it
};

int dataEdges(const Graph& graph)
{
    int edges = 0;
    for (const NodeId id : graph.allNodes())
        for (const InputSlot& slot : graph.node(id).inputs) edges += slot.source.isValid();
    return edges;
}

/// Reads the dumps of one graph one after another; only two are in memory at a time.
std::vector<PhaseRow> rowsOf(const DumpGraph& group)
{
    std::vector<PhaseRow> rows;
    std::optional<Graph> previous;
    for (const DumpPhase& phase : group.phases) {
        PhaseRow row;
        row.phase = &phase;
        auto document = readDumpPhase(phase);
        if (!document.ok()) {
            row.error = document.error().message();
        } else {
            Graph& graph = document->graph;
            row.nodes = graph.nodeCount();
            row.edges = dataEdges(graph);
            for (const NodeId id : graph.allNodes()) ++row.types[graph.node(id).type];
            if (previous) row.change = diffOfGraphs(*previous, graph);
            previous = std::move(graph);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<std::pair<std::string, int>> byCount(const std::map<std::string, int>& types)
{
    std::vector<std::pair<std::string, int>> list(types.begin(), types.end());
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return list;
}

nlohmann::ordered_json jsonOf(const DumpGraph& group)
{
    nlohmann::ordered_json json;
    json["process"] = group.process;
    json["graph"] = group.graphId ? nlohmann::ordered_json(*group.graphId) : nlohmann::ordered_json();
    json["single_op"] = group.isSingleOp;
    auto& phases = json["phases"] = nlohmann::ordered_json::array();
    for (const PhaseRow& row : rowsOf(group)) {
        nlohmann::ordered_json item = {{"number", row.phase->number}, {"phase", row.phase->name}};
        if (row.phase->info)
            item.update({{"owner", row.phase->info->owner}, {"shows", row.phase->info->english}, {"shows_zh", row.phase->info->chinese}});
        for (const DumpFile& file : row.phase->files)
            item["files"].push_back({{"format", dumpFormatName(file.format)}, {"path", file.path.string()}, {"bytes", file.bytes}});
        if (!row.error.empty()) {
            item["error"] = row.error;
        } else {
            item["nodes"] = row.nodes;
            item["data_edges"] = row.edges;
            item["types"] = nlohmann::ordered_json::object();
            for (const auto& [type, count] : byCount(row.types)) item["types"][type] = count;
        }
        if (row.change)
            item["change"] = {{"added", row.change->added}, {"removed", row.change->removed}, {"changed", row.change->changed}};
        phases.push_back(std::move(item));
    }
    return json;
}

void print(std::ostream& out, const DumpGraph& group)
{
    out << fmt::format("{}: {} phases\n", group.label(), group.phases.size());
    std::vector<std::vector<std::string>> table{{"number", "phase", "owner", "nodes", "edges", "added", "removed", "changed", "shows"}};
    for (const PhaseRow& row : rowsOf(group)) {
        const PhaseInfo* const info = row.phase->info;
        std::vector<std::string> cells{std::to_string(row.phase->number), row.phase->name, std::string(info ? info->owner : "")};
        if (row.error.empty()) {
            cells.push_back(grouped(row.nodes));
            cells.push_back(grouped(row.edges));
        } else {
            cells.insert(cells.end(), {"-", "-"});
        }
        for (const int count : {row.change ? row.change->added : -1, row.change ? row.change->removed : -1, row.change ? row.change->changed : -1})
            cells.push_back(count < 0 ? "" : grouped(count));
        cells.push_back(row.error.empty() ? std::string(info ? info->english : "") : "cannot be read: " + row.error);
        table.push_back(std::move(cells));
    }
    out << tableText(table);
}

int execute(const Arguments& arguments, const Environment& environment)
{
    const auto folder = openDumpFolder(arguments.folder);
    if (!folder.ok()) return environment.fail(folder.error());
    if (arguments.asJson) {
        nlohmann::ordered_json json = {{"folder", folder->path.string()}, {"phases", folder->phaseCount()}};
        auto& graphs = json["graphs"] = nlohmann::ordered_json::array();
        for (const DumpGraph& group : folder->graphs) graphs.push_back(jsonOf(group));
        for (const auto& path : folder->fxDumps) json["fx_dumps"].push_back(path.string());
        if (folder->fusionResult) json["fusion_result"] = folder->fusionResult->string();
        environment.out << json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
        return Done;
    }
    for (const DumpGraph& group : folder->graphs) print(environment.out, group);
    for (const auto& path : folder->fxDumps) environment.out << fmt::format("TorchAir dump  {}\n", path.string());
    if (folder->fusionResult) environment.out << fmt::format("fusion result  {}\n", folder->fusionResult->string());
    return Done;
}

} // namespace

Command dumpsCommand(CLI::App& parent, const Environment& environment)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app = parent.add_subcommand("dumps", "the phases of a folder of DUMP_GE_GRAPH dumps, in order, and what changed between them");
    app->add_option("FOLDER", arguments->folder, "folder with ge_proto, ge_onnx or ge_readable dumps, also in folders below it")->required();
    app->add_flag("--json", arguments->asJson, "print one JSON object");
    return {app, [arguments, environment] { return execute(*arguments, environment); }};
}

} // namespace gelens::cli
