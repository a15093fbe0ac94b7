#pragma once
// What changed between two graphs.

#include "engine/graph/ids.h"

#include <string>
#include <vector>

namespace gelens {

enum class ChangeKind { Added, Removed, Changed };

/// One field of a node that differs; `before` or `after` is empty where it does not exist on that side.
struct FieldChange {
    std::string field; ///< "type", "input[1]", "attr axis", "output_desc[0].shape", "control" …
    std::string before, after;
};

struct NodeChange {
    ChangeKind kind = ChangeKind::Changed;
    NodeId before, after; ///< ids in the two graphs; invalid on the side where the node is missing
    std::string name;     ///< name on the side where it exists (after wins)
    std::string type;
    std::vector<FieldChange> fields;
};

/// Nodes that became one (or one that became several).
struct LineageGroup {
    std::vector<NodeId> before;
    std::vector<NodeId> after;
};

struct GraphDiff {
    std::vector<NodeChange> changes; ///< removed and changed in the order of the old graph, then added in the new order
    std::vector<LineageGroup> groups;
    int added = 0, removed = 0, changed = 0;
    int tensorsAdded = 0, tensorsRemoved = 0, tensorsChanged = 0;
    bool isEmpty() const { return changes.empty(); }
};

} // namespace gelens
