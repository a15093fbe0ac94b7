// `compile --against "OPTIONS"` and `compile --expect-fusions FILE`.
#include "app/cli/compare_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <ostream>
#include <sstream>

namespace gelens::cli {
namespace {

std::string changeText(double first, double second)
{
    if (first == second) return "same";
    return first == 0 ? "–" : fmt::format("{:+.1f} %", 100.0 * (second - first) / first);
}

std::vector<std::string> countRow(const std::string& name, std::int64_t first, std::int64_t second)
{
    return {name, grouped(first), grouped(second), changeText(double(first), double(second))};
}

std::vector<std::string> bytesRow(const std::string& name, std::int64_t first, std::int64_t second)
{
    return {name, bytesText(first), bytesText(second), changeText(double(first), double(second))};
}

} // namespace

Result<RunArguments> againstArguments(const RunArguments& base, const std::string& text)
{
    RunArguments second = base;
    CLI::App app("--against");
    second.addTo(app);
    try {
        // The file is the same model; it stands for the argument that every run needs.
        std::vector<std::string> words = CLI::detail::split_up(text);
        words.push_back(base.file);
        std::reverse(words.begin(), words.end());
        app.parse(words);
    } catch (const CLI::ParseError& error) {
        return Error::invalid(fmt::format("--against \"{}\": {}", text, error.what()));
    }
    GELENS_TRY(second.finish());
    return second;
}

void printComparison(std::ostream& out, const Run& first, const Run& second)
{
    const RunStatistics &a = first.statistics, &b = second.statistics;
    std::vector<std::vector<std::string>> rows{{"", "first", "second", "change"}};
    rows.push_back({"SoC", first.soc.name, second.soc.name, first.soc.name == second.soc.name ? "same" : "other"});
    rows.push_back(countRow("operators", a.nodes.after, b.nodes.after));
    rows.push_back(countRow("intermediate tensors", a.intermediateTensors.after, b.intermediateTensors.after));
    rows.push_back(bytesRow("memory", a.memoryAfter, b.memoryAfter));
    rows.push_back(bytesRow("weights", a.weightBytes, b.weightBytes));
    rows.push_back(countRow("tasks", a.tasks.after, b.tasks.after));
    rows.push_back({"latency (estimated)", fmt::format("{:.1f} us", a.latencyUs.after),
                    fmt::format("{:.1f} us", b.latencyUs.after), changeText(a.latencyUs.after, b.latencyUs.after)});
    out << tableText(rows);
    std::map<std::string, std::pair<int, int>> fusions;
    for (const FusionSummary& fusion : first.fusions) fusions[fusion.rule].first += fusion.effective;
    for (const FusionSummary& fusion : second.fusions) fusions[fusion.rule].second += fusion.effective;
    for (const auto& [rule, counts] : fusions)
        if (counts.first != counts.second)
            out << fmt::format("{}  {:<28} {} → {}\n", counts.second > counts.first ? "gained" : "lost  ", rule,
                               counts.first, counts.second);
}

Result<std::vector<FusionExpectation>> expectedFusions(const std::string& file)
{
    std::ifstream in(file, std::ios::binary);
    if (!in) return Error::notFound("no such file", file);
    std::ostringstream text;
    text << in.rdbuf();
    return readFusionExpectations(text.str(), file);
}

int checkExpectedFusions(const Environment& environment, const Run& run, const std::string& file)
{
    auto expectations = expectedFusions(file);
    if (!expectations.ok()) return environment.fail(expectations.error());
    measureFusions(run, *expectations);
    std::vector<std::vector<std::string>> rows{{"fusion", "at least", "fired", ""}};
    bool isMissing = false;
    for (const FusionExpectation& expectation : *expectations) {
        isMissing = isMissing || !expectation.holds();
        rows.push_back({expectation.name, grouped(expectation.least), grouped(expectation.actual),
                        expectation.holds() ? "" : "MISSING"});
    }
    if (!isMissing) return Done;
    environment.err << tableText(rows);
    return Differs;
}

} // namespace gelens::cli
