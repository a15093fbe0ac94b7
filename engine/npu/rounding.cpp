#include "engine/npu/rounding.h"

#include "engine/graph/graph_editor.h"

#include <algorithm>
#include <cmath>

namespace gelens {
namespace {

bool isHalfWide(DataType type) { return type == DataType::Float16 || type == DataType::BFloat16; }

Tensor widenedConstant(const Tensor& constant)
{
    if (!isHalfWide(constant.desc.dtype) || !constant.isPresent()) return constant;
    const auto values = constant.asDoubles(static_cast<std::size_t>(constant.elementCount()));
    if (!values) return constant;
    Tensor wide = Tensor::fromDoubles(*values, constant.desc.shape, DataType::Float);
    TensorDesc desc = constant.desc;
    desc.dtype = DataType::Float;
    wide.desc = std::move(desc);
    return wide;
}

TensorDesc widenedDesc(TensorDesc desc)
{
    if (isHalfWide(desc.dtype)) desc.dtype = DataType::Float;
    return desc;
}

/// Attributes that name a type say so in their names and hold GE's number for it, or the type itself.
void widenAttributes(GraphEditor& edit, const Node& node)
{
    std::vector<std::pair<std::string, AttrValue>> changes;
    for (const auto& [name, value] : node.attrs) {
        const DataType* const type = value.as<DataType>();
        const std::int64_t* const number = value.as<std::int64_t>();
        const AttrValue::TensorPtr* const tensor = value.as<AttrValue::TensorPtr>();
        const bool namesType = name.ends_with("dtype") || name.ends_with("dst_type");
        if (type != nullptr && isHalfWide(*type)) changes.emplace_back(name, DataType::Float);
        else if (namesType && number != nullptr && isHalfWide(static_cast<DataType>(*number)))
            changes.emplace_back(name, static_cast<std::int64_t>(DataType::Float));
        else if (tensor != nullptr && *tensor != nullptr && isHalfWide((*tensor)->desc.dtype))
            changes.emplace_back(name, widenedConstant(**tensor));
    }
    for (auto& [name, value] : changes) edit.setAttr(node.id, name, std::move(value));
}

Rounding difference(const HostTensor& exact, const HostTensor& rounded, DataType type)
{
    const auto count = static_cast<std::size_t>(exact.shape.elementCount().value_or(0));
    if (exact.sequence || rounded.sequence || exact.shape.dims() != rounded.shape.dims()) return {};
    const auto a = exact.toConstant().asDoubles(count), b = rounded.toConstant().asDoubles(count);
    if (!a || !b) return {};
    Rounding rounding{0, 0, type};
    double squares = 0, finite = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (!std::isfinite((*a)[i]) || !std::isfinite((*b)[i])) continue;
        const double error = std::abs((*a)[i] - (*b)[i]);
        rounding.largest = std::max(rounding.largest, error);
        squares += error * error;
        finite += 1;
    }
    if (finite == 0) return {};
    rounding.rms = std::sqrt(squares / finite);
    return rounding;
}

} // namespace

Graph widenedGraph(const Graph& graph)
{
    Graph wide = graph;
    GraphEditor edit(wide);
    for (const NodeId id : wide.allNodes()) {
        for (std::int32_t i = 0; i < wide.node(id).outputCount(); ++i)
            edit.setOutputDesc({id, i}, widenedDesc(wide.outputDesc({id, i})));
        for (std::int32_t i = 0; i < wide.node(id).inputCount(); ++i)
            edit.setInputDesc({id, i}, widenedDesc(wide.node(id).inputs[static_cast<std::size_t>(i)].desc));
        widenAttributes(edit, wide.node(id));
    }
    return wide;
}

HostTensor widened(const HostTensor& value)
{
    return isHalfWide(value.dtype) ? HostTensor::fromConstant(widenedConstant(value.toConstant())) : value;
}

std::vector<Rounding> measureRounding(const Graph& graph, const std::map<std::string, HostTensor>& inputs,
                                      const std::vector<NamedTensor>& reference, const InterpreterOptions& options)
{
    std::vector<Rounding> roundings(reference.size());
    const auto isRounded = [](const NamedTensor& output) { return isHalfWide(output.precision) && isFloating(output.value.dtype); };
    if (std::none_of(reference.begin(), reference.end(), isRounded)) return roundings;
    std::map<std::string, HostTensor> wideInputs;
    InterpreterOptions plain;
    plain.memoryLimitBytes = options.memoryLimitBytes;
    for (const auto& [name, value] : inputs) {
        const HostTensor& wide = wideInputs[name] = widened(value);
        if (isHalfWide(value.dtype)) plain.memoryLimitBytes -= storageBytes(wide.dtype, wide.shape).value_or(0);
    }
    plain.seed = options.seed;
    plain.stop = options.stop;
    const auto exact = interpret(widenedGraph(graph), wideInputs, plain);
    if (!exact.ok()) return roundings;
    for (std::size_t i = 0; i < reference.size() && i < exact->outputs.size(); ++i)
        if (isRounded(reference[i]))
            roundings[i] = difference(exact->outputs[i].value, reference[i].value, reference[i].precision);
    return roundings;
}

} // namespace gelens
