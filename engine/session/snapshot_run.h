#pragma once
// A run made of graphs that were found in files, one for each step, instead of being made pass by pass: a folder of
// dumps, a dump folder beside a run of ours, an OM beside its ONNX model. It is stepped through, compared and asked for
// histories like any other run; what a journal would tell is found by matching.

#include "engine/formats/model_document.h"
#include "engine/session/run.h"
#include "engine/session/session.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

/// One graph of the sequence and where it comes from.
struct Snapshot {
    Step step;         ///< stage, phase, pass, summary, counters; the rest is filled in
    StepSource source; ///< group, owner, meaning, files
    /// Nodes of the same name are the same node in all snapshots of one scope, and get one id.
    std::string idScope;
    /// Index of the snapshot that it is compared with; itself when nothing belongs before it; `previousInGroup`.
    int base = previousInGroup;
    /// Comparisons with it leave out attributes, engines and streams: what two programs write there is never the same.
    bool comparesStructureOnly = false;
    /// The graph is what the files say and nothing else, so that equal files mean equal graphs.
    bool isAsInFiles = false;
    /// Reads the graph. Called off the GUI thread, again when the graph has left the cache.
    std::function<Result<ModelDocument>(std::stop_token)> load;

    static constexpr int previousInGroup = -1;
};

class SnapshotStore;

/// Graphs are read when asked for and kept in a small cache; every method is safe from any thread and may read a file.
class SnapshotRun final : public Run {
public:
    /// What the run says of itself is the caller's to fill in before it is published. With `seed`, nodes of scope
    /// `seedScope` get the ids that they have there.
    static std::shared_ptr<SnapshotRun> make(std::vector<Snapshot> snapshots, const Graph* seed = nullptr,
                                             const std::string& seedScope = {});
    ~SnapshotRun() override;

    /// Reads every graph not looked at yet and works out what changed. Stops with an error only when cancelled.
    Status scan(const ProgressFunction& progress = {}, std::stop_token stop = {}) const;
    /// Whether every graph has been looked at.
    bool isScanned() const;
    /// The same run with the figures and messages known by now in its steps; both share all that was read.
    std::shared_ptr<const SnapshotRun> refreshed() const;

    std::shared_ptr<const Graph> graphAt(StepId step) const override;
    GraphDiff diff(StepId from, StepId to) const override;
    Touched touched(StepId from, StepId to) const override;
    std::vector<HistoryEntry> history(NodeId node) const override;
    std::vector<StepId> stepsTouching(NodeId node) const override;
    std::vector<NodeId> originsOf(NodeId node) const override;
    std::vector<NodeId> becameOf(NodeId node) const override;
    std::string nameOf(NodeId node) const override;
    std::vector<Life> livesOf(const std::vector<NodeId>& nodes) const override;
    StepId nearestStepWith(NodeId node, StepId near) const override;
    std::vector<StepId> birthSteps() const override;
    int nodeIdBound() const override;
    StepId baseOf(StepId step) const override;
    Span spanOf(StepId step) const override;
    std::vector<std::pair<std::string, int>> histogramAt(StepId step) const override;
    const StepSource* sourceOf(StepId step) const override;

private:
    explicit SnapshotRun(std::shared_ptr<SnapshotStore> store);
    void copyDescriptionFrom(const SnapshotRun& other);
    void takeFigures();
    int clamped(StepId step) const;

    std::shared_ptr<SnapshotStore> m_store;
    std::vector<StepSource> m_sources;
};

} // namespace gelens
