#pragma once
// How a graph is looked at, apart from which step: what undo and redo of the view bring back.

#include "viewers/graph/graph_worker.h"

#include <QPointF>
#include <QString>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gelens {

struct ViewState {
    GraphMode mode = GraphMode::SideBySide;
    ColorBy colorBy = ColorBy::Unit;
    EdgeLabels labels;
    bool showConstants = false;
    FoldOptions folding;
    GraphFilter filter;
    std::optional<std::set<std::string>> open; ///< nothing: chosen by size
    bool isOpenChosen = false;                 ///< by the person, not by size
    bool isOpenFresh = false;                  ///< as a window would choose that opens the model with this drawing
    std::set<NodeId> expandedHubs;
    std::string rootKey; ///< block shown as the graph
    SceneMap scenes;     ///< places, so that going back finds what was there
    QPointF centre;
    double zoom = 0; ///< 0: not looked at yet
};

/// Old states keep how things were folded and coloured, but not the scenes: from the last state back, all that are kept
/// have at most so many boxes. Those of the last one stay in any case; what is forgotten is laid out anew.
void forgetOldScenes(std::vector<ViewState>& states, std::size_t mostBoxes);

/// One tab: the whole graph, or a block of its own, each with its past.
struct ViewTab {
    QString title;
    ViewState state;
    std::vector<ViewState> undo, redo;
};

} // namespace gelens
