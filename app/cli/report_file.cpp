// `compile --report R.html`.
#include "app/cli/command_internal.h"
#include "engine/report/html_report.h"
#include "viewers/scene/report_graphs.h"

#include <filesystem>

namespace gelens::cli {

Status writeReport(const Environment& environment, const Run& run, const std::string& path)
{
    const std::string ending = std::filesystem::path(path).extension().string();
    if (ending != ".html" && ending != ".htm")
        return Error::invalid("--report " + path + ": the command line writes .html; the window also writes PDF");
    return environment.writeFile(
        path, reportToHtml(buildReport(run, reportGraphs(run, "Graph as read", "Graph as compiled"))));
}

} // namespace gelens::cli
