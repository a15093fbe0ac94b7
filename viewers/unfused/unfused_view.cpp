#include "viewers/unfused/unfused_view.h"

#include "viewers/common/chart_export.h"
#include "viewers/common/column_fit.h"
#include "viewers/common/compared_runs.h"
#include "viewers/common/formatter.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/models/fusions_model.h"
#include "viewers/models/words.h"
#include "viewers/unfused/chains_model.h"
#include "viewers/unfused/explanation_card.h"

#include <QEvent>
#include <QSplitter>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <unordered_set>

namespace gelens {

UnfusedView::UnfusedView(QWidget* parent)
    : View(parent), m_chainsModel(new ChainsModel(this)), m_fusionsModel(new FusionsModel(this)),
      m_chains(new TablePanel), m_fusions(new TablePanel), m_tabs(new QTabWidget), m_card(new ExplanationCard)
{
    m_chains->setName(QStringLiteral("unfused"));
    m_chains->setModel(m_chainsModel);
    m_chains->view()->setIndentation(14);
    new ColumnFit(
        m_chains->view(),
        {{ChainsModel::Why, 150}, {ChainsModel::Nodes, 140}, {ChainsModel::FitsWhen, 60}, {ChainsModel::Remedy, 60}},
        ChainsModel::Remedy, 260);
    m_fusions->setName(QStringLiteral("fusions"));
    m_fusions->setModel(m_fusionsModel);
    m_fusions->view()->setIndentation(14);
    new ColumnFit(m_fusions->view(), {{FusionsModel::Rule, 140}, {FusionsModel::Summary, 100}}, FusionsModel::Summary);
    m_tabs->addTab(m_chains, QString());
    m_tabs->addTab(m_fusions, QString());
    m_tabs->setDocumentMode(true);

    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_tabs);
    splitter->addWidget(m_card);
    splitter->setSizes({860, 520});
    m_stack = new StateStack(splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    connect(m_chains, &TablePanel::chosen, this, &UnfusedView::chooseChain);
    connect(m_chains, &TablePanel::activated, this, &UnfusedView::chooseChain);
    connect(m_fusions, &TablePanel::chosen, this, &UnfusedView::chooseFusion);
    connect(m_fusions, &TablePanel::activated, this, [this](const QModelIndex& index) {
        const QVariant step = index.data(StepRole);
        if (step.isValid()) Q_EMIT stepRequested(StepId{step.toInt()});
        chooseFusion(index);
    });
    connect(m_tabs, &QTabWidget::currentChanged, this, &UnfusedView::showCurrent);
    connect(m_card, &ExplanationCard::nodeClicked, this,
            [this](NodeId node) { Q_EMIT selectionRequested(Selection::ofNode(node)); });
    connect(m_card, &ExplanationCard::remedyRequested, this, &UnfusedView::remedyRequested);
    new ChartExport(this, m_card->content(), [this]() -> ChartExport::Chart {
        if (!run() || m_card->isEmpty()) return {};
        return {tr("Export the explanation"),
                words::text(run()->modelName) + QStringLiteral("-explanation"),
                ChartExport::writerOf(*m_card->content()),
                {}};
    });
    setFocusProxy(m_chains->view());
    retranslate();
}

QString UnfusedView::stateText() const { return m_stack->isContent() ? QString() : m_stack->page()->text(); }

void UnfusedView::runChanged()
{
    m_ownChain = -1;
    m_card->showNothing();
    m_chainsModel->setRun(run());
    m_fusionsModel->setRun(run());
    // Most models have no chain that misses a number, and what to do needs the room.
    for (const int column : {ChainsModel::Needs, ChainsModel::Has, ChainsModel::FitsWhen})
        m_chains->setColumnWanted(column, m_chainsModel->hasText(column));
    m_tabs->setCurrentIndex(run() && run()->chains.empty() && !run()->fusions.empty() ? 1 : 0);
    // Classes are open, the links of a chain folded.
    for (int row = 0; row < m_chains->view()->model()->rowCount(); ++row)
        m_chains->view()->expand(m_chains->view()->model()->index(row, 0));
    m_chains->setCurrentIndex(firstChain());
    retranslate();
    showCurrent();
}

QModelIndex UnfusedView::firstChain() const
{
    const QModelIndex first = m_chainsModel->index(0, 0);
    return first.isValid() ? m_chainsModel->index(0, 0, first) : QModelIndex();
}

void UnfusedView::stateChanged()
{
    m_stack->follow(*this);
    if (!run() || !run()->chains.empty() || !run()->fusions.empty()) return;
    if (run()->isUnderWay)
        m_stack->showEmpty(tr("The run has not looked for chains yet."),
                           tr("It is halted; continue it from the Run menu."));
    else if (run()->failed || run()->wasCancelled)
        m_stack->showEmpty(tr("The run ended before chains were looked for."),
                           tr("The problems list says what stopped it; run the model again."));
    else if (run()->mode == "light")
        m_stack->showEmpty(tr("A compiled file does not say why a chain was not fused."),
                           tr("Open the model that it was compiled from: its compile looks at every chain."));
    else if (comparesRuns(*run()))
        m_stack->showEmpty(tr("Two runs are compared here by their graphs."),
                           tr("Choose the model in the Models view to see the chains of its run."));
    else if (run()->sourceOf(StepId{0}) != nullptr)
        m_stack->showEmpty(tr("Files do not say why a chain was not fused."),
                           tr("Open the model itself and compile it, then set the dumps beside the run."));
    else
        m_stack->showEmpty(tr("No fusion rule names two neighbours of this model."),
                           tr("A chain is listed where a fusion rule names both of two neighbours."));
}

void UnfusedView::showCurrent()
{
    const QModelIndex index = m_tabs->currentIndex() == 0 ? m_chains->currentIndex() : m_fusions->currentIndex();
    if (m_tabs->currentIndex() == 1 && run() && !index.isValid()) m_fusions->setCurrentIndex(firstPlace());
    if (!run() || (m_tabs->currentIndex() == 0 && !index.isValid())) return m_card->showNothing();
    if (m_tabs->currentIndex() == 1) return showFusion(m_fusions->currentIndex());
    const ChainItem& row = m_chainsModel->item(index);
    if (row.chain >= 0)
        m_card->showChain(run(), row.chain, row.link);
    else
        m_card->showNothing();
}

void UnfusedView::chooseChain(const QModelIndex& index)
{
    if (!run() || !index.isValid()) return;
    const ChainItem& row = m_chainsModel->item(index);
    showCurrent();
    if (row.chain < 0) return;
    const Chain& chain = run()->chains[static_cast<std::size_t>(row.chain)];
    Selection wanted;
    wanted.chain = row.chain;
    if (row.link >= 0) {
        const ChainLink& link = chain.links[static_cast<std::size_t>(row.link)];
        wanted.node = link.from;
        wanted.more = {link.to};
    } else if (!chain.nodes.empty()) {
        wanted.node = chain.nodes.front();
        wanted.more.assign(chain.nodes.begin() + 1, chain.nodes.end());
    }
    m_ownChain = row.chain;
    Q_EMIT selectionRequested(wanted);
}

void UnfusedView::showFusion(const QModelIndex& index)
{
    if (!index.isValid()) return m_card->showNothing();
    const FusionItem& row = m_fusionsModel->item(index);
    if (row.place != nullptr) return m_card->showVerdict(run(), row.place);
    // A rule: the first place where it took effect, else one where it was refused.
    const FusionVerdict* shown = nullptr;
    for (const Step& step : run()->steps)
        for (const FusionVerdict& verdict : step.verdicts)
            if (row.rule != nullptr && verdict.rule == row.rule->rule &&
                (shown == nullptr || (verdict.fused && !shown->fused)))
                shown = &verdict;
    if (shown != nullptr)
        m_card->showVerdict(run(), shown);
    else
        m_card->showNothing();
}

void UnfusedView::chooseFusion(const QModelIndex& index)
{
    if (!run() || !index.isValid()) return;
    showFusion(index);
    const FusionItem& row = m_fusionsModel->item(index);
    if (row.place == nullptr) return;
    Selection wanted = Selection::ofNode(row.place->into);
    wanted.more = row.place->nodes;
    m_ownChain = -1;
    Q_EMIT selectionRequested(wanted);
}

QModelIndex UnfusedView::firstPlace() const
{
    for (int rule = 0; rule < m_fusionsModel->rowCount(); ++rule)
        if (const QModelIndex index = m_fusionsModel->index(rule, 0); m_fusionsModel->rowCount(index) > 0) return index;
    return m_fusionsModel->index(0, 0);
}

void UnfusedView::selectionChanged()
{
    if (!run()) return;
    std::unordered_set<NodeId> nodes;
    const auto add = [&](NodeId node) {
        if (node.isValid()) nodes.insert(node);
    };
    add(selection().node);
    // Chains stand in the last graph: a node of an earlier step is looked for in what it became.
    if (selection().node.isValid() && selection().chain < 0)
        for (const NodeId node : run()->becameOf(selection().node)) add(node);
    for (const NodeId node : selection().more) add(node);
    const int marked = m_chainsModel->mark(nodes);
    if (selection().chain >= 0 && selection().chain == m_ownChain) return;
    m_ownChain = -1;
    const int chain = selection().chain >= 0 ? selection().chain : marked;
    if (chain >= 0) m_chains->setCurrentIndex(m_chainsModel->indexOfChain(chain));
    if (const QModelIndex fusion = m_fusionsModel->indexOfNode(selection().node);
        fusion.isValid() && m_fusions->currentIndex() != fusion) {
        const QModelIndex current = m_fusions->currentIndex();
        // A place that speaks of the node already stays.
        const FusionVerdict* place = current.isValid() ? m_fusionsModel->item(current).place : nullptr;
        if (place == nullptr || place->into != selection().node) m_fusions->setCurrentIndex(fusion);
    }
    if (!nodes.empty()) showCurrent();
}

void UnfusedView::retranslate()
{
    m_chainsModel->refresh();
    m_fusionsModel->refresh();
    const int fused =
        run() ? static_cast<int>(std::count_if(run()->fusions.begin(), run()->fusions.end(),
                                               [](const FusionSummary& rule) { return rule.effective > 0; }))
              : 0;
    m_tabs->setTabText(
        0, tr("Not fused (%1)").arg(format::count(run() ? static_cast<std::int64_t>(run()->chains.size()) : 0)));
    m_tabs->setTabText(1, tr("Fused (%1 rules)").arg(format::count(fused)));
    m_chains->view()->setAccessibleName(tr("Chains that were not fused"));
    m_fusions->view()->setAccessibleName(tr("Fusion rules and their places"));
    m_card->setAccessibleName(tr("Explanation"));
    showCurrent();
    stateChanged();
}

void UnfusedView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    View::changeEvent(event);
}

} // namespace gelens
