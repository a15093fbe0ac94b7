#include "app/cli/command_internal.h"
#include "app/cli/graph_source.h"
#include "engine/formats/model_file.h"
#include "engine/session/dump_run.h"
#include "engine/session/graph_matcher.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <ostream>

namespace gelens::cli {

namespace fs = std::filesystem;

Result<ModelDocument> openGraph(const std::string& text)
{
    std::error_code code;
    if (fs::exists(text, code) && !fs::is_directory(text, code)) return openModel(text);
    // The phase may hold no colon; a folder's path may.
    const auto colon = text.rfind(':');
    const bool isFolder = fs::is_directory(text, code);
    if (!isFolder && (colon == std::string::npos || !fs::is_directory(text.substr(0, colon), code)))
        return openModel(text);
    const std::string path = isFolder ? text : text.substr(0, colon);
    const std::string phase = isFolder ? "last" : text.substr(colon + 1);
    GELENS_ASSIGN(const DumpFolder folder, openDumpFolder(path));
    const DumpPhase* const found = findDumpPhase(folder, phase);
    if (found == nullptr) return Error::notFound(fmt::format("the folder has no phase '{}'", phase), path);
    return readMergedPhase(*found);
}

namespace {

struct Arguments {
    std::string before, after;
    bool asJson = false;
};

const char* kindName(ChangeKind kind)
{
    return kind == ChangeKind::Added ? "added" : kind == ChangeKind::Removed ? "removed" : "changed";
}

nlohmann::ordered_json jsonOf(const GraphDiff& diff, const GraphMatch& match, const Graph& before, const Graph& after)
{
    nlohmann::ordered_json json;
    json["nodes"] = {{"added", diff.added},
                     {"removed", diff.removed},
                     {"changed", diff.changed},
                     {"same", static_cast<int>(match.pairs.size()) - diff.changed},
                     {"matched_by_structure", match.byStructure}};
    for (int i = 0; i < matchBasisCount; ++i)
        if (const int count = diff.matchedBy[static_cast<std::size_t>(i)]; count > 0)
            json["matched_by"][std::string(matchBasisName(static_cast<MatchBasis>(i)))] = count;
    json["confidence"] = diff.confidence();
    json["tensors"] = {
        {"added", diff.tensorsAdded}, {"removed", diff.tensorsRemoved}, {"changed", diff.tensorsChanged}};
    auto& changes = json["changes"] = nlohmann::ordered_json::array();
    for (const NodeChange& change : diff.changes) {
        nlohmann::ordered_json item = {{"kind", kindName(change.kind)}, {"name", change.name}, {"type", change.type}};
        if (change.kind == ChangeKind::Changed) item["recognised_by"] = matchBasisName(change.basis);
        for (const FieldChange& field : change.fields)
            item["fields"].push_back({{"field", field.field}, {"before", field.before}, {"after", field.after}});
        changes.push_back(std::move(item));
    }
    auto& groups = json["lineage"] = nlohmann::ordered_json::array();
    for (const LineageGroup& group : diff.groups) {
        nlohmann::ordered_json item;
        for (const NodeId id : group.before) item["before"].push_back(before.node(id).name);
        for (const NodeId id : group.after) item["after"].push_back(after.node(id).name);
        groups.push_back(std::move(item));
    }
    return json;
}

void print(std::ostream& out, const GraphDiff& diff, const GraphMatch& match)
{
    out << fmt::format("nodes    {} added, {} removed, {} changed, {} the same\n", grouped(diff.added),
                       grouped(diff.removed), grouped(diff.changed),
                       grouped(static_cast<std::int64_t>(match.pairs.size()) - diff.changed));
    out << fmt::format("tensors  {} added, {} removed, {} changed\n", grouped(diff.tensorsAdded),
                       grouped(diff.tensorsRemoved), grouped(diff.tensorsChanged));
    if (diff.confidence() < 1)
        out << fmt::format("matched  {:.1f} % sure: {} of {} pairs by structure, {} by origin names\n",
                           100 * diff.confidence(), grouped(match.byStructure),
                           grouped(static_cast<std::int64_t>(match.pairs.size())),
                           grouped(diff.matchedBy[static_cast<std::size_t>(MatchBasis::Origin)]));
    for (const NodeChange& change : diff.changes) {
        out << fmt::format("{} {}  {}\n",
                           change.kind == ChangeKind::Added     ? '+'
                           : change.kind == ChangeKind::Removed ? '-'
                                                                : '~',
                           change.name, change.type);
        for (const FieldChange& field : change.fields)
            out << fmt::format("    {}: {} -> {}\n", field.field, field.before.empty() ? "(none)" : field.before,
                               field.after.empty() ? "(none)" : field.after);
    }
}

int execute(const Arguments& arguments, const Environment& environment)
{
    const auto before = openGraph(arguments.before);
    if (!before.ok()) return environment.fail(before.error());
    const auto after = openGraph(arguments.after);
    if (!after.ok()) return environment.fail(after.error());
    const GraphMatch match = matchGraphs(before->graph, after->graph);
    const GraphDiff diff = diffOfMatched(before->graph, after->graph, match);
    if (arguments.asJson)
        environment.out << jsonOf(diff, match, before->graph, after->graph)
                               .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
                        << '\n';
    else
        print(environment.out, diff, match);
    return diff.isEmpty() ? Done : Differs;
}

} // namespace

Command diffCommand(CLI::App& parent, const Environment& environment)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app =
        parent.add_subcommand("diff", "what differs between two graphs: files of any format, or FOLDER:PHASE");
    app->add_option("A", arguments->before, "the graph before")->required();
    app->add_option("B", arguments->after, "the graph after")->required();
    app->add_flag("--json", arguments->asJson, "print one JSON object");
    return {app, [arguments, environment] { return execute(*arguments, environment); }};
}

} // namespace gelens::cli
