#include "tests/support/kernel_test.h"

#include "engine/graph/graph_editor.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>

namespace gelens::test {
namespace {

constexpr std::size_t noLimit = std::numeric_limits<std::size_t>::max();

/// A graph of Data nodes and the node under test, with the definition's attribute defaults filled in.
struct OneNode {
    Graph graph{"test"};
    Journal journal;
    NodeId node;

    OneNode(const OpDef& def, const std::vector<TensorDesc>& inputs, AttrMap attrs, int outputs)
    {
        GraphEditor editor(graph, journal);
        for (const AttrSpec& spec : def.attrs())
            if (spec.defaultValue.isSet()) attrs.emplace(spec.name, spec.defaultValue);
        NodeSpec spec;
        spec.name = "op";
        spec.type = def.type();
        spec.attrs = std::move(attrs);
        const int count = static_cast<int>(inputs.size());
        for (int i = 0; i < count; ++i)
            spec.inputs.emplace_back(def.inputName(i, count), inputs[static_cast<std::size_t>(i)]);
        for (int i = 0; i < outputs; ++i) spec.outputs.emplace_back(def.outputName(i, outputs), TensorDesc());
        node = editor.addNode(std::move(spec));
        for (int i = 0; i < count; ++i) {
            const TensorDesc& desc = inputs[static_cast<std::size_t>(i)];
            if (desc.dtype == DataType::Undefined) continue;
            NodeSpec data;
            data.name = fmt::format("in{}", i);
            data.type = "Data";
            data.outputs.emplace_back("y", desc);
            editor.connect({editor.addNode(std::move(data)), 0}, {node, i});
        }
    }
};

Result<std::vector<TensorDesc>> inferNode(const OpDef& def, const OneNode& one, const std::map<int, Tensor>& constants)
{
    InferContext context(one.graph, one.graph.node(one.node), [&](int i) {
        const auto found = constants.find(i);
        return found == constants.end() ? nullptr : &found->second;
    });
    if (!def.inferFunction()) return Error::invalid("no inference", def.type());
    GELENS_TRY(def.inferFunction()(context));
    std::vector<TensorDesc> result;
    for (const auto& output : context.outputs()) result.push_back(output.value_or(TensorDesc()));
    return result;
}

bool agrees(const Shape& inferred, const Shape& actual)
{
    if (!inferred.hasRank()) return true;
    if (inferred.rank() != actual.rank()) return false;
    for (int i = 0; i < inferred.rank(); ++i)
        if (inferred.dim(i) >= 0 && inferred.dim(i) != actual.dim(i)) return false;
    return true;
}

} // namespace

HostTensor tensor(Shape shape, std::vector<double> values, DataType dtype)
{
    return HostTensor::fromConstant(Tensor::fromDoubles(values, std::move(shape), dtype));
}

HostTensor intTensor(Shape shape, std::vector<std::int64_t> values, DataType dtype)
{
    return HostTensor::fromConstant(Tensor::fromInts(std::move(values), std::move(shape), dtype));
}

HostTensor boolTensor(Shape shape, std::vector<bool> values)
{
    return intTensor(std::move(shape), std::vector<std::int64_t>(values.begin(), values.end()), DataType::Bool);
}

HostTensor stringTensor(Shape shape, std::vector<std::string> values)
{
    HostTensor result;
    result.dtype = DataType::String;
    result.shape = std::move(shape);
    result.strings = std::make_shared<std::vector<std::string>>(std::move(values));
    return result;
}

HostTensor absent() { return {}; }

std::vector<double> values(const HostTensor& tensor)
{
    auto result = tensor.toConstant().asDoubles(noLimit);
    if (!result) throw std::runtime_error("not a numeric tensor");
    return std::move(*result);
}

std::vector<std::int64_t> ints(const HostTensor& tensor)
{
    auto result = tensor.toConstant().asInts(noLimit);
    if (!result) throw std::runtime_error("not an integer tensor");
    return std::move(*result);
}

Result<std::vector<TensorDesc>> infer(const std::string& type, const std::vector<TensorDesc>& inputs, AttrMap attrs,
                                      int outputs, const std::map<int, HostTensor>& constants)
{
    const OpDef* const def = OpRegistry::instance().find(type);
    if (!def) return Error::notFound("no such operator", type);
    std::map<int, Tensor> values;
    for (const auto& [index, value] : constants) values.emplace(index, value.toConstant());
    return inferNode(*def, OneNode(*def, inputs, std::move(attrs), outputs), values);
}

Result<std::vector<HostTensor>> run(const std::string& type, const std::vector<HostTensor>& inputs, AttrMap attrs,
                                    int outputs)
{
    const OpDef* const def = OpRegistry::instance().find(type);
    if (!def) return Error::notFound("no such operator", type);
    std::vector<TensorDesc> descs;
    std::vector<TensorView> views;
    std::map<int, Tensor> constants;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const HostTensor& input = inputs[i];
        descs.push_back(input.isPresent() ? TensorDesc(input.dtype, input.shape) : TensorDesc::unconnected());
        views.push_back(input.isPresent() ? input.view() : TensorView());
        if (input.isPresent()) constants.emplace(static_cast<int>(i), input.toConstant());
    }
    const OneNode one(*def, descs, std::move(attrs), outputs);
    GELENS_ASSIGN(const std::vector<TensorDesc> inferred, inferNode(*def, one, constants));
    if (!def->kernelFunction()) return Error::invalid("no kernel", type);

    std::vector<DataType> types;
    for (const TensorDesc& desc : inferred) types.push_back(desc.dtype);
    std::vector<HostTensor> results(static_cast<std::size_t>(outputs));
    KernelContext context("op", type, one.graph.node(one.node).attrs, views, types,
                          [&](int i, DataType dtype, const Shape& shape) -> Result<std::byte*> {
                              HostTensor& result = results[static_cast<std::size_t>(i)];
                              result = HostTensor::zeros(dtype, shape);
                              return result.bytes->data();
                          });
    context.seed = 1;
    GELENS_TRY(def->kernelFunction()(context));
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (context.stringOutputs()[i].isSet)
            results[i] = stringTensor(context.stringOutputs()[i].shape, context.stringOutputs()[i].values);
        if (i < context.sequenceOutputs().size() && context.sequenceOutputs()[i]) {
            results[i].dtype = context.produced()[i].first;
            results[i].shape = context.produced()[i].second;
            results[i].sequence = context.sequenceOutputs()[i];
        }
        const HostTensor& result = results[i];
        const TensorDesc& desc = inferred[i];
        if (desc.dtype != DataType::Undefined && desc.dtype != result.dtype)
            return Error::invalid(fmt::format("output {}: inferred {}, produced {}", i, dataTypeShortName(desc.dtype),
                                              dataTypeShortName(result.dtype)),
                                  type);
        if (!agrees(desc.shape, result.shape))
            return Error::invalid(
                fmt::format("output {}: inferred {}, produced {}", i, desc.shape.text(), result.shape.text()), type);
    }
    return results;
}

HostTensor run1(const std::string& type, const std::vector<HostTensor>& inputs, AttrMap attrs)
{
    auto result = run(type, inputs, std::move(attrs));
    if (!result.ok()) throw std::runtime_error(result.error().message());
    return std::move(result.value().front());
}

std::string runError(const std::string& type, const std::vector<HostTensor>& inputs, AttrMap attrs)
{
    const auto result = run(type, inputs, std::move(attrs));
    return result.ok() ? std::string() : result.error().message();
}

std::string difference(const std::vector<double>& actual, const std::vector<double>& expected, double relative,
                       double absolute)
{
    if (actual.size() != expected.size())
        return fmt::format("{} elements instead of {}", actual.size(), expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        if (std::isnan(actual[i]) && std::isnan(expected[i])) continue;
        if (actual[i] == expected[i]) continue;
        if (!(std::fabs(actual[i] - expected[i]) <= absolute + relative * std::fabs(expected[i])) ||
            std::isinf(actual[i]) || std::isinf(expected[i]))
            return fmt::format("element {}: {} instead of {}", i, actual[i], expected[i]);
    }
    return {};
}

std::string difference(const HostTensor& actual, const std::vector<double>& expected, double relative, double absolute)
{
    return difference(values(actual), expected, relative, absolute);
}

} // namespace gelens::test
