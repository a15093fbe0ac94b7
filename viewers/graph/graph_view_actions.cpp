// GraphView: selection, changes, menu.

#include "viewers/common/formatter.h"
#include "viewers/graph/graph_bars.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QSpinBox>

#include <algorithm>

namespace gelens {

void GraphView::selectNodes(const std::vector<NodeId>& nodes)
{
    Selection next;
    if (!nodes.empty()) {
        next.node = nodes.front();
        next.more.assign(nodes.begin() + 1, nodes.end());
    }
    // Shown here at once; the answer of the hub finds nothing left to do.
    m_isOwnSelection = true;
    for (GraphCanvas* canvas : {m_before, m_after}) canvas->setSelection(nodes);
    showSelection(false);
    showLinks();
    setSelection(next);
    Q_EMIT selectionRequested(next);
}

void GraphView::clickNode(NodeId node, bool isExtending)
{
    std::vector<NodeId> nodes{node};
    if (m_kept.isValid() && m_kept != node && !isExtending) nodes.push_back(m_kept);
    if (isExtending)
        for (const NodeId other : m_after->selectedNodes())
            if (other != node) nodes.push_back(other);
    selectNodes(nodes);
}

void GraphView::clickGroup(const std::string& key)
{
    const auto& scene = m_after->scene();
    const int group = scene ? scene->fold->findKey(key) : -1;
    if (m_tab > 0 && group >= 0) { // a block outside of this tab's: it is to be seen in the whole graph
        const int root = scene->fold->findKey(m_now.rootKey);
        int up = group;
        while (up > 0 && up != root) up = scene->fold->group(up).parent;
        if (up != root || group == root) openWholeGraph();
    }
    selectNodes({});
    for (GraphCanvas* canvas : {m_before, m_after}) canvas->setSelectedGroup(key);
    GraphCanvas* canvas = m_after->currentBox() >= 0 ? m_after : m_before;
    if (canvas->isVisible()) canvas->ensureVisible(canvas->currentBox());
    showSelection(false);
}

void GraphView::selectionChanged()
{
    std::vector<NodeId> nodes;
    const Selection& chosen = selection();
    if (chosen.node.isValid()) nodes.push_back(chosen.node);
    if (chosen.tensor.isValid() && nodes.empty()) nodes.push_back(chosen.tensor.node);
    if (nodes.empty() && chosen.task >= 0 && run() && static_cast<std::size_t>(chosen.task) < run()->tasks.tasks.size())
        nodes.push_back(run()->tasks.tasks[static_cast<std::size_t>(chosen.task)].node);
    nodes.insert(nodes.end(), chosen.more.begin(), chosen.more.end());
    const bool isOwn = std::exchange(m_isOwnSelection, false);
    if (isOwn && nodes == m_after->selectedNodes()) return;
    if (nodes.empty() && !m_after->selectedGroup().empty()) return; // a block is selected here only
    for (GraphCanvas* canvas : {m_before, m_after}) canvas->setSelection(nodes);
    // What a step has just made is selected before its scene is there; and what the scenes have, those under way may
    // have elsewhere.
    const bool isSeen = m_isReady && (m_after->currentBox() >= 0 || m_before->currentBox() >= 0);
    if (!isOwn && !nodes.empty() && !isSeen) m_revealed = nodes.front();
    showSelection(!isOwn);
    showLinks();
}

void GraphView::showSelection(bool bringIntoView)
{
    GraphCanvas* canvas = m_after->currentBox() >= 0 || m_before->currentBox() < 0 ? m_after : m_before;
    if (!canvas->scene()) return;
    const FoldModel& fold = *canvas->scene()->fold;
    std::vector<std::pair<QString, std::string>> path{
        {run() ? QString::fromStdString(run()->modelName) : QString(), {}}};
    const auto addGroups = [&](int innermost) {
        std::vector<int> groups;
        for (int g = innermost; g > 0; g = fold.group(g).parent) groups.push_back(g);
        for (auto g = groups.rbegin(); g != groups.rend(); ++g)
            path.emplace_back(QString::fromStdString(fold.group(*g).title), fold.group(*g).key);
    };
    if (!canvas->selectedNodes().empty()) {
        const NodeId node = canvas->selectedNodes().front();
        addGroups(fold.groupOf(node));
        const Graph& graph = *canvas->scene()->graph;
        if (node.value < graph.nodeIdBound() && graph.contains(node))
            path.emplace_back(
                QString::fromUtf8(graph.node(node).name.data(),
                                  static_cast<qsizetype>(std::min<std::size_t>(graph.node(node).name.size(), 2000))),
                std::string());
    } else if (!canvas->selectedGroup().empty()) {
        addGroups(fold.findKey(canvas->selectedGroup()));
    }
    m_crumbs->setPath(path);
    if (bringIntoView && canvas->currentBox() >= 0) {
        canvas->ensureVisible(canvas->currentBox());
        linkViews(canvas);
    }
}

void GraphView::reveal(NodeId node)
{
    bool isOpening = false;
    for (const GraphCanvas* canvas : {m_after, m_before}) {
        if (!canvas->scene() || canvas->scene()->fold->groupOf(node) < 0) continue;
        const FoldModel& fold = *canvas->scene()->fold;
        const std::vector<int> path = fold.pathOf(node);
        const int root = fold.findKey(m_now.rootKey);
        if (m_tab > 0 && std::find(path.begin(), path.end(), root) == path.end()) { // not in this tab's block
            m_revealed = node;
            openWholeGraph();
        }
        if (!m_now.open) m_now.open.emplace();
        for (const int group : path) {
            const bool isNew = m_now.open->insert(fold.group(group).key).second;
            if (isNew && m_toggled.empty()) m_toggled = fold.group(group).key;
            isOpening = isOpening || isNew;
        }
        break;
    }
    m_revealed = node;
    if (isOpening) {
        request(SceneChange::Fold);
        return;
    }
    if (!m_isReady) return; // the scene under way shows it
    m_revealed = {};
    bringIntoView(node);
}

void GraphView::nextChange() { stepChange(1); }
void GraphView::previousChange() { stepChange(-1); }

void GraphView::stepChange(int direction)
{
    std::vector<NodeId> reachable;
    for (const auto& [node, kind] : m_difference->changes) {
        const bool isShown = kind != ChangeKind::Removed || m_now.mode != GraphMode::Single;
        if (isShown) reachable.push_back(node);
    }
    if (reachable.empty()) {
        Q_EMIT statusMessage(tr("This step changed nothing."));
        return;
    }
    const NodeId current = m_after->selectedNodes().empty() ? NodeId{} : m_after->selectedNodes().front();
    const auto found = std::find(reachable.begin(), reachable.end(), current);
    const auto count = static_cast<int>(reachable.size());
    int index = direction > 0 ? 0 : count - 1;
    if (found != reachable.end()) index = (static_cast<int>(found - reachable.begin()) + direction + count) % count;
    const NodeId next = reachable[static_cast<std::size_t>(index)];
    selectNodes({next});
    reveal(next);
    const SceneWords words = requestNow().words;
    QStringList aspects;
    if (const NodeChange* change = m_difference->details ? m_difference->details->of(next, true) : nullptr) {
        const unsigned bits = changeAspects(change->fields);
        for (std::size_t aspect = 0; aspect < changeAspectCount; ++aspect)
            if ((bits >> aspect & 1) != 0) aspects << QString::fromStdString(words.aspects[aspect]);
    }
    const QString place = tr("change %1 of %2").arg(format::count(index + 1), format::count(count));
    Q_EMIT statusMessage(
        aspects.isEmpty() ? place : tr("%1: %2").arg(place, aspects.join(QString::fromStdString(words.separator))));
}

void GraphView::filterChangedOnly()
{
    GraphFilter filter;
    filter.kind = m_onlyChanged->isChecked() ? GraphFilter::Kind::Changed : GraphFilter::Kind::All;
    filter.hops = m_hops->value();
    setFilter(filter);
}

void GraphView::clearFilter() { setFilter({}); }

void GraphView::restrictToSelected(GraphFilter::Kind kind)
{
    std::vector<NodeId> chosen = m_after->selectedNodes();
    const bool isPath = kind == GraphFilter::Kind::Path;
    if (chosen.empty() || (isPath && chosen.size() != 2)) {
        Q_EMIT statusMessage(isPath ? tr("Select two nodes first: the second with Ctrl held.")
                                    : tr("Select a node first."));
        return;
    }
    setFilter({kind, std::move(chosen), std::max(1, m_hops->value())});
}

void GraphView::optionsChanged()
{
    if (m_isShowingState) return;
    setFolding({m_scopes->isChecked(), m_blocks->isChecked()});
    setLabels({m_shapes->isChecked(), m_dataTypes->isChecked(), m_formats->isChecked()});
    setShowConstants(m_constants->isChecked());
}

void GraphView::toggleHub(NodeId node)
{
    const bool isExpanded = m_now.expandedHubs.contains(node);
    if (!isExpanded) {
        // Only a node whose edges are cut short has anything to expand.
        const auto& scene = m_after->scene();
        const int box = scene ? scene->boxOf(node) : -1;
        const bool isHub = box >= 0 && std::any_of(scene->drawing.stubs.begin(), scene->drawing.stubs.end(),
                                                   [&](const DrawnStub& stub) { return stub.hub == box; });
        if (!isHub) return;
    }
    remember();
    if (isExpanded)
        m_now.expandedHubs.erase(node);
    else
        m_now.expandedHubs.insert(node);
    m_now.scenes.clear();
    request(SceneChange::Fresh);
}

void GraphView::addGroupEntries(QMenu& menu, const FoldModel& fold, const DrawnBox& box)
{
    const FoldGroup& group = fold.group(box.group);
    menu.addAction(box.kind == BoxKind::Frame ? tr("Fold this block") : tr("Open this block"), this,
                   [this, key = group.key] { toggleGroup(key); });
    menu.addAction(tr("Open in a tab"), this, [this, key = group.key] { openInTab(key); });
    if (group.kind == FoldGroup::Kind::Repeat && group.variants > 1)
        menu.addAction(tr("How its instances differ"), this, [this, key = group.key] { listVariants(key); });
    menu.addAction(tr("Copy the block's name"), this,
                   [title = QString::fromStdString(group.title)] { QGuiApplication::clipboard()->setText(title); });
}

void GraphView::addNodeEntries(QMenu& menu, GraphCanvas* canvas, NodeId node, int box)
{
    const Scene& scene = *canvas->scene();
    const auto restrictTo = [&](const QString& text, GraphFilter::Kind kind) {
        menu.addAction(text, this, [this, node, kind] { setFilter({kind, {node}, std::max(1, m_hops->value())}); });
    };
    restrictTo(tr("Show only its neighbourhood"), GraphFilter::Kind::Around);
    restrictTo(tr("Show only what it depends on"), GraphFilter::Kind::Upstream);
    restrictTo(tr("Show only what depends on it"), GraphFilter::Kind::Downstream);
    if (const auto& chosen = canvas->selectedNodes(); chosen.size() == 2)
        menu.addAction(tr("Show only paths between the two"), this, [this, chosen] {
            setFilter({GraphFilter::Kind::Path, chosen, 1});
        });
    const bool isExpanded = m_now.expandedHubs.contains(node);
    const auto& stubs = scene.drawing.stubs;
    if (isExpanded || std::any_of(stubs.begin(), stubs.end(), [&](const DrawnStub& s) { return s.hub == box; }))
        menu.addAction(isExpanded ? tr("Shorten its edges again") : tr("Draw all its edges"), this,
                       [this, node] { toggleHub(node); });
    if (const int group = scene.fold->groupOf(node); group > 0 && scene.fold->group(group).key != m_now.rootKey) {
        menu.addAction(tr("Fold the block around it"), this,
                       [this, key = scene.fold->group(group).key] { toggleGroup(key); });
        menu.addAction(tr("Open the block around it in a tab"), this,
                       [this, key = scene.fold->group(group).key] { openInTab(key); });
    }
    for (const FoldGroup& group : scene.fold->groups())
        if (group.kind == FoldGroup::Kind::Subgraph && group.owner == node)
            menu.addAction(tr("Open its graph “%1” in a tab").arg(QString::fromStdString(group.title).left(60)), this,
                           [this, key = group.key] { openInTab(key); });
    menu.addSeparator();
    menu.addAction(tr("Why not fused with …"), this, [this, node] {
        selectNodes({node});
        Q_EMIT whyNotFusedRequested(node);
    });
    menu.addAction(tr("Copy name"), this, [name = QString::fromStdString(scene.graph->node(node).name)] {
        QGuiApplication::clipboard()->setText(name);
    });
}

void GraphView::showMenu(GraphCanvas* canvas, int index, const QPoint& at)
{
    QMenu menu(this);
    if (index >= 0 && canvas->scene()) {
        const auto scene = canvas->scene(); // the menu outlives a change of the scene
        const DrawnBox box = scene->drawing.boxes[static_cast<std::size_t>(index)];
        const NodeId node = box.node.isValid() ? box.node : box.port.node;
        if (box.group >= 0)
            addGroupEntries(menu, *scene->fold, box);
        else if (scene->graph->contains(node))
            addNodeEntries(menu, canvas, node, index);
        menu.addSeparator();
    }
    if (m_showEverything->isEnabled()) menu.addAction(m_showEverything);
    menu.addActions(m_menuActions);
    menu.exec(at);
}

} // namespace gelens
