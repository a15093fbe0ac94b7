#pragma once
// What several passes do to a graph in the same way.

#include "engine/graph/graph_editor.h"
#include "engine/passes/pass.h"

#include <functional>
#include <string>
#include <vector>

namespace gelens {

/// Attributes that carry the names and types of the step-0 nodes a node came from (written by GE, read by lineage).
inline constexpr std::string_view originNamesAttr = "_datadump_original_op_names";
inline constexpr std::string_view originTypesAttr = "_datadump_original_op_types";

/// Names of the step-0 nodes behind a node: its origin-name attribute, else its own name.
StringList originNames(const Node& node);
/// Writes on `created` the union of the origins of `sources`, in that order, without repeats.
void inheritOrigins(GraphEditor& edit, NodeId created, const std::vector<NodeId>& sources);

/// What happens to producers that a removal leaves without readers.
enum class DeadProducers {
    Remove,          ///< they go too, and theirs
    RemoveConstants, ///< constants go, the rest waits for PrunePass
    Keep,
};

/// Reconnects the users of output 0 to what feeds input 0, keeps the node's ordering constraints, removes the node.
void bypassNode(GraphEditor& edit, NodeId id, int input = 0, DeadProducers dead = DeadProducers::Remove);

/// Replaces a node by one constant for each used output and removes it, with its control constraints handed on.
/// Producers left without any reader go too.
void replaceByConstants(GraphEditor& edit, NodeId id, const std::vector<Tensor>& values);

/// Removes a node and, transitively, producers that nobody reads any more. Data, Variable and nodes with control
/// consumers stay. O(removed).
void removeWithDeadProducers(GraphEditor& edit, NodeId id, DeadProducers dead = DeadProducers::Remove);
/// The same, starting at a producer: removed only when nothing reads it.
void removeIfUnread(GraphEditor& edit, NodeId id);

/// Runs f on every live node of every live graph, in topological order (root first). Nodes removed meanwhile are
/// skipped. Stops early when the context is cancelled, giving the cancelled error.
Status forEachNodeInOrder(GraphEditor& edit, PassContext& context, const std::function<Status(NodeId)>& f);

/// True where anything reads one of the node's outputs, or waits for it.
bool hasReaders(const Node& node);

/// The order of axes that a Transpose, TransposeD or Permute makes; empty where it is not known, and for other nodes.
IntList axisOrder(const Node& node, const Graph& graph);

/// Whether readers of `result` that read `source` instead would tie a graph input straight to a graph output: the user's
/// input buffer must not be the user's output buffer (facts, 5.8), so a copy is needed between. Constants likewise.
bool tiesInputToOutput(const Graph& graph, OutputRef source, OutputRef result);
/// The same for a node whose only output would be replaced by its first input.
inline bool tiesInputToOutput(const Node& node, const Graph& graph)
{
    return tiesInputToOutput(graph, node.source(0), node.output(0));
}

} // namespace gelens
