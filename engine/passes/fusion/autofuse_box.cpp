#include "engine/passes/fusion/autofuse_box.h"

#include "engine/ops/op_registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace gelens {
namespace {

/// Axes, dims and orders have a handful of numbers.
constexpr std::int64_t largestParameter = 64;

bool isPlain(const TensorDesc& desc)
{
    return desc.originShape.isStatic() && desc.originShape.elementCount().value_or(0) > 0 &&
           !isPrivateFormat(desc.format.primary) && storageBytes(desc.dtype, desc.originShape).has_value();
}

/// The loop class of an operator: what its definition says, and Broadcast only where an operand really is smaller.
std::optional<FusionClass> loopClassOf(const Node& node, const Graph& graph)
{
    if (isViewType(node.type)) return FusionClass::View;
    const FusionClass own = fusionClassOf(node);
    switch (own) {
    case FusionClass::ElementWise:
    case FusionClass::Broadcast: {
        const Shape& result = node.outputs[0].desc.originShape;
        for (int i = 0; i < node.inputCount(); ++i)
            if (isLoad(graph, node, i) && node.inputs[static_cast<std::size_t>(i)].desc.originShape != result)
                return FusionClass::Broadcast;
        return FusionClass::ElementWise;
    }
    case FusionClass::Reduce:
    case FusionClass::Transpose:
    case FusionClass::Concat:
    case FusionClass::Split:
    case FusionClass::Slice:
    case FusionClass::Gather: return own;
    default: return std::nullopt;
    }
}

/// Products and convolutions. A product of one column over at most 32 terms is vector work to GE.
bool isCubeKernel(const Node& node, const Graph& graph)
{
    const FusionClass own = fusionClassOf(node);
    if (own == FusionClass::Convolution) return true;
    if (own != FusionClass::MatMul) return false;
    const Cost cost = costOf(node, graph);
    return cost.n != 1 || cost.k > 32;
}

std::int64_t bytesOf(const Graph& graph, OutputRef ref)
{
    const TensorDesc& desc = graph.outputDesc(ref);
    return storageBytes(desc.dtype, desc.originShape).value_or(0);
}

std::int64_t steps(const std::vector<std::int64_t>& loops)
{
    return std::accumulate(loops.begin(), loops.end(), std::int64_t{1}, std::multiplies<>());
}

bool contains(const Box& box, NodeId id)
{
    return std::find(box.nodes.begin(), box.nodes.end(), id) != box.nodes.end();
}

} // namespace

bool Box::isPointwise() const
{
    return std::all_of(classes.begin(), classes.end(), [](FusionClass c) {
        return c == FusionClass::ElementWise || c == FusionClass::Broadcast || c == FusionClass::View;
    });
}

bool isLoad(const Graph& graph, const Node& node, int slot)
{
    const OutputRef source = node.source(slot);
    if (!source.isValid()) return false;
    const Tensor* const value = graph.constantOf(source);
    if (value == nullptr || !value->isPresent()) return true;
    const std::int64_t count = value->desc.originShape.elementCount().value_or(0);
    if (count == 1) return false;
    const FusionClass fusionClass = isViewType(node.type) ? FusionClass::View : fusionClassOf(node);
    const bool isParameter = slot > 0 && isInteger(value->desc.dtype) && count <= largestParameter &&
                             fusionClass != FusionClass::ElementWise && fusionClass != FusionClass::Broadcast;
    return !isParameter;
}

Lowering lower(const Graph& graph, const Node& node, int place, const AutofuseFlags& flags)
{
    const auto refuse = [](Reason reason, std::string why) { return Lowering{std::nullopt, reason, std::move(why)}; };
    if (isBoundaryType(node.type) || node.isOpaque || !node.subgraphs.empty() || node.outputs.empty()) return {};
    const OpDef* const def = OpRegistry::instance().find(node.type);
    if (!def || !def->kernelFunction() || def->stateful() || def->storageKernel()) return {};
    const auto fusionClass = loopClassOf(node, graph);
    if (!fusionClass && isCubeKernel(node, graph) && !flags.hasCubeChip)
        return {std::nullopt, Reason::ChipUnsupported,
                fmt::format("'{}' ({}) runs on the cube unit, whose kernels autofusion does not join on this chip",
                            node.name, node.type),
                "NF1046"};
    if (!fusionClass) return {};
    if (*fusionClass != FusionClass::View && def->unitOf() != Unit::Vector)
        return refuse(Reason::UnitConflict, fmt::format("'{}' ({}) runs on {}, not on the vector unit", node.name,
                                                        node.type, unitName(def->unitOf())));
    const bool isSwitched = *fusionClass != FusionClass::ElementWise && *fusionClass != FusionClass::Broadcast &&
                            *fusionClass != FusionClass::View;
    if (isSwitched && !flags.classes.contains(*fusionClass))
        return refuse(Reason::RuleDisabled,
                      fmt::format("the class of '{}' ({}) is not in --autofuse_enable_pass", node.name, node.type));
    if (node.outputCount() > 1 && *fusionClass != FusionClass::Split)
        return refuse(Reason::OutputLimit, fmt::format("'{}' ({}) has several results", node.name, node.type));
    if (!node.controlInputs.empty() || !node.controlOutputs.empty())
        return refuse(Reason::ControlEdge,
                      fmt::format("'{}' ({}) has control edges, which end a kernel", node.name, node.type));
    for (const OutputSlot& slot : node.outputs)
        if (!isPlain(slot.desc))
            return refuse(Reason::DynamicShape,
                          fmt::format("the dims of '{}' ({}) are not known", node.name, node.type));
    for (const InputSlot& slot : node.inputs)
        if (slot.source.isValid() && !isPlain(graph.outputDesc(slot.source)))
            return refuse(Reason::DynamicShape,
                          fmt::format("the dims of an operand of '{}' ({}) are not known", node.name, node.type));

    Box box;
    box.nodes = {node.id};
    box.classes = {*fusionClass};
    box.operators = *fusionClass == FusionClass::View ? 0 : 1;
    box.first = box.last = place;
    box.in = box.out = node.outputs[0].desc.originShape.dims();
    for (int i = 0; i < node.inputCount(); ++i)
        if (isLoad(graph, node, i) &&
            std::find(box.inputs.begin(), box.inputs.end(), node.source(i)) == box.inputs.end())
            box.inputs.push_back(node.source(i));
    const bool entersWhole = *fusionClass == FusionClass::Reduce || *fusionClass == FusionClass::Transpose ||
                             *fusionClass == FusionClass::Split || *fusionClass == FusionClass::View;
    if (entersWhole && node.hasInput(0)) box.in = node.inputs[0].desc.originShape.dims();
    return {std::move(box), Reason::None, {}};
}

BoxPair relate(const Graph& graph, const Box& a, const Box& b)
{
    BoxPair pair{&a, &b, false, {}, 0};
    for (const OutputRef& input : b.inputs) {
        if (contains(a, input.node)) {
            pair.between.push_back(input);
            // The read is saved; the write too, when nobody else wants the tensor.
            bool isOnlyReader = true;
            for (const InputRef& reader : graph.consumers(input))
                isOnlyReader = isOnlyReader && (contains(b, reader.node) || contains(a, reader.node));
            pair.savedBytes += bytesOf(graph, input) * (isOnlyReader ? 2 : 1);
        } else if (std::find(a.inputs.begin(), a.inputs.end(), input) != a.inputs.end()) {
            pair.savedBytes += bytesOf(graph, input);
        }
    }
    pair.isVertical = !pair.between.empty();
    return pair;
}

bool axesUnify(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b)
{
    if (a == b) return true;
    if (steps(a) == steps(b)) {
        // Places where axes end, counted from the innermost: all of them together must still be a chain of divisors.
        std::set<std::int64_t> ends;
        for (const auto* dims : {&a, &b}) {
            std::int64_t product = 1;
            for (auto dim = dims->rbegin(); dim != dims->rend(); ++dim) ends.insert(product *= *dim);
        }
        std::int64_t before = 1;
        for (const std::int64_t end : ends) {
            if (end % before != 0) return false;
            before = end;
        }
        return true;
    }
    const std::vector<std::int64_t>& large = a.size() >= b.size() ? a : b;
    const std::vector<std::int64_t>& small = a.size() >= b.size() ? b : a;
    bool isBelow = true, isAbove = true; // which of the two is the one that repeats
    for (std::size_t i = 1; i <= small.size(); ++i) {
        const std::int64_t x = small[small.size() - i], y = large[large.size() - i];
        isBelow = isBelow && (x == y || x == 1);
        isAbove = isAbove && (x == y || y == 1);
    }
    for (std::size_t i = small.size(); i < large.size(); ++i) isAbove = isAbove && large[large.size() - 1 - i] == 1;
    return isBelow || isAbove;
}

Box merged(const BoxPair& pair)
{
    const Box &a = *pair.a, &b = *pair.b;
    Box box = a;
    box.nodes.insert(box.nodes.end(), b.nodes.begin(), b.nodes.end());
    box.classes.insert(b.classes.begin(), b.classes.end());
    box.operators += b.operators;
    box.behindReduce = a.behindReduce + b.behindReduce;
    if (a.has(FusionClass::Reduce)) box.behindReduce = a.behindReduce + b.operators;
    box.first = std::min(a.first, b.first);
    box.last = std::max(a.last, b.last);
    for (const OutputRef& input : b.inputs)
        if (!contains(a, input.node) && std::find(box.inputs.begin(), box.inputs.end(), input) == box.inputs.end())
            box.inputs.push_back(input);
    // A small producer is computed inside the larger nest of its reader.
    if (steps(b.in) > steps(a.in) && a.isPointwise()) box.in = b.in;
    box.out = b.out;
    return box;
}

} // namespace gelens
