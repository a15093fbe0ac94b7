#include "viewers/memory/memory_view.h"

#include "engine/report/chart_svg.h"
#include "engine/session/memory_queries.h"
#include "viewers/common/column_fit.h"
#include "viewers/common/compared_runs.h"
#include "viewers/common/elided_label.h"
#include "viewers/common/formatter.h"
#include "viewers/common/palette.h"
#include "viewers/common/plain_label.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/common/view_limits.h"
#include "viewers/memory/alive_model.h"
#include "viewers/memory/memory_canvas.h"
#include "viewers/memory/savings_model.h"
#include "viewers/memory/share_reason.h"
#include "viewers/models/words.h"
#include "viewers/picture/chart_file.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace gelens {
namespace {

/// Policies whose plan can be laid over, in the order of the box.
constexpr MemoryPolicy overlayPolicies[] = {MemoryPolicy::Ge, MemoryPolicy::Simple, MemoryPolicy::Greedy,
                                            MemoryPolicy::Optimal};

} // namespace

MemoryView::MemoryView(QWidget* parent)
    : View(parent), m_aliveModel(new AliveModel(this)), m_savingsModel(new SavingsModel(this)),
      m_canvas(new MemoryCanvas), m_alive(new TablePanel), m_savings(new TablePanel), m_tabs(new QTabWidget),
      m_side(new QSplitter(Qt::Vertical)), m_summary(plainLabel()), m_details(plainLabel()), m_reason(plainLabel()),
      m_aliveTitle(new ElidedLabel), m_savingsTitle(plainLabel()), m_axis(new QComboBox), m_overlay(new QComboBox),
      m_holes(new QCheckBox), m_find(new QLineEdit), m_fit(new QToolButton), m_peak(new QToolButton),
      m_export(new QToolButton), m_exporting(new ChartExport(this, m_canvas, [this] { return chart(); })),
      m_background(this), m_overlayJob(this), m_savingsJob(this)
{
    m_alive->setName(QStringLiteral("memory"));
    m_alive->setModel(m_aliveModel);
    m_alive->view()->header()->setMinimumSectionSize(36);
    new ColumnFit(m_alive->view(), {{AliveModel::Tensor, 100}, {AliveModel::Type, 60}}, AliveModel::Tensor);
    m_axis->addItems({QString(), QString()});
    for (std::size_t i = 0; i <= std::size(overlayPolicies); ++i) m_overlay->addItem(QString());
    m_overlay->setObjectName(QStringLiteral("overlay"));
    m_overlay->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_holes->setObjectName(QStringLiteral("holes"));
    m_holes->setChecked(true);
    m_find->setClearButtonEnabled(true);
    m_find->setMaximumWidth(160);
    m_peak->setEnabled(false);
    // The tools stand over the map alone and the summary over both, so that a low window keeps rows in the lists.
    auto* toolRow = new QHBoxLayout;
    toolRow->setContentsMargins(4, 2, 4, 2);
    toolRow->setSpacing(4);
    for (QWidget* tool : std::initializer_list<QWidget*>{m_axis, m_overlay, m_holes}) toolRow->addWidget(tool);
    toolRow->addWidget(m_find, 1);
    toolRow->addStretch(0);
    for (QWidget* tool : std::initializer_list<QWidget*>{m_fit, m_export}) toolRow->addWidget(tool);
    auto* map = new QWidget;
    auto* mapLayout = new QVBoxLayout(map);
    mapLayout->setContentsMargins(0, 0, 0, 0);
    mapLayout->setSpacing(0);
    mapLayout->addLayout(toolRow);
    mapLayout->addWidget(m_canvas, 1);
    QWidget* side = makeSide();
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(map);
    splitter->addWidget(side);
    splitter->setStretchFactor(0, 3); // names of tensors are long
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({900, 460});
    auto* content = new QWidget;
    auto* contentLayout = new QVBoxLayout(content);
    contentLayout->setContentsMargins(0, 0, 0, 0);
    contentLayout->setSpacing(0);
    m_summary->setContentsMargins(6, 2, 6, 2);
    m_reason->setContentsMargins(6, 2, 6, 2);
    m_reason->setObjectName(QStringLiteral("reason"));
    m_reason->hide();
    contentLayout->addWidget(m_summary);
    contentLayout->addWidget(m_reason);
    contentLayout->addWidget(splitter, 1);
    m_stack = new StateStack(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    connect(m_export, &QToolButton::clicked, m_exporting, &ChartExport::exportWithDialog);
    connect(m_overlay, &QComboBox::currentIndexChanged, this, &MemoryView::overlayChosen);
    connect(m_holes, &QCheckBox::toggled, m_canvas, &MemoryCanvas::setHolesShown);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this](int tab) {
        if (tab == 1) findSavings();
    });
    connect(m_savings, &TablePanel::chosen, this, [this](const QModelIndex& index) {
        if (index.isValid()) request({m_savingsModel->row(index.row()).buffer});
    });
    connect(m_savings, &TablePanel::activated, this, [this](const QModelIndex& index) {
        if (index.isValid()) m_canvas->reveal(m_savingsModel->row(index.row()).buffer);
    });
    connect(m_axis, &QComboBox::currentIndexChanged, m_canvas,
            [this](int index) { m_canvas->setTimeMode(index == 1); });
    connect(m_find, &QLineEdit::textChanged, m_canvas, &MemoryCanvas::setFilter);
    connect(m_fit, &QToolButton::clicked, m_canvas, &MemoryCanvas::fit);
    connect(m_peak, &QToolButton::clicked, this, [this] { showAlive(-1); });
    connect(m_canvas, &MemoryCanvas::bufferClicked, this, &MemoryView::choose);
    connect(m_canvas, &MemoryCanvas::positionClicked, this, &MemoryView::showAlive);
    connect(m_alive->view()->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (!m_isSelecting) chooseRows();
    });
    connect(m_alive, &TablePanel::activated, this, [this](const QModelIndex& index) {
        if (index.isValid()) m_canvas->reveal(m_aliveModel->row(index.row()).buffer);
    });
    setFocusProxy(m_canvas);
    retranslate();
}

MemoryView::~MemoryView() = default;

QWidget* MemoryView::makeSide()
{
    m_details->setContentsMargins(6, 4, 6, 4);
    m_details->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_savings->setName(QStringLiteral("memory-savings"));
    m_savings->setModel(m_savingsModel);
    new ColumnFit(m_savings->view(), {{SavingsModel::Tensor, 90}, {SavingsModel::How, 120}}, SavingsModel::How);
    m_savings->filterLine()->setMaximumWidth(90);
    m_savings->tools()->insertWidget(0, m_savingsTitle, 4);
    m_alive->filterLine()->setMaximumWidth(110);
    m_alive->tools()->insertWidget(0, m_aliveTitle, 4);
    m_alive->tools()->addWidget(m_peak);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_alive, QString());
    m_tabs->addTab(m_savings, QString());
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_details);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setMinimumHeight(m_details->fontMetrics().lineSpacing() + 8);
    m_side->setChildrenCollapsible(false);
    m_side->addWidget(m_tabs);
    m_side->addWidget(scroll);
    m_side->setStretchFactor(0, 1);
    connect(m_side, &QSplitter::splitterMoved, this, [this] { m_isSideUsers = true; });
    shareSide(false);
    return m_side;
}

void MemoryView::shareSide(bool hasFacts)
{
    m_side->widget(1)->setVisible(hasFacts);
    if (m_isSideUsers || !hasFacts) return;
    const int all = std::max(m_side->height(), 200);
    const int facts = std::min(m_details->heightForWidth(m_details->width()) + 4, all * 2 / 5);
    m_side->setSizes({all - facts, facts});
}

void MemoryView::setOverlay(std::optional<MemoryPolicy> policy)
{
    const auto* found =
        std::find(std::begin(overlayPolicies), std::end(overlayPolicies), policy.value_or(MemoryPolicy::Best));
    m_overlay->setCurrentIndex(
        policy && found != std::end(overlayPolicies) ? 1 + static_cast<int>(found - std::begin(overlayPolicies)) : 0);
}

void MemoryView::overlayChosen()
{
    m_overlayJob.cancel();
    m_overlayPlan.reset();
    m_canvas->setOverlay(nullptr);
    updateSummary();
    const int index = m_overlay->currentIndex();
    if (index <= 0 || !run() || !m_picture) return;
    struct Answer {
        std::shared_ptr<const MemoryPlan> plan;
        std::shared_ptr<const MemoryPicture> picture;
    };
    m_overlayJob.start(
        [run = run(), policy = overlayPolicies[index - 1]](std::stop_token stop) {
            Answer answer;
            auto plan = planWithPolicy(*run, policy, stop);
            if (!plan.ok()) return answer;
            answer.plan = std::make_shared<const MemoryPlan>(std::move(*plan));
            answer.picture = std::make_shared<const MemoryPicture>(*run, *answer.plan);
            return answer;
        },
        [this, name = m_overlay->currentText()](const Answer& answer) {
            m_overlayJob.finished();
            if (!answer.plan) return Q_EMIT statusMessage(tr("No plan can be made by that policy."));
            m_overlayPlan = answer.plan;
            m_canvas->setOverlay(answer.picture, name);
            updateSummary();
        });
}

void MemoryView::findSavings()
{
    if (m_areSavingsAsked || !run() || !m_picture || m_picture->blocks().empty()) return;
    m_areSavingsAsked = true;
    updateSavingsTitle();
    m_savingsJob.start(
        [run = run()](std::stop_token stop) {
            auto found = peakSavingsOf(*run, 12, stop);
            return found.ok() ? std::move(*found) : std::vector<PeakSaving>{};
        },
        [this](std::vector<PeakSaving> found) {
            m_savingsJob.finished();
            m_areSavingsFound = true;
            updateSavingsTitle();
            m_savingsModel->setSavings(run(), std::move(found));
        });
}

void MemoryView::updateSavingsTitle()
{
    if (!run() || !m_areSavingsAsked) return m_savingsTitle->clear();
    m_savingsTitle->setText(m_areSavingsFound
                                ? tr("Each row: one change, planned anew. The peak is %1 now; savings do not add up.")
                                      .arg(format::bytes(run()->plan.totals.featureMapPeak))
                                : tr("Planning anew for each change to a tensor at the peak …"));
}

ChartExport::Chart MemoryView::chart() const
{
    if (!run() || (!m_picture && !isTooLarge())) return {};
    const auto write = [run = run(), overlay = m_overlayPlan,
                        isDark = Palette::of(palette()).isDark()](const std::string& path) {
        if (QString::fromStdString(path).endsWith(QLatin1String(".csv"), Qt::CaseInsensitive))
            return writeText(memoryToCsv(*run), path);
        ChartOptions options;
        options.isDark = isDark;
        options.overlay = overlay.get();
        return writeChart(memoryToSvg(*run, options), path);
    };
    return {tr("Export the memory map"), words::text(run()->modelName) + QStringLiteral("-memory"), write,
            QStringLiteral("CSV (*.csv)")};
}

QString MemoryView::summary() const { return m_summary->text(); }
QString MemoryView::details() const
{
    return m_reason->text().isEmpty() ? m_details->text()
                                      : m_reason->text() + QStringLiteral("\n\n") + m_details->text();
}
QString MemoryView::stateText() const { return m_stack->isContent() ? QString() : m_stack->page()->text(); }
void MemoryView::setTimeMode(bool isTime) { m_axis->setCurrentIndex(isTime ? 1 : 0); }

void MemoryView::runChanged()
{
    m_picture.reset();
    m_chosen.clear();
    m_canvas->setPicture(nullptr, nullptr);
    m_background.cancel();
    m_overlayJob.cancel();
    m_savingsJob.cancel();
    m_overlayPlan.reset();
    m_areSavingsAsked = m_areSavingsFound = false;
    updateSavingsTitle();
    if (run()) m_savingsModel->setSavings(run(), {});
    updateSummary();
    updateDetails();
    stateChanged();
    if (!run() || isTooLarge()) return;
    m_background.start([run = run()](std::stop_token) { return std::make_shared<const MemoryPicture>(*run); },
                       [this](std::shared_ptr<const MemoryPicture> picture) { pictureReady(std::move(picture)); });
}

void MemoryView::pictureReady(std::shared_ptr<const MemoryPicture> picture)
{
    m_background.finished();
    m_picture = std::move(picture);
    m_canvas->setPicture(run(), m_picture);
    m_canvas->setFilter(m_find->text());
    showAlive(-1);
    stateChanged();
    selectionChanged();
    overlayChosen();
    if (m_tabs->currentIndex() == 1) findSavings();
}

bool MemoryView::isTooLarge() const { return run() && run()->plan.buffers.size() > limits::memoryBlocks; }

void MemoryView::stateChanged()
{
    m_stack->follow(*this);
    if (isTooLarge())
        return m_stack->showTooLarge(
            {tr("%1 tensors are to be drawn; the memory map shows up to %2.")
                 .arg(format::count(static_cast<std::int64_t>(run()->plan.buffers.size())),
                      format::count(limits::memoryBlocks)),
             tr("The statistics have the totals. All tensors with their addresses can be written as CSV."),
             tr("Export…"), [this] { m_exporting->exportWithDialog(); }});
    if (!run() || !m_picture || !m_picture->blocks().empty()) return;
    if (run()->isUnderWay)
        m_stack->showEmpty(tr("The run has not planned memory yet."),
                           tr("It is halted; continue it from the Run menu."));
    else if (run()->failed || run()->wasCancelled)
        m_stack->showEmpty(tr("The run ended before memory was planned."),
                           tr("The problems list says what stopped it; run the model again to get a plan."));
    else if (!run()->plan.isComplete && !run()->plan.buffers.empty())
        m_stack->showEmpty(tr("Sizes are missing, so no memory could be planned."),
                           tr("Give the dynamic inputs a shape and run the model again."));
    else if (run()->mode == "light")
        m_stack->showEmpty(tr("The file plans no memory for tensors between operators."),
                           tr("A model of dynamic shapes plans it as it runs; inputs, outputs and weights have regions "
                              "of their own."));
    else
        m_stack->showEmpty(tr("No intermediate tensor needs memory."),
                           tr("Inputs, outputs and weights have regions of their own."));
}

void MemoryView::updateSummary()
{
    if (!run()) return m_summary->clear();
    const RunStatistics& s = run()->statistics;
    MemoryTotals totals = run()->plan.totals;
    if (comparesRuns(*run())) { // the plan was read from the graph, which has places alone
        totals.gePeak = s.memoryGeAfter;
        totals.lowerBound = s.memoryLowerBound;
    }
    QString text =
        tr("Peak %1 · lower bound %2 · GE's policy %3 · unshared %4 · weights apart %5")
            .arg(format::bytes(totals.featureMapPeak), format::bytes(totals.lowerBound), format::bytes(totals.gePeak),
                 format::bytes(totals.unshared), format::bytes(totals.weights));
    if (totals.gePeak > totals.featureMapPeak)
        text += tr(" · %1 below GE's policy")
                    .arg(format::percent(1 - static_cast<double>(totals.featureMapPeak) /
                                                 static_cast<double>(totals.gePeak)));
    else if (totals.gePeak == totals.featureMapPeak && totals.gePeak > 0)
        text += tr(" · the same as GE's policy");
    if (m_picture && m_picture->peakPosition() >= 0 && m_picture->holesAt(m_picture->peakPosition()) > 0)
        text += tr(" · holes at the peak %1").arg(format::bytes(m_picture->holesAt(m_picture->peakPosition())));
    if (m_overlayPlan)
        text += tr(" · outlines: %1, peak %2")
                    .arg(m_overlay->currentText(), format::bytes(m_overlayPlan->totals.featureMapPeak));
    if (run()->plan.isProvedOptimal || totals.featureMapPeak == totals.lowerBound) text += tr(" · proved optimal");
    // A plan that was read from a dump may be worse than none.
    const std::int64_t reused = totals.unshared - totals.featureMapPeak;
    const QString saved = reused >= 0 ? tr("Reuse saves %1 (%2 → %3): places used again.")
                                      : tr("The plan takes %1 more than a place for each tensor (%2 → %3).");
    const QString reuse = saved.arg(format::bytes(std::abs(reused)), format::bytes(totals.unshared),
                                    format::bytes(totals.featureMapPeak));
    // Of two runs that are compared the figure before is a planned peak, too.
    if (!s.memoryBefore || comparesRuns(*run())) return m_summary->setText(text + QLatin1Char('\n') + reuse);
    const std::int64_t fused = *s.memoryBefore - totals.unshared;
    const QString fusion = fused >= 0 ? tr("Fusion saves %1 (%2 → %3): tensors that are no longer made.")
                                      : tr("The compiled graph has %1 more in its tensors (%2 → %3).");
    m_summary->setText(
        text + QLatin1Char('\n') +
        fusion.arg(format::bytes(std::abs(fused)), format::bytes(*s.memoryBefore), format::bytes(totals.unshared)) +
        QLatin1Char(' ') + reuse);
}

void MemoryView::showAlive(int position)
{
    if (!m_picture || !run()) return;
    m_position = position;
    const int shown = position < 0 ? m_picture->peakPosition() : position;
    m_isSelecting = true;
    m_aliveModel->setBuffers(run(), shown < 0 ? std::vector<int>() : m_picture->aliveAt(shown));
    m_isSelecting = false;
    m_canvas->setMark(position);
    m_peak->setEnabled(position >= 0);
    const QString where = positionText(*run(), shown);
    m_aliveTitle->setFullText(position < 0 ? tr("Alive at the peak, step %1").arg(where)
                                           : tr("Alive at step %1").arg(where));
}

void MemoryView::choose(int buffer, bool isSecond)
{
    if (isSecond && !m_chosen.empty() && m_chosen.front() != buffer)
        request({buffer, m_chosen.front()});
    else
        request({buffer});
}

void MemoryView::chooseRows()
{
    std::vector<int> buffers;
    const QModelIndex current = m_alive->currentIndex();
    QModelIndexList rows = m_alive->selectedRows();
    // The row that was clicked last comes first.
    std::stable_sort(rows.begin(), rows.end(), [&](const QModelIndex& a, const QModelIndex& b) {
        return (a.row() == current.row()) > (b.row() == current.row());
    });
    for (const QModelIndex& row : rows)
        if (buffers.size() < 2) buffers.push_back(m_aliveModel->row(row.row()).buffer);
    if (!buffers.empty()) request(buffers);
}

void MemoryView::request(const std::vector<int>& buffers)
{
    m_chosen = buffers;
    const auto ownerOf = [this](int buffer) { return run()->plan.buffers[static_cast<std::size_t>(buffer)].tensor; };
    Selection wanted = Selection::ofNode(ownerOf(buffers.front()).node);
    wanted.buffer = buffers.front();
    wanted.tensor = ownerOf(buffers.front());
    if (buffers.size() > 1 && ownerOf(buffers[1]).node != wanted.node) wanted.more.push_back(ownerOf(buffers[1]).node);
    m_canvas->setSelected(m_chosen);
    updateDetails();
    Q_EMIT selectionRequested(wanted);
}

std::vector<int> MemoryView::buffersOf(const Selection& selection) const
{
    const MemoryPlan& plan = run()->plan;
    if (selection.buffer >= 0 && static_cast<std::size_t>(selection.buffer) < plan.buffers.size())
        return {selection.buffer};
    if (selection.tensor.isValid()) {
        const auto found = plan.bufferOfTensor.find(selection.tensor);
        if (found != plan.bufferOfTensor.end()) return {found->second};
    }
    std::vector<int> buffers;
    if (!selection.node.isValid()) return buffers;
    const auto addNode = [&](NodeId node) {
        for (auto at = plan.bufferOfTensor.lower_bound({node, std::numeric_limits<std::int32_t>::min()});
             at != plan.bufferOfTensor.end() && at->first.node == node; ++at)
            if (std::find(buffers.begin(), buffers.end(), at->second) == buffers.end()) buffers.push_back(at->second);
    };
    addNode(selection.node);
    // A node of an earlier step is found in what it became.
    if (buffers.empty())
        for (const NodeId node : run()->becameOf(selection.node)) addNode(node);
    return buffers;
}

void MemoryView::selectionChanged()
{
    if (!run() || !m_picture) return;
    std::vector<int> buffers = buffersOf(selection());
    // The pair chosen here stays when its own request comes back.
    const bool isOwn = m_chosen.size() == 2 && buffers.size() == 1 && buffers.front() == m_chosen.front();
    if (!isOwn) m_chosen = std::move(buffers);
    m_canvas->setSelected(m_chosen);
    if (!isOwn && !m_chosen.empty()) m_canvas->reveal(m_chosen.front());
    m_isSelecting = true;
    const int row = m_chosen.empty() ? -1 : m_aliveModel->rowOf(m_chosen.front());
    if (!isOwn && m_alive->currentIndex().row() != row)
        m_alive->setCurrentIndex(row < 0 ? QModelIndex() : m_aliveModel->index(row, 0));
    m_isSelecting = false;
    updateDetails();
}

void MemoryView::updateDetails()
{
    QStringList pair;
    if (run() && m_picture && m_chosen.size() == 2) {
        pair += whyNotShared(*run(), m_chosen[0], m_chosen[1]);
        for (const int buffer : m_chosen) pair += bufferLine(*run(), buffer);
    }
    m_reason->setText(pair.join(QLatin1Char('\n')));
    m_reason->setVisible(!pair.isEmpty());
    m_summary->setVisible(pair.isEmpty());
    if (!run() || !m_picture || m_chosen.empty()) {
        m_details->clear();
        return shareSide(false);
    }
    QStringList parts;
    for (std::size_t i = 0; i < std::min<std::size_t>(m_chosen.size(), 4); ++i)
        parts += bufferFacts(*run(), *m_picture, m_chosen[i]);
    if (m_chosen.size() == 1) parts += tr("Ctrl and a click on a second tensor tells why the two do not share memory.");
    m_details->setText(parts.join(QStringLiteral("\n\n")));
    shareSide(true);
}

void MemoryView::retranslate()
{
    m_axis->setItemText(0, tr("Task order"));
    m_axis->setItemText(1, tr("Estimated time"));
    m_axis->setToolTip(tr("What the horizontal axis counts"));
    m_axis->setAccessibleName(tr("Horizontal axis"));
    const QString names[] = {tr("no outlines"), tr("GE's policy"), tr("simple policy"), tr("greedy policy"),
                             tr("optimal policy")};
    for (int i = 0; i < m_overlay->count(); ++i) m_overlay->setItemText(i, names[i]);
    m_overlay->setToolTip(tr("Lay the plan of another policy over this one, as outlines"));
    m_overlay->setAccessibleName(tr("Plan laid over"));
    m_holes->setText(tr("Holes"));
    m_holes->setToolTip(tr("Hatch what lies free below the highest place in use (fragmentation)"));
    m_tabs->setTabText(0, tr("Alive"));
    m_tabs->setTabText(1, tr("What would lower the peak"));
    m_export->setText(tr("Export…"));
    m_export->setToolTip(tr("Write the map as SVG, PNG or PDF, or all buffers as CSV (Ctrl+Shift+E)"));
    m_savings->view()->setAccessibleName(tr("What would lower the peak"));
    m_savingsModel->refresh();
    updateSavingsTitle();
    m_find->setPlaceholderText(tr("find tensor…"));
    m_find->setToolTip(tr("Fade tensors whose name does not contain this"));
    m_find->setAccessibleName(tr("Find tensor"));
    m_fit->setText(tr("Fit"));
    m_fit->setToolTip(tr("Show everything (Home)"));
    m_peak->setText(tr("Peak"));
    m_peak->setToolTip(tr("Back to the tensors alive at the peak"));
    m_canvas->setAccessibleName(tr("Memory map"));
    m_canvas->setAccessibleDescription(
        tr("Time across, address up, one rectangle for each tensor. W and S zoom time, A and D "
           "move, Ctrl+W and Ctrl+S zoom the address, arrows left and right walk from tensor "
           "to tensor, Home shows everything."));
    m_canvas->update();
    m_alive->view()->setAccessibleName(tr("Tensors alive"));
    m_aliveModel->refresh();
    updateSummary();
    updateDetails();
    if (m_picture) showAlive(m_position);
    stateChanged();
}

void MemoryView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    View::changeEvent(event);
}

} // namespace gelens
