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
    BeforeAfter<int> nodes;                   ///< operators (no constants, inputs, outputs, views)
    BeforeAfter<int> intermediateTensors;     ///< tensors that need memory of their own
    std::optional<std::int64_t> memoryBefore; ///< each intermediate tensor its own allocation, imported graph
    std::int64_t memoryAfter = 0;             ///< planned peak
    std::int64_t memoryGeAfter = 0;           ///< what GE's own policy needs
    std::int64_t memoryUnsharedAfter = 0;     ///< each tensor its own allocation, compiled graph
    std::int64_t memoryLowerBound = 0;
    std::int64_t weightBytes = 0;
    BeforeAfter<int> tasks;
    BeforeAfter<double> latencyUs; ///< estimates
    LatencyParts gain;             ///< latency before − after, by cause
    double fusionRate = 0;         ///< 1 − nodes after / nodes before
    double memoryReuseRate = 0;    ///< 1 − planned peak / unshared
    int compiledKernels = 0, sharedKernels = 0;
    /// Operators by type.
    std::vector<std::pair<std::string, int>> histogramBefore, histogramAfter;
    double engineMilliseconds = 0; ///< wall time of the whole run
    /// From opening the file to the last task launched, in ms: by full compilation and by the lightweight path. Each is
    /// there when it was done; an OM with its original model attached has both.
    std::optional<double> fullLoadMs, lightLoadMs;
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

/// Where the graph of a step was found, when it was found in a file of its own: a dump, a model to compare with.
struct StepSource {
    std::string group;   ///< rows of one group belong together: "pid_7_deviceid_0 · graph 1"
    std::string process; ///< of a dump: "pid_7_deviceid_0", or the folder below the one that was opened
    int graph = -1;      ///< of a dump: GE's graph id; -1 where the name has none
    bool isSingleOp = false;
    std::string subgraph;           ///< of a dump of a part; empty for the whole graph
    int number = -1;                ///< of a dump: the counter in its name
    std::string owner;              ///< who writes this phase: "GE", "FE" …; empty for one that is not documented
    std::string meaning, meaningZh; ///< what the graph shows there; empty likewise
    std::vector<std::pair<std::string, std::string>> files; ///< format → path
    bool isRead = false;                                    ///< its counts and changes are known
    std::string error;                                      ///< why it could not be read; empty when it could
};

/// Immutable once published as shared_ptr<const Run>; every method is safe from any thread.
class Run {
public:
    Run() = default;
    virtual ~Run() = default;
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

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
    bool isUnderWay =
        false;           ///< a run that was halted: the steps so far, the last one perhaps in the middle of its pass
    bool failed = false; ///< the pipeline stopped with an error; what was reached is here
    std::optional<Error> error;

    int stepCount() const { return static_cast<int>(steps.size()); }
    StepId lastStep() const { return StepId{stepCount() - 1}; }
    const Step& step(StepId id) const { return steps[static_cast<std::size_t>(id.value)]; }

    /// The graph after a step. Materialised on demand from the journal and kept in a small cache.
    /// Cost: O(edits between the nearest cached step and this one). Call it off the GUI thread for big jumps.
    virtual std::shared_ptr<const Graph> graphAt(StepId step) const;

    /// What changed from one step to another, folded from the journal. Either order works.
    virtual GraphDiff diff(StepId from, StepId to) const;
    /// The same for each step after `from`, up to `to`, that changed something, against the step before it. Cheaper than
    /// asking for one after the other: two graphs follow the journal, none is copied for a step.
    void forEachStepDiff(StepId from, StepId to, const std::function<void(const Step&, const GraphDiff&)>& visit) const;
    /// Ids touched by a step, without building field texts: for colouring. Added, removed, changed. Over more than one
    /// step, nodes that only got an engine, a stream, addresses or their first shapes do not count as changed.
    struct Touched {
        std::vector<NodeId> added, removed, changed;
    };
    virtual Touched touched(StepId from, StepId to) const;

    /// Every edit of a node, oldest first.
    virtual std::vector<HistoryEntry> history(NodeId node) const;
    /// Steps that touched a node.
    virtual std::vector<StepId> stepsTouching(NodeId node) const;
    /// Nodes of step 0 from which a node of a later step came (itself when it was there), by GE's origin-name attributes.
    virtual std::vector<NodeId> originsOf(NodeId node) const;
    /// Nodes of the last step that a node of an earlier step lives on in (itself when it is still there).
    virtual std::vector<NodeId> becameOf(NodeId node) const;
    /// Verdicts, over all steps, that speak of a node or of what it came from.
    std::vector<const FusionVerdict*> verdictsOf(NodeId node) const;
    /// A node's name, looked up in the graph of the step where it last lived.
    virtual std::string nameOf(NodeId node) const;

    /// When a node lives: the step after which it is there first (0: from the start) and the one that removed it
    /// (invalid: it lives to the end).
    struct Life {
        StepId born{0}, died{-1};
    };
    virtual std::vector<Life> livesOf(const std::vector<NodeId>& nodes) const;
    /// The step nearest to `near` whose graph holds the node; invalid when none does.
    virtual StepId nearestStepWith(NodeId node, StepId near) const;
    /// The step that made each node, by node id.
    virtual std::vector<StepId> birthSteps() const;
    /// Exclusive upper bound of the node ids of all steps.
    virtual int nodeIdBound() const;

    /// The step that one is compared with by itself: the one before, or itself where none belongs before it.
    virtual StepId baseOf(StepId step) const;
    /// The steps that belong together with one, from first to last: all steps of a compile, one graph of a dump folder.
    struct Span {
        StepId first{0}, last{0};
    };
    virtual Span spanOf(StepId step) const;
    /// Operators of a step by type, most frequent first. Materialises the graph, so call it off the GUI thread.
    virtual std::vector<std::pair<std::string, int>> histogramAt(StepId step) const;
    /// What the files say of a step; null in a run of our own pipeline.
    virtual const StepSource* sourceOf(StepId step) const;

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
