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
        if (type != nullptr && isHalfWide(*type))
            changes.emplace_back(name, DataType::Float);
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
    Rounding rounding{.type = type};
    double squares = 0, finite = 0, exactSquares = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (std::isfinite((*a)[i]) && !std::isfinite((*b)[i])) ++rounding.overflows;
        if (!std::isfinite((*a)[i]) || !std::isfinite((*b)[i])) continue;
        const double error = std::abs((*a)[i] - (*b)[i]);
        rounding.largest = std::max(rounding.largest, error);
        squares += error * error;
        exactSquares += (*a)[i] * (*a)[i];
        finite += 1;
    }
    if (finite > 0) rounding.rms = std::sqrt(squares / finite);
    if (exactSquares > 0) rounding.relative = std::sqrt(squares / exactSquares);
    return finite > 0 || rounding.overflows > 0 ? rounding : Rounding{};
}

/// Elements that differ between two results that are no floats.
std::int64_t differences(const HostTensor& a, const HostTensor& b)
{
    const std::int64_t count = a.shape.elementCount().value_or(0);
    if (a.dtype != b.dtype || a.shape.dims() != b.shape.dims()) return std::max<std::int64_t>(1, count);
    if (a.strings || b.strings)
        return a.strings && b.strings && *a.strings == *b.strings ? 0 : std::max<std::int64_t>(1, count);
    const Tensor x = a.toConstant(), y = b.toConstant();
    const auto p = x.data.span(), q = y.data.span();
    if (p.size() != q.size()) return std::max<std::int64_t>(1, count);
    const std::size_t width = count > 0 ? p.size() / static_cast<std::size_t>(count) : 0;
    if (width == 0) return std::equal(p.begin(), p.end(), q.begin()) ? 0 : 1;
    std::int64_t different = 0;
    for (std::size_t at = 0; at + width <= p.size(); at += width)
        different += !std::equal(p.begin() + static_cast<std::ptrdiff_t>(at),
                                 p.begin() + static_cast<std::ptrdiff_t>(at + width),
                                 q.begin() + static_cast<std::ptrdiff_t>(at));
    return different;
}

/// Puts pairs of Casts, to fp16 and back, into a graph.
class Rounder {
public:
    explicit Rounder(GraphEditor& edit) : m_edit(edit) {}

    /// What stands for a value once it has been rounded; made once.
    OutputRef rounded(OutputRef source)
    {
        const auto [entry, isNew] = m_made.try_emplace(source);
        if (isNew) entry->second = cast(cast(source, DataType::Float16), DataType::Float);
        return entry->second;
    }

private:
    OutputRef cast(OutputRef source, DataType type)
    {
        const TensorDesc from = m_edit.graph().outputDesc(source);
        TensorDesc to = from;
        to.attrs.clear();
        to.dtype = type;
        const NodeId id = m_edit.addNode({.name = "rounding_" + std::to_string(m_count++),
                                          .type = "Cast",
                                          .inputs = {{"x", from}},
                                          .outputs = {{"y", to}},
                                          .attrs = {{"dst_type", AttrValue(static_cast<std::int64_t>(type))}}},
                                         rootGraph, source.node);
        m_edit.connect(source, {id, 0});
        return {id, 0};
    }

    GraphEditor& m_edit;
    std::map<OutputRef, OutputRef> m_made;
    int m_count = 0;
};

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
    const auto isRounded = [](const NamedTensor& output) {
        return isHalfWide(output.precision) && isFloating(output.value.dtype);
    };
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

Graph roundedGraph(const Graph& graph, const Graph& narrowed, RoundedValues values)
{
    Graph rounded = graph;
    GraphEditor edit(rounded);
    Rounder rounder(edit);
    const auto isHalfAfter = [&](OutputRef ref) {
        return narrowed.contains(ref.node) && ref.index < narrowed.node(ref.node).outputCount() &&
               narrowed.outputDesc(ref).dtype == DataType::Float16;
    };
    for (const NodeId id : graph.nodes(rootGraph)) {
        const Node& node = graph.node(id);
        const bool isKept = narrowed.contains(id) && narrowed.node(id).inputCount() == node.inputCount();
        for (std::int32_t i = 0; i < node.inputCount(); ++i) {
            const OutputRef source = node.source(i);
            if (!source.isValid() || graph.outputDesc(source).dtype != DataType::Float) continue;
            if (values == RoundedValues::Constants && !isConstantType(graph.node(source.node).type)) continue;
            const bool readsHalf =
                isKept && narrowed.node(id).inputs[static_cast<std::size_t>(i)].desc.dtype == DataType::Float16;
            if (readsHalf || isHalfAfter(source)) edit.connect(rounder.rounded(source), {id, i});
        }
    }
    std::vector<OutputRef> outputs = graph.subgraph(rootGraph).outputs;
    for (OutputRef& output : outputs)
        if (values == RoundedValues::All && output.isValid() && graph.outputDesc(output).dtype == DataType::Float &&
            isHalfAfter(output))
            output = rounder.rounded(output);
    edit.setGraphOutputs(rootGraph, std::move(outputs));
    return rounded;
}

Graph widenedWithRoundedConstants(const Graph& graph)
{
    Graph wide = widenedGraph(graph);
    GraphEditor edit(wide);
    Rounder rounder(edit);
    for (const NodeId id : graph.nodes(rootGraph)) {
        const Node& node = graph.node(id);
        const bool narrows =
            node.type == "Cast" && !node.outputs.empty() && node.outputs[0].desc.dtype == DataType::Float16;
        if (!narrows || !node.hasInput(0) || !isConstantType(graph.node(node.source(0).node).type)) continue;
        if (graph.outputDesc(node.source(0)).dtype == DataType::Float)
            edit.connect(rounder.rounded(node.source(0)), {id, 0});
    }
    return wide;
}

std::vector<Rounding> roundingsBetween(const std::vector<NamedTensor>& reference,
                                       const std::vector<NamedTensor>& rounded)
{
    std::vector<Rounding> roundings(reference.size());
    for (std::size_t i = 0; i < reference.size() && i < rounded.size(); ++i) {
        const HostTensor &exact = reference[i].value, &value = rounded[i].value;
        if (exact.sequence || value.sequence) continue;
        if (isFloating(exact.dtype) && exact.shape.dims() == value.shape.dims()) {
            roundings[i] = difference(exact, value, DataType::Float16);
        } else {
            roundings[i].type = DataType::Float16;
            roundings[i].decisions = differences(exact, value);
        }
        roundings[i].isOfValues = true;
    }
    return roundings;
}

std::vector<Rounding> measureNarrowing(const Graph& graph, const Graph& narrowed,
                                       const std::map<std::string, HostTensor>& inputs,
                                       const std::vector<NamedTensor>& reference, const InterpreterOptions& options)
{
    InterpreterOptions plain;
    plain.memoryLimitBytes = options.memoryLimitBytes;
    plain.seed = options.seed;
    plain.stop = options.stop;
    const auto rounded = interpret(roundedGraph(graph, narrowed), inputs, plain);
    return rounded.ok() ? roundingsBetween(reference, rounded->outputs) : std::vector<Rounding>(reference.size());
}

} // namespace gelens
