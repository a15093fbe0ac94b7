// Questions of formulas about operators: axes, permutations, slices, attributes.

#include "engine/fusion/match_host.h"
#include "engine/ops/op_registry.h"

#include <algorithm>

namespace gelens {

std::optional<IntList> constantInts(const Graph& graph, const Node& node, int input, std::string_view attribute)
{
    if (const Tensor* const value = input >= 0 ? graph.constantInput(node, input) : nullptr) return value->asInts();
    const auto found = node.attrs.find(attribute);
    if (found == node.attrs.end()) return std::nullopt;
    if (const IntList* const list = found->second.as<IntList>()) return *list;
    if (const std::int64_t* const number = found->second.as<std::int64_t>()) return IntList{*number};
    return std::nullopt;
}

namespace {

/// Shape of what feeds input 0.
const Shape* firstInputShape(const Graph& graph, const Node& node)
{
    const OutputRef source = node.source(0);
    return source.isValid() ? &graph.outputDesc(source).originShape : nullptr;
}

FormulaValue attributeNumber(const Node& node, std::string_view name, std::optional<std::size_t> index,
                             FormulaValue otherwise)
{
    const AttrValue* value = nullptr;
    if (const auto found = node.attrs.find(name); found != node.attrs.end()) {
        value = &found->second;
    } else if (const OpDef* const def = OpRegistry::instance().find(node.type)) {
        for (const AttrSpec& spec : def->attrs())
            if (spec.name == name) value = &spec.defaultValue;
    }
    if (!value) return otherwise;
    if (index) {
        if (const auto* list = value->as<IntList>())
            return *index < list->size() ? FormulaValue(static_cast<double>((*list)[*index])) : otherwise;
        if (const auto* list = value->as<FloatList>())
            return *index < list->size() ? FormulaValue((*list)[*index]) : otherwise;
        return otherwise;
    }
    if (const auto* number = value->as<std::int64_t>()) return static_cast<double>(*number);
    if (const auto* number = value->as<float>()) return *number;
    if (const auto* flag = value->as<bool>()) return *flag ? 1 : 0;
    if (const auto* type = value->as<DataType>()) return static_cast<double>(*type);
    return otherwise;
}

std::size_t attributeCount(const Node& node, std::string_view name)
{
    const auto found = node.attrs.find(name);
    if (found == node.attrs.end()) return 0;
    if (const auto* list = found->second.as<IntList>()) return list->size();
    if (const auto* list = found->second.as<FloatList>()) return list->size();
    return 1;
}

/// Whether a slice takes exactly part `part` of `parts` equal ones along the last axis, and all of the others.
/// Inputs or attributes begin/offsets, end/size, axes, strides as the GE operators name them.
FormulaValue isLastAxisPart(const Graph& graph, const Node& node, int part, int parts)
{
    const Shape* const shape = firstInputShape(graph, node);
    if (!shape || !shape->hasRank() || shape->rank() == 0 || parts < 1) return FormulaValue::unknown();
    const int rank = shape->rank();
    const std::int64_t last = shape->dim(-1);
    if (last < 0) return FormulaValue::unknown();
    if (last % parts != 0) return 0;
    const bool isSlice = node.type == "Slice" || node.type == "SliceD"; // offsets and sizes, all axes
    const auto begin = constantInts(graph, node, 1, isSlice ? "offsets" : "begin");
    const auto end = constantInts(graph, node, 2, isSlice ? "size" : "end");
    if (!begin || !end || begin->size() != end->size()) return FormulaValue::unknown();
    std::optional<IntList> axes, strides;
    if (!isSlice) {
        const bool isVersion2 = node.type == "StridedSliceV2"; // x, begin, end, axes, strides
        if (isVersion2) axes = constantInts(graph, node, 3, "axes");
        strides = constantInts(graph, node, isVersion2 ? 4 : 3, "strides");
    }
    for (std::size_t i = 0; i < begin->size(); ++i) {
        std::int64_t axis = axes && i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i);
        if (axis < 0) axis += rank;
        if (axis < 0 || axis >= rank || (strides && i < strides->size() && (*strides)[i] != 1)) return 0;
        const std::int64_t dim = shape->dim(static_cast<int>(axis));
        if (dim < 0) return FormulaValue::unknown();
        std::int64_t from = (*begin)[i], to = (*end)[i];
        if (isSlice) to = to < 0 ? dim : from + to;
        if (from < 0) from += dim;
        if (to < 0) to += dim;
        from = std::clamp<std::int64_t>(from, 0, dim);
        to = std::clamp<std::int64_t>(to, 0, dim);
        const bool isLast = axis == rank - 1;
        const std::int64_t wantedFrom = isLast ? last / parts * part : 0;
        const std::int64_t wantedTo = isLast ? last / parts * (part + 1) : dim;
        if (from != wantedFrom || to != wantedTo) return 0;
    }
    // An axis that the slice does not name is whole; the last one must be named unless there is only one part.
    const TensorDesc& result = node.outputs[0].desc;
    return result.originShape.hasRank() && result.originShape.rank() == rank &&
                   result.originShape.dim(-1) == last / parts
               ? 1
               : 0;
}

/// The one axis of a split, join, softmax …, from its attribute or constant input, counted from the front; unknown
/// where it has several.
FormulaValue axisOf(const Graph& graph, const Node& node)
{
    const bool isAxisFirst = node.type == "Split" || node.type == "Concat"; // the axis is input 0
    const OutputRef x = node.source(isAxisFirst ? 1 : 0);
    std::optional<IntList> axes;
    for (const std::string_view name : {"axes", "axis", "split_dim", "concat_dim", "dim"})
        if (!axes) axes = constantInts(graph, node, -1, name);
    int input = -1;
    if (isAxisFirst)
        input = 0;
    else if (node.type == "SplitV")
        input = 2;
    else if (node.type == "ConcatV2")
        input = node.inputCount() - 1;
    if (input >= 0)
        if (const Tensor* const value = graph.constantInput(node, input)) axes = value->asInts();
    if (!axes || axes->size() != 1 || !x.isValid()) return FormulaValue::unknown();
    const Shape& shape = graph.outputDesc(x).originShape;
    if (axes->front() >= 0) return static_cast<double>(axes->front());
    return shape.hasRank() ? FormulaValue(static_cast<double>(axes->front() + shape.rank())) : FormulaValue::unknown();
}

FormulaValue isLastAxis(const Graph& graph, const Node& node)
{
    const FormulaValue axis = axisOf(graph, node);
    const bool isAxisFirst = node.type == "Split" || node.type == "Concat";
    const OutputRef x = node.source(isAxisFirst ? 1 : 0);
    if (!axis.isKnown || !x.isValid() || !graph.outputDesc(x).originShape.hasRank()) return FormulaValue::unknown();
    return axis.number == graph.outputDesc(x).originShape.rank() - 1 ? 1 : 0;
}

} // namespace

FormulaValue trailingAxes(const Graph& graph, const Node& node)
{
    const Shape* const shape = firstInputShape(graph, node);
    if (!shape || !shape->hasRank()) return FormulaValue::unknown();
    std::optional<IntList> axes = constantInts(graph, node, 1, "axes");
    if (!axes) return FormulaValue::unknown();
    const int rank = shape->rank();
    if (axes->empty()) return 0;
    for (std::int64_t& axis : *axes)
        if (axis < 0) axis += rank;
    std::sort(axes->begin(), axes->end());
    for (std::size_t i = 0; i < axes->size(); ++i)
        if ((*axes)[i] != rank - static_cast<std::int64_t>(axes->size() - i)) return 0;
    return static_cast<double>(axes->size());
}

FormulaValue MatchHost::nodeQuery(FormulaFunction function, int element, const std::vector<FormulaValue>& numbers,
                                  std::string_view text)
{
    const OutputRef ref = tensor(element);
    if (!ref.isValid()) return FormulaValue::unknown();
    const Node& node = m_graph.node(ref.node);
    switch (function) {
    case FormulaFunction::Attr: return attributeNumber(node, text, std::nullopt, numbers[0]);
    case FormulaFunction::AttrAt:
        if (numbers[0].number < 0) return numbers[1];
        return attributeNumber(node, text, static_cast<std::size_t>(numbers[0].number), numbers[1]);
    case FormulaFunction::AttrIs: {
        const std::size_t equals = text.find('=');
        return attrString(node.attrs, text.substr(0, equals)) ==
                       (equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1))
                   ? 1
                   : 0;
    }
    case FormulaFunction::AttrCount: return static_cast<double>(attributeCount(node, text));
    case FormulaFunction::TrailingAxes: return trailingAxes(m_graph, node);
    case FormulaFunction::KeepsDims: return attributeNumber(node, "keep_dims", std::nullopt, 0);
    case FormulaFunction::Axis: return axisOf(m_graph, node);
    case FormulaFunction::LastAxis: return isLastAxis(m_graph, node);
    case FormulaFunction::SliceOf:
        return isLastAxisPart(m_graph, node, static_cast<int>(numbers[0].number), static_cast<int>(numbers[1].number));
    case FormulaFunction::Inputs: return connectedInputCount(node);
    case FormulaFunction::Outputs: return node.outputCount();
    case FormulaFunction::IsOp: return node.type == text ? 1 : 0;
    case FormulaFunction::LastTwoSwapped:
    case FormulaFunction::PermAt:
    case FormulaFunction::PermSize: break;
    default: return FormulaValue::unknown();
    }
    const auto perm = constantInts(m_graph, node, 1, "perm");
    if (!perm) return FormulaValue::unknown();
    const std::size_t rank = perm->size();
    if (function == FormulaFunction::PermSize) return static_cast<double>(rank);
    if (function == FormulaFunction::PermAt) {
        const double index = numbers[0].number;
        if (index < 0 || index >= static_cast<double>(rank)) return -1;
        return static_cast<double>((*perm)[static_cast<std::size_t>(index)]);
    }
    if (rank < 2) return 0;
    for (std::size_t i = 0; i + 2 < rank; ++i)
        if ((*perm)[i] != static_cast<std::int64_t>(i)) return 0;
    return (*perm)[rank - 2] == static_cast<std::int64_t>(rank - 1) &&
                   (*perm)[rank - 1] == static_cast<std::int64_t>(rank - 2)
               ? 1
               : 0;
}

} // namespace gelens
