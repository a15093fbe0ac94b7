#include "viewers/statistics/statistics_view.h"

#include "viewers/common/column_fit.h"
#include "viewers/common/compared_runs.h"
#include "viewers/common/formatter.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/models/fusions_model.h"
#include "viewers/models/om_file_model.h"
#include "viewers/models/run_figures.h"
#include "viewers/models/statistics_model.h"
#include "viewers/models/words.h"

#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTreeView>
#include <QVBoxLayout>

namespace gelens {
namespace {

constexpr std::size_t mostSelected = 500; ///< nodes that one selection can still show and compare

} // namespace

StatisticsView::StatisticsView(QWidget* parent)
    : View(parent), m_figuresModel(new StatisticsModel(this)), m_histogramModel(new HistogramModel(this)),
      m_fusionsModel(new FusionsModel(this)), m_fileModel(new OmFileModel(this)), m_figures(new TablePanel),
      m_histogram(new TablePanel), m_fusions(new TablePanel), m_file(new TablePanel), m_tabs(new QTabWidget),
      m_notes(new QLabel), m_counting(this), m_looking(this)
{
    m_figures->setName(QStringLiteral("statistics"));
    m_figures->setFilterVisible(false);
    m_figures->setModel(m_figuresModel);
    m_histogram->setName(QStringLiteral("operators"));
    m_histogram->setModel(m_histogramModel);
    m_fusions->setName(QStringLiteral("fusions"));
    m_fusions->setModel(m_fusionsModel);
    m_fusions->view()->setIndentation(14);
    new ColumnFit(m_figures->view(), {{StatisticsModel::Figure, 90}, {StatisticsModel::Other, 60}},
                  StatisticsModel::Figure);
    new ColumnFit(m_histogram->view(), {{HistogramModel::Type, 100}, {HistogramModel::Bars, 60}}, HistogramModel::Bars,
                  240);
    new ColumnFit(m_fusions->view(), {{FusionsModel::Rule, 170}, {FusionsModel::Summary, 40}}, FusionsModel::Summary);

    m_file->setName(QStringLiteral("om-file"));
    m_file->setModel(m_fileModel);
    m_file->view()->setIndentation(14);
    new ColumnFit(m_file->view(), {{OmFileModel::Part, 160}, {OmFileModel::Says, 60}}, OmFileModel::Says);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_fusions, QString());
    m_tabs->addTab(m_file, QString());
    m_tabs->setTabVisible(1, false);
    m_tabs->tabBar()->hide();
    m_tabs->setFocusPolicy(Qt::NoFocus); // Tab would go to the bar, which is not there, and no further

    m_notes->setWordWrap(true);
    m_notes->setTextFormat(Qt::PlainText);
    m_notes->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_notes->setContentsMargins(8, 4, 8, 4);
    m_notes->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_notes);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* left = new QSplitter(Qt::Vertical);
    left->addWidget(m_figures);
    left->addWidget(scroll);
    left->setStretchFactor(1, 1); // the reference table is short and has its rows; the notes have the rest
    left->setSizes({190, 70});
    left->setChildrenCollapsible(false);

    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(left);
    splitter->addWidget(m_histogram);
    splitter->addWidget(m_tabs);
    splitter->setSizes({470, 410, 560});
    m_stack = new StateStack(splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    connect(m_fusions, &TablePanel::activated, this, &StatisticsView::goTo);
    connect(m_histogram, &TablePanel::activated, this, &StatisticsView::selectType);
    connect(m_histogram, &TablePanel::menuAboutToShow, this, [this](QMenu* menu, const QModelIndex& index) {
        if (index.isValid())
            menu->addAction(tr("Select all operators of this type"), Qt::Key_Return, this,
                            [this, index = QPersistentModelIndex(index)] { selectType(index); });
    });
    setFocusProxy(m_figures->view());
    retranslate();
}

void StatisticsView::setOther(std::shared_ptr<const Run> other, const QString& name)
{
    m_figuresModel->setOther(std::move(other), name);
}

void StatisticsView::setFile(std::shared_ptr<const OmDetails> om)
{
    if (om == m_fileModel->file()) return;
    const bool isOm = om != nullptr, isPlanned = isOm && om->carriesPlan; // then nothing was fused here
    m_fileModel->setFile(std::move(om));
    for (int row = 0; row < 2; ++row) // sizes and partitions; the long lists stay closed
        m_file->view()->expand(m_file->view()->model()->index(row, 0));
    m_tabs->setTabVisible(1, isOm);
    m_tabs->tabBar()->setVisible(isOm);
    m_tabs->setFocusPolicy(isOm ? Qt::TabFocus : Qt::NoFocus);
    m_tabs->setCurrentIndex(isPlanned ? 1 : 0);
}

QString StatisticsView::notes() const { return m_notes->text(); }

void StatisticsView::goTo(const QModelIndex& index)
{
    const QVariant step = index.data(StepRole), node = index.data(NodeRole);
    if (step.isValid()) Q_EMIT stepRequested(StepId{step.toInt()});
    if (node.isValid()) Q_EMIT selectionRequested(Selection::ofNode(NodeId{node.toInt()}));
}

void StatisticsView::selectType(const QModelIndex& index)
{
    if (!run() || !index.isValid()) return;
    m_looking.start(
        [run = run(), step = shownStep(), type = m_histogramModel->row(index.row()).type](std::stop_token) {
            std::vector<NodeId> nodes;
            const auto graph = run->graphAt(step);
            graph->forEachNode(rootGraph, [&](const Node& node) {
                if (node.type == type && nodes.size() < mostSelected) nodes.push_back(node.id);
            });
            return nodes;
        },
        [this, type = index.siblingAtColumn(HistogramModel::Type).data().toString()](std::vector<NodeId> nodes) {
            m_looking.finished();
            if (nodes.empty())
                return Q_EMIT statusMessage(tr("The graph of step %1 has no %2.").arg(shownStep().value).arg(type));
            Selection wanted = Selection::ofNode(nodes.front());
            wanted.more.assign(nodes.begin() + 1, nodes.end());
            Q_EMIT selectionRequested(wanted);
        });
}

void StatisticsView::selectionChanged()
{
    m_looking.cancel();
    const NodeId node = selection().node;
    const QModelIndex place = m_fusionsModel->indexOfNode(node);
    if (place.isValid() && m_fusions->currentIndex().data(NodeRole).toInt() != node.value)
        m_fusions->setCurrentIndex(place);
    if (!run() || !node.isValid()) return m_histogram->setCurrentIndex({});
    m_looking.start(
        [run = run(), node, step = shownStep()](std::stop_token) {
            auto graph = run->graphAt(step);
            if (!graph->contains(node)) graph = run->graphAt(run->livesOf({node}).front().born);
            return graph->contains(node) ? graph->node(node).type : std::string();
        },
        [this](const std::string& type) {
            m_looking.finished();
            int row = 0;
            while (row < m_histogramModel->rowCount() && m_histogramModel->row(row).type != type) ++row;
            m_histogram->setCurrentIndex(row < m_histogramModel->rowCount() ? m_histogramModel->index(row, 0)
                                                                            : QModelIndex());
        });
}

void StatisticsView::runChanged()
{
    m_figuresModel->setRun(run());
    m_histogramModel->setRun(run());
    m_fusionsModel->setRun(run());
    updateNotes();
    updateEmptyText();
    m_stack->follow(*this);
}

void StatisticsView::stepChanged()
{
    m_counting.cancel();
    if (!run() || run()->sourceOf(shownStep()) == nullptr) return;
    using Counts = HistogramModel::Counts;
    m_counting.start(
        [run = run(), before = comparedStep(), after = shownStep()](std::stop_token) {
            return std::pair<Counts, Counts>(run->histogramAt(before), run->histogramAt(after));
        },
        [this](const std::pair<Counts, Counts>& counts) {
            m_counting.finished();
            m_histogramModel->setCounts(counts.first, counts.second);
            selectionChanged();
        });
}

void StatisticsView::stateChanged() { m_stack->follow(*this); }

void StatisticsView::updateEmptyText()
{
    m_histogram->setEmptyText(tr("Neither graph has an operator."));
    m_figures->setEmptyText(tr("There are no figures of this run."));
    m_fusions->setEmptyText(
        run() && !isCompiled(*run())
            ? tr("Beside these files no fusion_result.json was found, so how often a rule fused is not known.")
        : run() && comparesRuns(*run())
            ? tr("Two runs are compared here; how often the rules fused is shown with the model itself.")
            : tr("No fusion rule matched."));
}

void StatisticsView::updateNotes()
{
    if (!run()) return m_notes->clear();
    const RunStatistics& s = run()->statistics;
    QStringList lines;
    if (!isCompiled(*run())) { // of files: what was not planned has no figures
        lines += tr("Operators: first phase against last. Weights: %1.").arg(format::bytes(s.weightBytes));
        return m_notes->setText(lines.join(QLatin1Char('\n')));
    }
    if (hasEndedEarly(*run())) lines += tr("What the run did not get to has no figures.");
    if (hasMemoryFigures(*run()))
        lines +=
            tr("Memory: peak %1 · lower bound %2 · GE's own policy %3 · unshared %4 · weights %5")
                .arg(format::bytes(s.memoryAfter), format::bytes(s.memoryLowerBound), format::bytes(s.memoryGeAfter),
                     format::bytes(s.memoryUnsharedAfter), format::bytes(s.weightBytes));
    if (!hasEndedEarly(*run()))
        lines += tr("Rates: fusion %1 · memory reuse %2")
                     .arg(s.nodes.before ? format::percent(s.fusionRate) : QStringLiteral("–"),
                          format::percent(s.memoryReuseRate));
    if (s.latencyUs.before && comparesRuns(*run())) // what causes it is known of one run alone
        lines += tr("Latency gain, estimated: %1").arg(format::microseconds(*s.latencyUs.before - s.latencyUs.after));
    else if (s.latencyUs.before)
        lines += tr("Latency gain, estimated: %1 = dispatch %2 + traffic %3 + compute %4")
                     .arg(format::microseconds(s.gain.total()), format::microseconds(s.gain.dispatchUs),
                          format::microseconds(s.gain.trafficUs), format::microseconds(s.gain.computeUs));
    if (hasTaskFigures(*run()))
        lines += tr("Kernels: %1 compiled, %2 shared · engine time %3")
                     .arg(format::count(s.compiledKernels), format::count(s.sharedKernels),
                          format::milliseconds(s.engineMilliseconds));
    if (s.fullLoadMs || s.lightLoadMs) {
        const auto time = [](const std::optional<double>& ms) {
            return ms ? format::milliseconds(*ms) : QStringLiteral("–");
        };
        lines += tr("Load: full compilation %1 · lightweight %2").arg(time(s.fullLoadMs), time(s.lightLoadMs));
    }
    m_notes->setText(lines.join(QLatin1Char('\n')));
}

void StatisticsView::retranslate()
{
    updateEmptyText();
    m_figuresModel->refresh();
    m_histogramModel->refresh();
    m_fusionsModel->refresh();
    m_tabs->setTabText(0, tr("Fusion rules"));
    m_tabs->setTabText(1, tr("Parts of the file"));
    if (m_fileModel->file()) m_fileModel->retranslate();
    updateNotes();
    m_stack->follow(*this);
}

void StatisticsView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    View::changeEvent(event);
}

} // namespace gelens
