#pragma once
// Which logical stream each node runs on (a subset of GE's stream passes, facts/pipeline 6.1).

#include "engine/graph/graph.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace gelens {

struct StreamOptions {
    /// One stream for everything, which is what GE gives a static inference graph. Labels have no effect then.
    bool isSingle = true;
    /// What-if: labels by node name, on top of the `_stream_label` attributes.
    std::map<std::string, std::string> labels;
    int maxStreams = 2024; ///< of the device; what would be beyond it joins stream 0
};

struct StreamAssignment {
    std::vector<std::int64_t> byNode; ///< by node id; -1 for nodes of sub-graphs and dead ones
    int count = 1;
    std::vector<std::string> reasons; ///< by stream: "main", "label 'a'", "AI CPU", "independent branch"
};

/// Streams of the root graph, ids without holes, in order of first use:
/// 1. every label gets a stream of its own;
/// 2. connected nodes of one engine form a group; a group takes the stream of a group before it that has no label and
///    the same engine, and whose stream no other group of this engine has taken on; else a new one;
/// 3. nodes without a task (Data, constants, views) run where their neighbours run.
StreamAssignment assignStreams(const Graph& graph, const std::vector<NodeId>& order, const StreamOptions& options = {});

} // namespace gelens
