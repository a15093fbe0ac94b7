#pragma once
// One finished (or cancelled) run of the pipeline on one model: what viewers, command line, reports and tests read.

#include "engine/graph/graph.h"
#include "engine/graph/journal.h"
#include "engine/graph/result.h"
#include "engine/spec/chain.h"
#include "engine/spec/compile_options.h"
#include "engine/spec/graph_diff.h"
#include "engine/spec/memory_plan.h"
#include "engine/spec/soc_spec.h"
#include "engine/spec/step.h"
#include "engine/spec/task_list.h"
#include "engine/spec/timeline.h"
#include "engine/spec/verification.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gelens {

/// A figure before and after; `before` is absent where no original graph exists (an OM with a plan).
template <typename T>
struct BeforeAfter {
    std::optional<T> before;
    T after{};
};

/// The reference table: what the compile did to the model. Bytes, microseconds, counts.
struct RunStatistics {
    BeforeAfter<int> nodes;               ///< operators (no constants, inputs, outputs, views)
    BeforeAfter<int> intermediateTensors; ///< tensors that need memory of their own
    std::optional<std::int64_t> memoryBefore; ///< each intermediate tensor its own allocation, imported graph
    std::int64_t memoryAfter = 0;         ///< planned peak
    std::int64_t memoryGeAfter = 0;       ///< what GE's own policy needs
    std::int64_t memoryUnsharedAfter = 0; ///< each tensor its own allocation, compiled graph
    std::int64_t memoryLowerBound = 0;
    std::int64_t weightBytes = 0;
    BeforeAfter<int> tasks;
    BeforeAfter<double> latencyUs;        ///< estimates
    LatencyParts gain;                    ///< latency before − after, by cause
    double fusionRate = 0;                ///< 1 − nodes after / nodes before
    double memoryReuseRate = 0;           ///< 1 − planned peak / unshared
    int compiledKernels = 0, sharedKernels = 0;
    /// Operators by type.
    std::vector<std::pair<std::string, int>> histogramBefore, histogramAfter;
    double engineMilliseconds = 0;        ///< wall time of the whole run
};

/// One rule's result over the run.
struct FusionSummary {
    std::string rule, gePass, summary;
    int matched = 0, effective = 0;
    /// Each place where it fired: names of the replaced nodes, name of the fused one.
    std::vector<std::pair<std::vector<std::string>, std::string>> places;
};

/// One edit in the life of a node.
struct HistoryEntry {
    StepId step;
    std::string pass;
    std::string text; ///< "input 1: 'scale':0 → 'scale_1':0"
};

/// Immutable once published as shared_ptr<const Run>; every method is safe from any thread.
class Run {
public:
    std::string modelName; ///< file name without extension
    std::string modelPath;
    std::string sourceFormat; ///< "ONNX", "OM", "dump folder" …
    SocSpec soc;
    CompileOptions options;
    std::string mode;       ///< the mode taken: "full" or "light"
    std::string modeReason; ///< one sentence

    /// steps[0] is the graph as read; steps[k] the k-th pass.
    std::vector<Step> steps;
    std::vector<FusionSummary> fusions;
    std::vector<Chain> chains;
    std::optional<MemoryPlan> planBefore; ///< imported graph, every tensor by itself
    MemoryPlan plan;
    TaskList tasksBefore, tasks;
    Timeline timelineBefore, timeline;
    RunStatistics statistics;
    Verification verification;
    std::vector<Message> messages;
    bool wasCancelled = false;
    bool failed = false; ///< the pipeline stopped with an error; what was reached is here
    std::optional<Error> error;

    int stepCount() const { return static_cast<int>(steps.size()); }
    StepId lastStep() const { return StepId{stepCount() - 1}; }
    const Step& step(StepId id) const { return steps[static_cast<std::size_t>(id.value)]; }

    /// The graph after a step. Materialised on demand from the journal and kept in a small cache.
    /// Cost: O(edits between the nearest cached step and this one). Call it off the GUI thread for big jumps.
    std::shared_ptr<const Graph> graphAt(StepId step) const;

    /// What changed from one step to another, folded from the journal. Either order works.
    GraphDiff diff(StepId from, StepId to) const;
    /// Ids touched by a step, without building field texts: for colouring. Added, removed, changed. Over more than one
    /// step, nodes that only got an engine, a stream, addresses or their first shapes do not count as changed.
    struct Touched {
        std::vector<NodeId> added, removed, changed;
    };
    Touched touched(StepId from, StepId to) const;

    /// Every edit of a node, oldest first.
    std::vector<HistoryEntry> history(NodeId node) const;
    /// Steps that touched a node.
    std::vector<StepId> stepsTouching(NodeId node) const;
    /// Nodes of step 0 from which a node of a later step came (itself when it was there), by GE's origin-name attributes.
    std::vector<NodeId> originsOf(NodeId node) const;
    /// Nodes of the last step that a node of an earlier step lives on in (itself when it is still there).
    std::vector<NodeId> becameOf(NodeId node) const;
    /// Verdicts, over all steps, that speak of a node or of what it came from.
    std::vector<const FusionVerdict*> verdictsOf(NodeId node) const;
    /// A node's name, looked up in the graph of the step where it last lived.
    std::string nameOf(NodeId node) const;

    /// Finds a step: "12", "last", a pass or phase name (first match; case-insensitive). Nothing when there is none.
    std::optional<StepId> findStep(std::string_view text) const;

    // --- filled by the session before publishing
    void setGraph(std::shared_ptr<const Graph> finalGraph, std::shared_ptr<const Journal> journal);
    const Journal& journal() const { return *m_journal; }

private:
    void buildNodeIndex() const;

    std::shared_ptr<const Graph> m_final; ///< at the end of the journal
    std::shared_ptr<const Journal> m_journal;
    mutable std::mutex m_mutex;
    mutable std::vector<std::pair<int, std::shared_ptr<const Graph>>> m_cache; ///< step → graph, newest last
    mutable std::vector<std::vector<std::uint32_t>> m_editsOfNode; ///< journal positions by node id; built on first use
};

} // namespace gelens
