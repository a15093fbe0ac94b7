// GraphView: its commands, as its tools, menus, the palette and the shortcut page offer them.

#include "viewers/common/command_texts.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"
#include "viewers/graph/results_panel.h"

#include <QAction>
#include <QActionGroup>
#include <QClipboard>
#include <QGuiApplication>

namespace gelens {

QAction* GraphView::addAction(const char* name, const char* text, const char* does, const QKeySequence& keys,
                              const std::function<void()>& run)
{
    auto* action = new QAction(this);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    if (run) connect(action, &QAction::triggered, this, run);
    QWidget::addAction(action);
    m_actions.append(action);
    m_actionTexts.emplace_back(text, does);
    return action;
}

QAction* GraphView::addToggle(const char* name, const char* text, const char* does, bool isOn)
{
    QAction* action = addAction(name, text, does, {}, {});
    action->setCheckable(true);
    action->setChecked(isOn);
    connect(action, &QAction::toggled, this, &GraphView::optionsChanged);
    return action;
}

void GraphView::buildActions()
{
    addAction("graph_fit", QT_TR_NOOP("Fit"), QT_TR_NOOP("Show the whole graph (Space in the graph)"),
              QKeySequence(Qt::CTRL | Qt::Key_0), [this] { fitAll(); });
    addAction("graph_fit_selection", QT_TR_NOOP("Fit selection"),
              QT_TR_NOOP("Show the selection with its surroundings (F in the graph)"),
              QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_0), [this] { fitSelection(); });
    addAction("graph_next_change", QT_TR_NOOP("Next change"), QT_TR_NOOP("Select the next node that this step changed"),
              QKeySequence(Qt::Key_F7), [this] { nextChange(); });
    addAction("graph_previous_change", QT_TR_NOOP("Previous change"),
              QT_TR_NOOP("Select the previous node that this step changed"), QKeySequence(Qt::SHIFT | Qt::Key_F7),
              [this] { previousChange(); });
    m_undoAction =
        addAction("graph_undo", QT_TR_NOOP("Undo view"), QT_TR_NOOP("Take back the last folding, filter or colouring"),
                  QKeySequence(QKeySequence::Undo), [this] { undo(); });
    m_redoAction = addAction("graph_redo", QT_TR_NOOP("Redo view"), QT_TR_NOOP("Do again what was taken back"),
                             QKeySequence(QKeySequence::Redo), [this] { redo(); });
    addAction("graph_tidy", QT_TR_NOOP("Tidy"),
              QT_TR_NOOP("Lay the graph out anew; until then nodes keep their places from step to step"), {},
              [this] { tidy(); });
    addAction("graph_find", QT_TR_NOOP("Find"), QT_TR_NOOP("Find nodes"), QKeySequence(QKeySequence::Find),
              [this] { focusSearch(); });
    addAction("graph_export", QT_TR_NOOP("Export …"), QT_TR_NOOP("Write the graph as SVG, PNG, PDF or DOT"), {},
              [this] { exportWithDialog(); });
    addAction("graph_variants", QT_TR_NOOP("Blocks that differ"),
              QT_TR_NOOP("List how the instances of repeated blocks differ: fused here, not there"), {},
              [this] { listAllVariants(); });
    buildFoldActions();
    for (QAction* action : m_actions)
        if (!action->isCheckable()) m_menuActions.append(action);
    buildSelectionActions();
    buildChoices();
    retranslateActions();
}

void GraphView::buildFoldActions()
{
    m_openAll = addAction("graph_open_all", QT_TR_NOOP("Open all blocks"), QT_TR_NOOP("Open every block"), {},
                          [this] { openAll(); });
    m_foldAll = addAction("graph_fold_all", QT_TR_NOOP("Fold all blocks"), QT_TR_NOOP("Fold every block"), {},
                          [this] { foldAll(); });
    m_blocks = addToggle("graph_blocks", QT_TR_NOOP("Blocks"), QT_TR_NOOP("Fold repeated blocks into one"), true);
    m_scopes =
        addToggle("graph_scopes", QT_TR_NOOP("Scopes"), QT_TR_NOOP("Group nodes by the scopes in their names"), true);
    m_shapes = addToggle("graph_shapes", QT_TR_NOOP("Shapes"), QT_TR_NOOP("Write shapes on edges"), true);
    m_dataTypes =
        addToggle("graph_data_types", QT_TR_NOOP("Data types"), QT_TR_NOOP("Write data types on edges"), false);
    m_formats = addToggle("graph_formats", QT_TR_NOOP("Formats"),
                          QT_TR_NOOP("Write formats on edges where they are not plain (ND)"), true);
    m_constants = addToggle("graph_constants", QT_TR_NOOP("Constants"),
                            QT_TR_NOOP("Show constants as nodes of their own"), false);
    m_onlyChanged = addAction("graph_only_changes", QT_TR_NOOP("Only changes"),
                              QT_TR_NOOP("Show only what this step changed, with its neighbourhood"), {}, {});
    m_onlyChanged->setCheckable(true);
    connect(m_onlyChanged, &QAction::toggled, this, [this] {
        if (!m_isShowingState) filterChangedOnly();
    });
    m_resultsList = addAction("graph_results", QT_TR_NOOP("Results"),
                              QT_TR_NOOP("List what the search found (Enter in the search line)"), {}, {});
    m_resultsList->setCheckable(true);
    m_resultsList->setEnabled(false);
    connect(m_resultsList, &QAction::triggered, this, [this](bool isOn) { isOn ? showHits() : closeResults(); });
}

/// In the menu of a node these are offered for that node; here for what is selected.
void GraphView::buildSelectionActions()
{
    addAction("graph_toggle_block", QT_TR_NOOP("Open or fold the block"),
              QT_TR_NOOP("Open or fold the selected block, or draw all edges of a node (Enter in the graph)"), {},
              [this] { canvasInHand()->toggleCurrent(); });
    addAction("graph_up", QT_TR_NOOP("Go up"),
              QT_TR_NOOP("Fold the block around the selection (Backspace in the graph)"), {},
              [this] { canvasInHand()->goUp(); });
    addAction("graph_zoom_in", QT_TR_NOOP("Zoom in"), QT_TR_NOOP("Show less, and larger (+ in the graph)"), {},
              [this] { canvasInHand()->zoomStep(1); });
    addAction("graph_zoom_out", QT_TR_NOOP("Zoom out"), QT_TR_NOOP("Show more, and smaller (− in the graph)"), {},
              [this] { canvasInHand()->zoomStep(-1); });
    QAction* next = addAction("graph_next_hit", QT_TR_NOOP("Next result"),
                              QT_TR_NOOP("To the next node found (n in the graph)"), {}, [this] { stepHit(1); });
    QAction* previous = addAction("graph_previous_hit", QT_TR_NOOP("Previous result"),
                                  QT_TR_NOOP("To the node found before (p in the graph)"), {}, [this] { stepHit(-1); });
    for (QAction* action : {next, previous}) {
        action->setEnabled(false);
        connect(m_resultsList, &QAction::enabledChanged, action, &QAction::setEnabled);
    }
    addAction("graph_tab", QT_TR_NOOP("Open in a tab"),
              QT_TR_NOOP("Show the selected block, or the one around the selected node, in a tab of its own"), {},
              [this] { openSelectedInTab(); });
    m_closeTab = addAction("graph_close_tab", QT_TR_NOOP("Close the tab"), QT_TR_NOOP("Back to the whole graph"), {},
                           [this] { closeTab(m_tab); });
    addAction("graph_why", QT_TR_NOOP("Why not fused with …"),
              QT_TR_NOOP("Show why the selected node was not fused with its neighbours"), {},
              [this] { askWhyNotFused(); });
    addAction("graph_copy_name", QT_TR_NOOP("Copy name"), QT_TR_NOOP("Copy the names of the selected nodes"), {},
              [this] { copyNames(); });
    // As Ctrl and a click do: without a mouse the second node is walked to.
    m_keep =
        addAction("graph_keep", QT_TR_NOOP("Select with the next"),
                  QT_TR_NOOP("Keep the selected node: those that are chosen next join it, until this is switched off"),
                  QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_A), {});
    m_keep->setCheckable(true);
    connect(m_keep, &QAction::toggled, this, &GraphView::keepSelected);
    addAction("graph_around", QT_TR_NOOP("Show only its neighbourhood"),
              QT_TR_NOOP("Hide what is farther from the selection than so many edges"),
              QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_N), [this] { isolateNeighbourhood(); });
    addAction("graph_upstream", QT_TR_NOOP("Show only what it depends on"),
              QT_TR_NOOP("Hide all but what the selection depends on"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_U),
              [this] { isolateUpstream(); });
    addAction("graph_downstream", QT_TR_NOOP("Show only what depends on it"),
              QT_TR_NOOP("Hide all but what depends on the selection"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_D),
              [this] { isolateDownstream(); });
    addAction("graph_paths", QT_TR_NOOP("Show only paths between the two"),
              QT_TR_NOOP("Hide all but what lies between the two selected nodes"),
              QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_P), [this] { isolatePaths(); });
    m_showEverything =
        addAction("graph_everything", QT_TR_NOOP("Show everything"),
                  QT_TR_NOOP("End the restriction to a part of the graph"), {}, [this] { clearFilter(); });
    m_showEverything->setEnabled(false);
}

/// What the two boxes of the tool row offer, each as a command.
void GraphView::buildChoices()
{
    const auto add = [this](QList<QAction*>& to, std::initializer_list<const char*> names, auto choose) {
        auto* group = new QActionGroup(this);
        for (const char* name : names) {
            auto* action = new QAction(group);
            action->setObjectName(QLatin1String(name));
            action->setCheckable(true);
            action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
            connect(action, &QAction::triggered, this,
                    [choose, index = static_cast<int>(to.size())] { choose(index); });
            QWidget::addAction(action);
            to += action;
        }
    };
    add(m_modeActions, {"graph_before_after", "graph_overlay", "graph_after"},
        [this](int index) { setMode(static_cast<GraphMode>(index)); });
    add(m_colorActions,
        {"graph_colour_unit", "graph_colour_class", "graph_colour_engine", "graph_colour_stream",
         "graph_colour_data_type", "graph_colour_format", "graph_colour_latency", "graph_colour_memory",
         "graph_colour_pass"},
        [this](int index) { setColorBy(static_cast<ColorBy>(index)); });
}

QStringList GraphView::modeTexts() { return {tr("Before | after"), tr("Overlay"), tr("After only")}; }

QStringList GraphView::colorTexts()
{
    return {tr("Unit"),
            tr("Operator class"),
            tr("Engine"),
            tr("Stream"),
            tr("Data type"),
            tr("Format"),
            tr("Latency, estimated"),
            tr("Memory of results"),
            tr("Made by pass")};
}

void GraphView::retranslateActions()
{
    for (std::size_t i = 0; i < m_actionTexts.size(); ++i)
        setCommandTexts(m_actions[static_cast<qsizetype>(i)], tr(m_actionTexts[i].first), tr(m_actionTexts[i].second));
    const QStringList modes = modeTexts(), colors = colorTexts();
    for (int i = 0; i < m_modeActions.size(); ++i)
        setCommandTexts(m_modeActions[i], modes[i], tr("How the two steps are shown"));
    for (int i = 0; i < m_colorActions.size(); ++i)
        setCommandTexts(m_colorActions[i], colors[i], tr("What the colour of a node's stripe stands for"));
}

/// The canvas that commands speak of: with the focus, else the one that has the selection.
GraphCanvas* GraphView::canvasInHand() const
{
    if (m_before->isVisibleTo(this) &&
        (m_before->hasFocus() || (m_after->currentBox() < 0 && m_before->currentBox() >= 0)))
        return m_before;
    return m_after;
}

void GraphView::openSelectedInTab()
{
    const GraphCanvas* canvas = canvasInHand();
    if (!canvas->scene()) return;
    const FoldModel& fold = *canvas->scene()->fold;
    std::string key = canvas->selectedGroup();
    if (const auto& chosen = canvas->selectedNodes(); key.empty() && !chosen.empty())
        if (const int group = fold.groupOf(chosen.front()); group > 0) key = fold.group(group).key;
    if (key.empty()) return Q_EMIT statusMessage(tr("Select a block, or a node in one, first."));
    openInTab(key);
}

void GraphView::askWhyNotFused()
{
    const auto& chosen = canvasInHand()->selectedNodes();
    if (chosen.empty()) return Q_EMIT statusMessage(tr("Select a node first."));
    Q_EMIT whyNotFusedRequested(chosen.front());
}

void GraphView::keepSelected(bool isKept)
{
    const auto& chosen = canvasInHand()->selectedNodes();
    m_kept = isKept && !chosen.empty() ? chosen.front() : NodeId{};
    if (!isKept || m_kept.isValid()) return;
    Q_EMIT statusMessage(tr("Select a node first."));
    m_keep->setChecked(false);
}

void GraphView::copyNames()
{
    const GraphCanvas* canvas = canvasInHand();
    QStringList names;
    for (const NodeId node : canvas->selectedNodes())
        if (canvas->scene() && canvas->scene()->graph->contains(node))
            names += QString::fromStdString(canvas->scene()->graph->node(node).name);
    if (names.isEmpty()) return Q_EMIT statusMessage(tr("Select a node first."));
    QGuiApplication::clipboard()->setText(names.join(QLatin1Char('\n')));
}

} // namespace gelens
