// `compile --bisect QUESTION`: which pass makes it so?
#include "app/cli/bisect_option.h"

#include "engine/session/bisect.h"

#include <fmt/format.h>

#include <ostream>

namespace gelens::cli {
namespace {

std::string figures(const BisectAnswer& answer)
{
    if (answer.after.empty()) return {};
    return answer.before == answer.after ? fmt::format(" ({})", answer.after)
                                         : fmt::format(" ({}, then {})", answer.before, answer.after);
}

} // namespace

Result<BisectReport> bisectRun(const Session& session, const Run& run, const std::string& text)
{
    const auto named = [&text](const Error& error) {
        return Error::invalid(fmt::format("--bisect \"{}\": {}", text, error.message()));
    };
    const auto question = bisectQuestion(text);
    if (!question.ok()) return named(question.error());
    auto answer = bisect(run, &session, *question);
    if (!answer.ok()) return named(answer.error());
    return BisectReport{text, std::move(*answer)};
}

void printBisect(std::ostream& out, const Run& run, const BisectReport& bisected)
{
    const BisectAnswer& answer = bisected.answer;
    switch (answer.outcome) {
    case BisectAnswer::Outcome::NeverSo:
        out << fmt::format("bisect {}: not so at the end{}\n", bisected.question, figures(answer));
        return;
    case BisectAnswer::Outcome::SoFromTheStart:
        out << fmt::format("bisect {}: so from step {} on, no pass made it so{}\n", bisected.question,
                           answer.step.value, figures(answer));
        return;
    case BisectAnswer::Outcome::Found: break;
    }
    const Step& step = run.step(answer.step);
    out << fmt::format("bisect {}: step {} ({}){}{}, found in {} {}\n", bisected.question, step.id.value, step.pass,
                       answer.node.isValid() ? fmt::format(", node '{}'", run.nameOf(answer.node)) : std::string(),
                       figures(answer), answer.probes, answer.isByRuns ? "runs" : "looks");
}

int statusOf(const BisectReport& bisected)
{
    return bisected.answer.outcome == BisectAnswer::Outcome::NeverSo ? Done : Differs;
}

} // namespace gelens::cli
