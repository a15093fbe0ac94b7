#include "app/gui/debug_tools.h"

#include "app/gui/bisect_dialog.h"
#include "app/gui/card_tools.h"
#include "app/gui/help_tools.h"
#include "app/gui/main_window.h"
#include "engine/session/comparison_run.h"
#include "viewers/breakpoints/breakpoints_view.h"
#include "viewers/graph/graph_view.h"
#include "viewers/inspector/inspector_view.h"
#include "viewers/logdecoder/log_decoder_view.h"
#include "viewers/models/option_words.h"
#include "viewers/models/words.h"
#include "viewers/pipeline/pipeline_view.h"
#include "viewers/pipeline/step_strip.h"
#include "viewers/statistics/statistics_view.h"
#include "viewers/textdiff/text_diff_view.h"
#include "viewers/unfused/unfused_view.h"
#include "viewers/whatif/whatif_view.h"

#include <QAction>
#include <QStatusBar>
#include <QToolButton>

#include <algorithm>

namespace gelens {

DebugTools::DebugTools(MainWindow* window)
    : QObject(window), m_window(window), m_help(new HelpTools(window)), m_breakpoints(this),
      m_whatIfs(window->hub(), this), m_compareJob(this)
{
}

void DebugTools::createViews()
{
    m_whatIfView = new WhatIfView;
    m_window->addDock(m_whatIfView, QStringLiteral("whatif"));
    m_window->addDock(new BreakpointsView(&m_breakpoints), QStringLiteral("breakpoints"));
    m_window->addDock(new TextDiffView, QStringLiteral("textdiff"));
    m_window->addDock(new LogDecoderView, QStringLiteral("decoder"));
    static_cast<PipelineView*>(m_window->view(QStringLiteral("pipeline")))->setBreakpoints(&m_breakpoints);
    connect(static_cast<PipelineView*>(m_window->view(QStringLiteral("pipeline"))), &PipelineView::leaveOutRequested,
            this, &DebugTools::leaveOut);
    m_window->m_strip->setBreakpoints(&m_breakpoints);
    m_window->m_strip->changedOnly()->setChecked(true);

    connect(&m_breakpoints, &BreakpointList::hitsChanged, this, &DebugTools::updateActions);
    connect(static_cast<InspectorView*>(m_window->view(QStringLiteral("inspector"))), &InspectorView::panelRequested,
            m_window, &MainWindow::showView);
    connect(m_window->m_graph, &GraphView::whyNotFusedRequested, this, &DebugTools::whyNotFused);
    connect(m_whatIfView, &WhatIfView::runRequested, this, &DebugTools::tryOut);
    connect(m_whatIfView, &WhatIfView::compareRequested, this, &DebugTools::compare);
    connect(m_whatIfView, &WhatIfView::useRequested, this, &DebugTools::use);
    connect(m_whatIfView, &WhatIfView::removeRequested, &m_whatIfs, &WhatIfRuns::remove);
    connect(m_whatIfView, &WhatIfView::runChosen,
            static_cast<StatisticsView*>(m_window->view(QStringLiteral("statistics"))), &StatisticsView::setOther);
    connect(m_whatIfView, &WhatIfView::renameRequested, &m_whatIfs, &WhatIfRuns::rename);
    connect(static_cast<UnfusedView*>(m_window->view(QStringLiteral("unfused"))), &UnfusedView::remedyRequested, this,
            &DebugTools::tryOut);
    connect(&m_whatIfs, &WhatIfRuns::changed, this, &DebugTools::updateRuns);
    connect(&m_whatIfs, &WhatIfRuns::progress, m_window, &MainWindow::showProgress);
    connect(&m_whatIfs, &WhatIfRuns::finished, this, [this] {
        m_window->m_isCancelling = false;
        nextComparison();
        m_window->updateStatus();
    });
}

void DebugTools::createActions()
{
    const auto add = [this](const char* name, const QKeySequence& keys, const std::function<void()>& run) {
        m_window->addAction(QString::fromLatin1(name), keys, run);
    };
    add("run_to_breakpoint", QKeySequence(Qt::Key_F8), [this] { goToStop(+1); });
    add("back_to_breakpoint", QKeySequence(Qt::SHIFT | Qt::Key_F8), [this] { goToStop(-1); });
    add("toggle_breakpoint", QKeySequence(Qt::CTRL | Qt::Key_B), [this] { togglePassBreakpoint(); });
    add("break_on_node", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_B), [this] { breakOnSelection(); });
    add("bisect", QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_G), [this] { findPass(); });
    add("leave_out", QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_X), [this] { leaveOut(m_window->hub()->shownStep()); });
    m_help->createActions();
}

void DebugTools::retranslate()
{
    m_window->setActionText("run_to_breakpoint", tr("Run to breakpoint"),
                            tr("On to the next step at which a breakpoint stops"));
    m_window->setActionText("back_to_breakpoint", tr("Back to breakpoint"),
                            tr("Back to the step before at which a breakpoint stops"));
    m_window->setActionText("toggle_breakpoint", tr("Breakpoint on this pass"),
                            tr("Set or take away a breakpoint on the pass shown"));
    m_window->setActionText("break_on_node", tr("Break on the selected node"),
                            tr("Stop at every step that touches the selected node"));
    m_window->setActionText("bisect", tr("Find the pass that…"),
                            tr("Find by halving which pass changes results, takes a node away or moves a figure"));
    m_window->setActionText("leave_out", tr("What-if without this pass"),
                            tr("Compile without the pass shown and compare"));
    m_help->retranslate();
    m_window->setActionText("panel_whatif", tr("What-if"), tr("Compile with other options and compare"));
    m_window->setActionText("panel_breakpoints", tr("Breakpoints"), tr("Show what stops the walk through the steps"));
    m_window->setDockTitle("whatif", tr("What-if"));
    m_window->setDockTitle("breakpoints", tr("Breakpoints"));
    m_window->setActionText("panel_textdiff", tr("Text diff"), tr("Compare two dumps as text, by node and attribute"));
    m_window->setDockTitle("textdiff", tr("Text diff"));
    m_window->setActionText("panel_decoder", tr("Log decoder"), tr("Read a log of ATC or GE with the model at hand"));
    m_window->setDockTitle("decoder", tr("Log decoder"));
}

void DebugTools::updateActions()
{
    const auto run = m_window->hub()->run();
    const StepId shown = m_window->hub()->shownStep();
    m_window->action(QStringLiteral("run_to_breakpoint"))
        ->setEnabled(run && m_breakpoints.nextStop(shown, +1).isValid());
    m_window->action(QStringLiteral("back_to_breakpoint"))
        ->setEnabled(run && m_breakpoints.nextStop(shown, -1).isValid());
    m_window->action(QStringLiteral("toggle_breakpoint"))->setEnabled(run != nullptr);
    const OpenModel* model = m_window->hub()->current();
    const bool isCompile =
        run && model->session && !model->isHalted && !run->isUnderWay && run->sourceOf(StepId{0}) == nullptr;
    m_window->action(QStringLiteral("bisect"))->setEnabled(isCompile);
    m_window->action(QStringLiteral("leave_out"))->setEnabled(isCompile && shown.value > 0 && run->mode == "full");
    m_window->action(QStringLiteral("break_on_node"))->setEnabled(run && m_window->hub()->selection().node.isValid());
}

void DebugTools::showCurrent()
{
    m_breakpoints.setRun(m_window->hub()->run());
    updateRuns();
}

void DebugTools::goToStop(int direction)
{
    Hub* hub = m_window->hub();
    const StepId stop = m_breakpoints.nextStop(hub->shownStep(), direction);
    if (!stop.isValid()) return;
    hub->showStep(stop);
    NodeId node;
    for (const BreakpointList::Entry& entry : m_breakpoints.entries())
        for (const BreakpointHit& hit : entry.hits)
            if (entry.breakpoint.isEnabled && hit.step == stop && hit.node.isValid() && !node.isValid())
                node = hit.node;
    const QStringList reasons = m_breakpoints.reasonsAt(stop);
    if (node.isValid()) hub->select(Selection::ofNode(node));
    m_window->statusBar()->showMessage(
        tr("Stopped at step %1: %2").arg(stop.value).arg(reasons.join(QStringLiteral("; "))), 15000);
}

void DebugTools::togglePassBreakpoint()
{
    if (const auto run = m_window->hub()->run()) m_breakpoints.togglePass(run->step(m_window->hub()->shownStep()).pass);
}

void DebugTools::breakOnSelection()
{
    const auto run = m_window->hub()->run();
    const NodeId node = m_window->hub()->selection().node;
    if (!run || !node.isValid()) return;
    const QString refused = m_breakpoints.add({BreakpointKind::Node, run->nameOf(node), {}, true});
    if (!refused.isEmpty()) m_window->statusBar()->showMessage(refused, 8000);
    m_window->showView(QStringLiteral("breakpoints"));
}

/// The panel of chains explains where the node stands in one; where it does not, the window says so.
void DebugTools::whyNotFused(NodeId node)
{
    const auto run = m_window->hub()->run();
    if (!run) return;
    m_window->hub()->select(Selection::ofNode(node));
    auto* unfused = static_cast<UnfusedView*>(m_window->view(QStringLiteral("unfused")));
    std::vector<NodeId> wanted = run->becameOf(node); // chains stand in the last graph
    wanted.push_back(node);
    const auto holds = [&](const std::vector<NodeId>& nodes) {
        return std::any_of(wanted.begin(), wanted.end(),
                           [&](NodeId each) { return std::find(nodes.begin(), nodes.end(), each) != nodes.end(); });
    };
    const bool isInChain = std::any_of(run->chains.begin(), run->chains.end(), [&](const Chain& chain) {
        return std::any_of(chain.occurrences.begin(), chain.occurrences.end(), holds);
    });
    const bool isFused = !isInChain && std::any_of(run->steps.begin(), run->steps.end(), [&](const Step& step) {
        return std::any_of(step.verdicts.begin(), step.verdicts.end(), [&](const FusionVerdict& verdict) {
            return verdict.fused && (holds(verdict.nodes) || holds({verdict.into}));
        });
    });
    m_window->showView(QStringLiteral("unfused")); // a run that it takes in chooses the list, too
    unfused->tabs()->setCurrentIndex(isFused ? 1 : 0);
    if (!isInChain && !isFused)
        m_window->statusBar()->showMessage(
            tr("No fusion rule names %1 and a neighbour of it.").arg(words::text(run->nameOf(node))), 8000);
}

void DebugTools::findPass()
{
    const OpenModel* model = m_window->hub()->current();
    if (model == nullptr || !model->run) return;
    auto* dialog = new BisectDialog(model->run, model->session, m_window);
    connect(dialog, &BisectDialog::stepChosen, this,
            [this, id = model->id, run = model->run](StepId step, NodeId node) {
                Hub* hub = m_window->hub();
                const OpenModel* there = hub->find(id);
                if (there == nullptr || there->run != run) return; // the steps are those of another run now
                hub->setCurrent(id);
                hub->showStep(step);
                if (node.isValid()) hub->select(Selection::ofNode(node));
                m_window->showView(QStringLiteral("graph"));
            });
    dialog->show();
}

void DebugTools::leaveOut(StepId id)
{
    const OpenModel* model = m_window->hub()->current();
    if (model == nullptr || !model->run) return;
    const Step& step = model->run->step(id);
    // Several rules may run as one pass of GE; the one that is meant has a name of its own.
    const auto isSame = [&](const Step& other) { return other.pass == step.pass; };
    const bool isShared = std::count_if(model->run->steps.begin(), model->run->steps.end(), isSame) > 1;
    CompileOptions options = model->run->options;
    options.skippedPasses.push_back(isShared && !step.rule.empty() ? step.rule : step.pass);
    tryOut(options, words::optionChanges(optionChanges(model->run->options, options)));
}

void DebugTools::tryOut(const CompileOptions& options, const QString& name)
{
    const OpenModel* model = m_window->hub()->current();
    if (model == nullptr || isComparison(model->id)) return;
    m_window->showView(QStringLiteral("whatif")); // its form starts from the run
    m_whatIfView->propose(options);
    m_whatIfs.start(model->id, options, name);
    m_window->updateStatus();
}

void DebugTools::updateRuns()
{
    const OpenModel* model = m_window->hub()->current();
    m_whatIfView->setKeptRuns(model == nullptr ? std::vector<KeptRun>() : m_whatIfs.runsOf(model->id));
}

void DebugTools::compare(int id)
{
    if (const OpenModel* model = m_window->hub()->current()) startComparison(model->id, id);
}

void DebugTools::startComparison(int id, int keptId)
{
    const OpenModel* model = m_window->hub()->find(id);
    const KeptRun* kept = m_whatIfs.find(keptId);
    if (model == nullptr || !model->run || kept == nullptr || !kept->run) {
        Q_EMIT comparisonOpened(-1, keptId);
        return;
    }
    m_compareJob.start(
        [base = model->run, other = kept->run, baseName = tr("base run").toStdString(),
         name = kept->name.toStdString()](std::stop_token) { return comparisonRun(base, baseName, other, name); },
        [this, id, keptId](std::shared_ptr<const Run> run) {
            m_compareJob.finished();
            Hub* hub = m_window->hub();
            const int added = hub->addModel(words::text(run->modelName), run->options);
            m_comparisons[added] = {id, keptId};
            hub->setRun(added, run);
            m_window->showView(QStringLiteral("graph"));
            Q_EMIT comparisonOpened(added, keptId);
            nextComparison();
        });
}

DebugTools::Comparison DebugTools::comparisonOf(int model) const
{
    const auto found = m_comparisons.find(model);
    return found == m_comparisons.end() ? Comparison() : found->second;
}

void DebugTools::compareWhenDone(int kept)
{
    m_toCompare.push_back(kept);
    nextComparison();
}

/// One at a time: a job that begins takes the place of the one under way.
void DebugTools::nextComparison()
{
    if (m_compareJob.isRunning() || m_toCompare.empty()) return;
    const KeptRun* kept = m_whatIfs.find(m_toCompare.front());
    if (kept != nullptr && kept->isRunning) return; // its end comes back here
    const int id = m_toCompare.front();
    m_toCompare.pop_front();
    startComparison(m_whatIfs.modelOf(id), id);
    if (!m_compareJob.isRunning()) nextComparison();
}

void DebugTools::use(int id)
{
    const OpenModel* model = m_window->hub()->current();
    const KeptRun* kept = m_whatIfs.find(id);
    if (model == nullptr || kept == nullptr) return;
    if (!kept->cards.empty()) return m_window->cardTools()->split(model->id, kept->options.cards);
    m_window->jobs()->rerun(model->id, kept->options);
}

} // namespace gelens
