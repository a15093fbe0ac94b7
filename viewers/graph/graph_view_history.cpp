// GraphView: undo and redo of the view, and tabs for blocks of their own.

#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"

#include <QAction>
#include <QTabBar>

#include <unordered_set>

namespace gelens {
namespace {

constexpr std::size_t mostRemembered = 60; ///< actions
constexpr std::size_t mostBoxes = 300000;  ///< in scenes kept for undo, and as many for redo: some 200 MB each

} // namespace

void forgetOldScenes(std::vector<ViewState>& states, std::size_t mostBoxes)
{
    std::unordered_set<const Scene*> kept; // neighbours share most of them
    std::size_t boxes = 0;
    for (std::size_t i = states.size(); i-- > 0;) {
        for (const auto& [step, scene] : states[i].scenes)
            if (kept.insert(scene.get()).second) boxes += scene->drawing.boxes.size();
        if (boxes > mostBoxes && i + 1 < states.size()) states[i].scenes.clear();
    }
}

ViewState GraphView::present() const
{
    ViewState state = m_now;
    state.centre = m_after->centre();
    state.zoom = m_after->zoom();
    return state;
}

/// Before each action on the view.
void GraphView::remember()
{
    ViewTab& tab = m_tabs[static_cast<std::size_t>(m_tab)];
    tab.undo.push_back(present());
    if (tab.undo.size() > mostRemembered) tab.undo.erase(tab.undo.begin());
    tab.redo.clear();
    updateHistory();
}

void GraphView::restore(const ViewState& state)
{
    m_now = state;
    m_isRestoring = state.zoom > 0;
    m_toggled.clear();
    showInWidgets();
    updateHistory();
    request(m_now.scenes.empty() ? SceneChange::Fresh : SceneChange::Step);
}

bool GraphView::canUndo() const { return !m_tabs[static_cast<std::size_t>(m_tab)].undo.empty(); }
bool GraphView::canRedo() const { return !m_tabs[static_cast<std::size_t>(m_tab)].redo.empty(); }

void GraphView::undo()
{
    if (!canUndo()) return;
    ViewTab& tab = m_tabs[static_cast<std::size_t>(m_tab)];
    tab.redo.push_back(present());
    const ViewState state = std::move(tab.undo.back());
    tab.undo.pop_back();
    restore(state);
}

void GraphView::redo()
{
    if (!canRedo()) return;
    ViewTab& tab = m_tabs[static_cast<std::size_t>(m_tab)];
    tab.undo.push_back(present());
    const ViewState state = std::move(tab.redo.back());
    tab.redo.pop_back();
    restore(state);
}

void GraphView::updateHistory()
{
    ViewTab& tab = m_tabs[static_cast<std::size_t>(m_tab)];
    forgetOldScenes(tab.undo, mostBoxes);
    forgetOldScenes(tab.redo, mostBoxes);
    m_undoAction->setEnabled(canUndo());
    m_redoAction->setEnabled(canRedo());
    m_closeTab->setEnabled(m_tab > 0);
}

/// Another run: its graph has other blocks and nodes.
void GraphView::forgetHistory()
{
    m_tabs.assign(1, {});
    m_tab = 0;
    const QSignalBlocker blocker(m_tabBar);
    while (m_tabBar->count() > 1) m_tabBar->removeTab(1);
    m_tabBar->hide();
    updateHistory();
}

void GraphView::openInTab(const std::string& key)
{
    for (std::size_t t = 1; t < m_tabs.size(); ++t)
        if (m_tabs[t].state.rootKey == key) return showTab(static_cast<int>(t));
    const auto& scene =
        m_after->scene() && m_after->scene()->fold->findKey(key) >= 0 ? m_after->scene() : m_before->scene();
    const int group = scene ? scene->fold->findKey(key) : -1;
    if (group <= 0) return;
    ViewTab tab;
    tab.title = QString::fromStdString(scene->fold->group(group).title);
    tab.state = m_now;
    tab.state.rootKey = key;
    tab.state.filter = {};
    tab.state.scenes.clear();
    tab.state.zoom = 0;
    if (!tab.state.open) tab.state.open.emplace();
    tab.state.open->insert(key);
    const FoldModel& fold = *scene->fold;
    if (fold.group(group).kind == FoldGroup::Kind::Repeat && !fold.group(group).groups.empty())
        tab.state.open->insert(fold.group(fold.group(group).groups.front()).key);
    m_tabs.push_back(std::move(tab));
    const QSignalBlocker blocker(m_tabBar);
    m_tabBar->addTab(m_tabs.back().title.left(40).replace(QLatin1Char('&'), QStringLiteral("&&")));
    m_tabBar->show();
    showTab(tabCount() - 1);
}

void GraphView::showTab(int tab)
{
    if (tab < 0 || tab >= tabCount()) return;
    {
        const QSignalBlocker blocker(m_tabBar);
        m_tabBar->setCurrentIndex(tab);
    }
    if (tab == m_tab) return;
    m_tabs[static_cast<std::size_t>(m_tab)].state = present();
    m_tab = tab;
    m_isFirst = m_tabs[static_cast<std::size_t>(tab)].state.zoom <= 0;
    const ViewState state = m_tabs[static_cast<std::size_t>(tab)].state;
    restore(state);
}

void GraphView::closeTab(int tab)
{
    if (tab <= 0 || tab >= tabCount()) return; // the whole graph stays
    if (tab == m_tab) showTab(0);
    m_tabs.erase(m_tabs.begin() + tab);
    if (m_tab > tab) --m_tab;
    const QSignalBlocker blocker(m_tabBar);
    m_tabBar->removeTab(tab);
    m_tabBar->setCurrentIndex(m_tab);
    m_tabBar->setVisible(tabCount() > 1);
}

void GraphView::openWholeGraph() { showTab(0); }

} // namespace gelens
