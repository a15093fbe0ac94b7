#include "app/cli/cli.h"

#include "app/cli/command_internal.h"
#include "app/cli/safe_text.h"
#include "engine/graph/log.h"

#include <algorithm>
#include <ostream>
#include <string_view>
#include <vector>

namespace gelens {
namespace {

using namespace cli;

int answer(int argc, const char* const* argv, std::ostream& out, std::ostream& err, SafeText& text)
{
    const Environment environment{out, err};
    CLI::App app("GE Lens: see inside CANN's graph compiler", "gelens-cli");
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("gelens-cli ") + GELENS_VERSION);
    bool isVerbose = false;
    app.add_flag("--verbose", isVerbose, "write log lines to standard error");
    app.fallthrough();

    std::vector<Command> commands;
    for (const auto make : {infoCommand, compileCommand, explainCommand, listCommand, checkCommand, runCommand,
                            exportCommand, memplanCommand, modelsCommand, dumpsCommand, diffCommand})
        commands.push_back(make(app, environment));

    // CLI11 would only say that a subcommand is missing.
    const auto isCommand = [&](std::string_view name) {
        return std::any_of(commands.begin(), commands.end(),
                           [&](const Command& c) { return c.app->get_name() == name; });
    };
    if (argc > 1 && argv[1][0] != '-' && !isCommand(argv[1]))
        return environment.fail(std::string("unknown command '") + argv[1] + "'; see gelens-cli --help");
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& success) { // --help, --version
        return app.exit(success, out, err);
    } catch (const CLI::ParseError& error) {
        return environment.fail(error.what());
    }
    logToStandardError(isVerbose, LogLevel::Debug);
    try {
        for (const Command& command : commands)
            if (command.app->parsed()) {
                const CLI::Option* json = command.app->get_option_no_throw("--json");
                if (json != nullptr && json->count() > 0) text.passAll();
                return command.run();
            }
    } catch (const std::bad_alloc&) {
        return environment.fail("not enough memory");
    } catch (const std::exception& exception) {
        return environment.fail(std::string("internal error: ") + exception.what());
    }
    return BadInput;
}

} // namespace

int runCli(int argc, const char* const* argv, std::ostream& out, std::ostream& err)
{
    SafeText text(out.rdbuf()), errorText(err.rdbuf());
    std::ostream safeOut(&text), safeErr(&errorText);
    safeErr << std::unitbuf;
    const int status = answer(argc, argv, safeOut, safeErr, text);
    // A full disk is seen only here: what was printed lay in buffers until now.
    safeOut.flush();
    if (!safeOut && status != BadInput)
        return Environment{safeOut, safeErr}.fail("standard output: cannot write all of the answer");
    return status;
}

} // namespace gelens
