// GraphView: its widgets.

#include "viewers/graph/graph_bars.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"
#include "viewers/graph/lineage_overlay.h"
#include "viewers/graph/overflow_row.h"
#include "viewers/graph/results_panel.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gelens {
namespace {

constexpr int busyAfter = 250;   ///< milliseconds before a layout is worth a notice
constexpr int searchAfter = 150; ///< milliseconds after the last key

QToolButton* buttonFor(QAction* action, QWidget* parent)
{
    auto* button = new QToolButton(parent);
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    return button;
}

} // namespace

void GraphView::buildWidgets()
{
    buildActions();
    m_page = new QLabel;
    m_page->setTextFormat(Qt::PlainText);
    m_page->setAlignment(Qt::AlignCenter);
    m_page->setWordWrap(true);
    m_page->setMargin(32);

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildToolBar());
    m_tabBar = new QTabBar;
    m_tabBar->setExpanding(false);
    m_tabBar->setDocumentMode(true);
    m_tabBar->setTabsClosable(true);
    m_tabBar->setElideMode(Qt::ElideMiddle);
    m_tabBar->addTab(QString());
    for (const auto side : {QTabBar::LeftSide, QTabBar::RightSide})
        m_tabBar->setTabButton(0, side, nullptr); // it stays
    say([this] {
        m_tabBar->setTabText(0, tr("Whole graph"));
        m_tabBar->setAccessibleName(tr("Blocks in tabs"));
    });
    m_tabBar->hide();
    connect(m_tabBar, &QTabBar::currentChanged, this, &GraphView::showTab);
    connect(m_tabBar, &QTabBar::tabCloseRequested, this, &GraphView::closeTab);
    column->addWidget(m_tabBar);
    column->addWidget(buildCanvases(), 1);
    column->addWidget(buildStatusRow());

    m_pages = new QStackedWidget;
    m_pages->addWidget(m_page);
    m_pages->addWidget(content);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_pages);
    setFocusProxy(m_after); // arrows walk along its edges

    m_busyTimer = new QTimer(this);
    m_busyTimer->setSingleShot(true);
    m_busyTimer->setInterval(busyAfter);
    connect(m_busyTimer, &QTimer::timeout, this, [this] {
        m_progress->show();
        m_cancel->show();
        if (!m_after->scene()) m_after->setMessage(tr("Laying out the graph …"));
    });
    m_searchTimer = new QTimer(this);
    m_searchTimer->setSingleShot(true);
    m_searchTimer->setInterval(searchAfter);
    connect(m_searchTimer, &QTimer::timeout, this, &GraphView::search);
    updateHistory();
}

void GraphView::say(std::function<void()> text)
{
    text();
    m_texts.push_back(std::move(text));
}

void GraphView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        retranslateActions();
        for (const auto& text : m_texts) text();
        showPage();
        updateSummary();
        updateCaptions();
    }
    View::changeEvent(event);
}

QWidget* GraphView::buildCanvases()
{
    m_canvases = new QWidget;
    auto* room = new QVBoxLayout(m_canvases);
    room->setContentsMargins(0, 0, 0, 0);
    auto* splitter = new QSplitter(Qt::Horizontal);
    m_before = new GraphCanvas;
    m_before->setObjectName(QStringLiteral("before"));
    m_after = new GraphCanvas;
    m_after->setObjectName(QStringLiteral("after"));
    for (GraphCanvas* canvas : {m_before, m_after}) {
        splitter->addWidget(canvas);
        connectCanvas(canvas);
    }
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({1000, 1000});
    m_before->hide();
    room->addWidget(splitter);
    m_lineage = new LineageOverlay(m_before, m_after, m_canvases);
    m_results = new ResultsPanel(m_canvases);
    connect(m_results, &ResultsPanel::closed, this, &GraphView::closeResults);
    connect(m_results, &ResultsPanel::nodeChosen, this, [this](NodeId node) {
        const auto found = std::find(m_hits.begin(), m_hits.end(), node);
        if (found != m_hits.end()) m_hit = static_cast<int>(found - m_hits.begin());
        selectNodes({node});
        reveal(node);
        if (found != m_hits.end()) showHitCount();
    });
    connect(m_results, &ResultsPanel::groupChosen, this, [this](const std::string& key) {
        const auto& scene = m_after->scene();
        const int group = scene ? scene->fold->findKey(key) : -1;
        if (group < 0) return;
        if (scene->fold->group(group).nodes.empty()) return clickGroup(key);
        reveal(scene->fold->group(group).nodes.front());
        for (GraphCanvas* canvas : {m_before, m_after}) canvas->setSelectedGroup(key);
    });
    m_canvases->installEventFilter(this);
    return m_canvases;
}

/// What lies over the canvases follows their size.
bool GraphView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_canvases && event->type() == QEvent::Resize) {
        m_lineage->setGeometry(m_canvases->rect());
        if (m_results->isVisible()) m_results->place();
    }
    return View::eventFilter(watched, event);
}

QWidget* GraphView::buildToolBar()
{
    m_tools = new OverflowRow;
    const auto fillFrom = [](QComboBox* box, const QList<QAction*>& actions) {
        return [box, actions](QMenu* menu) { menu->addMenu(box->accessibleName())->addActions(actions); };
    };
    m_modeBox = new QComboBox;
    m_modeBox->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_modeBox->addItems(modeTexts());
    connect(m_modeBox, &QComboBox::activated, this, [this](int index) { setMode(static_cast<GraphMode>(index)); });
    m_tools->add(m_modeBox, 6, fillFrom(m_modeBox, m_modeActions));
    m_colorBox = new QComboBox;
    m_colorBox->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_colorBox->addItems(colorTexts());
    connect(m_colorBox, &QComboBox::activated, this, [this](int index) { setColorBy(static_cast<ColorBy>(index)); });
    auto* colorLabel = new QLabel;
    colorLabel->setBuddy(m_colorBox);
    m_tools->add(colorLabel, 0);
    m_tools->add(m_colorBox, 4, fillFrom(m_colorBox, m_colorActions));
    say([this, colorLabel] {
        m_modeBox->setToolTip(tr("How the two steps are shown"));
        m_modeBox->setAccessibleName(tr("Comparison"));
        m_colorBox->setToolTip(tr("What the colour of a node's stripe stands for"));
        m_colorBox->setAccessibleName(tr("Colour by"));
        colorLabel->setText(tr("Colour:"));
        for (int i = 0; i < m_modeBox->count(); ++i) m_modeBox->setItemText(i, modeTexts()[i]);
        for (int i = 0; i < m_colorBox->count(); ++i) m_colorBox->setItemText(i, colorTexts()[i]);
    });
    const auto addMenuButton = [this](const QList<QAction*>& actions, int need) {
        auto* button = new QToolButton;
        button->setAutoRaise(true);
        button->setPopupMode(QToolButton::InstantPopup);
        auto* menu = new QMenu(button);
        menu->addActions(actions);
        button->setMenu(menu);
        m_tools->add(button, need, [button, actions](QMenu* to) { to->addMenu(button->text())->addActions(actions); });
        return button;
    };
    QToolButton* fold = addMenuButton({m_blocks, m_scopes, m_openAll, m_foldAll}, 5);
    QToolButton* labels = addMenuButton({m_shapes, m_dataTypes, m_formats, m_constants}, 5);
    say([fold, labels] {
        fold->setText(tr("Fold"));
        fold->setToolTip(tr("What is folded into blocks"));
        labels->setText(tr("Labels"));
        labels->setToolTip(tr("What is written on edges, and whether constants are nodes"));
    });
    m_tools->add(buttonFor(m_onlyChanged, m_tools), 3, [this](QMenu* menu) { menu->addAction(m_onlyChanged); });
    m_hops = new QSpinBox;
    m_hops->setRange(0, 9);
    m_hops->setValue(1);
    m_hops->setPrefix(QStringLiteral("± "));
    say([this] {
        m_hops->setToolTip(tr("How many edges around the changes are shown"));
        m_hops->setAccessibleName(tr("Neighbourhood"));
    });
    connect(m_hops, &QSpinBox::valueChanged, this, [this] {
        if (m_onlyChanged->isChecked()) filterChangedOnly();
    });
    m_tools->add(m_hops, 1, [this](QMenu* menu) {
        QMenu* hops = menu->addMenu(tr("Neighbourhood"));
        for (int i = 0; i <= m_hops->maximum(); ++i) {
            QAction* action = hops->addAction(QStringLiteral("± %1").arg(i), this, [this, i] { m_hops->setValue(i); });
            action->setCheckable(true);
            action->setChecked(i == m_hops->value());
        }
    });
    QToolButton* undoButton = buttonFor(m_undoAction, m_tools);
    undoButton->setText(QStringLiteral("↶"));
    QToolButton* redoButton = buttonFor(m_redoAction, m_tools);
    redoButton->setText(QStringLiteral("↷"));
    say([undoButton, redoButton] {
        undoButton->setAccessibleName(undoButton->defaultAction()->text());
        redoButton->setAccessibleName(redoButton->defaultAction()->text());
    });
    for (QToolButton* button : {undoButton, redoButton}) {
        m_tools->add(button, 2, [action = button->defaultAction()](QMenu* menu) { menu->addAction(action); });
        // The action's text would come back with every change of the action.
        connect(button->defaultAction(), &QAction::changed, button,
                [button, sign = button->text()] { button->setText(sign); });
    }
    m_everything = buttonFor(m_showEverything, m_tools);
    m_tools->add(m_everything, 7, [this](QMenu* menu) { menu->addAction(m_showEverything); });
    m_tools->setWanted(m_everything, false); // only there while something is hidden
    m_tools->addStretching(buildSearch(), 190);
    return m_tools;
}

QWidget* GraphView::buildSearch()
{
    auto* group = new QWidget;
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addStretch(1);
    m_searchLine = new QLineEdit;
    m_searchLine->setClearButtonEnabled(true);
    m_searchLine->setObjectName(QStringLiteral("search"));
    m_searchLine->setMinimumWidth(90);
    m_searchLine->setMaximumWidth(340);
    say([this] {
        m_searchLine->setPlaceholderText(tr("Find: text, type:MatMul*, shape:1,332, attr:axis"));
        m_searchLine->setAccessibleName(tr("Find nodes"));
        m_searchLine->setToolTip(
            tr("Substring, glob (* ?) or /regular expression/; fields name: type: dtype: shape: format: attr: unit: "
               "engine: stream: pass: verdict:. Enter lists the results and goes to the next, Shift+Enter to the "
               "previous; in the graph n and p."));
    });
    connect(m_searchLine, &QLineEdit::textChanged, this, [this] { m_searchTimer->start(); });
    connect(m_searchLine, &QLineEdit::returnPressed, this, [this] {
        m_searchTimer->stop();
        if (m_hits.empty()) {
            search();
            return;
        }
        if (!m_results->isVisible()) showHits();
        stepHit(QGuiApplication::keyboardModifiers() & Qt::ShiftModifier ? -1 : 1);
    });
    row->addWidget(m_searchLine, 4);
    auto* saved = new QToolButton;
    saved->setText(QStringLiteral("★"));
    saved->setAutoRaise(true);
    say([saved] {
        saved->setToolTip(tr("Searches to keep"));
        saved->setAccessibleName(saved->toolTip());
    });
    saved->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(saved);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillSavedSearches(menu); });
    saved->setMenu(menu);
    saved->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    row->addWidget(saved);
    auto* list = buttonFor(m_resultsList, group);
    list->setText(QStringLiteral("☰"));
    connect(m_resultsList, &QAction::changed, list, [list] { list->setText(QStringLiteral("☰")); });
    row->addWidget(list);
    m_hitLabel = new QLabel;
    m_hitLabel->setTextFormat(Qt::PlainText);
    m_hitLabel->setMaximumWidth(100);
    row->addWidget(m_hitLabel);
    return group;
}

/// Boxes and buttons say what the state says.
void GraphView::showInWidgets()
{
    m_isShowingState = true;
    m_modeBox->setCurrentIndex(static_cast<int>(m_now.mode));
    m_colorBox->setCurrentIndex(static_cast<int>(m_now.colorBy));
    m_modeActions[static_cast<int>(m_now.mode)]->setChecked(true);
    m_colorActions[static_cast<int>(m_now.colorBy)]->setChecked(true);
    m_blocks->setChecked(m_now.folding.byBlocks);
    m_scopes->setChecked(m_now.folding.byScopes);
    m_shapes->setChecked(m_now.labels.shape);
    m_dataTypes->setChecked(m_now.labels.dataType);
    m_formats->setChecked(m_now.labels.format);
    m_constants->setChecked(m_now.showConstants);
    m_onlyChanged->setChecked(m_now.filter.kind == GraphFilter::Kind::Changed);
    const bool isRestricted = m_now.filter.kind != GraphFilter::Kind::All;
    m_showEverything->setEnabled(isRestricted);
    m_tools->setWanted(m_everything, isRestricted);
    m_isShowingState = false;
}

QWidget* GraphView::buildStatusRow()
{
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 0, 8, 0);
    row->setSpacing(10);
    m_summary = new QLabel;
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setObjectName(QStringLiteral("summary"));
    QFont bold = m_summary->font();
    bold.setBold(true);
    m_summary->setFont(bold);
    row->addWidget(m_summary);
    m_crumbs = new CrumbBar;
    connect(m_crumbs, &CrumbBar::chosen, this, [this](const std::string& key) {
        if (key.empty() && m_tab > 0)
            openWholeGraph();
        else if (key.empty())
            fitAll();
        else
            clickGroup(key);
    });
    row->addWidget(m_crumbs, 1);
    m_progress = new QLabel;
    m_progress->hide();
    row->addWidget(m_progress);
    m_cancel = new QToolButton;
    say([this] {
        m_progress->setText(tr("Laying out …"));
        m_cancel->setText(tr("Cancel"));
        m_cancel->setToolTip(tr("Stop the layout"));
    });
    m_cancel->hide();
    connect(m_cancel, &QToolButton::clicked, this, &GraphView::cancelLayout);
    row->addWidget(m_cancel);
    m_legend = new LegendBar;
    row->addWidget(m_legend, 1);
    return bar;
}

void GraphView::connectCanvas(GraphCanvas* canvas)
{
    connect(canvas, &GraphCanvas::viewMoved, this, [this, canvas] { linkViews(canvas); });
    connect(canvas, &GraphCanvas::nodeClicked, this, &GraphView::clickNode);
    connect(canvas, &GraphCanvas::groupClicked, this, &GraphView::clickGroup);
    connect(canvas, &GraphCanvas::backgroundClicked, this, [this] {
        m_keep->setChecked(false);
        selectNodes({});
    });
    connect(canvas, &GraphCanvas::groupToggleRequested, this, &GraphView::toggleGroup);
    connect(canvas, &GraphCanvas::hubToggleRequested, this, &GraphView::toggleHub);
    connect(canvas, &GraphCanvas::menuRequested, this,
            [this, canvas](int box, const QPoint& at) { showMenu(canvas, box, at); });
}

} // namespace gelens
