#include "engine/ops/control_helpers.h"

#include "engine/ops/element_types.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace gelens::control {
namespace {

constexpr const char* elementShapeAttr = "_sequence_element_shape";

} // namespace

bool ownsGraphs(std::string_view type)
{
    static constexpr std::string_view types[] = {"If",    "StatelessIf",     "Case",
                                                 "While", "StatelessWhile",  "StatelessCase",
                                                 "For",   "PartitionedCall", "StatefulPartitionedCall"};
    return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

std::vector<HostTensor> inputTensors(const KernelContext& context)
{
    std::vector<HostTensor> tensors;
    for (int i = 0; i < context.inputCount(); ++i) tensors.push_back(movement::windowOf(context.input(i)));
    return tensors;
}

Result<std::vector<HostTensor>> runBody(const KernelContext& context, int index, const std::vector<HostTensor>& inputs,
                                        int outputs)
{
    if (!context.runSubgraph) return context.error("sub-graphs cannot run here");
    GELENS_ASSIGN(std::vector<HostTensor> results, context.runSubgraph(index, inputs));
    if (static_cast<int>(results.size()) < outputs)
        return context.error(
            fmt::format("sub-graph {} gives {} outputs, {} are needed", index, results.size(), outputs));
    return results;
}

Result<bool> truth(const KernelContext& context, const HostTensor& tensor)
{
    const TensorView view = tensor.view();
    if (view.dtype == DataType::String) return !view.strings->empty() && !view.strings->front().empty();
    if (view.elementCount() == 0) return false;
    bool isTrue = false;
    const bool isKnown = visitNumeric(
        view.dtype, [&]<typename T>(TypeTag<T>) { isTrue = load(*reinterpret_cast<const T*>(view.data)) != 0; });
    if (!isKnown)
        return context.error(fmt::format("a condition of type {} is not possible", dataTypeShortName(view.dtype)));
    return isTrue;
}

Status checkStop(const KernelContext& context)
{
    if (context.stop.stop_requested()) return Error::cancelled();
    return {};
}

TensorDesc bodyOutput(const InferContext& context, int index, int k)
{
    const auto& graphs = context.node().subgraphs;
    if (index < 0 || index >= static_cast<int>(graphs.size())) return {};
    const auto& outputs = context.graph().subgraph(graphs[static_cast<std::size_t>(index)]).outputs;
    if (k < 0 || k >= static_cast<int>(outputs.size()) || !outputs[static_cast<std::size_t>(k)].isValid()) return {};
    return context.graph().outputDesc(outputs[static_cast<std::size_t>(k)]);
}

Shape commonShape(const Shape& a, const Shape& b)
{
    if (!a.hasRank() || !b.hasRank() || a.rank() != b.rank()) return Shape::unknownRank();
    Shape result;
    for (int i = 0; i < a.rank(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        const bool isEqual = a[k] == b[k] && a.symbol(k) == b.symbol(k);
        result.append(isEqual ? a[k] : unknownDim, isEqual ? a.symbol(k) : std::string_view());
    }
    return result;
}

TensorDesc sequenceDesc(DataType elementType, const Shape& elementShape)
{
    TensorDesc desc(DataType::Resource, Shape{});
    desc.attrs[elementTypeAttr] = AttrValue(elementType);
    if (elementShape.hasRank()) desc.attrs[elementShapeAttr] = AttrValue(IntList(elementShape.dims()));
    return desc;
}

DataType elementType(const TensorDesc& sequence)
{
    return static_cast<DataType>(
        attrInt(sequence.attrs, elementTypeAttr, static_cast<std::int64_t>(DataType::Undefined)));
}

Shape elementShape(const TensorDesc& sequence)
{
    if (sequence.attrs.find(elementShapeAttr) == sequence.attrs.end()) return Shape::unknownRank();
    return Shape(attrInts(sequence.attrs, elementShapeAttr));
}

} // namespace gelens::control
