#include "viewers/scene/report_graphs.h"

#include "engine/report/graph_svg.h"
#include "viewers/scene/scene.h"

namespace gelens {

std::vector<ReportGraph> reportGraphs(const Run& run, const std::string& beforeCaption, const std::string& afterCaption)
{
    LayoutEngine engine;
    std::vector<ReportGraph> graphs;
    const auto add = [&](StepId step, const std::string& caption) {
        if (const auto scene = buildDefaultScene(run.graphAt(step), engine))
            graphs.push_back({caption, graphToSvg(scene->drawing, false)});
    };
    add(StepId{0}, beforeCaption);
    if (run.lastStep().value > 0) add(run.lastStep(), afterCaption);
    return graphs;
}

} // namespace gelens
