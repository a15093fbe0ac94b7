// GraphView: its widgets and actions.

#include "viewers/graph/graph_bars.h"
#include "viewers/graph/graph_canvas.h"
#include "viewers/graph/graph_view.h"

#include <QAction>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace gelens {
namespace {

constexpr int busyAfter = 250;  ///< milliseconds before a layout is worth a notice
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
    column->addWidget(splitter, 1);
    column->addWidget(buildStatusRow());

    m_pages = new QStackedWidget;
    m_pages->addWidget(m_page);
    m_pages->addWidget(content);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(m_pages);

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
}

QAction* GraphView::addAction(const QString& text, const QString& toolTip, const QKeySequence& shortcut, void (GraphView::*slot)())
{
    auto* action = new QAction(text, this);
    action->setToolTip(shortcut.isEmpty() ? toolTip : tr("%1 (%2)").arg(toolTip, shortcut.toString(QKeySequence::NativeText)));
    action->setShortcut(shortcut);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    if (slot != nullptr) connect(action, &QAction::triggered, this, slot);
    QWidget::addAction(action);
    m_actions.append(action);
    return action;
}

void GraphView::buildActions()
{
    const auto checkable = [this](const QString& text, const QString& toolTip, bool isOn) {
        QAction* action = addAction(text, toolTip, {}, nullptr);
        action->setCheckable(true);
        action->setChecked(isOn);
        return action;
    };
    addAction(tr("Fit"), tr("Show the whole graph (Space in the graph)"), QKeySequence(tr("Ctrl+0")), &GraphView::fitAll);
    addAction(tr("Fit selection"), tr("Show the selection with its surroundings (F in the graph)"), {}, &GraphView::fitSelection);
    addAction(tr("Next change"), tr("Select the next node that this step changed"), QKeySequence(tr("F7")), &GraphView::nextChange);
    addAction(tr("Previous change"), tr("Select the previous node that this step changed"), QKeySequence(tr("Shift+F7")), &GraphView::previousChange);
    addAction(tr("Tidy"), tr("Lay the graph out anew; until then nodes keep their places from step to step"), {}, &GraphView::tidy);
    addAction(tr("Open all blocks"), tr("Open every block"), {}, &GraphView::openAll);
    addAction(tr("Fold all blocks"), tr("Fold every block"), {}, &GraphView::foldAll);
    addAction(tr("Find"), tr("Find nodes"), QKeySequence::Find, &GraphView::focusSearch);
    addAction(tr("Export …"), tr("Write the graph as SVG, PNG, PDF or DOT"), {}, &GraphView::exportWithDialog);
    m_blocks = checkable(tr("Blocks"), tr("Fold repeated blocks into one"), true);
    m_scopes = checkable(tr("Scopes"), tr("Group nodes by the scopes in their names"), true);
    m_shapes = checkable(tr("Shapes"), tr("Write shapes, and formats other than ND, on edges"), true);
    m_constants = checkable(tr("Constants"), tr("Show constants as nodes of their own"), false);
    m_onlyChanged = checkable(tr("Only changes"), tr("Show only what this step changed, with its neighbourhood"), false);
    m_showEverything = addAction(tr("Show everything"), tr("End the restriction to a part of the graph"), {}, &GraphView::clearFilter);
    m_showEverything->setEnabled(false);
    for (QAction* action : {m_blocks, m_scopes})
        connect(action, &QAction::toggled, this, [this] { setFolding({m_scopes->isChecked(), m_blocks->isChecked()}); });
    connect(m_shapes, &QAction::toggled, this, [this] { request(SceneChange::Step); });
    connect(m_constants, &QAction::toggled, this, &GraphView::tidy);
    connect(m_onlyChanged, &QAction::toggled, this, &GraphView::filterChangedOnly);
}

QWidget* GraphView::buildToolBar()
{
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(6, 3, 6, 3);
    row->setSpacing(4);
    m_modeBox = new QComboBox;
    m_modeBox->addItems({tr("Before | after"), tr("Overlay"), tr("After only")});
    m_modeBox->setToolTip(tr("How the two steps are shown"));
    m_modeBox->setAccessibleName(tr("Comparison"));
    connect(m_modeBox, &QComboBox::activated, this, [this](int index) { setMode(static_cast<GraphMode>(index)); });
    row->addWidget(m_modeBox);
    m_colorBox = new QComboBox;
    m_colorBox->addItems({tr("Unit"), tr("Operator class"), tr("Data type"), tr("Format"), tr("Made by pass")});
    m_colorBox->setToolTip(tr("What the colour of a node's stripe stands for"));
    m_colorBox->setAccessibleName(tr("Colour by"));
    connect(m_colorBox, &QComboBox::activated, this, [this](int index) { setColorBy(static_cast<ColorBy>(index)); });
    auto* colorLabel = new QLabel(tr("Colour:"));
    colorLabel->setBuddy(m_colorBox);
    row->addWidget(colorLabel);
    row->addWidget(m_colorBox);
    auto* foldLabel = new QLabel(tr("Fold:"));
    row->addWidget(foldLabel);
    for (QAction* action : {m_blocks, m_scopes}) row->addWidget(buttonFor(action, bar));
    row->addWidget(new QLabel(tr("Show:")));
    for (QAction* action : {m_shapes, m_constants, m_onlyChanged}) row->addWidget(buttonFor(action, bar));
    m_hops = new QSpinBox;
    m_hops->setRange(0, 9);
    m_hops->setValue(1);
    m_hops->setPrefix(QStringLiteral("± "));
    m_hops->setToolTip(tr("How many edges around the changes are shown"));
    m_hops->setAccessibleName(tr("Neighbourhood"));
    connect(m_hops, &QSpinBox::valueChanged, this, [this] {
        if (m_onlyChanged->isChecked()) filterChangedOnly();
    });
    row->addWidget(m_hops);
    QWidget* everything = buttonFor(m_showEverything, bar);
    // Only there while something is hidden: the row has little room.
    everything->setVisible(false);
    connect(m_showEverything, &QAction::changed, everything,
            [this, everything] { everything->setVisible(m_showEverything->isEnabled()); });
    row->addWidget(everything);
    row->addStretch();
    m_searchLine = new QLineEdit;
    m_searchLine->setPlaceholderText(tr("Find: text, type:MatMul*, shape:1,332, attr:axis"));
    m_searchLine->setClearButtonEnabled(true);
    m_searchLine->setMinimumWidth(150);
    m_searchLine->setMaximumWidth(340);
    m_searchLine->setAccessibleName(tr("Find nodes"));
    m_searchLine->setToolTip(tr("Substring, glob (* ?) or /regular expression/; fields name: type: dtype: shape: format: attr: unit: "
                                "stream: pass:. Enter and Shift+Enter go through the results, in the graph n and p."));
    connect(m_searchLine, &QLineEdit::textChanged, this, [this] { m_searchTimer->start(); });
    connect(m_searchLine, &QLineEdit::returnPressed, this, [this] {
        m_searchTimer->stop();
        if (m_hits.empty())
            search();
        else
            stepHit(QGuiApplication::keyboardModifiers() & Qt::ShiftModifier ? -1 : 1);
    });
    row->addWidget(m_searchLine, 1);
    m_hitLabel = new QLabel;
    m_hitLabel->setTextFormat(Qt::PlainText);
    row->addWidget(m_hitLabel);
    return bar;
}

QWidget* GraphView::buildStatusRow()
{
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 2, 8, 2);
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
        if (key.empty())
            fitAll();
        else
            clickGroup(key);
    });
    row->addWidget(m_crumbs, 1);
    m_progress = new QLabel(tr("Laying out …"));
    m_progress->hide();
    row->addWidget(m_progress);
    m_cancel = new QToolButton;
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(tr("Stop the layout"));
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
    connect(canvas, &GraphCanvas::backgroundClicked, this, [this] { selectNodes({}); });
    connect(canvas, &GraphCanvas::groupToggleRequested, this, &GraphView::toggleGroup);
    connect(canvas, &GraphCanvas::hubToggleRequested, this, &GraphView::toggleHub);
    connect(canvas, &GraphCanvas::menuRequested, this,
            [this, canvas](int box, const QPoint& at) { showMenu(canvas, box, at); });
}

} // namespace gelens
