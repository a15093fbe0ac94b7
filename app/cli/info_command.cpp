#include "app/cli/command_internal.h"
#include "engine/report/run_json.h"
#include "engine/session/soundness.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <ostream>

namespace gelens::cli {
namespace {

void printPorts(std::ostream& out, const char* title, const std::vector<ModelInfo::Port>& ports)
{
    for (const ModelInfo::Port& port : ports)
        out << fmt::format("{:<10} {}  {} {}\n", title, port.name, dataTypeShortName(port.dtype), port.shape.text());
}

/// Partitions, tasks and sizes of an OM file.
void printOm(std::ostream& out, const OmDetails& om)
{
    out << fmt::format("container  {}, header version {:#x}, {}-bit table, {} model{}{}\n", om.modelTypeName,
                       om.headerVersion, om.is64Bit ? 64 : 32, om.models.size(), om.models.size() == 1 ? "" : "s",
                       om.isDynamic ? ", dynamic shapes" : "");
    std::vector<std::vector<std::string>> rows{{"partition", "type", "model", "offset", "size", "verdict"}};
    for (const OmPartition& part : om.partitions)
        rows.push_back({part.name, std::to_string(part.type), std::to_string(part.model), grouped(part.offset),
                        grouped(part.size), part.verdict});
    out << tableText(rows);
    for (const OmModel& model : om.models) {
        std::map<std::string, int> types;
        for (const OmTask& task : model.tasks) ++types[task.typeName];
        std::string list;
        for (const auto& [type, count] : types) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, type);
        out << fmt::format("model      {}: {} nodes in {} graph{}, {} tasks{}{}, {} streams, {} events\n", model.name,
                           grouped(model.nodes), model.graphs, model.graphs == 1 ? "" : "s",
                           grouped(static_cast<std::int64_t>(model.tasks.size())), list.empty() ? "" : ": ", list,
                           model.streams, model.events);
        out << fmt::format("memory     {} B, of it {} B zero-copy; weights {} B\n", grouped(model.memoryBytes),
                           grouped(model.zeroCopyBytes), grouped(model.weightBytes));
    }
    std::int64_t kernelBytes = 0;
    for (const OmKernel& kernel : om.kernels) kernelBytes += kernel.bytes;
    out << fmt::format("kernels    {} binaries, {} B\n", om.kernels.size(), grouped(kernelBytes));
    const OmBreakdown& sizes = om.breakdown;
    out << fmt::format("sizes      graph {}, weights {}, kernels {}, tasks {}, other {}\n", bytesText(sizes.graphBytes),
                       bytesText(sizes.weightBytes), bytesText(sizes.kernelBytes), bytesText(sizes.taskBytes),
                       bytesText(sizes.otherBytes));
    for (const auto& [type, bytes] : sizes.weightsByType)
        out << fmt::format("weights    {} {}\n", type, bytesText(bytes));
    if (sizes.duplicateConstantBytes > 0)
        out << fmt::format("wasted     {} by constants that are stored more than once\n",
                           bytesText(sizes.duplicateConstantBytes));
    if (om.isSimulated) out << "origin     made by a simulator: no device binaries inside\n";
}

void printInfo(std::ostream& out, const ModelInfo& info)
{
    out << fmt::format("file       {} ({})\n", info.path, bytesText(info.fileBytes));
    out << fmt::format("format     {}{}\n", info.format, info.producer.empty() ? "" : ", made by " + info.producer);
    for (const auto& [domain, version] : info.opsets)
        out << fmt::format("opset      {} {}\n", domain.empty() ? "ai.onnx" : domain, version);
    out << fmt::format("nodes      {} operators, {} graph nodes\n", grouped(info.operators), grouped(info.graphNodes));
    out << fmt::format("weights    {}{}\n", bytesText(info.weightBytes),
                       info.weightsPresent ? "" : " (not all present)");
    if (info.om)
        out << fmt::format("plan       {}: {}\n", info.carriesPlan ? "carries a compiled plan" : "no compiled plan",
                           info.om->planReason);
    printPorts(out, "input", info.inputs);
    printPorts(out, "output", info.outputs);
    for (const auto& [type, count] : info.histogram) out << fmt::format("{:>8}  {}\n", grouped(count), type);
    for (const Message& message : info.messages)
        out << fmt::format("note       {}{}\n", message.text, message.where.empty() ? "" : " (" + message.where + ")");
    if (info.om) printOm(out, *info.om);
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
    app->add_option("FILE", arguments->file,
                    "model to look at: ONNX, OM, .air, a GE dump or the JSON that atc makes of one")
        ->required();
    app->add_flag("--json", arguments->asJson, "print one JSON object");
    return {app, [arguments, environment] {
                auto session = Session::open(arguments->file);
                if (!session.ok()) return environment.fail(session.error());
                // What the file holds is told either way: a person wants to see what is wrong with it.
                if (arguments->asJson)
                    environment.out << infoToJson((*session)->info());
                else
                    printInfo(environment.out, (*session)->info());
                const Status sound = checkSoundness(**session);
                return sound.ok() ? int{Done} : environment.fail(sound.error());
            }};
}

} // namespace gelens::cli
