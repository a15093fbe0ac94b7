#include "engine/session/check.h"

#include "engine/formats/model_file.h"
#include "engine/formats/onnx/value_file.h"
#include "engine/npu/compare.h"
#include "engine/npu/device.h"
#include "engine/npu/interpreter.h"
#include "engine/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gelens {

namespace fs = std::filesystem;

namespace {

using Inputs = std::map<std::string, HostTensor>;

/// The stored results come from other machines and runtimes. 1e-3 relative is what ONNX's own test runner allows.
Tolerance checkTolerance(DataType dtype)
{
    Tolerance tolerance = toleranceOf(dtype);
    if (!isFloating(dtype)) return tolerance;
    tolerance.relative = std::max(tolerance.relative, 1e-3);
    tolerance.absolute = std::max(tolerance.absolute, dtype == DataType::Double ? 1e-7 : 1e-5);
    return tolerance;
}

ValueFileKind kindOf(const TensorDesc& desc)
{
    const std::string type = attrString(desc.attrs, "onnx_type");
    if (type.starts_with("seq(")) return ValueFileKind::Sequence;
    if (type.starts_with("optional(")) return ValueFileKind::Optional;
    return ValueFileKind::Tensor;
}

Result<Inputs> readInputs(const Graph& graph, const fs::path& dataSet)
{
    Inputs inputs;
    int k = 0;
    for (const NodeId id : dataNodes(graph)) {
        const Node& node = graph.node(id);
        const fs::path file = dataSet / fmt::format("input_{}.pb", k++);
        if (!fs::exists(file)) return Error::notFound("no such file", file.string());
        GELENS_ASSIGN(NamedValue value, readValueFile(file, kindOf(node.outputs[0].desc)));
        inputs[node.name] = std::move(value.value);
    }
    return inputs;
}

Result<std::vector<HostTensor>> readOutputs(const Graph& graph, const fs::path& dataSet)
{
    std::vector<HostTensor> outputs;
    const std::vector<OutputRef> refs = graphOutputs(graph);
    for (std::size_t k = 0; k < refs.size(); ++k) {
        const fs::path file = dataSet / fmt::format("output_{}.pb", k);
        if (!fs::exists(file)) break; // some tests store only the first outputs
        TensorDesc declared = graph.outputDesc(refs[k]);
        // What an output is, is declared at the graph's border, not at the operator.
        graph.forEachNode(rootGraph, [&](const Node& node) {
            if (node.type == "NetOutput" && k < node.inputs.size() && node.inputs[k].desc.attrs.contains("onnx_type"))
                declared = node.inputs[k].desc;
        });
        GELENS_ASSIGN(NamedValue value, readValueFile(file, kindOf(declared)));
        outputs.push_back(std::move(value.value));
    }
    if (outputs.empty()) return Error::notFound("no stored output", dataSet.string());
    return outputs;
}

Status compareAll(const std::vector<HostTensor>& wanted, const std::vector<NamedTensor>& got, const std::string& form,
                  CheckResult& result)
{
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (i >= got.size()) return Error::invalid(fmt::format("{}: output {} was not computed", form, i));
        const HostTensor& reference = wanted[i];
        if (reference.sequence != nullptr) {
            const auto& values = got[i].value.sequence;
            if (values == nullptr || values->size() != reference.sequence->size())
                return Error::invalid(fmt::format("{}: output '{}' is a sequence of another length", form, got[i].name));
            for (std::size_t j = 0; j < values->size(); ++j)
                result.errors.push_back(compareTensors((*reference.sequence)[j], (*values)[j], got[i].name,
                                                       checkTolerance((*reference.sequence)[j].dtype)));
        } else {
            result.errors.push_back(compareTensors(reference, got[i].value, got[i].name, checkTolerance(reference.dtype)));
        }
        const ErrorMeasure& error = result.errors.back();
        if (error.holds()) continue;
        if (error.shapeDiffers || error.typeDiffers)
            return Error::invalid(fmt::format("{}: output '{}' is {} {}, stored is {} {}", form, got[i].name,
                                              dataTypeShortName(got[i].value.dtype), got[i].value.shape.text(),
                                              dataTypeShortName(reference.dtype), reference.shape.text()));
        return Error::invalid(fmt::format("{}: output '{}' differs in {} of {} elements, by at most {:.3g} (relative {:.3g})",
                                          form, got[i].name, error.mismatches, error.elements, error.maxAbs, error.maxRel));
    }
    return Status::success();
}

/// Compiles with the shapes of the given inputs and executes the result; on the device where every size is planned.
Result<std::vector<NamedTensor>> runOptimized(const std::string& model, const Inputs& inputs, const CheckOptions& options)
{
    CompileOptions compile = options.compile;
    for (const auto& [name, value] : inputs)
        if (value.sequence == nullptr && value.dtype != DataType::Variant) compile.inputShapes[name] = value.shape.dims();
    GELENS_ASSIGN(const auto session, Session::open(model, compile, {}, options.stop));
    GELENS_ASSIGN(const auto run, session->run(compile, nullptr, {}, options.stop));
    if (run->failed) return *run->error;
    const auto graph = run->graphAt(run->lastStep());
    InterpreterOptions interpreter;
    interpreter.stop = options.stop;
    if (run->plan.isComplete) {
        DeviceOptions device;
        device.stop = options.stop;
        GELENS_ASSIGN(DeviceRun result, runOnDevice(*graph, run->plan, run->tasks, inputs, device));
        return std::move(result.outputs);
    }
    GELENS_ASSIGN(RunResult result, interpret(*graph, inputs, interpreter));
    return std::move(result.outputs);
}

bool isMissingKernel(const Error& error)
{
    return error.code == ErrorCode::Unsupported || error.what.find("no kernel") != std::string::npos ||
           error.what.find("weights are absent") != std::string::npos;
}

/// The model as it is. Stored inputs may be lists of one where the model declares scalars; then it is read with them.
Result<RunResult> runOriginal(const std::string& model, const Graph& graph, const Inputs& inputs, const CheckOptions& options)
{
    InterpreterOptions interpreter;
    interpreter.stop = options.stop;
    ReadOptions read;
    read.stop = options.stop;
    for (const NodeId id : dataNodes(graph)) {
        const Shape& declared = graph.node(id).outputs[0].desc.originShape;
        const HostTensor& value = inputs.at(graph.node(id).name);
        if (value.sequence == nullptr && declared.hasRank() && declared.isScalar() && value.shape == Shape{1})
            read.inputShapes[graph.node(id).name] = {1};
    }
    if (read.inputShapes.empty()) return interpret(graph, inputs, interpreter);
    GELENS_ASSIGN(const ModelDocument again, openModel(model, read));
    return interpret(again.graph, inputs, interpreter);
}

Status checkDataSet(const std::string& model, const Graph& graph, const fs::path& dataSet, const CheckOptions& options,
                    CheckResult& result)
{
    GELENS_ASSIGN(const Inputs inputs, readInputs(graph, dataSet));
    GELENS_ASSIGN(const auto wanted, readOutputs(graph, dataSet));
    if (options.runsOriginal) {
        GELENS_ASSIGN(const RunResult original, runOriginal(model, graph, inputs, options));
        GELENS_TRY(compareAll(wanted, original.outputs, "original", result));
    }
    if (options.runsOptimized) {
        GELENS_ASSIGN(const auto optimized, runOptimized(model, inputs, options));
        GELENS_TRY(compareAll(wanted, optimized, "optimized", result));
    }
    return Status::success();
}

} // namespace

Result<std::vector<fs::path>> findTestFolders(const std::vector<std::string>& paths)
{
    std::vector<fs::path> folders;
    for (const std::string& path : paths) {
        std::error_code code;
        if (!fs::is_directory(path, code)) return Error::notFound("no such folder", path);
        if (fs::exists(fs::path(path) / "model.onnx", code)) {
            folders.push_back(path);
            continue;
        }
        for (auto entry = fs::recursive_directory_iterator(path, fs::directory_options::skip_permission_denied, code);
             entry != fs::recursive_directory_iterator(); entry.increment(code)) {
            if (code) break;
            if (entry->path().filename() == "model.onnx") folders.push_back(entry->path().parent_path());
        }
    }
    std::sort(folders.begin(), folders.end());
    folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
    if (folders.empty()) return Error::notFound("no folder with a model.onnx", paths.empty() ? "" : paths.front());
    return folders;
}

CheckResult checkFolder(const fs::path& folder, const CheckOptions& options)
{
    CheckResult result;
    result.folder = folder.string();
    const std::string model = (folder / "model.onnx").string();
    const auto fail = [&](const Error& error) {
        result.outcome = isMissingKernel(error) ? CheckOutcome::Skipped : CheckOutcome::Failed;
        result.reason = error.message();
    };
    ReadOptions read;
    read.stop = options.stop;
    const auto document = openModel(model, read);
    if (!document.ok()) {
        fail(document.error());
        return result;
    }
    std::vector<fs::path> dataSets;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(folder, code))
        if (entry.is_directory(code) && entry.path().filename().string().starts_with("test_data_set_"))
            dataSets.push_back(entry.path());
    std::sort(dataSets.begin(), dataSets.end());
    if (dataSets.empty()) {
        result.reason = "no test_data_set folder";
        return result;
    }
    result.outcome = CheckOutcome::Passed;
    for (const fs::path& dataSet : dataSets) {
        ++result.dataSets;
        const Status status = checkDataSet(model, document->graph, dataSet, options, result);
        if (status.ok()) continue;
        fail(status.error());
        break;
    }
    return result;
}

} // namespace gelens
