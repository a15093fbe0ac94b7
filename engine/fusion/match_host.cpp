#include "engine/fusion/match_host.h"

#include "engine/ops/op_registry.h"

#include <algorithm>
#include <cmath>

namespace gelens
{

MatchHost::MatchHost(const Graph& graph, const Rule& rule, const Match& match, const FusionEnvironment* environment)
    : m_graph(graph), m_rule(rule), m_match(match), m_environment(environment),
      m_fixed(rule.lets.size() + rule.tiles.size()), m_computed(m_fixed.size())
{
}

FormulaValue MatchHost::variable(int index)
{
    const auto i = static_cast<std::size_t>(index);
    if (m_fixed[i])
        return *m_fixed[i];
    if (i >= m_rule.lets.size())
        return FormulaValue::unknown(); // a tile that nobody set
    if (!m_computed[i])
        m_computed[i] = m_rule.lets[i].formula.evaluate(*this); // lets see earlier ones only
    return *m_computed[i];
}

void MatchHost::setVariable(int index, double value)
{
    m_fixed[static_cast<std::size_t>(index)] = value;
    m_computed.assign(m_computed.size(), std::nullopt);
}

void MatchHost::clearVariables()
{
    m_fixed.assign(m_fixed.size(), std::nullopt);
    m_computed.assign(m_computed.size(), std::nullopt);
}

FormulaValue MatchHost::soc(std::string_view key)
{
    if (!m_environment || !m_environment->soc)
        return FormulaValue::unknown();
    const SocSpec& soc = *m_environment->soc;
    const BufferSizes buffers = m_environment->bufferSizes();
    const auto bytes = [](std::int64_t value) { return FormulaValue(static_cast<double>(value)); };
    if (key == "l1")
        return bytes(buffers.l1);
    if (key == "ub")
        return bytes(buffers.ub);
    if (key == "l0a")
        return bytes(buffers.l0a);
    if (key == "l0b")
        return bytes(buffers.l0b);
    if (key == "l0c")
        return bytes(buffers.l0c);
    if (key == "l2")
        return bytes(soc.l2Bytes);
    if (key == "cube_k")
        return soc.cubeK;
    if (key == "generation")
        return soc.generation;
    if (key == "split")
        return soc.coreLayout == CoreLayout::Split ? 1 : 0;
    return FormulaValue::unknown();
}

OutputRef MatchHost::tensor(int element) const
{
    return m_match.resolve(m_rule, {element, PatternRef::anyOutput, false});
}

const TensorDesc* MatchHost::desc(int element) const
{
    const OutputRef ref = tensor(element);
    if (!ref.isValid() || ref.index >= m_graph.node(ref.node).outputCount())
        return nullptr;
    return &m_graph.outputDesc(ref);
}

const Tensor* MatchHost::constant(int element) const
{
    const OutputRef ref = tensor(element);
    return ref.isValid() ? m_graph.constantOf(ref) : nullptr;
}

FormulaValue MatchHost::query(FormulaFunction function, const std::vector<int>& elements,
                              const std::vector<FormulaValue>& numbers, std::string_view text)
{
    for (const FormulaValue& number : numbers)
        if (!number.isKnown && function != FormulaFunction::Attr)
            return FormulaValue::unknown();
    if (elements.size() == 2)
        return pairQuery(function, elements[0], elements[1], numbers);
    if (elements.empty())
        return FormulaValue::unknown();
    if (function >= FormulaFunction::Attr)
        return nodeQuery(function, elements[0], numbers, text);
    return tensorQuery(function, elements[0], numbers);
}

FormulaValue MatchHost::tensorQuery(FormulaFunction function, int element, const std::vector<FormulaValue>& numbers)
{
    // A skipped optional element is not there, though something stands in its place.
    if (function == FormulaFunction::Has)
        return m_match.of(element).isBound() ? 1 : 0;
    const TensorDesc* const found = desc(element);
    if (!found)
        return FormulaValue::unknown();
    const Shape& shape = found->originShape;
    switch (function) {
    case FormulaFunction::Dim: {
        const auto index = static_cast<int>(numbers[0].number);
        if (!shape.hasRank() || index >= shape.rank() || index < -shape.rank())
            return FormulaValue::unknown();
        const std::int64_t dim = shape.dim(index);
        return dim < 0 ? FormulaValue::unknown() : FormulaValue(static_cast<double>(dim));
    }
    case FormulaFunction::Rank:
        return shape.hasRank() ? FormulaValue(shape.rank()) : FormulaValue::unknown();
    case FormulaFunction::Size: {
        const auto count = shape.elementCount();
        return count ? FormulaValue(static_cast<double>(*count)) : FormulaValue::unknown();
    }
    case FormulaFunction::Bytes: {
        const auto bytes = storageBytes(found->dtype, shape);
        return bytes ? FormulaValue(static_cast<double>(*bytes)) : FormulaValue::unknown();
    }
    case FormulaFunction::SizeOf: {
        const int bits = dataTypeBits(found->dtype);
        return bits ? FormulaValue(bits / 8.0) : FormulaValue::unknown();
    }
    case FormulaFunction::Dtype:
        return static_cast<double>(found->dtype);
    case FormulaFunction::IsFloating:
        return isFloating(found->dtype) ? 1 : 0;
    case FormulaFunction::IsConst:
        return isConstantType(m_graph.node(tensor(element).node).type) ? 1 : 0;
    case FormulaFunction::Readers:
        return static_cast<double>(m_graph.consumers(tensor(element)).size());
    case FormulaFunction::Value: {
        const Tensor* const value = constant(element);
        if (!value || value->elementCount() < 1)
            return FormulaValue::unknown();
        const auto numbersOf = value->asDoubles();
        // A tensor that repeats one number counts as that number.
        if (!numbersOf || numbersOf->empty())
            return FormulaValue::unknown();
        for (const double number : *numbersOf)
            if (number != numbersOf->front())
                return FormulaValue::unknown();
        return numbersOf->front();
    }
    case FormulaFunction::At:
        return channelValue(element);
    case FormulaFunction::ConstAt: {
        const Tensor* const value = constant(element);
        const auto numbersOf = value ? value->asDoubles() : std::nullopt;
        const double index = numbers[0].number;
        if (!numbersOf || index < 0 || index >= static_cast<double>(numbersOf->size()))
            return FormulaValue::unknown();
        return (*numbersOf)[static_cast<std::size_t>(index)];
    }
    default:
        return FormulaValue::unknown();
    }
}

FormulaValue MatchHost::channelValue(int element)
{
    auto known = m_channels.find(element);
    if (known == m_channels.end()) {
        const Tensor* const value = constant(element);
        auto numbers = value ? value->asDoubles(std::size_t{1} << 22) : std::nullopt;
        known = m_channels.emplace(element, numbers ? std::move(*numbers) : std::vector<double>{}).first;
    }
    const std::vector<double>& values = known->second;
    if (values.size() == 1)
        return values[0];
    return m_channel < values.size() ? FormulaValue(values[m_channel]) : FormulaValue::unknown();
}

namespace
{

/// Whether the first `count` dims agree. Two dims that are both unknown count as equal unless they bear different
/// symbols: exporters leave batch and sequence open, and operands that did not fit would have failed in the model
/// itself.
FormulaValue samePrefix(const Shape& x, const Shape& y, int count)
{
    if (count > x.rank() || count > y.rank())
        return 0;
    bool isKnown = true;
    for (int i = 0; i < count; ++i) {
        const std::int64_t a = x.dim(i), b = y.dim(i);
        const auto at = static_cast<std::size_t>(i);
        if (a >= 0 && b >= 0) {
            if (a != b)
                return 0;
        } else if (a >= 0 || b >= 0) {
            isKnown = false;
        } else if (!x.symbol(at).empty() && !y.symbol(at).empty() && x.symbol(at) != y.symbol(at)) {
            isKnown = false;
        }
    }
    return isKnown ? FormulaValue(1) : FormulaValue::unknown();
}

} // namespace

FormulaValue MatchHost::pairQuery(FormulaFunction function, int a, int b, const std::vector<FormulaValue>& numbers)
{
    const TensorDesc* const first = desc(a);
    const TensorDesc* const second = desc(b);
    if (!first || !second)
        return FormulaValue::unknown();
    if (function == FormulaFunction::SameDtype)
        return first->dtype == second->dtype ? 1 : 0;
    const Shape& x = first->originShape;
    const Shape& y = second->originShape;
    if (!x.hasRank() || !y.hasRank())
        return FormulaValue::unknown();
    if (function == FormulaFunction::SameShape)
        return x.rank() == y.rank() ? samePrefix(x, y, x.rank()) : FormulaValue(0);
    if (function == FormulaFunction::Prefix) { // the first n dims agree; -n: all but the last n
        auto count = static_cast<int>(numbers[0].number);
        if (count < 0) {
            if (x.rank() != y.rank())
                return 0;
            count = std::max(0, x.rank() + count);
        }
        return samePrefix(x, y, count);
    }
    // BroadcastsTo: x can be read as y.
    if (x.rank() > y.rank())
        return 0;
    bool isKnown = true;
    for (int i = 1; i <= x.rank(); ++i) {
        const std::int64_t from = x.dim(-i), to = y.dim(-i);
        if (from == 1)
            continue;
        if (from >= 0 && to >= 0 && from != to)
            return 0;
        if (from < 0 && to == 1)
            isKnown = false; // would widen y where the dim turns out larger
    }
    return isKnown ? FormulaValue(1) : FormulaValue::unknown();
}

std::optional<IntList> constantInts(const Graph& graph, const Node& node, int input, std::string_view attribute)
{
    if (const Tensor* const value = input >= 0 ? graph.constantInput(node, input) : nullptr)
        return value->asInts();
    const auto found = node.attrs.find(attribute);
    if (found == node.attrs.end())
        return std::nullopt;
    if (const IntList* const list = found->second.as<IntList>())
        return *list;
    if (const std::int64_t* const number = found->second.as<std::int64_t>())
        return IntList{*number};
    return std::nullopt;
}

namespace
{

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
            if (spec.name == name)
                value = &spec.defaultValue;
    }
    if (!value)
        return otherwise;
    if (index) {
        if (const auto* list = value->as<IntList>())
            return *index < list->size() ? FormulaValue(static_cast<double>((*list)[*index])) : otherwise;
        if (const auto* list = value->as<FloatList>())
            return *index < list->size() ? FormulaValue((*list)[*index]) : otherwise;
        return otherwise;
    }
    if (const auto* number = value->as<std::int64_t>())
        return static_cast<double>(*number);
    if (const auto* number = value->as<float>())
        return *number;
    if (const auto* flag = value->as<bool>())
        return *flag ? 1 : 0;
    if (const auto* type = value->as<DataType>())
        return static_cast<double>(*type);
    return otherwise;
}

std::size_t attributeCount(const Node& node, std::string_view name)
{
    const auto found = node.attrs.find(name);
    if (found == node.attrs.end())
        return 0;
    if (const auto* list = found->second.as<IntList>())
        return list->size();
    if (const auto* list = found->second.as<FloatList>())
        return list->size();
    return 1;
}

/// Whether a slice takes exactly part `part` of `parts` equal ones along the last axis, and all of the others.
/// Inputs or attributes begin/offsets, end/size, axes, strides as the GE operators name them.
FormulaValue isLastAxisPart(const Graph& graph, const Node& node, int part, int parts)
{
    const Shape* const shape = firstInputShape(graph, node);
    if (!shape || !shape->hasRank() || shape->rank() == 0 || parts < 1)
        return FormulaValue::unknown();
    const int rank = shape->rank();
    const std::int64_t last = shape->dim(-1);
    if (last < 0)
        return FormulaValue::unknown();
    if (last % parts != 0)
        return 0;
    const bool isSlice = node.type == "Slice" || node.type == "SliceD"; // offsets and sizes, all axes
    const auto begin = constantInts(graph, node, 1, isSlice ? "offsets" : "begin");
    const auto end = constantInts(graph, node, 2, isSlice ? "size" : "end");
    if (!begin || !end || begin->size() != end->size())
        return FormulaValue::unknown();
    std::optional<IntList> axes, strides;
    if (!isSlice) {
        const bool isVersion2 = node.type == "StridedSliceV2"; // x, begin, end, axes, strides
        if (isVersion2)
            axes = constantInts(graph, node, 3, "axes");
        strides = constantInts(graph, node, isVersion2 ? 4 : 3, "strides");
    }
    for (std::size_t i = 0; i < begin->size(); ++i) {
        std::int64_t axis = axes && i < axes->size() ? (*axes)[i] : static_cast<std::int64_t>(i);
        if (axis < 0)
            axis += rank;
        if (axis < 0 || axis >= rank || (strides && i < strides->size() && (*strides)[i] != 1))
            return 0;
        const std::int64_t dim = shape->dim(static_cast<int>(axis));
        if (dim < 0)
            return FormulaValue::unknown();
        std::int64_t from = (*begin)[i], to = (*end)[i];
        if (isSlice)
            to = to < 0 ? dim : from + to;
        if (from < 0)
            from += dim;
        if (to < 0)
            to += dim;
        from = std::clamp<std::int64_t>(from, 0, dim);
        to = std::clamp<std::int64_t>(to, 0, dim);
        const bool isLast = axis == rank - 1;
        const std::int64_t wantedFrom = isLast ? last / parts * part : 0;
        const std::int64_t wantedTo = isLast ? last / parts * (part + 1) : dim;
        if (from != wantedFrom || to != wantedTo)
            return 0;
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
        if (!axes)
            axes = constantInts(graph, node, -1, name);
    int input = -1;
    if (isAxisFirst)
        input = 0;
    else if (node.type == "SplitV")
        input = 2;
    else if (node.type == "ConcatV2")
        input = node.inputCount() - 1;
    if (input >= 0)
        if (const Tensor* const value = graph.constantInput(node, input))
            axes = value->asInts();
    if (!axes || axes->size() != 1 || !x.isValid())
        return FormulaValue::unknown();
    const Shape& shape = graph.outputDesc(x).originShape;
    if (axes->front() >= 0)
        return static_cast<double>(axes->front());
    return shape.hasRank() ? FormulaValue(static_cast<double>(axes->front() + shape.rank())) : FormulaValue::unknown();
}

FormulaValue isLastAxis(const Graph& graph, const Node& node)
{
    const FormulaValue axis = axisOf(graph, node);
    const bool isAxisFirst = node.type == "Split" || node.type == "Concat";
    const OutputRef x = node.source(isAxisFirst ? 1 : 0);
    if (!axis.isKnown || !x.isValid() || !graph.outputDesc(x).originShape.hasRank())
        return FormulaValue::unknown();
    return axis.number == graph.outputDesc(x).originShape.rank() - 1 ? 1 : 0;
}

} // namespace

FormulaValue trailingAxes(const Graph& graph, const Node& node)
{
    const Shape* const shape = firstInputShape(graph, node);
    if (!shape || !shape->hasRank())
        return FormulaValue::unknown();
    std::optional<IntList> axes = constantInts(graph, node, 1, "axes");
    if (!axes)
        return FormulaValue::unknown();
    const int rank = shape->rank();
    if (axes->empty())
        return 0;
    for (std::int64_t& axis : *axes)
        if (axis < 0)
            axis += rank;
    std::sort(axes->begin(), axes->end());
    for (std::size_t i = 0; i < axes->size(); ++i)
        if ((*axes)[i] != rank - static_cast<std::int64_t>(axes->size() - i))
            return 0;
    return static_cast<double>(axes->size());
}

FormulaValue MatchHost::nodeQuery(FormulaFunction function, int element, const std::vector<FormulaValue>& numbers,
                                  std::string_view text)
{
    const OutputRef ref = tensor(element);
    if (!ref.isValid())
        return FormulaValue::unknown();
    const Node& node = m_graph.node(ref.node);
    switch (function) {
    case FormulaFunction::Attr:
        return attributeNumber(node, text, std::nullopt, numbers[0]);
    case FormulaFunction::AttrAt:
        if (numbers[0].number < 0)
            return numbers[1];
        return attributeNumber(node, text, static_cast<std::size_t>(numbers[0].number), numbers[1]);
    case FormulaFunction::AttrIs: {
        const std::size_t equals = text.find('=');
        return attrString(node.attrs, text.substr(0, equals)) ==
                       (equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1))
                   ? 1
                   : 0;
    }
    case FormulaFunction::AttrCount:
        return static_cast<double>(attributeCount(node, text));
    case FormulaFunction::TrailingAxes:
        return trailingAxes(m_graph, node);
    case FormulaFunction::KeepsDims:
        return attributeNumber(node, "keep_dims", std::nullopt, 0);
    case FormulaFunction::Axis:
        return axisOf(m_graph, node);
    case FormulaFunction::LastAxis:
        return isLastAxis(m_graph, node);
    case FormulaFunction::SliceOf:
        return isLastAxisPart(m_graph, node, static_cast<int>(numbers[0].number), static_cast<int>(numbers[1].number));
    case FormulaFunction::Inputs:
        return connectedInputCount(node);
    case FormulaFunction::Outputs:
        return node.outputCount();
    case FormulaFunction::IsOp:
        return node.type == text ? 1 : 0;
    case FormulaFunction::LastTwoSwapped:
    case FormulaFunction::PermAt:
    case FormulaFunction::PermSize:
        break;
    default:
        return FormulaValue::unknown();
    }
    const auto perm = constantInts(m_graph, node, 1, "perm");
    if (!perm)
        return FormulaValue::unknown();
    const std::size_t rank = perm->size();
    if (function == FormulaFunction::PermSize)
        return static_cast<double>(rank);
    if (function == FormulaFunction::PermAt) {
        const double index = numbers[0].number;
        if (index < 0 || index >= static_cast<double>(rank))
            return -1;
        return static_cast<double>((*perm)[static_cast<std::size_t>(index)]);
    }
    if (rank < 2)
        return 0;
    for (std::size_t i = 0; i + 2 < rank; ++i)
        if ((*perm)[i] != static_cast<std::int64_t>(i))
            return 0;
    return (*perm)[rank - 2] == static_cast<std::int64_t>(rank - 1) &&
                   (*perm)[rank - 1] == static_cast<std::int64_t>(rank - 2)
               ? 1
               : 0;
}

} // namespace gelens
