#pragma once
// What changed between two graphs.

#include "engine/graph/ids.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace gelens {

enum class ChangeKind { Added, Removed, Changed };

/// What says that a node of one graph is a node of another, the surest first.
enum class MatchBasis {
    Identity,  ///< one run, one id
    Name,      ///< name and type
    Origin,    ///< GE's origin-name attributes name the same original operators
    NameOnly,  ///< the name, while the type differs
    Structure, ///< the type and matched nodes at its inputs or outputs
};
inline constexpr int matchBasisCount = 5;
std::string_view matchBasisName(MatchBasis basis); ///< "same id", "name and type" …
/// How sure a pair of that basis is, from 0 to 1. A convention of ours for sorting and showing, no probability.
double matchConfidence(MatchBasis basis);

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
    MatchBasis basis = MatchBasis::Identity; ///< of a changed node
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
    /// How all pairs of nodes were found, changed or not; all zero between two steps of one run.
    std::array<int, matchBasisCount> matchedBy{};
    bool isEmpty() const { return changes.empty(); }
    /// Mean over the pairs; 1 when ids tell.
    double confidence() const;
};

} // namespace gelens
