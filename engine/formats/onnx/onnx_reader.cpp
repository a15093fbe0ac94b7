#include "engine/formats/onnx/onnx_reader.h"

#include "engine/formats/mapped_file.h"
#include "engine/formats/onnx/external_data.h"
#include "engine/formats/onnx/graph_importer.h"
#include "engine/formats/onnx/text.h"
#include "engine/formats/onnx/wire_scan.h"

#include <fmt/core.h>
#include <google/protobuf/io/coded_stream.h>

#include <limits>
#include <unordered_set>

namespace gelens {
namespace {

using namespace onnx_import;

// Above what the scan lets through, so that protobuf's own limit never speaks first.
constexpr int protobufDepth = maxMessageDepth + 50;

Status mergeSlices(std::span<const std::byte> file, const std::vector<Slice>& slices,
                   google::protobuf::Message& message, const char* what)
{
    for (const Slice& slice : slices) {
        if (slice.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
            return Error::limit("more than 2 GiB of structure: not an ONNX file that protobuf can hold");
        google::protobuf::io::CodedInputStream stream(reinterpret_cast<const std::uint8_t*>(file.data()) + slice.begin,
                                                      static_cast<int>(slice.size()));
        stream.SetTotalBytesLimit(std::numeric_limits<int>::max());
        stream.SetRecursionLimit(protobufDepth);
        if (!message.MergePartialFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
            return Error::invalid(fmt::format("damaged: {} at byte {} cannot be decoded", what, slice.begin));
    }
    return Status::success();
}

/// Versions: missing ones are guessed as the standard says or refused, newer ones read with a warning.
Result<OpsetMap> readOpsets(const onnx::ModelProto& model, ModelDocument& document)
{
    OpsetMap opsets;
    for (const auto& entry : model.opset_import()) {
        const std::string domain = normalDomain(entry.domain());
        if (entry.version() < 0 || entry.version() > std::numeric_limits<int>::max())
            return Error::invalid(fmt::format("opset {} of the domain '{}' makes no sense", entry.version(),
                                              domain.empty() ? "ai.onnx" : cleanText(domain)));
        opsets[domain] = std::max<std::int64_t>(1, entry.version());
        if (domain.empty() && entry.version() > newestOnnxOpset)
            document.messages.push_back(
                {Severity::Warning,
                 "onnx.new-opset",
                 fmt::format("opset {} is newer than the {} that this program knows", entry.version(), newestOnnxOpset),
                 {},
                 {}});
    }
    if (opsets.empty()) {
        constexpr std::int64_t firstWithOpsets = 3;
        if (model.ir_version() >= firstWithOpsets) return Error::invalid("the model states no opset");
        opsets[""] = 1;
        document.messages.push_back(
            {Severity::Warning, "onnx.no-opset", "the model states no opset: taken for opset 1", {}, {}});
    }
    if (model.ir_version() > newestOnnxIrVersion)
        document.messages.push_back({Severity::Warning,
                                     "onnx.new-ir",
                                     fmt::format("IR version {} is newer than the {} that this program knows",
                                                 model.ir_version(), newestOnnxIrVersion),
                                     {},
                                     {}});
    return opsets;
}

void describe(const onnx::ModelProto& model, ModelDocument& document)
{
    document.format = "ONNX";
    document.producer = replaceInvalidUtf8(model.producer_name());
    if (!model.producer_version().empty()) document.producer += " " + replaceInvalidUtf8(model.producer_version());
    document.domain = replaceInvalidUtf8(model.domain());
    document.description = replaceInvalidUtf8(model.doc_string());
    document.irVersion = model.ir_version();
    document.modelVersion = model.model_version();
    for (const auto& entry : model.metadata_props())
        document.metadata[replaceInvalidUtf8(entry.key())] = replaceInvalidUtf8(entry.value());
}

void countWeights(ModelDocument& document)
{
    std::unordered_set<const std::byte*> seen; // sub-graphs repeat constants of the graph around them
    for (const NodeId id : document.graph.allNodes()) {
        const Node& node = document.graph.node(id);
        if (node.type != "Const") continue;
        const Tensor* const tensor = attrTensor(node.attrs, "value");
        if (!tensor || node.attrs.contains("_datadump_original_op_names"))
            continue; // no value, or one that the import of an operator made
        if (!tensor->data.isEmpty() && !seen.insert(tensor->data.data()).second) continue;
        const std::int64_t bytes = storageBytes(tensor->desc.dtype, tensor->desc.shape).value_or(0);
        ++document.weightCount;
        document.weightBytes += bytes;
        if (tensor->isPresent()) continue;
        ++document.absentWeightCount;
        document.absentWeightBytes += bytes;
    }
}

void reportMissingFiles(const ExternalFiles& files, ModelDocument& document)
{
    for (const auto& [location, file] : files.files())
        if (!file.map)
            document.messages.push_back(
                {Severity::Warning,
                 "onnx.weights-absent",
                 fmt::format(
                     "external data '{}' is missing: {} weight{} ({} bytes) {} a shape and a type, but no values",
                     cleanText(location), file.missingTensors, file.missingTensors == 1 ? "" : "s", file.missingBytes,
                     file.missingTensors == 1 ? "has" : "have"),
                 {},
                 {}});
}

Result<ModelDocument> read(std::span<const std::byte> bytes, const std::shared_ptr<const void>& owner,
                           const std::filesystem::path& folder, const ReadOptions& options)
{
    GELENS_ASSIGN(const ModelSlices slices, scanModel(bytes));
    onnx::ModelProto model;
    onnx::GraphProto graph;
    GELENS_TRY(mergeSlices(bytes, slices.modelFields, model, "the model"));
    GELENS_TRY(mergeSlices(bytes, slices.graphFields, graph, "the graph"));
    std::vector<MainInitializer> initializers(slices.initializers.size());
    for (std::size_t i = 0; i < initializers.size(); ++i) {
        if (options.stop.stop_requested()) return Error::cancelled();
        GELENS_TRY(mergeSlices(bytes, slices.initializers[i].fields, initializers[i].proto, "an initialiser"));
        if (const auto& raw = slices.initializers[i].raw)
            initializers[i].window = RawWindow{owner, bytes.subspan(raw->begin, raw->size())};
    }

    ModelDocument document;
    document.graph = Graph(replaceInvalidUtf8(graph.name()));
    document.fileBytes = static_cast<std::int64_t>(bytes.size());
    describe(model, document);
    GELENS_ASSIGN(const OpsetMap opsets, readOpsets(model, document));
    document.opsets = opsets;
    FunctionLibrary functions;
    GELENS_TRY(functions.build(model));
    document.functions = functions.size();
    ExternalFiles files(folder);
    TensorReader tensors(files, options.maxDenseBytes);
    {
        GraphImporter importer(options, tensors, functions, document);
        GELENS_TRY(importer.importModel(graph, initializers, opsets));
    }
    countWeights(document);
    reportMissingFiles(files, document);
    return document;
}

} // namespace

Result<ModelDocument> readOnnx(const std::filesystem::path& path, const ReadOptions& options)
{
    GELENS_ASSIGN(const std::shared_ptr<const MappedFile> file, MappedFile::open(path));
    std::filesystem::path folder = path.parent_path();
    if (folder.empty()) folder = ".";
    auto document = read(file->bytes(), file, folder, options);
    if (!document.ok()) {
        Error error = document.error();
        if (!error.where.empty()) error.what = error.where + ": " + error.what;
        error.where = path.string();
        return error;
    }
    document.value().path = path.string();
    return document;
}

Result<ModelDocument> readOnnxBytes(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                                    const std::filesystem::path& folder, const ReadOptions& options)
{
    return read(bytes, owner, folder, options);
}

} // namespace gelens
