#pragma once
// A folder of DUMP_GE_GRAPH dumps as a run that can be stepped through: one step for each phase, one group for each
// process, device, graph and sub-graph.

#include "engine/session/snapshot_run.h"

#include <memory>
#include <stop_token>
#include <string>

namespace gelens {

struct DumpFolder;
struct DumpPhase;

/// Lists the folder; opens no dump but for the name of a graph that its file name leaves open. Graphs are read when
/// asked for, or all by SnapshotRun::scan(). Errors: no folder, no dump inside.
Result<std::shared_ptr<const SnapshotRun>> openDumpRun(const std::string& path);

/// Every format of one phase read and made one graph: attributes that only one of them has are taken over from it,
/// node by node. The first format that can be read decides on nodes and edges. Truncated files give what came before,
/// with a message.
Result<ModelDocument> readMergedPhase(const DumpPhase& phase, const ReadOptions& options = {});

/// The group that is meant when nobody says which: the one with most steps; of those the first whose last step changed
/// something, else the first.
Run::Span mainSpan(const Run& run);

/// Process, device and graph, then the sub-graph, of a phase: "pid_7_deviceid_0 · graph 1 · sub-graph partition0".
struct PhasePlace {
    std::string subgraph; ///< empty for the whole graph
    std::string phase;    ///< without the sub-graph's name
};
/// `graphName` is what the file itself says, or empty.
PhasePlace placeOfPhase(const std::string& phase, const std::string& graphName);

} // namespace gelens
