#include "engine/fusion/matcher.h"

#include "engine/fusion/match_host.h"

#include <algorithm>
#include <cmath>

namespace gelens {

OutputRef Match::resolve(const Rule& rule, const PatternRef& ref) const
{
    if (ref.element < 0) return {};
    const Binding& binding = of(ref.element);
    if (binding.state == Binding::State::Free) return {};
    if (binding.state == Binding::State::Bound && rule.element(ref.element).kind == ElementKind::Node &&
        ref.output != PatternRef::anyOutput)
        return {binding.value.node, ref.output};
    return binding.value;
}

std::vector<NodeId> Match::nodes(const Rule& rule) const
{
    std::vector<NodeId> found;
    for (std::size_t i = 0; i < bindings.size(); ++i)
        if (rule.elements[i].kind == ElementKind::Node && bindings[i].isBound()) found.push_back(bindings[i].node());
    return found;
}

int Match::nodeCount(const Rule& rule) const
{
    int count = 0;
    for (std::size_t i = 0; i < bindings.size(); ++i)
        count += rule.elements[i].kind == ElementKind::Node && bindings[i].isBound();
    return count;
}

int connectedInputCount(const Node& node)
{
    int count = node.inputCount();
    while (count > 0 && !node.hasInput(count - 1)) --count;
    return count;
}

Matcher::Matcher(const Graph& graph, const Rule& rule) : m_graph(graph), m_rule(rule) {}

bool Matcher::forEachMatch(NodeId anchor, const std::function<bool(const Match&)>& visit)
{
    m_visit = &visit;
    m_match.bindings.assign(m_rule.elements.size(), {});
    m_goals.clear();
    m_furthest.matchedNodes = 0; // its vector keeps its memory
    m_furthest.element = -1;
    m_boundNodes = 0;
    m_steps = 0;
    const int output = std::max(m_rule.root.output, 0);
    return satisfy(m_rule.root, {anchor, output}, 0);
}

bool Matcher::solve(std::size_t goal)
{
    if (goal == m_goals.size()) return (*m_visit)(m_match);
    const Goal next = m_goals[goal];
    return satisfy(next.ref, next.at, goal + 1);
}

/// Makes `ref` mean `at`, then solves what is left from goal `next` on. Every change is undone before it returns, but
/// for a true result, after which nothing is read any more.
bool Matcher::satisfy(const PatternRef& ref, OutputRef at, std::size_t next)
{
    if (++m_steps > maxSteps) return false;
    if (ref.element < 0) return solve(next);
    if (!at.isValid()) {
        if (ref.mayBeMissing && binding(ref.element).state == Binding::State::Free) return solve(next);
        noteFailure(ref.element, at);
        return false;
    }
    const PatternElement& element = m_rule.element(ref.element);
    switch (element.kind) {
    case ElementKind::Node: return satisfyNode(ref, at, next);
    case ElementKind::Any: return satisfyAny(ref, at, next);
    case ElementKind::Input:
    case ElementKind::Constant: break;
    }
    Binding& bound = binding(ref.element);
    if (bound.isBound()) {
        if (bound.value == at) return solve(next);
        noteFailure(ref.element, at);
        return false;
    }
    if (element.isExact && !isConstantType(m_graph.node(at.node).type)) {
        noteFailure(ref.element, at);
        return false;
    }
    bound.state = Binding::State::Bound;
    bound.value = at;
    if ((!element.isExactValue || hasExactValue(ref.element)) && solve(next)) return true;
    bound.state = Binding::State::Free;
    return false;
}

bool Matcher::hasExactValue(int index)
{
    const PatternElement& element = m_rule.element(index);
    MatchHost host(m_graph, m_rule, m_match, nullptr);
    const FormulaValue has = host.query(FormulaFunction::Value, {index}, {}, {});
    const FormulaValue wants = element.value.evaluate(host), low = element.min.evaluate(host),
                       high = element.max.evaluate(host);
    if (!has.isKnown) return false;
    if (wants.isKnown &&
        std::fabs(has.number - wants.number) > element.tolerance * std::max(std::fabs(wants.number), 1e-30))
        return false;
    return (!low.isKnown || has.number >= low.number) && (!high.isKnown || has.number <= high.number);
}

bool Matcher::satisfyNode(const PatternRef& ref, OutputRef at, std::size_t next)
{
    Binding& bound = binding(ref.element);
    if (bound.state == Binding::State::Skipped) return satisfy(m_rule.element(ref.element).skipTo, at, next);
    const bool isRightOutput = ref.output == PatternRef::anyOutput || ref.output == at.index;
    if (bound.isBound()) {
        if (bound.value.node == at.node && isRightOutput) return solve(next);
        noteFailure(ref.element, at);
        return false;
    }
    if (isRightOutput && bindNode(ref.element, at, next)) return true;
    const PatternElement& element = m_rule.element(ref.element);
    if (!element.isOptional) return false;
    bound.state = Binding::State::Skipped;
    bound.value = at;
    if (satisfy(element.skipTo, at, next)) return true;
    bound.state = Binding::State::Free;
    return false;
}

bool Matcher::bindNode(int index, OutputRef at, std::size_t next)
{
    const PatternElement& element = m_rule.element(index);
    const Node& node = m_graph.node(at.node);
    const bool isOfType = std::find(element.types.begin(), element.types.end(), node.type) != element.types.end();
    if (!isOfType || isTaken(at.node)) {
        if (!element.isOptional) noteFailure(index, at);
        return false;
    }
    Binding& bound = binding(index);
    bound.state = Binding::State::Bound;
    bound.value = at;
    m_boundNodes += !element.isOptional;
    bool isDone = false;
    bool fits = true;
    if (!element.when.isEmpty()) {
        MatchHost host(m_graph, m_rule, m_match, nullptr);
        fits = element.when.evaluate(host).isTrue();
    }
    const std::size_t goals = m_goals.size();
    for (int order = 0; fits && !isDone && order < (element.isCommutative ? 2 : 1); ++order) {
        if (pushInputs(element, node, order == 1)) isDone = solve(next);
        m_goals.resize(goals);
    }
    if (isDone) return true;
    m_boundNodes -= !element.isOptional;
    bound.state = Binding::State::Free;
    if (!fits && !element.isOptional) noteFailure(index, at);
    return false;
}

bool Matcher::pushInputs(const PatternElement& element, const Node& node, bool isSwapped)
{
    const std::size_t count = element.inputs.size();
    for (std::size_t i = 0; i < count; ++i) {
        const PatternRef& ref = element.inputs[isSwapped ? count - 1 - i : i];
        const OutputRef source = node.source(static_cast<int>(i));
        if (!source.isValid() && ref.element >= 0 && !ref.mayBeMissing) {
            noteFailure(ref.element, {});
            return false;
        }
        m_goals.push_back({ref, source});
    }
    return true;
}

bool Matcher::satisfyAny(const PatternRef& ref, OutputRef at, std::size_t next)
{
    Binding& bound = binding(ref.element);
    const PatternElement& element = m_rule.element(ref.element);
    if (bound.isBound()) {
        if (bound.value != at) {
            noteFailure(ref.element, at);
            return false;
        }
        return solve(next);
    }
    bound.state = Binding::State::Bound;
    bound.value = at;
    for (std::size_t i = 0; i < element.choices.size(); ++i) {
        bound.choice = static_cast<int>(i);
        if (satisfy(element.choices[i], at, next)) return true;
    }
    bound = {};
    return false;
}

bool Matcher::isTaken(NodeId id) const
{
    for (std::size_t i = 0; i < m_match.bindings.size(); ++i)
        if (m_rule.elements[i].kind == ElementKind::Node && m_match.bindings[i].isBound() &&
            m_match.bindings[i].node() == id)
            return true;
    return false;
}

void Matcher::noteFailure(int element, OutputRef at)
{
    if (m_boundNodes <= m_furthest.matchedNodes || m_boundNodes < minNearMissNodes) return;
    m_furthest.match = m_match;
    m_furthest.matchedNodes = m_boundNodes;
    m_furthest.element = element;
    m_furthest.found = at.node;
}

} // namespace gelens
