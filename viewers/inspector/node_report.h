#pragma once
// All that the inspector tells about a selection, gathered off the GUI thread.

#include "engine/session/run.h"
#include "viewers/common/view.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace gelens {

/// A node as a link: who, and what it is called there.
struct NodeLink {
    NodeId node;
    std::string name, type;
};

struct NodeReport {
    NodeId node;
    StepId born{0};    ///< first step after which it is there
    StepId died{-1};   ///< step that removed it; invalid when it lives to the end
    StepId content{0}; ///< step whose graph the content is taken from: the one shown, or the nearest it lives in
    bool isAliveWhenShown = true;
    std::shared_ptr<const Graph> graph; ///< at `content`
    Unit unit = Unit::None;
    std::vector<HistoryEntry> history;
    std::vector<NodeLink> origins, became;
    std::vector<const FusionVerdict*> verdicts; ///< point into the run
    /// Indexes in run.plan.buffers of what holds its outputs and workspaces, and in run.tasks.tasks of what runs it. A node
    /// that is gone by then lives on in the kernels that it became: theirs.
    std::vector<int> buffers;
    std::vector<int> tasks;
    bool isPlacedByHeirs = false;
    int timelineItem = -1; ///< index in run.timeline.items

    const Node& asNode() const { return graph->node(node); }
};

struct SelectionReport {
    std::shared_ptr<const Run> run;
    StepId shown{0};
    NodeReport main;                    ///< invalid node when nothing is selected
    std::shared_ptr<const Graph> graph; ///< at the step shown
    /// Operators of the step shown and of the one before it, by type: of a step that has a file of its own, with nothing
    /// selected.
    std::vector<std::pair<std::string, int>> histogram, histogramBefore;
    std::vector<NodeReport> all; ///< of a multiple selection, the main node first: content only
};

/// Gathers what the inspector shows. Unknown ids give an empty report.
SelectionReport gatherReport(std::shared_ptr<const Run> run, StepId shown, const Selection& selection,
                             std::stop_token stop);

} // namespace gelens
