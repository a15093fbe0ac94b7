// `--report R.html|R.pdf [--language zh_CN]` of compile and dumps.
#include "app/cli/command_internal.h"
#include "app/cli/picture_library.h"
#include "engine/report/html_report.h"
#include "viewers/scene/report_graphs.h"

#include <filesystem>

namespace gelens::cli {
namespace {

bool isPdf(const std::string& path) { return std::filesystem::path(path).extension() == ".pdf"; }

} // namespace

CLI::Option* addReportTo(CLI::App& app, ReportArguments& arguments)
{
    CLI::Option* report =
        app.add_option("--report", arguments.path, "write it all as one .html file that needs no network, or as .pdf");
    app.add_option("--language", arguments.language, "language of --report: en or zh_CN")
        ->check(CLI::IsMember({"en", "zh_CN"}))
        ->needs(report);
    return report;
}

Status checkReport(const ReportArguments& arguments)
{
    const std::string ending = std::filesystem::path(arguments.path).extension().string();
    if (!arguments.path.empty() && ending != ".html" && ending != ".htm" && ending != ".pdf")
        return Error::invalid("--report " + arguments.path + ": a report is written as .html or .pdf");
    return {};
}

Status writeReport(const Environment& environment, const Run& run, const ReportArguments& arguments)
{
    Status written;
    const auto write = [&](const ReportWords& words) {
        const ReportModel report = buildReport(run, reportGraphs(run, words), words);
        written = isPdf(arguments.path) ? writeReportFile(report, arguments.path)
                                        : environment.writeFile(arguments.path, reportToHtml(report));
    };
    // English is what the engine says by itself, and needs no library.
    if (arguments.language == "en")
        write({});
    else if (const Status status = withReportWords(arguments.language, write); !status.ok())
        return status;
    return written;
}

} // namespace gelens::cli
