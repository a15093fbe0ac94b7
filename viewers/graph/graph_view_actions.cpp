// GraphView: selection, search, menu.

#include "viewers/common/formatter.h"
#include "viewers/graph/graph_bars.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_query.h"
#include "viewers/graph/graph_view.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QTimer>

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
    setSelection(next);
    Q_EMIT selectionRequested(next);
}

void GraphView::clickNode(NodeId node, bool isExtending)
{
    std::vector<NodeId> nodes{node};
    if (isExtending)
        for (const NodeId other : m_after->selectedNodes())
            if (other != node) nodes.push_back(other);
    selectNodes(nodes);
}

void GraphView::clickGroup(const std::string& key)
{
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
    showSelection(!isOwn);
}

void GraphView::showSelection(bool bringIntoView)
{
    GraphCanvas* canvas = m_after->currentBox() >= 0 || m_before->currentBox() < 0 ? m_after : m_before;
    if (!canvas->scene()) return;
    const FoldModel& fold = *canvas->scene()->fold;
    std::vector<std::pair<QString, std::string>> path{{run() ? QString::fromStdString(run()->modelName) : QString(), {}}};
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
            path.emplace_back(QString::fromUtf8(graph.node(node).name.data(),
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
        if (!m_open) m_open.emplace();
        for (const int group : fold.pathOf(node)) {
            const bool isNew = m_open->insert(fold.group(group).key).second;
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
    for (GraphCanvas* canvas : {m_after, m_before})
        if (canvas->scene() && canvas->scene()->boxOf(node) >= 0) {
            canvas->ensureVisible(canvas->scene()->boxOf(node));
            linkViews(canvas);
            return;
        }
}

void GraphView::nextChange() { stepChange(1); }
void GraphView::previousChange() { stepChange(-1); }

void GraphView::stepChange(int direction)
{
    std::vector<NodeId> reachable;
    for (const auto& [node, kind] : m_changes) {
        const bool isShown = kind != ChangeKind::Removed || m_mode != GraphMode::Single;
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
    Q_EMIT statusMessage(tr("change %1 of %2").arg(format::count(index + 1), format::count(count)));
}

void GraphView::focusSearch()
{
    m_searchLine->setFocus(Qt::ShortcutFocusReason);
    m_searchLine->selectAll();
}

void GraphView::setSearchText(const QString& text)
{
    m_searchLine->setText(text);
    m_searchTimer->stop();
    search();
}

void GraphView::search()
{
    const GraphQuery query = GraphQuery::parse(m_searchLine->text());
    const auto& scene = m_after->scene();
    if (query.isEmpty() || !scene) {
        m_searchJob.cancel();
        m_hits.clear();
        for (GraphCanvas* canvas : {m_before, m_after}) canvas->setHighlights({});
        m_hitLabel->setText(query.error());
        return;
    }
    m_searchJob.start(
        [query, graph = scene->graph, run = run()](std::stop_token stop) { return query.find(*graph, run.get(), stop); },
        [this](std::vector<NodeId> hits) {
            m_searchJob.finished();
            const NodeId current = m_hit >= 0 && m_hit < searchHitCount() ? m_hits[static_cast<std::size_t>(m_hit)] : NodeId{};
            m_hits = std::move(hits);
            const auto found = std::find(m_hits.begin(), m_hits.end(), current);
            m_hit = found == m_hits.end() ? -1 : static_cast<int>(found - m_hits.begin());
            QSet<int> nodes;
            for (const NodeId id : m_hits) nodes.insert(id.value);
            for (GraphCanvas* canvas : {m_before, m_after}) canvas->setHighlights(nodes);
            showHitCount();
        });
}

void GraphView::showHitCount()
{
    if (m_hits.empty())
        m_hitLabel->setText(tr("nothing found"));
    else if (m_hit < 0)
        m_hitLabel->setText(tr("%n found", nullptr, searchHitCount()));
    else
        m_hitLabel->setText(tr("%1 of %2").arg(format::count(m_hit + 1), format::count(searchHitCount())));
}

void GraphView::stepHit(int direction)
{
    if (m_hits.empty()) return;
    const int count = searchHitCount();
    m_hit = m_hit < 0 ? (direction > 0 ? 0 : count - 1) : (m_hit + direction + count) % count;
    const NodeId node = m_hits[static_cast<std::size_t>(m_hit)];
    selectNodes({node});
    reveal(node);
    showHitCount();
}

void GraphView::filterChangedOnly()
{
    GraphFilter filter;
    filter.kind = m_onlyChanged->isChecked() ? GraphFilter::Kind::Changed : GraphFilter::Kind::All;
    filter.hops = m_hops->value();
    setFilter(filter);
}

void GraphView::clearFilter() { setFilter({}); }

void GraphView::toggleHub(NodeId node)
{
    if (m_expandedHubs.erase(node) == 0) {
        // Only a node whose edges are cut short has anything to expand.
        const auto& scene = m_after->scene();
        const int box = scene ? scene->boxOf(node) : -1;
        const bool isHub = box >= 0 && std::any_of(scene->drawing.stubs.begin(), scene->drawing.stubs.end(),
                                                   [&](const DrawnStub& stub) { return stub.hub == box; });
        if (!isHub) return;
        m_expandedHubs.insert(node);
    }
    m_scenes.clear();
    request(SceneChange::Fresh);
}

void GraphView::showMenu(GraphCanvas* canvas, int index, const QPoint& at)
{
    QMenu menu(this);
    if (index >= 0 && canvas->scene()) {
        const DrawnBox box = canvas->scene()->drawing.boxes[static_cast<std::size_t>(index)];
        const Graph& graph = *canvas->scene()->graph;
        const NodeId node = box.node.isValid() ? box.node : box.port.node;
        if (box.group >= 0) {
            const FoldGroup& group = canvas->scene()->fold->group(box.group);
            menu.addAction(box.kind == BoxKind::Frame ? tr("Fold this block") : tr("Open this block"), this,
                           [this, key = group.key] { toggleGroup(key); });
            menu.addAction(tr("Copy the block's name"), this,
                           [title = QString::fromStdString(group.title)] { QGuiApplication::clipboard()->setText(title); });
        } else if (graph.contains(node)) {
            const auto restrictTo = [&](const QString& text, GraphFilter::Kind kind) {
                menu.addAction(text, this, [this, node, kind] { setFilter({kind, {node}, std::max(1, m_hops->value())}); });
            };
            restrictTo(tr("Show only its neighbourhood"), GraphFilter::Kind::Around);
            restrictTo(tr("Show only what it depends on"), GraphFilter::Kind::Upstream);
            restrictTo(tr("Show only what depends on it"), GraphFilter::Kind::Downstream);
            if (const auto& chosen = canvas->selectedNodes(); chosen.size() == 2)
                menu.addAction(tr("Show only paths between the two"), this,
                               [this, chosen] { setFilter({GraphFilter::Kind::Path, chosen, 1}); });
            const bool isExpanded = m_expandedHubs.contains(node);
            const auto& stubs = canvas->scene()->drawing.stubs;
            if (isExpanded || std::any_of(stubs.begin(), stubs.end(), [&](const DrawnStub& s) { return s.hub == index; }))
                menu.addAction(isExpanded ? tr("Shorten its edges again") : tr("Draw all its edges"), this,
                               [this, node] { toggleHub(node); });
            if (const int group = canvas->scene()->fold->groupOf(node); group > 0)
                menu.addAction(tr("Fold the block around it"), this,
                               [this, key = canvas->scene()->fold->group(group).key] { toggleGroup(key); });
            menu.addSeparator();
            menu.addAction(tr("Why not fused with …"), this, [this, node] {
                selectNodes({node});
                Q_EMIT whyNotFusedRequested(node);
            });
            menu.addAction(tr("Copy name"), this, [name = QString::fromStdString(graph.node(node).name)] {
                QGuiApplication::clipboard()->setText(name);
            });
        }
        menu.addSeparator();
    }
    if (m_showEverything->isEnabled()) menu.addAction(m_showEverything);
    for (QAction* action : m_actions)
        if (!action->isCheckable() && action != m_showEverything) menu.addAction(action);
    menu.exec(at);
}

} // namespace gelens
