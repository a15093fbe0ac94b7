#include "engine/fusion/match_host.h"

#include "engine/ops/op_registry.h"

#include <algorithm>
#include <cmath>

namespace gelens {

MatchHost::MatchHost(const Graph& graph, const Rule& rule, const Match& match, const FusionEnvironment* environment)
    : m_graph(graph), m_rule(rule), m_match(match), m_environment(environment),
      m_fixed(rule.lets.size() + rule.tiles.size()), m_computed(m_fixed.size())
{
}

FormulaValue MatchHost::variable(int index)
{
    const auto i = static_cast<std::size_t>(index);
    if (m_fixed[i]) return *m_fixed[i];
    if (i >= m_rule.lets.size()) return FormulaValue::unknown();                // a tile that nobody set
    if (!m_computed[i]) m_computed[i] = m_rule.lets[i].formula.evaluate(*this); // lets see earlier ones only
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
    if (!m_environment || !m_environment->soc) return FormulaValue::unknown();
    const SocSpec& soc = *m_environment->soc;
    const BufferSizes buffers = m_environment->bufferSizes();
    const auto bytes = [](std::int64_t value) { return FormulaValue(static_cast<double>(value)); };
    if (key == "l1") return bytes(buffers.l1);
    if (key == "ub") return bytes(buffers.ub);
    if (key == "l0a") return bytes(buffers.l0a);
    if (key == "l0b") return bytes(buffers.l0b);
    if (key == "l0c") return bytes(buffers.l0c);
    if (key == "l2") return bytes(soc.l2Bytes);
    if (key == "cube_k") return soc.cubeK;
    if (key == "generation") return soc.generation;
    if (key == "split") return soc.coreLayout == CoreLayout::Split ? 1 : 0;
    return FormulaValue::unknown();
}

OutputRef MatchHost::tensor(int element) const
{
    return m_match.resolve(m_rule, {element, PatternRef::anyOutput, false});
}

const TensorDesc* MatchHost::desc(int element) const
{
    const OutputRef ref = tensor(element);
    if (!ref.isValid() || ref.index >= m_graph.node(ref.node).outputCount()) return nullptr;
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
        if (!number.isKnown && function != FormulaFunction::Attr) return FormulaValue::unknown();
    if (elements.size() == 2) return pairQuery(function, elements[0], elements[1], numbers);
    if (elements.empty()) return FormulaValue::unknown();
    if (function >= FormulaFunction::Attr) return nodeQuery(function, elements[0], numbers, text);
    return tensorQuery(function, elements[0], numbers);
}

FormulaValue MatchHost::tensorQuery(FormulaFunction function, int element, const std::vector<FormulaValue>& numbers)
{
    // A skipped optional element is not there, though something stands in its place.
    if (function == FormulaFunction::Has) return m_match.of(element).isBound() ? 1 : 0;
    const TensorDesc* const found = desc(element);
    if (!found) return FormulaValue::unknown();
    const Shape& shape = found->originShape;
    switch (function) {
    case FormulaFunction::Dim: {
        const auto index = static_cast<int>(numbers[0].number);
        if (!shape.hasRank() || index >= shape.rank() || index < -shape.rank()) return FormulaValue::unknown();
        const std::int64_t dim = shape.dim(index);
        return dim < 0 ? FormulaValue::unknown() : FormulaValue(static_cast<double>(dim));
    }
    case FormulaFunction::Rank: return shape.hasRank() ? FormulaValue(shape.rank()) : FormulaValue::unknown();
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
    case FormulaFunction::Dtype: return static_cast<double>(found->dtype);
    case FormulaFunction::IsFloating: return isFloating(found->dtype) ? 1 : 0;
    case FormulaFunction::IsConst: return isConstantType(m_graph.node(tensor(element).node).type) ? 1 : 0;
    case FormulaFunction::Readers: return static_cast<double>(m_graph.consumers(tensor(element)).size());
    case FormulaFunction::Value: {
        const Tensor* const value = constant(element);
        if (!value || value->elementCount() < 1) return FormulaValue::unknown();
        const auto numbersOf = value->asDoubles();
        // A tensor that repeats one number counts as that number.
        if (!numbersOf || numbersOf->empty()) return FormulaValue::unknown();
        for (const double number : *numbersOf)
            if (number != numbersOf->front()) return FormulaValue::unknown();
        return numbersOf->front();
    }
    case FormulaFunction::At: return channelValue(element);
    case FormulaFunction::ConstAt: {
        const Tensor* const value = constant(element);
        const auto numbersOf = value ? value->asDoubles() : std::nullopt;
        const double index = numbers[0].number;
        if (!numbersOf || index < 0 || index >= static_cast<double>(numbersOf->size())) return FormulaValue::unknown();
        return (*numbersOf)[static_cast<std::size_t>(index)];
    }
    default: return FormulaValue::unknown();
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
    if (values.size() == 1) return values[0];
    return m_channel < values.size() ? FormulaValue(values[m_channel]) : FormulaValue::unknown();
}

namespace {

/// Whether the first `count` dims agree. Two dims that are both unknown count as equal unless they bear different
/// symbols: exporters leave batch and sequence open, and operands that did not fit would have failed in the model
/// itself.
FormulaValue samePrefix(const Shape& x, const Shape& y, int count)
{
    if (count > x.rank() || count > y.rank()) return 0;
    bool isKnown = true;
    for (int i = 0; i < count; ++i) {
        const std::int64_t a = x.dim(i), b = y.dim(i);
        const auto at = static_cast<std::size_t>(i);
        if (a >= 0 && b >= 0) {
            if (a != b) return 0;
        } else if (a >= 0 || b >= 0) {
            isKnown = false;
        } else if (!x.symbol(at).empty() && !y.symbol(at).empty() && x.symbol(at) != y.symbol(at)) {
            isKnown = false;
        }
    }
    return isKnown ? FormulaValue(1) : FormulaValue::unknown();
}

} // namespace

FormulaValue MatchHost::readsLast(int element, int tensorElement) const
{
    const NodeId reader = m_match.of(element).isBound() ? m_match.of(element).node() : NodeId{};
    const OutputRef read = tensor(tensorElement);
    if (!reader.isValid() || !read.isValid()) return FormulaValue::unknown();
    std::vector<NodeId> others;
    for (const InputRef& consumer : m_graph.consumers(read))
        if (consumer.node != reader && std::find(others.begin(), others.end(), consumer.node) == others.end())
            others.push_back(consumer.node);
    // Walks back from the reader until all the others were met. What lies further away than the limit counts as not
    // ordered, so that a hub read a thousand times costs no more than any other tensor.
    constexpr std::size_t limit = 512;
    if (others.size() > limit) return 0;
    std::vector<NodeId> seen{reader};
    for (std::size_t i = 0; i < seen.size() && !others.empty() && seen.size() < limit; ++i) {
        const auto visit = [&](NodeId id) {
            if (!id.isValid() || id == read.node || std::find(seen.begin(), seen.end(), id) != seen.end()) return;
            seen.push_back(id);
            std::erase(others, id);
        };
        const Node& node = m_graph.node(seen[i]);
        for (const InputSlot& slot : node.inputs) visit(slot.source.node);
        for (const NodeId id : node.controlInputs) visit(id);
    }
    return others.empty() ? 1 : 0;
}

FormulaValue MatchHost::pairQuery(FormulaFunction function, int a, int b, const std::vector<FormulaValue>& numbers)
{
    if (function == FormulaFunction::ReadsLast) return readsLast(a, b);
    const TensorDesc* const first = desc(a);
    const TensorDesc* const second = desc(b);
    if (!first || !second) return FormulaValue::unknown();
    if (function == FormulaFunction::SameDtype) return first->dtype == second->dtype ? 1 : 0;
    const Shape& x = first->originShape;
    const Shape& y = second->originShape;
    if (!x.hasRank() || !y.hasRank()) return FormulaValue::unknown();
    if (function == FormulaFunction::SameShape)
        return x.rank() == y.rank() ? samePrefix(x, y, x.rank()) : FormulaValue(0);
    if (function == FormulaFunction::Prefix) { // the first n dims agree; -n: all but the last n
        auto count = static_cast<int>(numbers[0].number);
        if (count < 0) {
            if (x.rank() != y.rank()) return 0;
            count = std::max(0, x.rank() + count);
        }
        return samePrefix(x, y, count);
    }
    // BroadcastsTo: x can be read as y.
    if (x.rank() > y.rank()) return 0;
    bool isKnown = true;
    for (int i = 1; i <= x.rank(); ++i) {
        const std::int64_t from = x.dim(-i), to = y.dim(-i);
        if (from == 1) continue;
        if (from >= 0 && to >= 0 && from != to) return 0;
        if (from < 0 && to == 1) isKnown = false; // would widen y where the dim turns out larger
    }
    return isKnown ? FormulaValue(1) : FormulaValue::unknown();
}

} // namespace gelens
