#include "viewers/pipeline/pipeline_view.h"

#include "viewers/common/breakpoint_list.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/models/pipeline_filter.h"
#include "viewers/models/pipeline_model.h"

#include <QCheckBox>
#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QMenu>
#include <QStyle>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <vector>

namespace gelens {

PipelineView::PipelineView(QWidget* parent)
    : View(parent), m_model(new PipelineModel(this)), m_filter(new PipelineFilter(this)), m_panel(new TablePanel),
      m_stack(new StateStack(m_panel)), m_changedOnly(new QCheckBox), m_touches(new QCheckBox), m_search(this)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    auto* switches = new QHBoxLayout;
    switches->setContentsMargins(6, 0, 4, 2);
    switches->setSpacing(10);
    switches->addWidget(m_changedOnly);
    switches->addWidget(m_touches);
    switches->addStretch(1);
    static_cast<QVBoxLayout*>(m_panel->layout())->insertLayout(1, switches);
    m_changedOnly->setChecked(true);

    m_panel->setName(QStringLiteral("pipeline"));
    m_panel->setModel(m_model, m_filter);
    QHeaderView* header = m_panel->view()->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(PipelineModel::Name, QHeaderView::Stretch);
    for (int column = PipelineModel::Operators; column < PipelineModel::ColumnCount; ++column)
        header->setSectionResizeMode(column, QHeaderView::Fixed); // fitColumns()
    header->setMinimumSectionSize(20);                            // the gutter; the names need the room
    m_panel->view()->setColumnHidden(PipelineModel::Edits, true); // names need the room; the tool tip has the number
    m_panel->view()->setIndentation(10);
    connect(header, &QHeaderView::sortIndicatorChanged, this, &PipelineView::fitColumns);
    header->setSectionResizeMode(PipelineModel::Stop, QHeaderView::Fixed);
    header->resizeSection(PipelineModel::Stop, 20);
    header->moveSection(PipelineModel::Stop, 0); // the gutter stands on the left
    m_panel->view()->setTreePosition(PipelineModel::Name);
    m_panel->view()->setColumnHidden(PipelineModel::Stop, true); // until there is a list of breakpoints

    connect(m_panel, &TablePanel::filterChanged, m_filter, &PipelineFilter::setText);
    connect(m_panel, &TablePanel::activated, this, [this](const QModelIndex& index) {
        const QVariant step = index.data(StepRole);
        if (step.isValid()) Q_EMIT stepRequested(StepId{step.toInt()});
    });
    connect(m_changedOnly, &QCheckBox::toggled, m_filter, &PipelineFilter::setChangedOnly);
    connect(m_touches, &QCheckBox::toggled, this, &PipelineView::updateTouching);
    setFocusProxy(m_panel->view());
    retranslate();
}

void PipelineView::setBreakpoints(BreakpointList* list)
{
    m_breakpoints = list;
    m_panel->view()->setColumnHidden(PipelineModel::Stop, false);
    m_model->setStops([list](StepId step) { return list->stopsAt(step); });
    connect(list, &BreakpointList::hitsChanged, m_model, [this] { m_model->refresh(); });
    connect(m_panel->view(), &QTreeView::clicked, this, [this](const QModelIndex& index) {
        const QVariant step = index.data(StepRole);
        const bool isPass = index.isValid() && !m_filter->hasChildren(index.siblingAtColumn(PipelineModel::Name));
        if (index.column() != PipelineModel::Stop || !isPass || !step.isValid() || !run()) return;
        m_breakpoints->togglePass(run()->step(StepId{step.toInt()}).pass);
    });
    connect(m_panel, &TablePanel::menuAboutToShow, this, [this](QMenu* menu, const QModelIndex& index) {
        if (!run() || !index.isValid() || m_model->hasChildren(index)) return;
        const std::string pass = run()->step(StepId{index.data(StepRole).toInt()}).pass;
        menu->addAction(m_breakpoints->hasPass(pass) ? tr("Take the breakpoint away") : tr("Set a breakpoint"), this,
                        [this, pass] { m_breakpoints->togglePass(pass); });
        if (run()->mode == "full" && !run()->isUnderWay && index.data(StepRole).toInt() > 0)
            menu->addAction(tr("What-if without this pass"), this,
                            [this, step = StepId{index.data(StepRole).toInt()}] { Q_EMIT leaveOutRequested(step); });
    });
}

void PipelineView::runChanged()
{
    m_model->setRun(run());
    m_stack->follow(*this);
    foldPasses();
    fitColumns();
    updateTouching();
}

void PipelineView::stateChanged() { m_stack->follow(*this); }

void PipelineView::foldPasses()
{
    // Stages open, phases closed: the phases are what one reads first.
    QTreeView* tree = m_panel->view();
    tree->collapseAll();
    for (int row = 0; row < m_filter->rowCount(); ++row) tree->expand(m_filter->index(row, 0));
}

/// Figures get what they need and not a pixel more (the header alone would keep room for a sort arrow in each column):
/// the rest is for names, which are long.
void PipelineView::fitColumns()
{
    QHeaderView* header = m_panel->view()->header();
    QFont bold = m_panel->view()->font(); // the row shown is
    bold.setBold(true);
    const QFontMetrics metrics(bold);
    const int margin = 2 * (style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, this) + 1) + 2;
    for (const int column : {PipelineModel::Operators, PipelineModel::Time}) {
        const QString title = m_model->headerData(column, Qt::Horizontal).toString();
        int width = metrics.horizontalAdvance(title) + 10;
        if (header->isSortIndicatorShown() && header->sortIndicatorSection() == column)
            width = std::max(width, header->sectionSizeHint(column));
        std::vector<QModelIndex> parents{QModelIndex()};
        while (!parents.empty()) {
            const QModelIndex parent = parents.back();
            parents.pop_back();
            for (int row = 0; row < m_model->rowCount(parent); ++row) {
                const QModelIndex name = m_model->index(row, PipelineModel::Name, parent);
                const QString text = name.siblingAtColumn(column).data().toString();
                width = std::max(width, metrics.horizontalAdvance(text) + margin);
                if (m_model->hasChildren(name)) parents.push_back(name);
            }
        }
        header->resizeSection(column, width);
    }
}

void PipelineView::stepChanged()
{
    m_model->setShown(shownStep());
    m_filter->refresh();
    m_panel->setCurrentIndex(m_model->indexOfStep(shownStep()));
}

void PipelineView::selectionChanged()
{
    m_touches->setEnabled(selection().node.isValid());
    updateTouching();
}

void PipelineView::updateTouching()
{
    m_search.cancel();
    const NodeId node = selection().node;
    if (!m_touches->isChecked() || !node.isValid() || !run()) return m_filter->setSteps({});
    m_search.start(
        [run = run(), node](std::stop_token) {
            const std::vector<StepId> steps = run->stepsTouching(node);
            return std::set<StepId>(steps.begin(), steps.end());
        },
        [this](std::set<StepId> steps) {
            m_search.finished();
            m_filter->setSteps(std::move(steps));
            m_panel->view()->expandAll();
        });
}

void PipelineView::retranslate()
{
    m_changedOnly->setText(tr("changed only"));
    m_changedOnly->setToolTip(tr("Hide passes that changed nothing"));
    m_touches->setText(tr("touches selection"));
    m_touches->setToolTip(tr("Only passes that touched the selected node"));
    m_touches->setEnabled(selection().node.isValid());
    m_panel->view()->setToolTip(tr("Double click or Enter goes to a step"));
    m_model->refresh();
    fitColumns();
    m_stack->follow(*this);
}

void PipelineView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    View::changeEvent(event);
}

} // namespace gelens
