#include "app/cli/command_internal.h"
#include "engine/report/run_json.h"

#include <fmt/format.h>

#include <memory>
#include <ostream>

namespace gelens::cli {
namespace {

void printPorts(std::ostream& out, const char* title, const std::vector<ModelInfo::Port>& ports)
{
    for (const ModelInfo::Port& port : ports)
        out << fmt::format("{:<10} {}  {} {}\n", title, port.name, dataTypeShortName(port.dtype), port.shape.text());
}

void printInfo(std::ostream& out, const ModelInfo& info)
{
    out << fmt::format("file       {} ({})\n", info.path, bytesText(info.fileBytes));
    out << fmt::format("format     {}{}\n", info.format, info.producer.empty() ? "" : ", made by " + info.producer);
    for (const auto& [domain, version] : info.opsets)
        out << fmt::format("opset      {} {}\n", domain.empty() ? "ai.onnx" : domain, version);
    out << fmt::format("nodes      {} operators, {} graph nodes\n", grouped(info.operators), grouped(info.graphNodes));
    out << fmt::format("weights    {}{}\n", bytesText(info.weightBytes), info.weightsPresent ? "" : " (not all present)");
    if (info.carriesPlan) out << "plan       carries a compiled plan\n";
    printPorts(out, "input", info.inputs);
    printPorts(out, "output", info.outputs);
    for (const auto& [type, count] : info.histogram) out << fmt::format("{:>8}  {}\n", grouped(count), type);
    for (const Message& message : info.messages)
        out << fmt::format("note       {}{}\n", message.text, message.where.empty() ? "" : " (" + message.where + ")");
}

} // namespace

Command infoCommand(CLI::App& parent, const Environment& environment)
{
    struct Arguments {
        std::string file;
        bool asJson = false;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app = parent.add_subcommand("info", "what a file holds: format, operators, inputs, outputs, weights");
    app->add_option("FILE", arguments->file, "model to look at")->required();
    app->add_flag("--json", arguments->asJson, "print one JSON object");
    return {app, [arguments, environment] {
                auto session = Session::open(arguments->file);
                if (!session.ok()) return environment.fail(session.error());
                if (arguments->asJson)
                    environment.out << infoToJson((*session)->info());
                else
                    printInfo(environment.out, (*session)->info());
                return int{Done};
            }};
}

} // namespace gelens::cli
