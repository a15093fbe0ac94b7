#include "app/cli/bisect_option.h"
#include "app/cli/command_internal.h"
#include "app/cli/compare_runs.h"
#include "app/cli/verify_limit.h"
#include "engine/formats/om/om_writer.h"
#include "engine/report/fusion_result.h"
#include "engine/report/models_json.h"
#include "engine/report/run_json.h"
#include "engine/session/bisect.h"
#include "engine/session/cards.h"
#include "engine/session/dump_writer.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <ostream>

namespace gelens::cli {
namespace {

struct Arguments {
    RunArguments run;
    bool asJson = false;
    std::string jsonFile, dumpFolder, omFile;
    std::string fusionResultFile, expectFile, against, bisect;
    ReportArguments report;
    double verifyLimit = 0; ///< seconds; 0: none
};

template <typename T, typename F>
std::vector<std::string> row(const std::string& name, const std::optional<T>& before, T after, F text)
{
    std::string change = "–";
    if (before && *before > 0) change = fmt::format("{:.1f} %", 100.0 * (1.0 - double(after) / double(*before)));
    return {name, before ? text(*before) : "–", text(after), change};
}

/// One line: what was proved, or why nothing was, or where it fails.
std::string verificationText(const Run& run)
{
    const Verification& verification = run.verification;
    if (!verification.ran) return fmt::format("verification did not run: {}\n", verification.skipReason);
    if (verification.passed() && !verification.deviceSkipReason.empty())
        return fmt::format("verification passed at every step (seed {}); {}\n", verification.seed,
                           verification.deviceSkipReason);
    if (verification.passed())
        return fmt::format("verification passed at every step (seed {}, {} device orders)\n", verification.seed,
                           verification.interleavings);
    if (!verification.firstBadStep.isValid()) {
        const StepVerification* const last = verification.steps.empty() ? nullptr : &verification.steps.back();
        return last != nullptr && !last->ran ? fmt::format("verification FAILED on the device: {}\n", last->skipReason)
                                             : std::string("verification FAILED on the device\n");
    }
    std::string what = verification.firstBadNodeName.empty() ? "only outputs differ"
                                                             : fmt::format("node '{}'", verification.firstBadNodeName);
    for (const StepVerification& step : verification.steps)
        if (step.step == verification.firstBadStep && !step.ran && !step.skipReason.empty()) {
            what = "its graph does not run: " + step.skipReason;
            break;
        }
    return fmt::format("verification FAILED at step {} ({}), {}\n", verification.firstBadStep.value,
                       run.step(verification.firstBadStep).pass, what);
}

/// Where a graph of GE's was taken at its word instead of our inference; a large one has many such places.
void printKept(std::ostream& out, const Run& run)
{
    constexpr std::size_t mostLines = 5;
    std::size_t count = 0;
    for (const Step& step : run.steps)
        for (const Message& message : step.messages)
            if (message.severity == Severity::Info && message.id.starts_with("infer.") && ++count <= mostLines)
                out << fmt::format("note: {}: {}\n", message.where, message.text);
    if (count > mostLines) out << fmt::format("note: {} more like these, all of them with --json\n", count - mostLines);
}

void printRun(std::ostream& out, const Run& run)
{
    const RunStatistics& s = run.statistics;
    const auto count = [](auto value) { return grouped(static_cast<std::int64_t>(value)); };
    const auto microseconds = [](double value) { return fmt::format("{:.1f} us", value); };
    out << fmt::format("{} on {}, {} mode: {}\n\n", run.modelName, run.soc.name, run.mode, run.modeReason);
    out << tableText({{"", "before", "after", "reduction"},
                      row("operators", s.nodes.before, s.nodes.after, count),
                      row("intermediate tensors", s.intermediateTensors.before, s.intermediateTensors.after, count),
                      row("memory", s.memoryBefore, s.memoryAfter, bytesText),
                      row("tasks", s.tasks.before, s.tasks.after, count),
                      row("latency (estimated)", s.latencyUs.before, s.latencyUs.after, microseconds)});
    out << fmt::format("\nplanned peak {} (lower bound {}, GE's policy {}, unshared {})\n", bytesText(s.memoryAfter),
                       bytesText(s.memoryLowerBound), bytesText(s.memoryGeAfter), bytesText(s.memoryUnsharedAfter));
    out << fmt::format("kernels: {} compiled, {} shared; engine time {:.1f} ms\n", s.compiledKernels, s.sharedKernels,
                       s.engineMilliseconds);
    for (const FusionSummary& fusion : run.fusions)
        out << fmt::format("{:<6} {:<28} {} of {} matches\n", fusion.effective > 0 ? "fused" : "none", fusion.rule,
                           fusion.effective, fusion.matched);
    if (!run.tasks.superKernels.empty()) {
        int parts = 0;
        for (const SuperKernel& one : run.tasks.superKernels) parts += one.kernels;
        out << fmt::format("super kernels: {} kernels in {} launches\n", parts, run.tasks.superKernels.size());
    }
    printKept(out, run);
    for (const Step& step : run.steps)
        for (const Message& message : step.messages)
            if (message.id == "pass.skipped" ||
                (message.severity == Severity::Info && message.id.starts_with("super-kernel.")))
                out << fmt::format("step {} ({}): {}\n", step.id.value, step.pass, message.text);
    if (!run.chains.empty())
        out << fmt::format("{} kinds of chains were not fused; see `gelens-cli explain`\n", run.chains.size());
    printWarnings(out, run.messages, run.modelPath);
    if (run.options.verify) {
        out << verificationText(run);
        for (const std::string& note : run.verification.notes) out << "  " << note << '\n';
    }
}

/// `--cards N`: the model is split, each part compiled alone, in parallel.
int executeCards(Arguments& arguments, Session& session, const Environment& environment)
{
    FleetOptions options;
    options.compile = arguments.run.options;
    auto fleet = compileCards(session, options);
    if (!fleet.ok()) return environment.fail(fleet.error());
    int status = Done;
    for (const FleetMember& member : fleet->members) {
        if (member.error) return environment.fail(*member.error);
        const Verification& verification = member.run->verification;
        if (options.compile.verify && verification.ran && !verification.passed()) status = Differs;
    }
    const std::string json = cardsToJson(*fleet, session.info().name);
    if (!arguments.jsonFile.empty())
        if (const Status written = environment.writeFile(arguments.jsonFile, json); !written.ok())
            return environment.fail(written.error());
    if (arguments.asJson) {
        environment.out << json;
        return status;
    }
    environment.out << tableText(modelsTable(*fleet, true));
    std::vector<Message> messages; // parts share those of the rules
    for (const FleetMember& member : fleet->members)
        messages.insert(messages.end(), member.run->messages.begin(), member.run->messages.end());
    printWarnings(environment.out, messages, arguments.run.file);
    for (std::size_t card = 0; card < fleet->members.size(); ++card) {
        if (!options.compile.verify) continue;
        environment.out << fmt::format("card {}: {}", card, verificationText(*fleet->members[card].run));
    }
    environment.out << fmt::format("{} cards, {} kernels; latency is estimated; {:.0f} ms\n", fleet->members.size(),
                                   fleet->kernels, fleet->milliseconds);
    return status;
}

int execute(Arguments& arguments, const Environment& environment)
{
    if (const Status status = arguments.run.finish(); !status.ok()) return environment.fail(status.error());
    const CompileOptions& options = arguments.run.options;
    // What can be refused at once does not wait for the run.
    if (const Status status = checkReport(arguments.report); !status.ok()) return environment.fail(status.error());
    if (!arguments.bisect.empty())
        if (const auto question = bisectQuestion(arguments.bisect); !question.ok())
            return environment.fail(fmt::format("--bisect \"{}\": {}", arguments.bisect, question.error().message()));
    if (!arguments.expectFile.empty())
        if (const auto expected = expectedFusions(arguments.expectFile); !expected.ok())
            return environment.fail(expected.error());
    if (!arguments.against.empty()) {
        const auto second = againstArguments(arguments.run, arguments.against);
        if (!second.ok()) return environment.fail(second.error());
        if (const auto soc = loadSoc(second->options); !soc.ok()) return environment.fail(soc.error());
    }
    auto session = Session::open(arguments.run.file, options);
    if (!session.ok()) return environment.fail(session.error());
    if (options.cards > 1) return executeCards(arguments, **session, environment);
    auto dumps = makeDumpWriter(arguments.dumpFolder);
    if (!dumps.ok()) return environment.fail(dumps.error());
    VerifyLimit limit(arguments.verifyLimit);
    auto run = (*session)->run(options, dumps->get(), limit.progress(), limit.token());
    if (!run.ok()) return environment.fail(run.error());
    const Run& result = **run;
    if (result.failed && result.error) return environment.fail(*result.error);
    if (*dumps && !(*dumps)->status().ok()) return environment.fail((*dumps)->status().error());
    std::optional<BisectReport> bisected;
    if (!arguments.bisect.empty()) {
        auto found = bisectRun(**session, result, arguments.bisect);
        if (!found.ok()) return environment.fail(found.error());
        bisected = std::move(*found);
    }
    const BisectReport* const answer = bisected ? &*bisected : nullptr;
    if (!arguments.omFile.empty()) {
        const OmContent content{*result.graphAt(result.lastStep()), result.plan, result.tasks, result.soc.name,
                                result.sourceFormat};
        if (const Status status = writeOm(content, arguments.omFile); !status.ok())
            return environment.fail(status.error());
    }
    if (!arguments.fusionResultFile.empty()) {
        const Status status = environment.writeFile(arguments.fusionResultFile, fusionResultJson(result));
        if (!status.ok()) return environment.fail(status.error());
    }
    if (!arguments.jsonFile.empty()) {
        const Status status = environment.writeFile(arguments.jsonFile, runToJson(result, answer));
        if (!status.ok()) return environment.fail(status.error());
    }
    if (!arguments.report.path.empty())
        if (const Status status = writeReport(environment, result, arguments.report); !status.ok())
            return environment.fail(status.error());
    if (arguments.asJson)
        environment.out << runToJson(result, answer);
    else
        printRun(environment.out, result);
    if (limit.hasStopped() && !result.verification.ran && !arguments.asJson)
        environment.out << fmt::format("--verify-limit: stopped after {} s, nothing was proved\n",
                                       arguments.verifyLimit);
    if (!arguments.against.empty()) {
        auto second = againstArguments(arguments.run, arguments.against);
        if (!second.ok()) return environment.fail(second.error());
        auto other = (*session)->run(second->options);
        if (!other.ok()) return environment.fail(other.error());
        if ((*other)->failed && (*other)->error) return environment.fail(*(*other)->error);
        environment.out << '\n';
        printComparison(environment.out, result, **other);
    }
    if (bisected && !arguments.asJson) printBisect(environment.out, result, *bisected);
    if (bisected && statusOf(*bisected) != Done) return statusOf(*bisected);
    if (!arguments.expectFile.empty())
        if (const int status = checkExpectedFusions(environment, result, arguments.expectFile); status != Done)
            return status;
    const bool isBad = options.verify && result.verification.ran && !result.verification.passed();
    return isBad ? Differs : Done;
}

} // namespace

Command compileCommand(CLI::App& parent, const Environment& environment)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app = parent.add_subcommand("compile", "run the whole pipeline on a model and report what it did");
    arguments->run.addTo(*app);
    CLI::Option* cards =
        app->add_option("--cards", arguments->run.options.cards,
                        "split the model by its repeated blocks over so many cards, each compiled alone")
            ->check(CLI::Range(1, 1024));
    app->add_flag("--verify", arguments->run.options.verify,
                  "execute before, after and each step, and compare the numbers");
    app->add_option("--verify-limit", arguments->verifyLimit,
                    "seconds that --verify may take; what is not done then is not proved (0: no limit)")
        ->check(secondsCheck())
        ->excludes(cards);
    app->add_option("-o,--output", arguments->omFile,
                    "write the compiled graph with weights, tasks and plan as an OM file")
        ->excludes(cards);
    app->add_option("--dump-dir", arguments->dumpFolder, "write GE's graph dumps straight into this folder")
        ->excludes(cards);
    addReportTo(*app, arguments->report)->excludes(cards);
    app->add_option("--fusion-result", arguments->fusionResultFile, "write fusion_result.json in CANN's form to a file")
        ->excludes(cards);
    app->add_option("--expect-fusions", arguments->expectFile,
                    "JSON object, rule id or GE pass name to least count; exit 1 when fewer fire")
        ->excludes(cards);
    CLI::Option* against = app->add_option("--against", arguments->against,
                                           "run again with these options put over the others, and compare")
                               ->excludes(cards);
    app->add_option(
           "--bisect", arguments->bisect,
           "find the pass that makes it so, by halving: numbers, outputs, \"node NAME\" (gone), \"type TYPE\" "
           "(gone) or a condition as \"operators < 40\", \"peak > 20M\"; exit 1 when it is so at the end; with "
           "--json the answer is `bisect` of the object")
        ->check([](const std::string& text) { return text.empty() ? std::string("nothing is asked") : std::string(); })
        ->excludes(cards);
    app->add_flag("--json", arguments->asJson, "print one JSON object")->excludes(against);
    app->add_option("--json-file", arguments->jsonFile, "write that JSON object to a file");
    return {app, [arguments, environment] { return execute(*arguments, environment); }};
}

} // namespace gelens::cli
