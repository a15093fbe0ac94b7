#pragma once
// A memory plan explained: what its peak is made of, why two tensors cannot share, what would lower the peak.

#include "engine/memory/plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gelens {

/// A tensor that is alive at the moment of the peak.
struct PeakTensor {
    int buffer = -1;
    std::string name;                ///< "node:index" of the owner
    std::vector<std::string> others; ///< views and in-place results that live in it too
    std::int64_t blockBytes = 0;
    double share = 0; ///< of the live bytes at that moment, 0 … 1
};

/// What the feature map holds at one position in time.
struct PeakReport {
    std::int64_t position = -1;    ///< -1: nothing is planned
    std::string nodeName;          ///< the node that runs then
    std::int64_t liveBytes = 0;    ///< sum of the blocks below
    std::int64_t plannedBytes = 0; ///< size of the feature map
    std::int64_t lowerBound = 0;
    std::vector<PeakTensor> tensors; ///< largest first
};

/// At the peak (`position` < 0: the first moment of the largest sum) or at any other position.
PeakReport explainPeak(const Graph& graph, const MemoryPlan& plan, std::int64_t position = -1);

/// Why two tensors do not have the same bytes.
enum class ShareBlocker {
    None,             ///< nothing: they may share, or do
    SameBuffer,       ///< they are one piece of memory: a view, an in-place result, slices
    LifetimeOverlap,  ///< both are needed at one moment
    UnorderedStreams, ///< in list order one is dead before the other begins, but no event orders their streams
    ContinuousGroup,  ///< one is dead, but the piece of memory that it is a part of is not
    HeldByUser,       ///< a model input or output is the user's memory for the whole run
    KindsDiffer,      ///< weights and the feature map are separate regions
    NeverReleased,    ///< marked so that nothing may take its place
    Padding,          ///< their lives allow it, but the padded block is larger than the hole that the other leaves
};

struct ShareVerdict {
    ShareBlocker blocker = ShareBlocker::None;
    bool sharesBytes = false;   ///< some bytes are common to both, one after the other
    std::int64_t position = -1; ///< first moment at which both are needed; -1 when there is none
    OutputRef early, late;      ///< the two, by the beginning of their lives; unset where the blocker asks for no order
    std::int64_t earlyUse = -1; ///< last position at which the early one, or what it is a part of, is used
    std::string text;           ///< one sentence that names both, and the node at `position`
};

/// Works for any two tensors of the plan, in either order. A tensor without memory gives a verdict that says so.
ShareVerdict explainSharing(const Graph& graph, const MemoryPlan& plan, OutputRef first, OutputRef second);

/// What could be done about a tensor at the peak.
enum class PeakAction {
    Remove,  ///< the tensor is not made at all
    InPlace, ///< it is written over an input of its producer that dies there
    Fuse, ///< producer and only reader become one kernel: the tensor stays on the chip, the producer's inputs live on
    Recompute, ///< made again just before its later readers, so that it is gone in between
    Reorder,   ///< its producer runs as late, or its last reader as early, as the graph allows
};
std::string_view peakActionName(PeakAction action);

struct PeakSaving {
    int buffer = -1;
    std::string name;
    PeakAction action = PeakAction::Remove;
    std::int64_t peakAfter = 0; ///< planned anew, by the same planner, with the change made
    std::int64_t saves = 0;     ///< planned peak − peakAfter; never negative
    NodeId producer, other;     ///< that makes it; the reader, neighbour or moved node that the sentence speaks of
    std::string over;           ///< in place: the tensor that is written over
    std::string text;           ///< one sentence: what is done to whom
};

struct SavingOptions {
    std::size_t maxTensors = 12;       ///< the largest tensors at the peak; each costs up to six new plans
    std::int64_t searchSteps = 20'000; ///< of each new plan
    LifetimeOptions lifetimes;         ///< as the plan was made with; `order` is taken from the plan
    std::stop_token stop;
};

/// Every legal change to the tensors at the peak with what it would save, most first. A change that is not possible for
/// a tensor is not in the list; one that is possible and saves nothing is, so that nobody tries it. Errors: Cancelled.
Result<std::vector<PeakSaving>> rankPeakSavings(const Graph& graph, const MemoryPlan& plan,
                                                const SavingOptions& options = {});

} // namespace gelens
