#include "viewers/scene/report_graphs.h"

#include "engine/report/graph_svg.h"
#include "viewers/scene/box_count.h"
#include "viewers/scene/scene.h"

#include <string>
#include <string_view>
#include <utility>

namespace gelens {
namespace {

SceneWords sceneWords(const ReportWords& words)
{
    SceneWords said;
    if (words.text)
        for (std::string* text : {&said.oneNode, &said.nodes, &said.each, &said.variants, &said.graphOf})
            *text = words.text(*text);
    return said;
}

ReportGraph pictureOf(std::shared_ptr<const Graph> graph, std::string caption, const ReportWords& words)
{
    ReportGraph picture{std::move(caption), {}, 0};
    LayoutEngine engine;
    const auto fold = FoldModel::build(*graph, {});
    SceneOptions options;
    for (std::string& key : fold->initiallyOpen()) options.open.insert(std::move(key));
    options.words = sceneWords(words);
    picture.boxes = boxCount(*graph, *fold, options);
    if (picture.boxes > mostReportBoxes) return picture;
    const auto scene =
        buildScene(std::move(graph), fold, std::move(options), engine, SceneChange::Fresh, nullptr, {}, {});
    if (scene == nullptr) return picture;
    GraphDrawing drawing = scene->drawing;
    for (LegendEntry& entry : drawing.legend)
        if (entry.isUnit && words.unit) entry.text = words.unit(entry.unit);
    picture.svg = graphToSvg(drawing, false);
    return picture;
}

} // namespace

std::vector<ReportGraph> reportGraphs(const Run& run, const ReportWords& words)
{
    std::vector<ReportGraph> graphs;
    const auto add = [&](StepId step, std::string_view caption) {
        ReportGraph graph =
            pictureOf(run.graphAt(step), words.text ? words.text(caption) : std::string(caption), words);
        // An OM with its plan is run as it is: one picture says it all.
        if (!graphs.empty() && !graph.svg.empty() && graphs.back().svg == graph.svg) return;
        graphs.push_back(std::move(graph));
    };
    const bool isDumps = run.mode == "dumps";
    const Run::Span span = run.spanOf(run.lastStep()); // of a folder with several graphs, the last
    add(span.first, isDumps ? "Graph of the first phase" : "Graph as read");
    if (span.first < span.last) add(span.last, isDumps ? "Graph of the last phase" : "Graph as compiled");
    return graphs;
}

} // namespace gelens
