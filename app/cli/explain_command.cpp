#include "app/cli/command_internal.h"
#include "engine/report/run_json.h"
#include "engine/session/broken_patterns.h"

#include <fmt/format.h>

#include <memory>
#include <ostream>

namespace gelens::cli {
namespace {

struct Arguments {
    RunArguments run;
    std::string node, reason;
    bool asJson = false;
};

std::string amount(double value, const std::string& unit)
{
    const std::string number = value == static_cast<double>(static_cast<std::int64_t>(value))
                                   ? grouped(static_cast<std::int64_t>(value))
                                   : fmt::format("{:g}", value);
    return unit.empty() ? number : number + " " + unit;
}

void printVerdict(std::ostream& out, const FusionVerdict& verdict)
{
    out << fmt::format("    rule {} ({}): {}\n", verdict.rule, verdict.gePass, reasonName(verdict.reason));
    if (!verdict.firstMismatch.empty()) out << fmt::format("      stopped matching at '{}'\n", verdict.firstMismatch);
    for (const Check& check : verdict.checks) {
        out << fmt::format("      [{}] {}{}", check.held ? "ok" : "no", check.code.empty() ? "" : check.code + " ",
                           check.what);
        if (check.needs && check.has)
            out << fmt::format(" (needs {}, has {})", amount(*check.needs, check.unit), amount(*check.has, check.unit));
        out << '\n';
    }
    for (const Threshold& threshold : verdict.thresholds)
        out << fmt::format("      fits with {} {} {} (now {})\n", threshold.quantity,
                           threshold.isUpperLimit ? "<=" : ">=", amount(threshold.limit, threshold.unit),
                           amount(threshold.current, threshold.unit));
}

using BrokenPatterns = std::map<std::pair<std::size_t, std::size_t>, BrokenPattern>;

void printChain(std::ostream& out, const Chain& chain, std::size_t index, const BrokenPatterns& broken)
{
    std::string types;
    for (const std::string& type : chain.nodeTypes) types += (types.empty() ? "" : " -> ") + type;
    out << fmt::format("{} [{}]{}\n", types, reasonName(chain.reason),
                       chain.count > 1 ? fmt::format(" x {}", chain.count) : "");
    out << fmt::format("  first node '{}'\n", chain.nodeNames.empty() ? "" : chain.nodeNames.front());
    if (!chain.evidence.empty()) out << "  " << chain.evidence << '\n';
    if (!chain.remedy.empty()) out << "  what to do: " << chain.remedy << '\n';
    for (std::size_t i = 0; i < chain.links.size(); ++i) {
        const ChainLink& link = chain.links[i];
        out << fmt::format("  {} '{}' -> {} '{}': {}. {}\n", link.fromType, link.fromName, link.toType, link.toName,
                           reasonName(link.reason), link.evidence);
        for (const FusionVerdict& verdict : link.tried) printVerdict(out, verdict);
        if (const auto found = broken.find({index, i}); found != broken.end())
            out << fmt::format("    rule {} fitted up to step {}; step {} ({}) broke it\n", found->second.rule,
                               found->second.matchedUntil.value, found->second.brokenBy.value, found->second.pass);
    }
}

int execute(Arguments& arguments, const Environment& environment)
{
    if (const Status status = arguments.run.finish(); !status.ok()) return environment.fail(status.error());
    ChainFilter filter{arguments.node, std::nullopt};
    if (!arguments.reason.empty()) {
        filter.reason = reasonFromName(arguments.reason);
        if (!filter.reason) return environment.fail(fmt::format("--reason {}: no such reason", arguments.reason));
    }
    auto session = Session::open(arguments.run.file, arguments.run.options);
    if (!session.ok()) return environment.fail(session.error());
    auto run = (*session)->run(arguments.run.options);
    if (!run.ok()) return environment.fail(run.error());
    if ((*run)->failed && (*run)->error) return environment.fail(*(*run)->error);
    if (!filter.node.empty() && !(*run)->graphAt(StepId{0})->findNode(filter.node).isValid() &&
        !(*run)->graphAt((*run)->lastStep())->findNode(filter.node).isValid())
        return environment.fail(fmt::format("{}: no node is named '{}'", arguments.run.file, filter.node));
    if (arguments.asJson) {
        environment.out << chainsToJson(**run, filter);
        return Done;
    }
    const std::vector<std::size_t> chosen = filteredChains(**run, filter);
    const BrokenPatterns broken = findBrokenPatterns(**run, chosen);
    for (const std::size_t i : chosen) printChain(environment.out, (*run)->chains[i], i, broken);
    printWarnings(environment.out, (*run)->messages, arguments.run.file);
    if (chosen.empty()) environment.out << "every chain that a rule names was fused\n";
    return Done;
}

} // namespace

Command explainCommand(CLI::App& parent, const Environment& environment)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app = parent.add_subcommand("explain", "the chains that were not fused, and why");
    arguments->run.addTo(*app);
    app->add_option("--node", arguments->node, "only chains with this node");
    app->add_option("--reason", arguments->reason, "only chains refused for this reason (L1Capacity, UnitConflict, …)");
    app->add_flag("--json", arguments->asJson, "print one JSON object with every check");
    return {app, [arguments, environment] { return execute(*arguments, environment); }};
}

} // namespace gelens::cli
