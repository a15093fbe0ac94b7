#pragma once
// What autofusion works with: boxes of operators that will be one kernel, and the questions asked of a pair of them.

#include "engine/graph/graph.h"
#include "engine/passes/fusion/autofuse_flags.h"
#include "engine/spec/fusion_verdict.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gelens {

/// Loop classes met in one box.
using LoopClasses = std::set<FusionClass>;

/// A group of operators with one loop nest. Starts as a single operator.
struct Box {
    std::vector<NodeId> nodes;     ///< in execution order
    LoopClasses classes;           ///< of its operators; Broadcast where an operand is smaller than its result
    std::vector<OutputRef> inputs; ///< distinct tensors from outside; constants of one element are not loads
    int operators = 0;             ///< without views
    int behindReduce = 0;          ///< element-wise operators that follow a reduction
    std::vector<std::int64_t> in;  ///< dims of the loop nest where data enters
    std::vector<std::int64_t> out; ///< and where it leaves: fewer behind a reduction
    int first = 0, last = 0;       ///< places in the execution order

    bool has(FusionClass fusionClass) const { return classes.contains(fusionClass); }
    bool hasView() const { return has(FusionClass::View); }
    /// Nothing but element-wise operators, broadcasts and changes of dims.
    bool isPointwise() const;
};

/// The box of one operator, or why there is none (`reason` None: no loop class at all, nothing to say).
struct Lowering {
    std::optional<Box> box;
    Reason reason = Reason::None;
    std::string why;
    std::string code = {}; ///< GE's, where it has one for this
};
Lowering lower(const Graph& graph, const Node& node, int place, const AutofuseFlags& flags);

/// Whether a slot reads a tensor: constants of one element, and the small integer operands that say what to do (axes,
/// dims, an order), become part of the kernel.
bool isLoad(const Graph& graph, const Node& node, int slot);

/// Two boxes that touch the same tensors. `a` is before `b`.
struct BoxPair {
    const Box* a = nullptr;
    const Box* b = nullptr;
    bool isVertical = false;        ///< b reads what a makes
    std::vector<OutputRef> between; ///< results of a that b reads
    std::int64_t savedBytes = 0;    ///< memory traffic that one kernel would not have
};

/// Finds out what the two have in common.
BoxPair relate(const Graph& graph, const Box& a, const Box& b);

/// Whether one loop nest can walk both: equal dims, dims of which one is a finer cut of the other, or dims that
/// broadcast (then the smaller one must be computed anew at each step).
bool axesUnify(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b);

/// The first of GE's tests that the pair fails, in GE's order; nothing when they may be one kernel. The cycle test is
/// not in here: it needs the graph around.
std::optional<Check> refusalOf(const Graph& graph, const BoxPair& pair, const AutofuseFlags& flags);

/// GE's test of a Split as a whole: whether enough of its results join a reader. O(readers).
std::optional<Check> splitRefusalOf(const Graph& graph, NodeId split, const AutofuseFlags& flags);

/// One box out of two.
Box merged(const BoxPair& pair);

} // namespace gelens
