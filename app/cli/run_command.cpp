#include "app/cli/command_internal.h"
#include "engine/formats/model_file.h"
#include "engine/session/execute.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <ostream>

namespace gelens::cli {
namespace {

namespace fs = std::filesystem;

struct Arguments {
    std::string file, outputFolder, soc = CompileOptions().soc;
    std::vector<std::string> inputs;
    std::uint64_t seed = 1;
    bool original = false;
};

Result<std::vector<std::pair<std::string, std::string>>> parseInputs(const std::vector<std::string>& texts)
{
    std::vector<std::pair<std::string, std::string>> files;
    for (const std::string& text : texts) {
        const auto equals = text.find('=');
        if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
            return Error::invalid(
                fmt::format("--input {}: expected K=FILE.pb, K being an input's name or position", text));
        files.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return files;
}

Result<std::vector<NamedTensor>> compute(const Arguments& arguments)
{
    GELENS_ASSIGN(const auto files, parseInputs(arguments.inputs));
    GELENS_ASSIGN(const ModelDocument document, openModel(arguments.file, {}));
    GELENS_ASSIGN(const ModelInputs inputs, readModelInputs(document.graph, files));
    CompileOptions options;
    options.soc = arguments.soc;
    options.seed = arguments.seed;
    auto outputs = arguments.original ? executeOriginal(arguments.file, document.graph, inputs, arguments.seed)
                                      : executeCompiled(arguments.file, inputs, options);
    if (outputs.ok() || outputs.error().where.starts_with(arguments.file)) return outputs;
    Error error = outputs.error(); // of a node: the line must name the file, too
    error.where = arguments.file + (error.where.empty() ? "" : ": " + error.where);
    return error;
}

Status writeOutputs(const std::vector<NamedTensor>& outputs, const Arguments& arguments, std::ostream& out)
{
    std::error_code code;
    fs::create_directories(arguments.outputFolder, code);
    if (!fs::is_directory(arguments.outputFolder)) return Error::io("cannot make the folder", arguments.outputFolder);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        const std::string name = fmt::format("output_{}.pb", k);
        GELENS_TRY(writeValueFile(fs::path(arguments.outputFolder) / name, outputs[k].name, outputs[k].value));
        out << fmt::format("{}  {}  {} {}\n", name, outputs[k].name, dataTypeShortName(outputs[k].value.dtype),
                           outputs[k].value.shape.text());
    }
    return Status::success();
}

int execute(const Arguments& arguments, const Environment& environment)
{
    auto outputs = compute(arguments);
    if (!outputs.ok()) {
        Error error = outputs.error();
        if (error.where.empty()) error.where = arguments.file; // the line must name a file
        return environment.fail(error);
    }
    const Status written = writeOutputs(*outputs, arguments, environment.out);
    return written.ok() ? Done : environment.fail(written.error());
}

} // namespace

Command runCommand(CLI::App& parent, const Environment& environment)
{
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app =
        parent.add_subcommand("run", "compile a model, run it once on the simulated NPU, write the outputs");
    app->add_option("FILE", arguments->file, "model to run")->required();
    app->add_option("--input", arguments->inputs,
                    "K=FILE.pb: a tensor file for the input of that name or position (repeated)");
    app->add_option("--output-dir", arguments->outputFolder, "folder for output_0.pb, output_1.pb, …")->required();
    app->add_option("--soc", arguments->soc, "SoC to compile for")->capture_default_str();
    app->add_option("--seed", arguments->seed, "seed of random operators")->capture_default_str();
    app->add_flag("--original", arguments->original, "run the model as it is, not compiled");
    return {app, [arguments, environment] { return execute(*arguments, environment); }};
}

} // namespace gelens::cli
