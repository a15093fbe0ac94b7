#include "app/cli/command_internal.h"
#include "app/cli/picture_library.h"
#include "engine/formats/ge_onnx_writer.h"
#include "engine/formats/ge_proto_writer.h"
#include "engine/formats/ge_readable_writer.h"
#include "engine/report/chart_svg.h"
#include "engine/report/graph_json.h"
#include "engine/report/graph_svg.h"
#include "engine/report/trace.h"
#include "viewers/scene/box_count.h"
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

ExportFolding foldingOf(const std::string& fold)
{
    return fold == "open" ? ExportFolding::Open : fold == "none" ? ExportFolding::None : ExportFolding::Default;
}

/// The memory map or the task timeline of a run: pictures, a table, or a trace for Perfetto and chrome://tracing.
int exportChart(const Arguments& arguments, const Environment& environment, const std::string& ending)
{
    const bool isTimeline = arguments.view == "timeline", isPicture = ending == ".png" || ending == ".pdf";
    if (arguments.format == "trace" && (!isTimeline || ending != ".json"))
        return environment.fail("--format trace is for --view timeline and a .json file");
    if (!arguments.format.empty() && arguments.format != "trace")
        return environment.fail(fmt::format("--format {} is for --view graph", arguments.format));
    if (!isPicture && ending != ".svg" && ending != ".csv" && !(isTimeline && ending == ".json"))
        return environment.fail(fmt::format("--to {}: {} is written as .svg, .png, .pdf or .csv{}", arguments.target,
                                            isTimeline ? "a timeline" : "a memory map",
                                            isTimeline ? ", and as a trace, .json" : ""));
    auto session = Session::open(arguments.run.file, arguments.run.options);
    if (!session.ok()) return environment.fail(session.error());
    auto run = (*session)->run(arguments.run.options);
    if (!run.ok()) return environment.fail(run.error());
    if ((*run)->failed && (*run)->error) return environment.fail(*(*run)->error);
    ChartOptions options;
    options.isDark = arguments.theme == "dark";
    std::string text;
    if (ending == ".json")
        text = runToTrace(**run);
    else if (ending == ".csv")
        text = isTimeline ? timelineToCsv(**run, options) : memoryToCsv(**run);
    else
        text = isTimeline ? timelineToSvg(**run, options) : memoryToSvg(**run, options);
    const Status status =
        isPicture ? writeChartFile(text, arguments.target) : environment.writeFile(arguments.target, text);
    if (!status.ok()) return environment.fail(status.error());
    if (isTimeline)
        environment.out << fmt::format("{}: {} tasks, {:.1f} us (estimated)\n", arguments.target,
                                       grouped(static_cast<std::int64_t>((*run)->timeline.items.size())),
                                       (*run)->timeline.totalUs);
    else
        environment.out << fmt::format("{}: {} buffers, peak {} B\n", arguments.target,
                                       grouped(static_cast<std::int64_t>((*run)->plan.buffers.size())),
                                       grouped((*run)->plan.totals.featureMapPeak));
    return Done;
}

/// The graph as one of GE's own texts, without the values of weights (DUMP_GE_GRAPH=2), or as JSON.
int exportText(const Arguments& arguments, const Environment& environment, const std::string& ending)
{
    const std::string format = !arguments.format.empty() ? arguments.format
                               : ending == ".pbtxt"      ? "ge_onnx"
                               : ending == ".json"       ? "JSON"
                                                         : "ge_proto";
    auto graph = graphAtStep(arguments);
    if (!graph.ok()) return environment.fail(graph.error());
    const Graph& shown = *graph.value();
    const std::string text = format == "JSON"       ? graphToJson(shown)
                             : format == "ge_onnx"  ? geOnnxText(shown, DumpDetail::NoData)
                             : format == "ge_proto" ? geProtoText(shown, DumpDetail::NoData)
                                                    : geReadableText(shown);
    if (const Status status = environment.writeFile(arguments.target, text); !status.ok())
        return environment.fail(status.error());
    environment.out << fmt::format("{}: {} nodes as {}\n", arguments.target,
                                   grouped(static_cast<std::int64_t>(shown.allNodes().size())), format);
    return Done;
}

int execute(Arguments& arguments, const Environment& environment)
{
    if (const Status status = arguments.run.finish(); !status.ok()) return environment.fail(status.error());
    const std::string ending = std::filesystem::path(arguments.target).extension().string();
    if (arguments.view != "graph") return exportChart(arguments, environment, ending);
    if (arguments.format == "trace") return environment.fail("--format trace is for --view timeline");
    const bool isPicture = ending == ".png" || ending == ".pdf",
               isText = ending == ".pbtxt" || ending == ".txt" || ending == ".json";
    if (ending != ".svg" && ending != ".dot" && !isPicture && !isText)
        return environment.fail(fmt::format(
            "--to {}: a graph is written as .svg, .png, .pdf, .dot, .json, .pbtxt or .txt", arguments.target));
    if (!arguments.format.empty() && (!isText || ending == ".json"))
        return environment.fail(
            fmt::format("--to {}: {} is written to a .pbtxt or .txt file", arguments.target, arguments.format));
    if (isText) return exportText(arguments, environment, ending);
    auto graph = graphAtStep(arguments);
    if (!graph.ok()) return environment.fail(graph.error());
    const auto boxes = static_cast<std::int64_t>(exportBoxCount(**graph, foldingOf(arguments.fold)));
    if (boxes > static_cast<std::int64_t>(mostDrawnBoxes))
        return environment.fail(
            fmt::format("{}: the picture would have {} boxes; up to {} can be drawn. Fold its blocks, "
                        "or write the graph as text: --to FILE.txt",
                        arguments.target, grouped(boxes), grouped(static_cast<std::int64_t>(mostDrawnBoxes))));
    const std::shared_ptr<const Scene> scene = buildExportScene(graph.value(), foldingOf(arguments.fold));
    const bool isDark = arguments.theme == "dark";
    const Status status =
        isPicture ? writePictureFile(scene->drawing, arguments.target, isDark)
                  : environment.writeFile(arguments.target, ending == ".svg" ? graphToSvg(scene->drawing, isDark)
                                                                             : graphToDot(scene->drawing));
    if (!status.ok()) return environment.fail(status.error());
    environment.out << fmt::format("{}: {} boxes, {} lines\n", arguments.target,
                                   grouped(static_cast<std::int64_t>(scene->drawing.boxes.size())),
                                   grouped(static_cast<std::int64_t>(scene->drawing.edges.size())));
    return Done;
}

} // namespace

Command exportCommand(CLI::App& parent, const Environment& environment)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app = parent.add_subcommand(
        "export",
        "a view as a file: the graph at any step as SVG, PNG, PDF, DOT or GE's own texts, the memory map and the timeline as pictures, tables or a Chrome trace");
    arguments->run.addTo(*app);
    app->add_option("--step", arguments->step, "number, pass or phase name, or last")->capture_default_str();
    app->add_option("--view", arguments->view, "which view")
        ->check(CLI::IsMember({"graph", "memory", "timeline"}))
        ->capture_default_str();
    app->add_option(
           "--format", arguments->format,
           "ge_onnx, ge_proto or readable: the graph as GE's own text; trace: Chrome trace JSON of the timeline")
        ->check(CLI::IsMember({"ge_onnx", "ge_proto", "readable", "trace"}));
    app->add_option("--to", arguments->target,
                    "file to write; its ending chooses the form (.svg, .png, .pdf, .dot, .pbtxt, .txt, .csv, .json)")
        ->required();
    app->add_option("--theme", arguments->theme, "light or dark")
        ->check(CLI::IsMember({"light", "dark"}))
        ->capture_default_str();
    app->add_option("--fold", arguments->fold, "default: as the window opens; open: every block open; none: no blocks")
        ->check(CLI::IsMember({"default", "open", "none"}))
        ->capture_default_str();
    return {app, [arguments, environment] { return execute(*arguments, environment); }};
}

} // namespace gelens::cli
