#pragma once
// Breakpoints over the steps of a run: where does a step touch what a person watches for?

#include "engine/session/run.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

enum class BreakpointKind { Pass, Node, OpType, Tensor, RuleFires, RuleRefused, Statistic };
std::string_view breakpointKindName(BreakpointKind kind); ///< "pass", "node", "op_type", "tensor", "rule_fires" …
std::optional<BreakpointKind> breakpointKindFromName(std::string_view name);

/// `pattern` names what is watched: a pass, phase or rule, a node, an operator type, a tensor as "node:index". '*' and
/// '?' stand for anything, case does not count. For a statistic it is a condition; the breakpoint hits where that
/// becomes true: "memory > 1000000".
/// `condition` may narrow any breakpoint: comparisons joined by "and", over `hits` (this one included), `step`, `edits`,
/// `operators`, `nodes`, `edges`, `constants`, `ms`, `memory` (bytes of all intermediate tensors after the step, each by
/// itself) and `peak` (planned peak in bytes, 0 before memory is planned). Numbers may end in k, M or G.
struct Breakpoint {
    BreakpointKind kind = BreakpointKind::Pass;
    std::string pattern;
    std::string condition;
    bool isEnabled = true;
    bool operator==(const Breakpoint&) const = default;
};

/// One stop. `node` and `what` say what was touched: the first of several.
struct BreakpointHit {
    StepId step;
    int count = 0; ///< 1 for the first match, conditions left aside
    NodeId node;
    std::string what; ///< node, tensor, pass or rule; for a statistic the value that made it true
};

/// Whether pattern and condition can be read. One sentence says what is wrong.
Status checkBreakpoint(const Breakpoint& breakpoint);

/// Every step at which the breakpoint stops, in order; what `isEnabled` says does not matter here. Time is linear in the
/// edits of the run (with `memory` in a condition: in nodes × changed steps as well). Errors: a pattern or condition
/// that cannot be read, Cancelled.
Result<std::vector<BreakpointHit>> breakpointHits(const Run& run, const Breakpoint& breakpoint,
                                                  std::stop_token stop = {});

/// What an edit touches of that which a breakpoint on a node, an operator type or a tensor watches; nothing for other
/// kinds. Names are looked up in `graph`, which has the edit behind it: removed nodes keep theirs.
struct BreakpointMatch {
    NodeId node;
    std::string what;
};
std::optional<BreakpointMatch> matchEdit(const Breakpoint& breakpoint, const Edit& edit, const Graph& graph);
/// The first verdict of a step that a breakpoint on a rule that fires or is refused waits for; nothing for other kinds.
std::optional<BreakpointMatch> matchVerdicts(const Breakpoint& breakpoint, const Step& step);
/// Bytes of all intermediate tensors of the root graph, each by itself.
std::int64_t intermediateBytes(const Graph& graph);

} // namespace gelens
