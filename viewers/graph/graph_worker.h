#pragma once
// What the graph view works out off the GUI thread: the graphs of two steps, what changed, and both scenes.

#include "engine/session/run.h"
#include "viewers/common/view_limits.h"
#include "viewers/scene/scene.h"
#include "viewers/scene/scene_index.h"

#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

namespace gelens {

enum class GraphMode { SideBySide, Overlay, Single };

/// Which part of the graph is shown.
struct GraphFilter {
    enum class Kind { All, Changed, Around, Upstream, Downstream, Path };
    Kind kind = Kind::All;
    std::vector<NodeId> nodes; ///< seeds of Around, Upstream, Downstream; both ends of Path
    int hops = 1;
    bool operator==(const GraphFilter&) const = default;
};

/// What a step did to nodes, by their ids on either side.
struct StepChanges {
    std::vector<NodeChange> list;
    std::unordered_map<std::int32_t, std::size_t> byBefore, byAfter; ///< only those that stayed
    /// Null for a node that was not changed.
    const NodeChange* of(NodeId node, bool isAfter) const
    {
        const auto& index = isAfter ? byAfter : byBefore;
        const auto found = index.find(node.value);
        return found == index.end() ? nullptr : &list[found->second];
    }
};

/// What is known of two steps whatever is open or shown of them.
struct StepDifference {
    StepId shown{0}, compared{0};
    bool showConstants = false;
    std::vector<std::pair<NodeId, ChangeKind>> changes; ///< in the graph's order
    std::shared_ptr<const StepChanges> details;
    std::vector<LineageGroup> groups; ///< nodes of the compared step and what they became
    int added = 0, removed = 0, changed = 0;
};

/// Scenes of steps that were laid out beside each other, so that going back shows what was there.
using SceneMap = std::map<int, std::shared_ptr<const Scene>>;

struct GraphRequest {
    std::shared_ptr<const Run> run;
    StepId shown{0}, compared{0};
    GraphMode mode = GraphMode::SideBySide;
    FoldOptions folding;
    std::optional<std::set<std::string>> open; ///< nothing: chosen by size
    GraphFilter filter;
    bool showConstants = false;
    EdgeLabels labels;
    ColorBy colorBy = ColorBy::Unit;
    SceneWords words;
    std::set<NodeId> expandedHubs;
    std::string rootKey; ///< block that alone is shown; empty: the whole graph
    Refinement refinement = Refinement::Known;
    SceneChange change = SceneChange::Step; ///< Fresh: forget the scenes before; Fold: same steps, other blocks
    SceneMap scenes;
    std::shared_ptr<const StepDifference> known; ///< of the answer before, of the same run; may be null
    std::shared_ptr<LayoutEngine> engine;
    std::size_t mostBoxes = limits::graphBoxes; ///< more are counted, not drawn
};

struct GraphAnswer {
    std::shared_ptr<const Scene> before, after; ///< before only with SideBySide
    std::shared_ptr<const SceneIndex> beforeIndex, afterIndex;
    SceneMap scenes; ///< to hand over with the next request
    std::set<std::string> open;
    std::shared_ptr<const StepDifference> difference;
    bool isRefined = false;  ///< at least a part is drawn as Graphviz would
    QString error;           ///< one sentence when nothing could be shown
    std::size_t tooMany = 0; ///< boxes that the drawing would have, where it may not have so many; `after` is null then
};

/// Null when stopped.
std::shared_ptr<GraphAnswer> workOut(const GraphRequest& request, std::stop_token stop);

} // namespace gelens
