#pragma once
// What a SnapshotRun has read so far: graphs in one id space, and for each step what is known of it.

#include "engine/session/snapshot_run.h"

#include <condition_variable>
#include <mutex>
#include <set>
#include <unordered_map>

namespace gelens {

/// What stays known of a snapshot once it has been read.
struct SnapshotFigures {
    std::string error; ///< why there is no graph; empty when there is
    GraphStatistics statistics;
    std::vector<std::pair<std::string, int>> histogram;
    std::int64_t weightBytes = 0;
    double milliseconds = 0; ///< to read it
    std::vector<Message> messages;
    std::vector<NodeId> nodes;              ///< sorted
    std::shared_ptr<const MemoryPlan> plan; ///< by the offsets in the file; null before memory is assigned
    bool holds(NodeId node) const;
};

class SnapshotStore {
public:
    SnapshotStore(std::vector<Snapshot> snapshots, const Graph* seed, const std::string& seedScope);

    const std::vector<Snapshot>& snapshots() const { return m_snapshots; }
    int count() const { return static_cast<int>(m_snapshots.size()); }
    int baseOf(int step) const { return m_bases[static_cast<std::size_t>(step)]; }
    Run::Span spanOf(int step) const { return m_spans[static_cast<std::size_t>(step)]; }

    /// Never null: an empty graph for one that cannot be read.
    std::shared_ptr<const Graph> graph(int step, std::stop_token stop = {});
    /// Null while the snapshot has not been read.
    std::shared_ptr<const SnapshotFigures> figures(int step) const;
    /// Reads when need be. An error only when cancelled.
    Result<std::shared_ptr<const SnapshotFigures>> knownFigures(int step, std::stop_token stop = {});
    /// Between any two, as the later one wants it compared.
    GraphDiff compare(const Graph& before, const Graph& after, int afterStep) const;
    /// Against the nearest base that could be read; null when there is none or it was not worked out.
    std::shared_ptr<const GraphDiff> change(int step) const;
    Status workOutChange(int step, std::stop_token stop);
    /// The step that a change of `step` is counted from: unreadable ones are passed over; -1 for none.
    int readableBase(int step) const;

    std::string nameOf(NodeId node) const;
    int idBound() const;

private:
    struct Loaded {
        std::shared_ptr<const Graph> graph;
        std::shared_ptr<const SnapshotFigures> figures;
    };
    Loaded load(int step, std::stop_token stop);
    std::vector<NodeId> idsFor(const Graph& graph, const std::string& scope, int& bound);
    void keep(int step, const Loaded& loaded);
    /// GE dumps many phases that changed nothing: files with the same bytes need no second reading.
    bool adoptSameFiles(int step, int base);

    const std::vector<Snapshot> m_snapshots;
    std::vector<int> m_bases;
    std::vector<Run::Span> m_spans;

    mutable std::mutex m_mutex;
    std::condition_variable m_loadEnded;
    std::set<int> m_loading;
    std::vector<std::pair<int, std::shared_ptr<const Graph>>> m_cache; ///< oldest use first
    std::vector<std::shared_ptr<const SnapshotFigures>> m_figures;
    std::vector<std::shared_ptr<const GraphDiff>> m_changes;
    std::size_t m_keptFields = 0;

    mutable std::mutex m_idMutex;
    std::unordered_map<std::string, NodeId> m_ids; ///< by scope, graph and name
    std::vector<std::string> m_names;              ///< by id
};

} // namespace gelens
