#include "viewers/accuracy/accuracy_view.h"

#include "viewers/accuracy/elements_model.h"
#include "viewers/accuracy/figures_model.h"
#include "viewers/accuracy/histogram_bars.h"
#include "viewers/common/chart_export.h"
#include "viewers/common/command_texts.h"
#include "viewers/common/elided_label.h"
#include "viewers/common/formatter.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"

#include <QAction>
#include <QCollator>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace gelens {

AccuracyView::AccuracyView(QWidget* parent)
    : View(parent), m_elementsModel(new ElementsModel(this)), m_figuresModel(new FiguresModel(this)),
      m_name(new ElidedLabel), m_outputLabel(new QLabel), m_seedLabel(new QLabel), m_notice(new QLabel),
      m_outputs(new QComboBox), m_seed(new QSpinBox), m_inputs(new QToolButton), m_chooseInputs(new QAction(this)),
      m_drawInputs(new QAction(this)), m_compute(new QPushButton), m_overflow(new QPushButton),
      m_cancel(new QPushButton), m_go(new QPushButton), m_bar(new QProgressBar), m_figures(new TablePanel),
      m_elements(new TablePanel), m_histogram(new HistogramBars), m_job(this)
{
    m_stack = new StateStack(makeBody());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(makeHead());
    layout->addWidget(m_stack, 1);

    new ChartExport(this, m_histogram, [this]() -> ChartExport::Chart {
        if (m_histogram->isEmpty()) return {};
        return {tr("Export the histogram"), QStringLiteral("histogram"), ChartExport::writerOf(*m_histogram), {}};
    });
    connect(m_compute, &QPushButton::clicked, this, &AccuracyView::compute);
    connect(m_overflow, &QPushButton::clicked, this, &AccuracyView::searchOverflow);
    connect(m_cancel, &QPushButton::clicked, this, &AccuracyView::cancel);
    connect(m_go, &QPushButton::clicked, this, [this] {
        if (m_noticeNode.isValid()) Q_EMIT selectionRequested(Selection::ofNode(m_noticeNode));
    });
    connect(m_chooseInputs, &QAction::triggered, this, &AccuracyView::chooseInputs);
    connect(m_drawInputs, &QAction::triggered, this, [this] { setInputFiles({}); });
    connect(m_outputs, &QComboBox::activated, this, [this] {
        if (m_hasReport) compute();
    });
    setFocusProxy(m_compute);
    retranslate();
    updateHead();
}

QWidget* AccuracyView::makeHead()
{
    m_seed->setRange(1, 999999);
    m_bar->setRange(0, 0);
    m_bar->setMaximumWidth(90);
    m_bar->setTextVisible(false);
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->setWordWrap(true);
    m_notice->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_inputs->setObjectName(QStringLiteral("inputs"));
    m_inputs->setPopupMode(QToolButton::InstantPopup);
    m_chooseInputs->setObjectName(QStringLiteral("inputs_from_files"));
    m_drawInputs->setObjectName(QStringLiteral("inputs_drawn"));
    m_inputs->addAction(m_chooseInputs);
    m_inputs->addAction(m_drawInputs);
    m_compute->setObjectName(QStringLiteral("compute"));
    m_overflow->setObjectName(QStringLiteral("overflow"));
    m_cancel->setObjectName(QStringLiteral("cancel"));
    m_go->setObjectName(QStringLiteral("go"));
    auto* head = new QWidget;
    auto* rows = new QVBoxLayout(head);
    rows->setContentsMargins(6, 4, 6, 2);
    rows->setSpacing(2);
    auto* row = new QHBoxLayout;
    row->addWidget(m_name, 1);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_outputLabel), static_cast<QWidget*>(m_outputs), static_cast<QWidget*>(m_seedLabel),
          static_cast<QWidget*>(m_seed), static_cast<QWidget*>(m_inputs), static_cast<QWidget*>(m_compute),
          static_cast<QWidget*>(m_overflow), static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_cancel)})
        row->addWidget(widget);
    auto* second = new QHBoxLayout;
    second->addWidget(m_notice, 1);
    second->addWidget(m_go);
    rows->addLayout(row);
    rows->addLayout(second);
    return head;
}

QWidget* AccuracyView::makeBody()
{
    m_figures->setName(QStringLiteral("tensor_statistics"));
    m_figures->setFilterVisible(false);
    m_figures->setModel(m_figuresModel);
    QHeaderView* const figures = m_figures->view()->header();
    figures->setStretchLastSection(false);
    figures->resizeSection(FiguresModel::Name, 190);
    for (const int column : {int(FiguresModel::Before), int(FiguresModel::After)}) figures->resizeSection(column, 130);
    m_elements->setName(QStringLiteral("elements"));
    m_elements->setModel(m_elementsModel);
    m_elements->view()->setUniformRowHeights(true);
    m_elements->view()->header()->setStretchLastSection(false);
    for (int column = 0; column < ElementsModel::ColumnCount; ++column)
        m_elements->view()->header()->resizeSection(column, column == ElementsModel::Place ? 140 : 105);
    auto* left = new QSplitter(Qt::Vertical);
    left->setChildrenCollapsible(false);
    left->addWidget(m_figures);
    left->addWidget(m_histogram);
    left->setSizes({180, 130});
    auto* body = new QSplitter;
    body->setChildrenCollapsible(false);
    body->addWidget(left);
    body->addWidget(m_elements);
    body->setSizes({480, 520});
    return body;
}

QString AccuracyView::notice() const { return m_notice->text(); }
QString AccuracyView::stateText() const { return m_stack->isContent() ? QString() : m_stack->page()->text(); }

NodeId AccuracyView::selectedNode() const
{
    return selection().tensor.isValid() ? selection().tensor.node : selection().node;
}

AccuracyRequest AccuracyView::request() const
{
    std::vector<std::string> files;
    for (const QString& file : m_inputFiles) files.push_back(file.toStdString());
    return {run(),
            shownStep(),
            comparedStep(),
            OutputRef{selectedNode(), std::max(0, m_outputs->currentIndex())},
            static_cast<std::uint64_t>(m_seed->value()),
            std::move(files)};
}

void AccuracyView::chooseInputs()
{
    QStringList files = QFileDialog::getOpenFileNames(this, tr("Tensor files for the model's inputs, in order"), {},
                                                      tr("Tensor files (*.pb)"));
    if (files.isEmpty()) return;
    QCollator byNumber; // input_2.pb before input_10.pb
    byNumber.setNumericMode(true);
    std::sort(files.begin(), files.end(),
              [&](const QString& a, const QString& b) { return byNumber.compare(a, b) < 0; });
    setInputFiles(files);
}

void AccuracyView::setInputFiles(const QStringList& files)
{
    m_inputFiles = files;
    selectionChanged(); // what is shown was computed from others
    retranslate();
}

void AccuracyView::compute()
{
    if (!run() || !selectedNode().isValid() || m_outputs->count() == 0) return;
    m_wasCancelled = false;
    setNotice(m_inputFiles.isEmpty() ? tr("Computing on inputs drawn with seed %1 …").arg(m_seed->value())
                                     : tr("Computing on the given inputs …"));
    m_job.start(
        [request = request(), drawn = m_drawn](std::stop_token stop) { return gatherAccuracy(request, drawn, stop); },
        [this](AccuracyReport report) { show(std::move(report)); });
    updateState();
    updateButtons();
}

void AccuracyView::searchOverflow()
{
    if (!run()) return;
    m_wasCancelled = false;
    setNotice(tr("Computing every node of step %1 …").arg(shownStep().value));
    m_job.start(
        [request = request(), drawn = m_drawn](std::stop_token stop) { return findOverflow(request, drawn, stop); },
        [this](OverflowReport report) { show(std::move(report)); });
    updateButtons();
}

void AccuracyView::cancel()
{
    if (!m_job.isRunning()) return;
    m_job.cancel();
    m_wasCancelled = true;
    setNotice(tr("Cancelled."));
    updateState();
    updateButtons();
    Q_EMIT ready();
}

void AccuracyView::show(AccuracyReport report)
{
    m_job.finished();
    m_drawn = report.drawn;
    m_report = std::move(report);
    m_hasReport = true;
    m_hasFound = false;
    fill();
    updateButtons();
    Q_EMIT ready();
}

void AccuracyView::show(OverflowReport report)
{
    m_job.finished();
    m_drawn = report.drawn;
    m_found = std::move(report);
    m_hasFound = true;
    fill();
    updateButtons();
    Q_EMIT ready();
}

void AccuracyView::fill()
{
    m_figuresModel->setReport(m_report);
    m_elementsModel->setReport(m_report);
    m_histogram->setStatistics(m_report.statistics, m_report.statisticsBefore, m_report.request.shown.value,
                               m_report.request.compared.value);
    const bool isBothSided = m_report.measure && !m_report.measure->shapeDiffers;
    for (const int column : {int(ElementsModel::Before), int(ElementsModel::Difference), int(ElementsModel::Relative)})
        m_elements->setColumnWanted(column, isBothSided);
    m_figures->setColumnWanted(FiguresModel::Before, m_report.statisticsBefore.has_value());
    updateState();
    if (m_hasFound) {
        if (!m_found.error.isEmpty()) return setNotice(words::sentence(m_found.error.toStdString()));
        if (!m_found.overflow)
            return setNotice(m_found.hasNarrowFloats
                                 ? tr("No fp16 or bf16 result of step %1 overflows.").arg(m_found.request.shown.value)
                                 : tr("Step %1 has no fp16 or bf16 values, so nothing can overflow.")
                                       .arg(m_found.request.shown.value));
        const Overflow& overflow = *m_found.overflow;
        return setNotice(
            tr("Overflow starts at %1 (%2) in step %3: %4 infinite and %5 NaN elements, while the largest number that "
               "goes in is %6.")
                .arg(words::text(overflow.nodeName), words::text(overflow.nodeType))
                .arg(m_found.request.shown.value)
                .arg(format::count(overflow.infinityCount), format::count(overflow.nanCount),
                     format::real(overflow.largestInput)),
            overflow.output.node);
    }
    if (!m_hasReport || !m_report.error.isEmpty()) return setNotice({});
    QStringList parts;
    if (m_report.measure)
        parts += m_report.measure->holds()
                     ? tr("Agrees with step %1.").arg(m_report.request.compared.value)
                     : tr("Differs from step %1 beyond the tolerance.").arg(m_report.request.compared.value);
    else if (m_report.request.compared != m_report.request.shown)
        parts += tr("Step %1 has no such value to compare with.").arg(m_report.request.compared.value);
    if (m_report.counterpart.isValid() && m_report.counterpart != m_report.request.output)
        parts += tr("There it is %1.").arg(words::text(m_report.counterpartName));
    if (m_report.elements > static_cast<std::int64_t>(m_report.rows.size()))
        parts += tr("%1 of %2 elements are listed: the first ones and those that differ most.")
                     .arg(format::count(static_cast<qint64>(m_report.rows.size())), format::count(m_report.elements));
    setNotice(parts.join(QLatin1Char(' ')));
}

void AccuracyView::updateState()
{
    if (!run())
        m_stack->follow(*this);
    else if (!selectedNode().isValid())
        m_stack->showEmpty(tr("No node is selected."),
                           tr("Choose a node in the graph to see the numbers that it makes."));
    else if (m_outputs->count() == 0)
        m_stack->showEmpty(tr("There are no numbers here."),
                           tr("The selected node has no output in the graph of step %1.").arg(shownStep().value));
    else if (!m_hasReport && m_job.isRunning()) {
        m_stack->showEmpty({}, {});
        m_stack->page()->setWords(tr("Computing …"), tr("Cancel stops it; nothing is lost but the time."), true);
    } else if (!m_hasReport)
        m_stack->showEmpty(tr("Nothing is computed yet."),
                           tr("Press Compute: the model runs on drawn inputs up to this node."));
    else if (!m_report.error.isEmpty())
        m_stack->showEmpty(tr("The value cannot be computed."), words::sentence(m_report.error.toStdString()));
    else
        m_stack->showContent();
}

void AccuracyView::setNotice(const QString& text, NodeId node)
{
    m_noticeNode = node;
    m_notice->setText(text);
    m_notice->setVisible(!text.isEmpty());
    m_go->setVisible(node.isValid());
}

void AccuracyView::updateHead()
{
    const QSignalBlocker blocker(m_outputs);
    m_outputs->clear();
    m_name->setFullText({});
    const NodeId node = selectedNode();
    if (run() && node.isValid()) {
        const auto graph = run()->graphAt(shownStep()); // the step on screen, so it is at hand
        if (graph->contains(node)) {
            const Node& content = graph->node(node);
            m_name->setFullText(QStringLiteral("%1 · %2").arg(words::text(content.type), words::text(content.name)));
            for (const OutputSlot& slot : content.outputs)
                m_outputs->addItem(QStringLiteral("%1 %2").arg(words::text(dataTypeShortName(slot.desc.dtype)),
                                                               words::text(slot.desc.originShape.text())));
            if (selection().tensor.isValid() && selection().tensor.index < m_outputs->count())
                m_outputs->setCurrentIndex(selection().tensor.index);
        } else {
            m_name->setFullText(words::text(run()->nameOf(node)));
        }
    }
    updateButtons();
}

void AccuracyView::updateButtons()
{
    const bool isBusy = m_job.isRunning();
    const bool hasValue = run() && m_outputs->count() > 0;
    m_compute->setEnabled(hasValue && !isBusy);
    m_overflow->setEnabled(run() && !isBusy);
    m_cancel->setVisible(isBusy);
    m_bar->setVisible(isBusy);
    m_outputs->setVisible(m_outputs->count() > 0);
    m_outputs->setEnabled(m_outputs->count() > 1 && !isBusy);
    m_outputLabel->setVisible(m_outputs->count() > 0);
    m_seed->setEnabled(!isBusy && m_inputFiles.isEmpty());
    m_inputs->setEnabled(!isBusy);
    m_drawInputs->setEnabled(!m_inputFiles.isEmpty());
}

void AccuracyView::runChanged()
{
    m_job.cancel();
    m_drawn = {};
    m_found = {};
    m_hasFound = false;
    selectionChanged();
}

void AccuracyView::stepChanged() { selectionChanged(); }

void AccuracyView::selectionChanged()
{
    // The numbers shown are those of the selection, or none. Work for another one is of no use any more.
    m_job.cancel();
    m_report = {};
    m_hasReport = m_wasCancelled = false;
    updateHead();
    fill();
}

void AccuracyView::stateChanged() { fill(); }

void AccuracyView::retranslate()
{
    m_outputLabel->setText(tr("Output"));
    m_seedLabel->setText(tr("Seed"));
    m_seed->setToolTip(tr("Inputs are drawn with this seed; the same seed gives the same numbers everywhere"));
    m_outputs->setToolTip(tr("Which of the node's outputs is shown"));
    m_inputs->setText(m_inputFiles.isEmpty() ? tr("Inputs: drawn") : tr("Inputs: %1 files").arg(m_inputFiles.size()));
    m_inputs->setToolTip(m_inputFiles.isEmpty() ? tr("What the model is given") : m_inputFiles.join(QLatin1Char('\n')));
    setCommandTexts(m_chooseInputs, tr("From files…"), tr("Compute with inputs from files"));
    setCommandTexts(m_drawInputs, tr("Draw them"), tr("Compute with random inputs again"));
    m_compute->setText(tr("Compute"));
    m_compute->setToolTip(tr("Run the model up to the selected node, after both steps, and compare"));
    m_overflow->setText(tr("Find overflow"));
    m_overflow->setToolTip(
        tr("Run the whole graph of the shown step and look for the node where fp16 or bf16 overflows first"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(tr("Stop computing"));
    m_go->setText(tr("Show node"));
    m_go->setToolTip(tr("Select the node where the overflow starts"));
    m_elementsModel->refresh();
    m_histogram->update();
    if (m_job.isRunning()) return;
    if (m_wasCancelled)
        setNotice(tr("Cancelled."));
    else
        fill();
}

void AccuracyView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    View::changeEvent(event);
}

} // namespace gelens
