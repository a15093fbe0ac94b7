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

int bisectRun(const Environment& environment, const Session& session, const Run& run, const std::string& text)
{
    const auto question = bisectQuestion(text);
    if (!question.ok()) return environment.fail(fmt::format("--bisect \"{}\": {}", text, question.error().message()));
    const auto answer = bisect(run, &session, *question);
    if (!answer.ok()) return environment.fail(fmt::format("--bisect \"{}\": {}", text, answer.error().message()));
    const char* const how = answer->isByRuns ? "runs" : "looks";
    switch (answer->outcome) {
    case BisectAnswer::Outcome::NeverSo:
        environment.out << fmt::format("bisect {}: not so at the end{}\n", text, figures(*answer));
        return Done;
    case BisectAnswer::Outcome::SoFromTheStart:
        environment.out << fmt::format("bisect {}: so from step {} on, no pass made it so{}\n", text,
                                       answer->step.value, figures(*answer));
        return Differs;
    case BisectAnswer::Outcome::Found: break;
    }
    const Step& step = run.step(answer->step);
    environment.out << fmt::format("bisect {}: step {} ({}){}{}, found in {} {}\n", text, step.id.value, step.pass,
                                   answer->node.isValid() ? fmt::format(", node '{}'", run.nameOf(answer->node))
                                                          : std::string(),
                                   figures(*answer), answer->probes, how);
    return Differs;
}

} // namespace gelens::cli
