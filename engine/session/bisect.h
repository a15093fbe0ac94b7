#pragma once
// Which pass makes it so? Found by halving the steps of a run.

#include "engine/session/session.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace gelens {

/// What is asked of the graph after a step.
struct BisectQuestion {
    enum class Kind {
        NumbersFail,   ///< outputs differ from those of the imported graph beyond their tolerance
        OutputsDiffer, ///< they differ at all
        NodeGone,      ///< no node bears the name any more; `text` is a name or pattern, as in a breakpoint
        TypeGone,      ///< no node is of the type any more
        Statistic ///< `text` holds: "operators < 40", as in a breakpoint, and over `peak`, `tasks` and `latency` (µs)
    };
    Kind kind = Kind::NumbersFail;
    std::string text;
};
/// "numbers", "outputs", "node NAME", "type TYPE", or a condition. Errors: nothing of these, a condition that cannot be read.
Result<BisectQuestion> bisectQuestion(std::string_view text);

struct BisectAnswer {
    enum class Outcome {
        Found,         ///< so after `step`, not so after the tried step before it
        NeverSo,       ///< not so at the end
        SoFromTheStart ///< no pass made it so
    };
    Outcome outcome = Outcome::NeverSo;
    StepId step;               ///< the first that changed the graph and behind which it is so
    NodeId node;               ///< where the numbers begin to differ, the node that is gone
    std::string before, after; ///< of a statistic, its first figure: "operators = 41"
    int probes = 0;            ///< how often it was looked
    bool isByRuns = false;     ///< each look was a run with the passes behind it left out
};

/// A graph at a step is taken from the journal, numbers are computed anew. `peak`, `tasks` and `latency` are figures of
/// whole runs: there each look is a run of `session` with all passes behind that step left out that can be. Where it
/// becomes so more than once, one of those steps is found. For a node or type that passes make, the search begins where
/// it was made. Errors: a question that cannot be read or asked of this run, numbers that cannot be computed, a run
/// that fails with its passes left out, Cancelled.
Result<BisectAnswer> bisect(const Run& run, const Session* session, const BisectQuestion& question,
                            const ProgressFunction& progress = {}, std::stop_token stop = {});

} // namespace gelens
