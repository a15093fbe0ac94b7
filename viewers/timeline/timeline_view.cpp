#include "viewers/timeline/timeline_view.h"

#include "engine/report/chart_svg.h"
#include "engine/report/trace.h"
#include "viewers/common/column_fit.h"
#include "viewers/common/compared_runs.h"
#include "viewers/common/formatter.h"
#include "viewers/common/palette.h"
#include "viewers/common/plain_label.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/common/view_limits.h"
#include "viewers/models/run_figures.h"
#include "viewers/models/words.h"
#include "viewers/picture/chart_file.h"
#include "viewers/timeline/compare_model.h"
#include "viewers/timeline/timeline_canvas.h"
#include "viewers/timeline/timeline_index.h"
#include "viewers/timeline/totals_model.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace gelens {
TimelineView::TimelineView(QWidget* parent)
    : View(parent), m_totalsModel(new TotalsModel(this)), m_compareModel(new CompareModel(this)),
      m_canvas(new TimelineCanvas), m_totals(new TablePanel), m_compare(new TablePanel), m_tabs(new QTabWidget),
      m_summary(plainLabel()), m_details(plainLabel()), m_detailsArea(new QScrollArea), m_totalsTitle(plainLabel()),
      m_compareTitle(plainLabel()), m_matches(new QLabel), m_which(new QComboBox), m_find(new QLineEdit),
      m_fit(new QToolButton), m_previous(new QToolButton), m_next(new QToolButton), m_export(new QToolButton),
      m_exporting(new ChartExport(this, m_canvas->viewport(), [this] { return chart(); })), m_background(this),
      m_searching(this), m_comparing(this)
{
    m_which->addItems({QString(), QString()});
    m_find->setClearButtonEnabled(true);
    m_find->setMaximumWidth(180);
    m_matches->setContentsMargins(4, 3, 4, 0);
    m_previous->setText(QStringLiteral("▲"));
    m_next->setText(QStringLiteral("▼"));

    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(4, 2, 4, 2);
    tools->setSpacing(4);
    tools->addWidget(m_summary, 1);
    for (QWidget* tool :
         std::initializer_list<QWidget*>{m_which, m_find, m_matches, m_previous, m_next, m_fit, m_export})
        tools->addWidget(tool, 0, Qt::AlignTop);
    QWidget* side = makeSide();
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_canvas);
    splitter->addWidget(side);
    splitter->setStretchFactor(0, 4);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({900, 480});
    auto* content = new QWidget;
    auto* contentLayout = new QVBoxLayout(content);
    contentLayout->setContentsMargins(0, 0, 0, 0);
    contentLayout->setSpacing(0);
    contentLayout->addLayout(tools);
    contentLayout->addWidget(splitter, 1);
    m_stack = new StateStack(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    connect(m_which, &QComboBox::currentIndexChanged, this, &TimelineView::rebuild);
    connect(m_find, &QLineEdit::textChanged, this, &TimelineView::search);
    connect(m_find, &QLineEdit::returnPressed, this, [this] { nextFound(1); });
    connect(m_next, &QToolButton::clicked, this, [this] { nextFound(1); });
    connect(m_previous, &QToolButton::clicked, this, [this] { nextFound(-1); });
    connect(m_fit, &QToolButton::clicked, m_canvas, &TimelineCanvas::fit);
    connect(m_export, &QToolButton::clicked, m_exporting, &ChartExport::exportWithDialog);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this](int tab) {
        if (tab == 1) updateCompare();
    });
    connect(m_compare, &TablePanel::chosen, this, [this](const QModelIndex& index) {
        if (!index.isValid()) return;
        const CompareRow& row = m_compareModel->row(index.row());
        Selection wanted = Selection::ofNode(row.node);
        wanted.task = row.task;
        if (row.node.isValid()) Q_EMIT selectionRequested(wanted);
    });
    connect(m_canvas, &TimelineCanvas::itemClicked, this, &TimelineView::choose);
    connect(m_canvas, &TimelineCanvas::spanChanged, this, &TimelineView::updateTotals);
    // A type chosen in the list is searched for, which marks its tasks.
    connect(m_totals, &TablePanel::activated, this, [this](const QModelIndex& index) {
        if (index.isValid() && m_index)
            m_find->setText(words::text(m_index->types()[m_totalsModel->row(index.row()).type]));
    });
    setFocusProxy(m_canvas);
    retranslate();
}

TimelineView::~TimelineView() = default;

QWidget* TimelineView::makeSide()
{
    m_totals->setName(QStringLiteral("timeline"));
    m_totals->setModel(m_totalsModel);
    new ColumnFit(m_totals->view(), {{TotalsModel::Type, 90}}, TotalsModel::Type);
    m_compare->setName(QStringLiteral("timeline-compare"));
    m_compare->setModel(m_compareModel);
    new ColumnFit(m_compare->view(), {{CompareModel::Task, 90}, {CompareModel::Type, 70}}, CompareModel::Task);
    // What a list shows stands beside its filter line, and the facts of a task scroll: rows are what the space is for.
    for (const auto& [list, title] : {std::pair(m_totals, m_totalsTitle), std::pair(m_compare, m_compareTitle)}) {
        list->filterLine()->setMaximumWidth(110);
        list->tools()->insertWidget(0, title, 4);
    }
    m_details->setContentsMargins(6, 4, 6, 4);
    m_details->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_totals, QString());
    m_tabs->addTab(m_compare, QString());
    m_detailsArea->setWidget(m_details);
    m_detailsArea->setWidgetResizable(true);
    m_detailsArea->setFrameShape(QFrame::NoFrame);
    m_detailsArea->setMinimumHeight(m_details->fontMetrics().lineSpacing() * 2 + 8);
    auto* side = new QSplitter(Qt::Vertical);
    side->setChildrenCollapsible(false);
    side->addWidget(m_tabs);
    side->addWidget(m_detailsArea);
    side->setSizes({400, 60});
    side->setStretchFactor(0, 1);
    return side;
}

void TimelineView::updateCompare()
{
    if (m_isCompareAsked || !run() || !m_index) return;
    m_isCompareAsked = true;
    if (run()->timelineBefore.items.empty())
        return m_compareTitle->setText(tr("There is no original graph to compare with."));
    const LatencyParts& gain = run()->statistics.gain;
    m_compareTitle->setText(tr("Original %1 → optimised %2 (estimated). Gain: dispatch %3, traffic %4, compute %5.")
                                .arg(format::microseconds(run()->timelineBefore.totalUs),
                                     format::microseconds(run()->timeline.totalUs),
                                     format::microseconds(gain.dispatchUs), format::microseconds(gain.trafficUs),
                                     format::microseconds(gain.computeUs)));
    m_comparing.start([run = run()](std::stop_token) { return compareTasks(*run); },
                      [this](std::vector<CompareRow> rows) {
                          m_comparing.finished();
                          m_compareModel->setRows(std::move(rows));
                      });
}

ChartExport::Chart TimelineView::chart() const
{
    if (!run() || (!m_index && shownTasks() <= limits::timelineTasks)) return {};
    ChartOptions options;
    options.isDark = Palette::of(palette()).isDark();
    options.isBefore = m_which->currentIndex() == 1;
    const auto write = [run = run(), options](const std::string& path) {
        const QString name = QString::fromStdString(path);
        if (name.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive))
            return writeText(timelineToCsv(*run, options), path);
        if (name.endsWith(QLatin1String(".json"), Qt::CaseInsensitive)) return writeText(runToTrace(*run), path);
        return writeChart(timelineToSvg(*run, options), path);
    };
    return {tr("Export the timeline"), words::text(run()->modelName) + QStringLiteral("-timeline"), write,
            tr("CSV (*.csv);;Chrome trace (*.json)")};
}

QString TimelineView::summary() const { return m_summary->text(); }
QString TimelineView::totalsTitle() const { return m_totalsTitle->text(); }
QString TimelineView::details() const { return m_details->text(); }
QString TimelineView::stateText() const { return m_stack->isContent() ? QString() : m_stack->page()->text(); }
void TimelineView::setBefore(bool isBefore) { m_which->setCurrentIndex(isBefore ? 1 : 0); }
void TimelineView::find(const QString& text) { m_find->setText(text); }

void TimelineView::runChanged()
{
    const bool hasBefore = run() && !run()->timelineBefore.items.empty();
    m_which->setEnabled(hasBefore);
    if (run() && !hasBefore) m_which->setCurrentIndex(0);
    rebuild();
}

void TimelineView::rebuild()
{
    m_index.reset();
    m_found.clear();
    m_searching.cancel();
    m_comparing.cancel();
    m_isCompareAsked = false;
    m_compareModel->setRows({});
    m_compareTitle->clear();
    m_background.cancel();
    m_canvas->setIndex(nullptr);
    updateSummary();
    updateDetails();
    stateChanged();
    if (!run() || shownTasks() > limits::timelineTasks) return;
    const bool isBefore = m_which->currentIndex() == 1;
    m_background.start(
        [run = run(), isBefore](std::stop_token) { return std::make_shared<const TimelineIndex>(run, isBefore); },
        [this](std::shared_ptr<const TimelineIndex> index) {
            m_background.finished();
            m_index = std::move(index);
            m_canvas->setIndex(m_index);
            updateSummary();
            stateChanged();
            selectionChanged();
            search();
            if (m_tabs->currentIndex() == 1) updateCompare();
        });
}

std::size_t TimelineView::shownTasks() const
{
    if (!run()) return 0;
    return (m_which->currentIndex() == 1 ? run()->timelineBefore : run()->timeline).items.size();
}

void TimelineView::stateChanged()
{
    m_stack->follow(*this);
    if (shownTasks() > limits::timelineTasks)
        return m_stack->showTooLarge(
            {tr("%1 tasks are to be drawn; the timeline shows up to %2.")
                 .arg(format::count(static_cast<std::int64_t>(shownTasks())), format::count(limits::timelineTasks)),
             tr("The statistics have the totals. All tasks with their times can be written as CSV or as a trace for "
                "Perfetto."),
             tr("Export…"), [this] { m_exporting->exportWithDialog(); }});
    if (!run() || !m_index || !m_index->timeline().items.empty()) return;
    if (run()->isUnderWay)
        m_stack->showEmpty(tr("The run has not launched tasks yet."),
                           tr("It is halted; continue it from the Run menu."));
    else if (run()->failed || run()->wasCancelled)
        m_stack->showEmpty(tr("The run ended before tasks were launched."),
                           tr("The problems list says what stopped it; run the model again to get a timeline."));
    else if (!isCompiled(*run()))
        m_stack->showEmpty(tr("Dumps hold no tasks, so there is nothing to time."),
                           tr("Open the model itself and compile it, or the OM file that was made of it."));
    else if (comparesRuns(*run()))
        m_stack->showEmpty(tr("Two runs are compared here by their graphs."),
                           tr("Choose the model in the Models view to see the timeline of its run; the statistics set "
                              "the latencies side by side."));
    else
        m_stack->showEmpty(tr("There is nothing to launch."), tr("No operator of the model needs a task of its own."));
}

void TimelineView::updateSummary()
{
    if (!m_index) return m_summary->clear();
    const Timeline& timeline = m_index->timeline();
    std::int64_t bubbles = 0;
    double idle = 0;
    for (const TimelineTrack& track : m_index->tracks())
        if (track.isStream) {
            bubbles += track.bubbles;
            idle += track.bubbleUs;
        }
    // Events are tasks as well; the other views count what computes.
    const auto all = static_cast<std::int64_t>(timeline.items.size());
    const int kernels = (m_which->currentIndex() == 1 ? run()->tasksBefore : run()->tasks).kernelTaskCount();
    const QString tasks = kernels < all ? tr("%1 (%2 of them kernels)").arg(format::count(all), format::count(kernels))
                                        : format::count(all);
    m_summary->setText(
        tr("Estimated %1 · tasks %2 · streams %3 · bubbles %4 (%5 idle) · dispatch %6 + traffic %7 + compute %8")
            .arg(format::microseconds(timeline.totalUs), tasks, format::count(m_index->streamCount()),
                 format::count(bubbles), format::microseconds(idle), format::microseconds(timeline.parts.dispatchUs),
                 format::microseconds(timeline.parts.trafficUs), format::microseconds(timeline.parts.computeUs)));
}

void TimelineView::updateTotals()
{
    if (!m_index) {
        m_totalsModel->setTotals(nullptr, {});
        return m_totalsTitle->clear();
    }
    const auto& span = m_canvas->span();
    const double from = span ? span->from : 0, to = span ? span->to : m_canvas->time().high() + 1;
    m_totalsModel->setTotals(m_index, m_index->totals(from, to));
    const QString tasks = format::count(m_totalsModel->taskCount()),
                  time = format::microseconds(m_totalsModel->totalUs());
    m_totalsTitle->setText(
        span ? tr("From %1 to %2: tasks %3, together %4 (Esc clears)")
                   .arg(format::microseconds(from), format::microseconds(to), tasks, time)
             : tr("Whole run: tasks %1, together %2. Drag over the timeline to sum a span.").arg(tasks, time));
}

void TimelineView::updateDetails()
{
    const bool hasItem = m_index && !m_canvas->selected().empty();
    m_detailsArea->setVisible(hasItem);
    m_details->setText(hasItem ? timelineItemFacts(*m_index, m_canvas->selected().front()) : QString());
}

void TimelineView::choose(std::uint32_t item)
{
    if (!m_index) return;
    const TimelineItem& found = m_index->item(item);
    m_canvas->setSelected({item});
    m_canvas->reveal(item);
    updateDetails();
    Selection wanted;
    wanted.node = found.node;
    if (!m_index->isBefore()) wanted.task = found.task;
    Q_EMIT selectionRequested(wanted);
}

void TimelineView::selectionChanged()
{
    if (!m_index || !run()) return;
    std::vector<std::uint32_t> items;
    const NodeId node = selection().node;
    if (node.isValid()) items = m_index->itemsOf(node);
    // A node of another step is found in what it became, or in what it came from.
    if (node.isValid() && items.empty())
        for (const NodeId other : m_index->isBefore() ? run()->originsOf(node) : run()->becameOf(node))
            for (const std::uint32_t item : m_index->itemsOf(other)) items.push_back(item);
    if (!m_index->isBefore() && selection().task >= 0 && items.size() != 1)
        for (std::uint32_t item = 0; item < m_index->timeline().items.size(); ++item)
            if (m_index->item(item).task == selection().task) items = {item};
    if (items == m_canvas->selected()) return;
    m_canvas->setSelected(std::move(items));
    if (!m_canvas->selected().empty()) m_canvas->reveal(m_canvas->selected().front());
    updateDetails();
}

void TimelineView::search()
{
    m_found.clear();
    m_foundAt = -1;
    m_searching.cancel();
    const QString text = m_find->text();
    const auto show = [this, text] {
        m_canvas->setFound(m_found);
        m_matches->setText(text.isEmpty() ? QString() : format::count(static_cast<std::int64_t>(m_found.size())));
        m_next->setEnabled(!m_found.empty());
        m_previous->setEnabled(!m_found.empty());
    };
    show();
    if (!m_index || text.isEmpty()) return;
    m_searching.start(
        [index = m_index, text](std::stop_token stop) {
            std::vector<std::uint32_t> found;
            std::vector<bool> isTypeFound;
            for (const std::string& type : index->types())
                isTypeFound.push_back(words::text(type).contains(text, Qt::CaseInsensitive));
            const auto count = static_cast<std::uint32_t>(index->timeline().items.size());
            for (std::uint32_t item = 0; item < count && !stop.stop_requested(); ++item)
                if (isTypeFound[index->typeNumber(item)] ||
                    words::text(index->nameOf(item)).contains(text, Qt::CaseInsensitive))
                    found.push_back(item);
            return found;
        },
        [this, show](std::vector<std::uint32_t> found) {
            m_searching.finished();
            m_found = std::move(found);
            show();
        });
}

void TimelineView::nextFound(int step)
{
    if (m_found.empty()) return;
    const int count = static_cast<int>(m_found.size());
    m_foundAt = m_foundAt < 0 ? (step > 0 ? 0 : count - 1) : (m_foundAt + step + count) % count;
    choose(m_found[static_cast<std::size_t>(m_foundAt)]);
}

void TimelineView::retranslate()
{
    m_which->setItemText(0, tr("Compiled"));
    m_which->setItemText(1, tr("Before: as imported"));
    m_which->setToolTip(tr("The compiled model, or the imported one run operator by operator"));
    m_which->setAccessibleName(tr("Timeline shown"));
    m_find->setPlaceholderText(tr("find task…"));
    m_find->setToolTip(tr("Marks tasks by name or type; Enter goes from one to the next"));
    m_find->setAccessibleName(tr("Find task"));
    m_previous->setToolTip(tr("Previous match"));
    m_next->setToolTip(tr("Next match (Enter)"));
    m_tabs->setTabText(0, tr("By operator type"));
    m_tabs->setTabText(1, tr("Original against optimised"));
    m_export->setText(tr("Export…"));
    m_export->setToolTip(tr("Write the timeline as SVG, PNG, PDF, CSV or Chrome trace (Ctrl+Shift+E)"));
    m_compare->view()->setAccessibleName(tr("Original against optimised"));
    m_compareModel->refresh();
    if (m_isCompareAsked) {
        m_isCompareAsked = false;
        updateCompare();
    }
    m_fit->setText(tr("Fit"));
    m_fit->setToolTip(tr("Show everything (Home)"));
    m_canvas->setAccessibleName(tr("Task timeline"));
    m_canvas->setAccessibleDescription(
        tr("Streams and units over estimated time. W and S zoom, A and D move, F fills the "
           "width with the selection, arrows left and right walk from task to task, Home "
           "shows everything."));
    m_canvas->viewport()->update();
    m_totals->view()->setAccessibleName(tr("Time by operator type"));
    m_totalsModel->refresh();
    updateSummary();
    updateTotals();
    updateDetails();
    stateChanged();
}

void TimelineView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    View::changeEvent(event);
}

} // namespace gelens
