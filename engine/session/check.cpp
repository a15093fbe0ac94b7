#include "engine/session/check.h"

#include "engine/formats/model_file.h"
#include "engine/npu/compare.h"
#include "engine/session/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gelens {

namespace fs = std::filesystem;

namespace {

/// The stored results come from other machines and runtimes. 1e-3 relative is what ONNX's own test runner allows.
Tolerance checkTolerance(DataType dtype)
{
    Tolerance tolerance = toleranceOf(dtype);
    if (!isFloating(dtype)) return tolerance;
    tolerance.relative = std::max(tolerance.relative, 1e-3);
    tolerance.overall = std::max(tolerance.overall, 1e-3);
    tolerance.floor = std::max(tolerance.floor, dtype == DataType::Double ? 1e-7 : 1e-5);
    tolerance.noise = tolerance.floor / 16;
    return tolerance;
}

/// A result is no more exact than the coarsest type on its way: runtimes without fp16 arithmetic compute in fp32 and
/// round less often than the model says.
Tolerance checkTolerance(const HostTensor& reference, const NamedTensor& value)
{
    const DataType stored = reference.dtype;
    return checkTolerance(isFloating(stored) ? coarserType(stored, value.precision) : stored);
}

Result<ModelInputs> readInputs(const Graph& graph, const fs::path& dataSet)
{
    std::vector<std::pair<std::string, std::string>> files; // by position
    for (std::size_t k = 0; k < dataNodes(graph).size(); ++k) {
        const fs::path file = dataSet / fmt::format("input_{}.pb", k);
        if (!fs::exists(file)) return Error::notFound("no such file", file.string());
        files.emplace_back(std::to_string(k), file.string());
    }
    return readModelInputs(graph, files);
}

Result<std::vector<HostTensor>> readOutputs(const Graph& graph, const fs::path& dataSet)
{
    // What kind of value an output is, is declared at the graph's border, not at the operator.
    std::vector<ValueFileKind> kinds;
    graph.forEachNode(rootGraph, [&](const Node& node) {
        if (node.type != "NetOutput") return;
        for (const InputSlot& slot : node.inputs) kinds.push_back(valueKindOf(slot.desc));
    });
    std::vector<HostTensor> outputs;
    const std::vector<OutputRef> refs = graphOutputs(graph);
    for (std::size_t k = 0; k < refs.size(); ++k) {
        const fs::path file = dataSet / fmt::format("output_{}.pb", k);
        if (!fs::exists(file)) break; // some tests store only the first outputs
        GELENS_ASSIGN(NamedValue value, readValueFile(file, k < kinds.size() ? kinds[k] : ValueFileKind::Tensor));
        outputs.push_back(std::move(value.value));
    }
    if (outputs.empty()) return Error::notFound("no stored output", dataSet.string());
    return outputs;
}

/// The step between two neighbouring values of output k when it is a dequantised integer; 0 when it is none.
double quantizationStep(const Graph& graph, std::size_t k)
{
    const std::vector<OutputRef> refs = graphOutputs(graph);
    if (k >= refs.size() || !refs[k].isValid()) return 0;
    const Node& node = graph.node(refs[k].node);
    if (node.type != "DequantizeLinear") return 0;
    OutputRef source = node.source(1);
    while (source.isValid() && graph.node(source.node).type == "Identity") source = graph.node(source.node).source(0);
    const Tensor* scale = source.isValid() ? graph.constantOf(source) : nullptr;
    const auto values = scale == nullptr ? std::nullopt : scale->asDoubles(1);
    return values && values->size() == 1 ? std::abs(values->front()) : 0;
}

/// A sum in another order can fall on the other side of a rounding boundary: one step, in a few elements.
bool isWithinSteps(const HostTensor& reference, const HostTensor& value, double step)
{
    constexpr double share = 0.05; // of elements that may be a step off; ONNX Runtime's own optimiser moves 3 %
    if (step <= 0 || reference.dtype != value.dtype || reference.shape.dims() != value.shape.dims()) return false;
    const auto count = static_cast<std::size_t>(reference.shape.elementCount().value_or(0));
    const auto a = reference.toConstant().asDoubles(count), b = value.toConstant().asDoubles(count);
    if (!a || !b) return false;
    double off = 0;
    for (std::size_t i = 0; i < a->size(); ++i) {
        const double error = std::abs((*a)[i] - (*b)[i]);
        if (!(error <= 1.001 * step)) return false;
        off += error > 0.001 * step;
    }
    return off <= share * static_cast<double>(a->size());
}

Status compareAll(const Graph& graph, const std::vector<HostTensor>& wanted, const std::vector<NamedTensor>& got,
                  const std::string& form, CheckResult& result)
{
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (i >= got.size()) return Error::invalid(fmt::format("{}: output {} was not computed", form, i));
        const HostTensor reference = asDeclared(wanted[i], got[i].value.dtype);
        if (reference.sequence != nullptr) {
            const auto& values = got[i].value.sequence;
            if (values == nullptr || values->size() != reference.sequence->size())
                return Error::invalid(
                    fmt::format("{}: output '{}' is a sequence of another length", form, got[i].name));
            for (std::size_t j = 0; j < values->size(); ++j)
                result.errors.push_back(compareTensors((*reference.sequence)[j], (*values)[j], got[i].name,
                                                       checkTolerance((*reference.sequence)[j].dtype)));
        } else {
            result.errors.push_back(
                compareTensors(reference, got[i].value, got[i].name, checkTolerance(reference, got[i])));
        }
        const ErrorMeasure& error = result.errors.back();
        if (error.holds()) continue;
        if (isWithinSteps(reference, got[i].value, quantizationStep(graph, i))) continue;
        if (error.shapeDiffers || error.typeDiffers)
            return Error::invalid(fmt::format("{}: output '{}' is {} {}, stored is {} {}", form, got[i].name,
                                              dataTypeShortName(got[i].value.dtype), got[i].value.shape.text(),
                                              dataTypeShortName(reference.dtype), reference.shape.text()));
        return Error::invalid(fmt::format("{}: output '{}' differs in {} of {} elements, by at most {:.3g} (relative "
                                          "{:.3g}), by {:.3g} of its norm",
                                          form, got[i].name, error.mismatches, error.elements, error.maxAbs,
                                          error.maxRel, error.overall));
    }
    return Status::success();
}

/// Shape and type are right, numbers are not.
bool isOnlyInValues(const ErrorMeasure& error) { return !error.holds() && !error.shapeDiffers && !error.typeDiffers; }

/// The first operator that draws random numbers: what it gives cannot be compared with what another generator gave.
std::string randomOperator(const Graph& graph)
{
    static constexpr std::string_view types[] = {"RandomUniform", "RandomStandardNormal", "Multinomial", "Bernoulli",
                                                 "Dropout"}; // the importer keeps a Dropout only where it may train
    for (const NodeId id : graph.allNodes())
        for (const std::string_view type : types)
            if (graph.node(id).type == type) return graph.node(id).type;
    return {};
}

bool isMissingKernel(const Error& error)
{
    return error.code == ErrorCode::Unsupported || error.what.find("no kernel") != std::string::npos ||
           error.what.find("weights are absent") != std::string::npos;
}

Status checkDataSet(const std::string& model, const Graph& graph, const fs::path& dataSet, const CheckOptions& options,
                    CheckResult& result)
{
    GELENS_ASSIGN(const ModelInputs inputs, readInputs(graph, dataSet));
    GELENS_ASSIGN(const auto wanted, readOutputs(graph, dataSet));
    if (options.runsOriginal) {
        GELENS_ASSIGN(const auto original, executeOriginal(model, graph, inputs, 1, options.stop));
        GELENS_TRY(compareAll(graph, wanted, original, "original", result));
    }
    if (options.runsOptimized) {
        GELENS_ASSIGN(const auto optimized, executeCompiled(model, inputs, options.compile, options.stop));
        GELENS_TRY(compareAll(graph, wanted, optimized, "optimized", result));
    }
    return Status::success();
}

} // namespace

Result<std::vector<fs::path>> findTestFolders(const std::vector<std::string>& paths)
{
    std::vector<fs::path> folders;
    for (const std::string& path : paths) {
        std::error_code code;
        if (!fs::exists(path, code)) return Error::notFound("no such folder", path);
        if (!fs::is_directory(path, code))
            return Error::invalid("this is a file; a folder with model.onnx and test_data_set_N is wanted", path);
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
    ReadOptions read;
    read.stop = options.stop;
    const auto document = openModel(model, read);
    if (!document.ok()) {
        fail(document.error());
        return result;
    }
    result.outcome = CheckOutcome::Passed;
    for (const fs::path& dataSet : dataSets) {
        ++result.dataSets;
        const Status status = checkDataSet(model, document->graph, dataSet, options, result);
        if (status.ok()) continue;
        fail(status.error());
        const std::string random = randomOperator(document->graph);
        if (!random.empty() && !result.errors.empty() && isOnlyInValues(result.errors.back())) {
            result.outcome = CheckOutcome::Skipped;
            result.reason = fmt::format("{} draws random numbers, which cannot be compared", random);
        }
        break;
    }
    return result;
}

} // namespace gelens
