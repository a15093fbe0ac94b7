#include "app/cli/command_internal.h"
#include "engine/session/catalog.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <ostream>

namespace gelens::cli {
namespace {

struct Arguments {
    std::string what;
    std::vector<std::string> ruleFolders;
    bool asJson = false;
};

int execute(const Arguments& arguments, const Environment& environment)
{
    std::vector<Message> messages;
    std::vector<CatalogEntry> entries;
    if (const Status status = checkRuleFolders(arguments.ruleFolders); !status.ok())
        return environment.fail(status.error());
    if (arguments.what == "rules")
        entries = listRules(arguments.ruleFolders, messages);
    else if (arguments.what == "passes")
        entries = listPasses();
    else if (arguments.what == "socs")
        entries = listSocs();
    else
        entries = listOps();

    if (arguments.asJson) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const CatalogEntry& entry : entries) {
            nlohmann::ordered_json json = {{"id", entry.id}, {"summary", entry.summary}};
            for (const auto& [name, text] : entry.details) json[name] = text;
            list.push_back(std::move(json));
        }
        environment.out << nlohmann::ordered_json{{arguments.what, std::move(list)}}.dump(
                               2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
                        << '\n';
    } else {
        std::vector<std::vector<std::string>> rows;
        for (const CatalogEntry& entry : entries) rows.push_back({entry.id, entry.summary});
        environment.out << tableText(rows);
    }
    for (const Message& message : messages)
        if (message.severity == Severity::Error) return environment.fail(Error::invalid(message.text, message.where));
    return Done;
}

} // namespace

Command listCommand(CLI::App& parent, const Environment& environment)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app = parent.add_subcommand("list", "what is built in: rules, passes, socs or ops");
    app->add_option("WHAT", arguments->what, "rules, passes, socs or ops")
        ->required()
        ->check(CLI::IsMember({"rules", "passes", "socs", "ops"}));
    app->add_option("--rules", arguments->ruleFolders, "folder with more fusion rules (may be repeated)")
        ->allow_extra_args(false);
    app->add_flag("--json", arguments->asJson, "print one JSON object");
    return {app, [arguments, environment] { return execute(*arguments, environment); }};
}

} // namespace gelens::cli
