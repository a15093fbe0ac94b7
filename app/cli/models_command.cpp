#include "app/cli/command_internal.h"
#include "engine/report/models_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ostream>

namespace gelens::cli {
namespace {

struct Arguments {
    RunArguments run;
    std::vector<std::string> files;
    bool asCards = false, asJson = false, asCsv = false;
};

int execute(Arguments& arguments, const Environment& environment)
{
    if (const Status status = arguments.run.finish(); !status.ok()) return environment.fail(status.error());
    FleetOptions options;
    options.compile = arguments.run.options;
    const Fleet fleet = compileModels(arguments.files, options);
    // One model that cannot be read is bad input; its row says so, and the others are still reported.
    int status = Done;
    for (const FleetMember& member : fleet.members)
        if (member.error) status = environment.fail(*member.error);
    if (arguments.asJson) {
        environment.out << modelsToJson(fleet, arguments.asCards);
    } else if (arguments.asCsv) {
        environment.out << modelsToCsv(fleet, arguments.asCards);
    } else {
        environment.out << tableText(modelsTable(fleet, arguments.asCards));
        for (const FleetMember& member : fleet.members)
            if (member.run) printWarnings(environment.out, member.run->messages, member.path);
        environment.out << fmt::format("{} models, {} kernels; latency is estimated; {:.0f} ms\n", fleet.members.size(),
                                       fleet.kernels, fleet.milliseconds);
    }
    return status;
}

} // namespace

Command modelsCommand(CLI::App& parent, const Environment& environment)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app =
        parent.add_subcommand("models", "compile several models, each alone, with shared kernels: the monitor table");
    app->add_option("FILE", arguments->files, "models to open")->required();
    arguments->run.addOptionsTo(*app);
    app->add_flag("--as-cards", arguments->asCards, "the files are the parts of one model, one for each card");
    CLI::Option* json = app->add_flag("--json", arguments->asJson, "print one JSON object");
    app->add_flag("--csv", arguments->asCsv, "print comma-separated values")->excludes(json);
    return {app, [arguments, environment] { return execute(*arguments, environment); }};
}

} // namespace gelens::cli
