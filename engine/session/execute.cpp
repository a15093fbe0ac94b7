#include "engine/session/execute.h"

#include "engine/formats/model_file.h"
#include "engine/npu/device.h"
#include "engine/npu/node_runner.h"
#include "engine/session/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gelens {
namespace {

/// The Data node that a key names: its name, or else its position.
Result<const Node*> inputOf(const Graph& graph, const std::string& key)
{
    const std::vector<NodeId> nodes = dataNodes(graph);
    std::vector<std::string> names;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        names.push_back(graph.node(nodes[k]).name);
        if (names.back() == key) return &graph.node(nodes[k]);
    }
    for (std::size_t k = 0; k < nodes.size(); ++k)
        if (std::to_string(k) == key) return &graph.node(nodes[k]);
    return Error::invalid(fmt::format("the model has no input '{}'; it has {}", key,
                                      names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

/// Whether a value fits what an input declares. Lists of one pass for scalars, as in runtimes.
Status checkValue(const Node& node, const HostTensor& value, const std::string& path)
{
    const TensorDesc& desc = node.outputs.front().desc;
    if (value.sequence != nullptr || value.dtype == DataType::Variant) return {};
    const Shape& shape = desc.originShape;
    bool fits = !shape.hasRank() || shape.rank() == value.shape.rank() || (shape.isScalar() && value.shape == Shape{1});
    for (int i = 0; fits && shape.hasRank() && i < shape.rank(); ++i)
        fits = shape.dim(i) < 0 || shape.dim(i) == value.shape.dim(i);
    if (fits && (desc.dtype == DataType::Undefined || desc.dtype == value.dtype)) return {};
    return Error::invalid(fmt::format("input '{}' is {} {}, the model wants {} {}", node.name,
                                      dataTypeShortName(value.dtype), value.shape.text(), dataTypeShortName(desc.dtype),
                                      shape.text()),
                          path);
}

std::int64_t bytesOf(const HostTensor& value)
{
    std::int64_t bytes = storageBytes(value.dtype, value.shape).value_or(0);
    if (value.sequence != nullptr)
        for (const HostTensor& element : *value.sequence)
            bytes += storageBytes(element.dtype, element.shape).value_or(0);
    return bytes;
}

/// What the values of the inputs leave of the memory that a run may use.
std::int64_t roomBeside(const ModelInputs& inputs)
{
    std::int64_t room = runLimitBytes;
    for (const auto& [name, value] : inputs) room -= bytesOf(value);
    return std::max<std::int64_t>(room, 0);
}

} // namespace

ValueFileKind valueKindOf(const TensorDesc& desc)
{
    const std::string type = attrString(desc.attrs, "onnx_type");
    if (type.starts_with("seq(")) return ValueFileKind::Sequence;
    if (type.starts_with("optional(")) return ValueFileKind::Optional;
    return ValueFileKind::Tensor;
}

HostTensor asDeclared(HostTensor value, DataType declared)
{
    if (declared == DataType::BFloat16 && value.dtype == DataType::UInt16) value.dtype = DataType::BFloat16;
    return value;
}

Result<ModelInputs> readModelInputs(const Graph& graph, const std::vector<std::pair<std::string, std::string>>& files,
                                    std::int64_t limitBytes)
{
    ModelInputs inputs;
    std::int64_t total = 0;
    for (const auto& [key, path] : files) {
        GELENS_ASSIGN(const Node* const node, inputOf(graph, key));
        if (inputs.contains(node->name))
            return Error::invalid(fmt::format("input '{}' is given twice", node->name), path);
        const TensorDesc& desc = node->outputs.front().desc;
        GELENS_ASSIGN(NamedValue value, readValueFile(path, valueKindOf(desc)));
        HostTensor tensor = asDeclared(std::move(value.value), desc.dtype);
        GELENS_TRY(checkValue(*node, tensor, path));
        total += bytesOf(tensor);
        if (total > limitBytes)
            return Error::limit(
                fmt::format("the inputs take {} bytes with this one, more than the {} bytes that the run may use",
                            total, limitBytes),
                path);
        inputs[node->name] = std::move(tensor);
    }
    for (const NodeId id : dataNodes(graph))
        if (!inputs.contains(graph.node(id).name))
            return Error::invalid(fmt::format("input '{}' is not given", graph.node(id).name));
    return inputs;
}

Result<std::vector<NamedTensor>> executeOriginal(const std::string& model, const Graph& graph,
                                                 const ModelInputs& inputs, std::uint64_t seed, std::stop_token stop)
{
    InterpreterOptions interpreter;
    interpreter.seed = seed;
    interpreter.stop = stop;
    interpreter.memoryLimitBytes = roomBeside(inputs);
    ReadOptions read;
    read.stop = stop;
    for (const NodeId id : dataNodes(graph)) {
        const Shape& declared = graph.node(id).outputs[0].desc.originShape;
        const auto value = inputs.find(graph.node(id).name);
        if (value == inputs.end() || value->second.sequence != nullptr) continue;
        if (declared.hasRank() && declared.isScalar() && value->second.shape == Shape{1})
            read.inputShapes[graph.node(id).name] = {1};
    }
    if (read.inputShapes.empty()) {
        GELENS_ASSIGN(RunResult result, interpret(graph, inputs, interpreter));
        return std::move(result.outputs);
    }
    GELENS_ASSIGN(const ModelDocument again, openModel(model, read));
    GELENS_ASSIGN(RunResult result, interpret(again.graph, inputs, interpreter));
    return std::move(result.outputs);
}

Result<std::vector<NamedTensor>> executeCompiled(const std::string& model, const ModelInputs& inputs,
                                                 CompileOptions options, std::stop_token stop)
{
    for (const auto& [name, value] : inputs)
        if (value.sequence == nullptr && value.dtype != DataType::Variant)
            options.inputShapes[name] = value.shape.dims();
    GELENS_ASSIGN(const auto session, Session::open(model, options, {}, stop));
    GELENS_ASSIGN(const auto run, session->run(options, nullptr, {}, stop));
    if (run->failed) return *run->error;
    const auto graph = run->graphAt(run->lastStep());
    if (run->plan.isComplete) {
        DeviceOptions device;
        device.seed = options.seed;
        device.stop = stop;
        device.memoryLimitBytes = roomBeside(inputs);
        GELENS_ASSIGN(DeviceRun result, runOnDevice(*graph, run->plan, run->tasks, inputs, device));
        return std::move(result.outputs);
    }
    InterpreterOptions interpreter;
    interpreter.seed = options.seed;
    interpreter.stop = stop;
    interpreter.memoryLimitBytes = roomBeside(inputs);
    GELENS_ASSIGN(RunResult result, interpret(*graph, inputs, interpreter));
    return std::move(result.outputs);
}

} // namespace gelens
