#include "app/cli/command_internal.h"
#include "engine/report/graph_svg.h"
#include "engine/report/trace.h"
#include "viewers/scene/scene.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>

namespace gelens::cli {
namespace {

struct Arguments {
    RunArguments run;
    std::string step = "last", view = "graph", format, target, theme = "light", fold = "default";
};

/// The model is compiled only when a later step than the file itself is asked for.
Result<std::shared_ptr<const Graph>> graphAtStep(const Arguments& arguments)
{
    GELENS_ASSIGN(const std::shared_ptr<Session> session, Session::open(arguments.run.file, arguments.run.options));
    GELENS_ASSIGN(const std::shared_ptr<const Run> run, session->run(arguments.run.options));
    const std::optional<StepId> step = run->findStep(arguments.step);
    if (!step && run->failed && run->error) return *run->error;
    if (!step) return Error::notFound(fmt::format("--step {}: no such step", arguments.step), arguments.run.file);
    if (run->failed && run->error && arguments.step == "last") return *run->error;
    return run->graphAt(*step);
}

std::shared_ptr<const Scene> sceneOf(std::shared_ptr<const Graph> graph, const std::string& fold)
{
    LayoutEngine engine;
    if (fold == "default") return buildDefaultScene(std::move(graph), engine);
    FoldOptions folding;
    folding.byScopes = folding.byBlocks = fold != "none";
    const auto model = FoldModel::build(*graph, folding);
    SceneOptions options;
    if (fold == "open")
        for (const FoldGroup& group : model->groups()) options.open.insert(group.key);
    return buildScene(std::move(graph), model, std::move(options), engine, SceneChange::Fresh, nullptr, {}, {});
}

/// The time line of the whole run, for Perfetto and chrome://tracing.
int exportTimeline(const Arguments& arguments, const Environment& environment, const std::string& ending)
{
    if (ending != ".json") return environment.fail(fmt::format("--to {}: a timeline is written as a trace, .json", arguments.target));
    auto session = Session::open(arguments.run.file, arguments.run.options);
    if (!session.ok()) return environment.fail(session.error());
    auto run = (*session)->run(arguments.run.options);
    if (!run.ok()) return environment.fail(run.error());
    if ((*run)->failed && (*run)->error) return environment.fail(*(*run)->error);
    if (const Status status = environment.writeFile(arguments.target, runToTrace(**run)); !status.ok()) return environment.fail(status.error());
    environment.out << fmt::format("{}: {} tasks, {:.1f} us (estimated)\n", arguments.target,
                                   grouped(static_cast<std::int64_t>((*run)->timeline.items.size())), (*run)->timeline.totalUs);
    return Done;
}

int execute(Arguments& arguments, const Environment& environment)
{
    if (const Status status = arguments.run.finish(); !status.ok()) return environment.fail(status.error());
    const std::string ending = std::filesystem::path(arguments.target).extension().string();
    if (arguments.view == "timeline") return exportTimeline(arguments, environment, ending);
    if (arguments.format == "trace") return environment.fail("--format trace is for --view timeline");
    if (ending != ".svg" && ending != ".dot")
        return environment.fail(fmt::format("--to {}: the command line writes .svg and .dot; the window also writes PNG and PDF",
                                            arguments.target));
    auto graph = graphAtStep(arguments);
    if (!graph.ok()) return environment.fail(graph.error());
    const std::shared_ptr<const Scene> scene = sceneOf(graph.value(), arguments.fold);
    const std::string text = ending == ".svg" ? graphToSvg(scene->drawing, arguments.theme == "dark") : graphToDot(scene->drawing);
    if (const Status status = environment.writeFile(arguments.target, text); !status.ok())
        return environment.fail(status.error());
    environment.out << fmt::format("{}: {} boxes, {} lines\n", arguments.target, grouped(static_cast<std::int64_t>(scene->drawing.boxes.size())),
                                   grouped(static_cast<std::int64_t>(scene->drawing.edges.size())));
    return Done;
}

} // namespace

Command exportCommand(CLI::App& parent, const Environment& environment)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app = parent.add_subcommand("export", "a view as a file: the graph at any step as SVG or DOT, the timeline as a Chrome trace");
    arguments->run.addTo(*app);
    app->add_option("--step", arguments->step, "number, pass or phase name, or last")->capture_default_str();
    app->add_option("--view", arguments->view, "which view")->check(CLI::IsMember({"graph", "timeline"}))->capture_default_str();
    app->add_option("--format", arguments->format, "trace: Chrome trace JSON of the timeline; pictures need no format")->check(CLI::IsMember({"trace"}));
    app->add_option("--to", arguments->target, "file to write; its ending chooses the form (.svg, .dot, .json)")->required();
    app->add_option("--theme", arguments->theme, "light or dark")->check(CLI::IsMember({"light", "dark"}))->capture_default_str();
    app->add_option("--fold", arguments->fold, "default: as the window opens; open: every block open; none: no blocks")
        ->check(CLI::IsMember({"default", "open", "none"}))
        ->capture_default_str();
    return {app, [arguments, environment] { return execute(*arguments, environment); }};
}

} // namespace gelens::cli
