#include "viewers/memory/memory_view.h"

#include "viewers/common/formatter.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/memory/alive_model.h"
#include "viewers/memory/memory_canvas.h"
#include "viewers/memory/share_reason.h"
#include "viewers/models/words.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace gelens {
namespace {

QLabel* plainLabel()
{
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setWordWrap(true);
    return label;
}

} // namespace

MemoryView::MemoryView(QWidget* parent)
    : View(parent), m_aliveModel(new AliveModel(this)), m_canvas(new MemoryCanvas), m_alive(new TablePanel),
      m_summary(plainLabel()), m_details(plainLabel()), m_aliveTitle(new QLabel), m_axis(new QComboBox),
      m_find(new QLineEdit), m_fit(new QToolButton), m_peak(new QToolButton), m_background(this)
{
    m_alive->setName(QStringLiteral("memory"));
    m_alive->setModel(m_aliveModel);
    QHeaderView* header = m_alive->view()->header();
    header->setStretchLastSection(false);
    header->setMinimumSectionSize(36);
    for (int column = 0; column < AliveModel::ColumnCount; ++column)
        header->setSectionResizeMode(column, column == AliveModel::Tensor ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
    header->setSectionResizeMode(AliveModel::Type, QHeaderView::Interactive);
    header->resizeSection(AliveModel::Type, 90);
    m_axis->addItems({QString(), QString()});
    m_find->setClearButtonEnabled(true);
    m_find->setMaximumWidth(200);
    m_peak->setEnabled(false);
    m_aliveTitle->setContentsMargins(6, 4, 4, 0);
    m_details->setContentsMargins(6, 4, 6, 4);
    m_details->setAlignment(Qt::AlignTop | Qt::AlignLeft);

    auto* tools = new QHBoxLayout;
    tools->setContentsMargins(4, 2, 4, 2);
    tools->addWidget(m_summary, 1);
    for (QWidget* tool : std::initializer_list<QWidget*>{m_axis, m_find, m_fit}) tools->addWidget(tool, 0, Qt::AlignTop);
    auto* aliveHead = new QHBoxLayout;
    aliveHead->addWidget(m_aliveTitle, 1);
    aliveHead->addWidget(m_peak);
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_details);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* list = new QWidget;
    auto* listLayout = new QVBoxLayout(list);
    listLayout->setContentsMargins(0, 0, 0, 0);
    listLayout->setSpacing(0);
    listLayout->addLayout(aliveHead);
    listLayout->addWidget(m_alive, 1);
    auto* side = new QSplitter(Qt::Vertical);
    side->setChildrenCollapsible(false);
    side->addWidget(list);
    side->addWidget(scroll);
    side->setSizes({170, 110});
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_canvas);
    splitter->addWidget(side);
    splitter->setStretchFactor(0, 1);
    splitter->setSizes({900, 460});
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

    connect(m_axis, &QComboBox::currentIndexChanged, m_canvas, [this](int index) { m_canvas->setTimeMode(index == 1); });
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

QString MemoryView::summary() const { return m_summary->text(); }
QString MemoryView::details() const { return m_details->text(); }
QString MemoryView::stateText() const { return m_stack->isContent() ? QString() : m_stack->page()->text(); }
void MemoryView::setTimeMode(bool isTime) { m_axis->setCurrentIndex(isTime ? 1 : 0); }

void MemoryView::runChanged()
{
    m_picture.reset();
    m_chosen.clear();
    m_canvas->setPicture(nullptr, nullptr);
    m_background.cancel();
    updateSummary();
    updateDetails();
    stateChanged();
    if (!run()) return;
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
}

void MemoryView::stateChanged()
{
    m_stack->follow(*this);
    if (!run() || !m_picture || !m_picture->blocks().empty()) return;
    if (run()->failed || run()->wasCancelled)
        m_stack->showEmpty(tr("The run ended before memory was planned."),
                           tr("The problems list says what stopped it; run the model again to get a plan."));
    else if (!run()->plan.isComplete && !run()->plan.buffers.empty())
        m_stack->showEmpty(tr("Sizes are missing, so no memory could be planned."),
                           tr("Give the dynamic inputs a shape and run the model again."));
    else
        m_stack->showEmpty(tr("No intermediate tensor needs memory."), tr("Inputs, outputs and weights have regions of their own."));
}

void MemoryView::updateSummary()
{
    if (!run()) return m_summary->clear();
    const RunStatistics& s = run()->statistics;
    const MemoryTotals& totals = run()->plan.totals;
    QString text = tr("Peak %1 · lower bound %2 · GE's policy %3 · unshared %4 · weights apart %5")
                       .arg(format::bytes(totals.featureMapPeak), format::bytes(totals.lowerBound), format::bytes(totals.gePeak),
                            format::bytes(totals.unshared), format::bytes(totals.weights));
    if (run()->plan.isProvedOptimal || totals.featureMapPeak == totals.lowerBound) text += tr(" · proved optimal");
    const QString reuse = tr("Reuse saves %1 (%2 → %3): places used again.")
                              .arg(format::bytes(totals.unshared - totals.featureMapPeak), format::bytes(totals.unshared),
                                   format::bytes(totals.featureMapPeak));
    if (!s.memoryBefore) return m_summary->setText(text + QLatin1Char('\n') + reuse);
    const std::int64_t fused = *s.memoryBefore - totals.unshared;
    const QString fusion = fused >= 0 ? tr("Fusion saves %1 (%2 → %3): tensors that are no longer made.")
                                      : tr("The compiled graph has %1 more in its tensors (%2 → %3).");
    m_summary->setText(text + QLatin1Char('\n') +
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
    m_aliveTitle->setText(position < 0 ? tr("Alive at the peak, step %1").arg(where) : tr("Alive at step %1").arg(where));
    m_aliveTitle->setToolTip(QString());
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
    if (selection.buffer >= 0 && static_cast<std::size_t>(selection.buffer) < plan.buffers.size()) return {selection.buffer};
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
    if (!run() || !m_picture || m_chosen.empty())
        return m_details->setText(tr("Choose a tensor here or in the map. With Ctrl choose a second one to read why the two "
                                     "do not share memory."));
    QStringList parts;
    if (m_chosen.size() == 2) parts += whyNotShared(*run(), m_chosen[0], m_chosen[1]);
    for (std::size_t i = 0; i < std::min<std::size_t>(m_chosen.size(), 4); ++i)
        parts += bufferFacts(*run(), *m_picture, m_chosen[i]);
    m_details->setText(parts.join(QStringLiteral("\n\n")));
}

void MemoryView::retranslate()
{
    m_axis->setItemText(0, tr("Task order"));
    m_axis->setItemText(1, tr("Estimated time"));
    m_axis->setToolTip(tr("What the horizontal axis counts"));
    m_axis->setAccessibleName(tr("Horizontal axis"));
    m_find->setPlaceholderText(tr("find tensor…"));
    m_find->setToolTip(tr("Fade tensors whose name does not contain this"));
    m_find->setAccessibleName(tr("Find tensor"));
    m_fit->setText(tr("Fit"));
    m_fit->setToolTip(tr("Show everything (Home)"));
    m_peak->setText(tr("Peak"));
    m_peak->setToolTip(tr("Back to the tensors alive at the peak"));
    m_canvas->setAccessibleName(tr("Memory map"));
    m_canvas->setAccessibleDescription(tr("Time across, address up, one rectangle for each tensor. W and S zoom time, A and D "
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
