#pragma once
// Finds the places where a rule's pattern fits, from the result backwards.

#include "engine/fusion/rule.h"
#include "engine/graph/graph.h"

#include <functional>
#include <vector>

namespace gelens {

/// What one pattern element stands for in the graph.
struct Binding {
    enum class State : std::uint8_t { Free, Bound, Skipped };
    State state = State::Free; ///< Free after a match: the element is not there
    OutputRef value;           ///< the tensor; for a node the output by which it was reached first
    int choice = -1;           ///< Any: which one
    NodeId node() const { return value.node; }
    bool isBound() const { return state == State::Bound; }
};

struct Match {
    std::vector<Binding> bindings; ///< parallel to Rule::elements

    const Binding& of(int element) const { return bindings[static_cast<std::size_t>(element)]; }
    /// The tensor that a reference means; invalid when it is not there.
    OutputRef resolve(const Rule& rule, const PatternRef& ref) const;
    /// Graph nodes bound to Node elements, in pattern order.
    std::vector<NodeId> nodes(const Rule& rule) const;
    int nodeCount(const Rule& rule) const;
};

/// Fewer operators of a pattern are no near miss.
inline constexpr int minNearMissNodes = 2;

/// How far a pattern got where it did not fit, from minNearMissNodes on.
struct PartialMatch {
    Match match;
    int matchedNodes = 0; ///< optional ones not counted
    int element = -1;     ///< at which it stopped
    NodeId found;         ///< the node that stands there; invalid when nothing does
};

/// One matcher serves one rule on one graph. Cost of a call: the pattern's size for nearly all candidates, and at most
/// maxSteps; the depth of recursion is bounded by the pattern, not by the graph.
class Matcher {
public:
    static constexpr int maxSteps = 10000; ///< GE's own bound for buffer fusion patterns

    Matcher(const Graph& graph, const Rule& rule);

    /// Calls visit(match) for each way in which the pattern fits with its root at `anchor`, until it returns true.
    /// False when it never did.
    bool forEachMatch(NodeId anchor, const std::function<bool(const Match&)>& visit);
    /// The furthest point that the last call reached; `element` is -1 when it was no near miss.
    const PartialMatch& furthest() const { return m_furthest; }

private:
    struct Goal {
        PatternRef ref;
        OutputRef at;
    };
    bool solve(std::size_t goal);
    bool satisfy(const PatternRef& ref, OutputRef at, std::size_t next);
    bool satisfyNode(const PatternRef& ref, OutputRef at, std::size_t next);
    bool bindNode(int element, OutputRef at, std::size_t next);
    bool satisfyAny(const PatternRef& ref, OutputRef at, std::size_t next);
    bool pushInputs(const PatternElement& element, const Node& node, bool isSwapped);
    bool hasExactValue(int element);
    bool isTaken(NodeId id) const;
    void noteFailure(int element, OutputRef at);
    Binding& binding(int element) { return m_match.bindings[static_cast<std::size_t>(element)]; }

    const Graph& m_graph;
    const Rule& m_rule;
    const std::function<bool(const Match&)>* m_visit = nullptr;
    Match m_match;
    std::vector<Goal> m_goals;
    PartialMatch m_furthest;
    int m_boundNodes = 0;
    int m_steps = 0;
};

/// Number of data inputs up to the last connected one.
int connectedInputCount(const Node& node);

} // namespace gelens
