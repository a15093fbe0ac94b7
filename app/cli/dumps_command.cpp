#include "app/cli/command_internal.h"
#include "engine/session/dump_run.h"
#include "engine/session/sim_real.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <ostream>

namespace gelens::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
    std::string folder;
    bool asJson = false;
    ReportArguments report;
    RunArguments model; ///< to compare with; its file is empty when none is asked for
};

/// All nodes of a graph by type, most frequent first.
std::vector<std::pair<std::string, int>> typesOf(const Graph& graph)
{
    std::map<std::string, int> counts;
    for (const NodeId id : graph.allNodes()) ++counts[graph.node(id).type];
    std::vector<std::pair<std::string, int>> list(counts.begin(), counts.end());
    std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    return list;
}

/// What changed from the phase before to this one; null where nothing comes before or one of the two cannot be read.
Json changeJson(const Run& run, StepId step)
{
    const StepId base = run.baseOf(step);
    if (base == step || !run.sourceOf(step)->error.empty()) return nullptr;
    const GraphDiff diff = run.diff(base, step);
    return {{"from", run.step(base).phase},
            {"added", diff.added},
            {"removed", diff.removed},
            {"changed", diff.changed},
            {"matched",
             {{"by_name", diff.matchedBy[static_cast<std::size_t>(MatchBasis::Name)] +
                              diff.matchedBy[static_cast<std::size_t>(MatchBasis::NameOnly)]},
              {"by_origin", diff.matchedBy[static_cast<std::size_t>(MatchBasis::Origin)]},
              {"by_structure", diff.matchedBy[static_cast<std::size_t>(MatchBasis::Structure)]},
              {"confidence", diff.confidence()}}}};
}

Json phaseJson(const Run& run, StepId id)
{
    const Step& step = run.step(id);
    const StepSource& source = *run.sourceOf(id);
    Json item = {{"number", source.number}, {"phase", step.phase}};
    if (!source.owner.empty())
        item.update({{"owner", source.owner}, {"shows", source.meaning}, {"shows_zh", source.meaningZh}});
    for (const auto& [format, path] : source.files) {
        std::error_code code;
        const auto bytes = std::filesystem::file_size(path, code);
        item["files"].push_back({{"format", format}, {"path", path}, {"bytes", code ? 0 : bytes}});
    }
    if (!source.error.empty()) {
        item["error"] = source.error;
    } else {
        item["nodes"] = step.after.graphNodes;
        item["operators"] = step.after.operators;
        item["data_edges"] = step.after.dataEdges;
        item["types"] = Json::object();
        for (const auto& [type, count] : typesOf(*run.graphAt(id))) item["types"][type] = count;
    }
    if (Json change = changeJson(run, id); !change.is_null()) item["change"] = std::move(change);
    for (const auto& [name, value] : step.counters) item["fusions"][name] = value;
    for (const Message& message : step.messages)
        item["messages"].push_back({{"text", message.text}, {"where", message.where}});
    return item;
}

Json jsonOf(const Run& run)
{
    Json json = {{"folder", run.modelPath}, {"phases", run.stepCount()}};
    auto& graphs = json["graphs"] = Json::array();
    for (const Step& step : run.steps) {
        const StepSource& source = *run.sourceOf(step.id);
        if (run.spanOf(step.id).first == step.id) {
            Json group = {{"group", source.group},
                          {"process", source.process},
                          {"graph", source.graph < 0 ? Json() : Json(source.graph)},
                          {"single_op", source.isSingleOp}};
            if (!source.subgraph.empty()) group["subgraph"] = source.subgraph;
            group["phases"] = Json::array();
            graphs.push_back(std::move(group));
        }
        graphs.back()["phases"].push_back(phaseJson(run, step.id));
    }
    for (const FusionSummary& fusion : run.fusions)
        json["fusion_result"].push_back({{"pass", fusion.gePass},
                                         {"matched", fusion.matched},
                                         {"effective", fusion.effective},
                                         {"kind", fusion.summary}});
    for (const Message& message : run.messages)
        json["messages"].push_back({{"text", message.text}, {"where", message.where}});
    return json;
}

void printGroup(std::ostream& out, const Run& run, Run::Span span)
{
    const int phases = span.last.value - span.first.value + 1;
    out << fmt::format("{}: {} phase{}\n", run.sourceOf(span.first)->group, phases, phases == 1 ? "" : "s");
    std::vector<std::vector<std::string>> table{
        {"number", "phase", "owner", "nodes", "edges", "added", "removed", "changed", "shows"}};
    for (int i = span.first.value; i <= span.last.value; ++i) {
        const StepId id{i};
        const Step& step = run.step(id);
        const StepSource& source = *run.sourceOf(id);
        const bool isRead = source.error.empty();
        std::vector<std::string> cells{source.number < 0 ? "" : std::to_string(source.number), step.phase, source.owner,
                                       isRead ? grouped(step.after.graphNodes) : "-",
                                       isRead ? grouped(step.after.dataEdges) : "-"};
        const StepId base = run.baseOf(id);
        if (base == id || !isRead) {
            cells.insert(cells.end(), {"", "", ""});
        } else {
            const GraphDiff diff = run.diff(base, id);
            for (const int count : {diff.added, diff.removed, diff.changed}) cells.push_back(grouped(count));
        }
        cells.push_back(isRead ? source.meaning : "cannot be read: " + source.error);
        table.push_back(std::move(cells));
    }
    out << tableText(table);
}

void print(std::ostream& out, const Run& run)
{
    for (const Step& step : run.steps)
        if (run.spanOf(step.id).first == step.id) printGroup(out, run, run.spanOf(step.id));
    for (const FusionSummary& fusion : run.fusions)
        out << fmt::format("fusion     {}: {} of {} places ({})\n", fusion.gePass, grouped(fusion.effective),
                           grouped(fusion.matched), fusion.summary);
    const auto note = [&](const Message& message) {
        out << fmt::format("note       {} ({})\n", message.text, message.where);
    };
    for (const Message& message : run.messages) note(message);
    for (const Step& step : run.steps)
        for (const Message& message : step.messages)
            if (message.severity != Severity::Info) note(message);
}

Json jsonOf(const SimRealReport& report)
{
    Json json = {{"summary", report.sentence}, {"first_different", nullptr}};
    if (report.firstDifferent >= 0)
        json["first_different"] = report.phases[static_cast<std::size_t>(report.firstDifferent)].phase;
    json["unreadable"] = report.unreadable;
    json["passes"] = Json::array();
    for (const PartingPass& pass : report.passes)
        json["passes"].push_back({{"pass", pass.pass}, {"nodes", pass.nodes}});
    json["ge_fusion"] = report.geFusion == GeFusion::NoEngine   ? Json("no engine")
                        : report.geFusion == GeFusion::NoChange ? Json("no change")
                                                                : Json();
    auto& phases = json["phases"] = Json::array();
    for (const PhaseComparison& row : report.phases) {
        Json item = {{"phase", row.phase},
                     {"same", row.isSame()},
                     {"nodes", {{"simulated", row.simulatedCounts.graphNodes}, {"real", row.realCounts.graphNodes}}},
                     {"only_real", row.diff.added},
                     {"only_simulated", row.diff.removed},
                     {"different", row.diff.changed},
                     {"confidence", row.diff.confidence()}};
        item["how"] = row.error.empty() ? differenceText(row.diff) : "cannot be read: " + row.error;
        phases.push_back(std::move(item));
    }
    return json;
}

void print(std::ostream& out, const SimRealReport& report)
{
    out << "simulated against real: " << report.sentence << '\n';
    std::vector<std::vector<std::string>> table{
        {"phase", "simulated", "real", "only real", "only simulated", "different", "how"}};
    for (const PhaseComparison& row : report.phases)
        table.push_back({row.phase, grouped(row.simulatedCounts.graphNodes), grouped(row.realCounts.graphNodes),
                         grouped(row.diff.added), grouped(row.diff.removed), grouped(row.diff.changed),
                         row.error.empty() ? differenceText(row.diff) : "cannot be read: " + row.error});
    out << tableText(table);
}

/// Runs our pipeline on the model and sets the phases beside those of the folder.
Result<SimRealReport> against(const RunArguments& model, const std::shared_ptr<const SnapshotRun>& dumps)
{
    GELENS_ASSIGN(const auto session, Session::open(model.file, model.options));
    CompileOptions options = model.options;
    for (auto& [name, dims] : shapesFromDumps(session->info(), *dumps))
        options.inputShapes.try_emplace(name, std::move(dims));
    GELENS_ASSIGN(const auto run, session->run(options));
    if (run->failed) return run->error.value_or(Error::invalid("the model cannot be compiled", model.file));
    GELENS_ASSIGN(const auto sides, sideBySide(run, dumps));
    return compareSides(*sides, *run, *dumps);
}

int execute(Arguments& arguments, const Environment& environment)
{
    if (const Status status = checkReport(arguments.report); !status.ok()) return environment.fail(status.error());
    const auto dumps = openDumpRun(arguments.folder);
    if (!dumps.ok()) return environment.fail(dumps.error());
    const auto write = [&](const Json& json) {
        environment.out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
    };
    if (!arguments.model.file.empty()) {
        if (const Status status = arguments.model.finish(); !status.ok()) return environment.fail(status.error());
        const auto report = against(arguments.model, *dumps);
        if (!report.ok()) return environment.fail(report.error());
        if (arguments.asJson)
            write(jsonOf(*report));
        else
            print(environment.out, *report);
        return report->isSame() ? Done : Differs;
    }
    if (const Status status = (*dumps)->scan(); !status.ok()) return environment.fail(status.error());
    const auto run = (*dumps)->refreshed();
    if (!arguments.report.path.empty())
        if (const Status status = writeReport(environment, *run, arguments.report); !status.ok())
            return environment.fail(status.error());
    if (arguments.asJson)
        write(jsonOf(*run));
    else
        print(environment.out, *run);
    return Done;
}

} // namespace

Command dumpsCommand(CLI::App& parent, const Environment& environment)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app = parent.add_subcommand(
        "dumps", "the phases of a folder of DUMP_GE_GRAPH dumps, in order, and what changed between them");
    app->add_option("FOLDER", arguments->folder,
                    "folder with ge_proto, ge_onnx or ge_readable dumps, also in folders below it")
        ->required();
    app->add_flag("--json", arguments->asJson, "print one JSON object");
    CLI::Option* against =
        app->add_option("--against", arguments->model.file,
                        "a model: run the pipeline on it and show the first phase where it and the dumps part");
    addReportTo(*app, arguments->report)->excludes(against);
    arguments->model.addOptionsTo(*app);
    return {app, [arguments, environment] { return execute(*arguments, environment); }};
}

} // namespace gelens::cli
