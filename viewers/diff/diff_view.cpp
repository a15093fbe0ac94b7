#include "viewers/diff/diff_view.h"

#include "viewers/common/column_fit.h"
#include "viewers/common/command_texts.h"
#include "viewers/common/elided_label.h"
#include "viewers/common/formatter.h"
#include "viewers/common/palette.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/diff/diff_content.h"
#include "viewers/diff/diff_models.h"
#include "viewers/diff/field_delegate.h"
#include "viewers/models/words.h"

#include <QAbstractProxyModel>
#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QScrollBar>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace gelens {
namespace {

constexpr int rowsUnfolded = 20000; ///< larger diffs open node by node

} // namespace

DiffView::DiffView(QWidget* parent)
    : View(parent), m_changesModel(new ChangesModel(this)), m_fieldsModel(new FieldsModel(this)),
      m_changes(new TablePanel), m_fields(new TablePanel), m_summary(new ElidedLabel), m_previous(new QToolButton),
      m_next(new QToolButton), m_background(this)
{
    m_changes->setName(QStringLiteral("changes"));
    m_changes->setModel(m_changesModel);
    m_changes->view()->setItemDelegate(new ChangeDelegate(m_changes->view()));
    m_changes->view()->setIndentation(14);
    new ColumnFit(m_changes->view(), {{ChangesModel::Kind, 96}, {ChangesModel::Type, 70}, {ChangesModel::Name, 120}},
                  ChangesModel::Name);
    m_previous->setText(QStringLiteral("▲"));
    m_next->setText(QStringLiteral("▼"));
    m_changes->tools()->addWidget(m_previous);
    m_changes->tools()->addWidget(m_next);

    m_fields->setName(QStringLiteral("diff"));
    m_fields->setFilterVisible(false);
    m_fields->setModel(m_fieldsModel);
    m_fields->view()->setItemDelegate(new FieldDelegate(m_fields->view()));
    m_fields->view()->setIndentation(14);
    QHeaderView* header = m_fields->view()->header();
    header->setStretchLastSection(false);
    header->resizeSection(FieldsModel::Field, m_fieldWidth);
    header->setSectionResizeMode(FieldsModel::Before, QHeaderView::Stretch);
    header->setSectionResizeMode(FieldsModel::After, QHeaderView::Stretch);

    m_summary->setContentsMargins(6, 4, 6, 2);
    static_cast<ElidedLabel*>(m_summary)->setElideMode(Qt::ElideRight); // the counts come first
    auto* right = new QWidget;
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(0, 0, 0, 0);
    rightLayout->setSpacing(0);
    rightLayout->addWidget(m_summary);
    rightLayout->addWidget(m_fields, 1);
    auto* splitter = new QSplitter;
    splitter->setChildrenCollapsible(false);
    splitter->addWidget(m_changes);
    splitter->addWidget(right);
    splitter->setSizes({500, 880});
    m_stack = new StateStack(splitter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    const auto changeAt = [](const QModelIndex& index, const auto* model) {
        return index.isValid() ? model->item(index).change : -1;
    };
    connect(m_changes, &TablePanel::chosen, this, [this, changeAt](const QModelIndex& index) {
        choose(changeAt(index, m_changesModel), false);
        // A group stands for the node it became.
        const QVariant node = index.data(NodeRole);
        if (changeAt(index, m_changesModel) < 0 && node.isValid())
            choose(m_content->changeOf(NodeId{node.toInt()}), false);
    });
    connect(m_fields, &TablePanel::chosen, this,
            [this, changeAt](const QModelIndex& index) { choose(changeAt(index, m_fieldsModel), true); });
    connect(m_fields, &TablePanel::activated, this, [this](const QModelIndex& index) {
        if (!index.isValid() || !m_fieldsModel->unfold(index)) return;
        const auto* proxy = static_cast<const QAbstractProxyModel*>(m_fields->view()->model());
        m_fields->view()->expand(proxy->mapFromSource(index.siblingAtColumn(0)));
    });
    // One filter line for both lists.
    connect(m_changes, &TablePanel::filterChanged, m_fields->filterLine(), &QLineEdit::setText);
    connect(m_next, &QToolButton::clicked, this, &DiffView::nextChange);
    connect(m_previous, &QToolButton::clicked, this, &DiffView::previousChange);
    const auto addCommand = [this](const char* name, Qt::Key key, int step, QToolButton* button) {
        auto* action = new QAction(this);
        action->setObjectName(QLatin1String(name));
        action->setShortcut(QKeySequence(key));
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, [this, step] { move(step); });
        connect(action, &QAction::changed, button, [button, action] {
            button->setToolTip(action->toolTip());
            button->setAccessibleName(action->text());
        });
        addAction(action);
        return action;
    };
    m_nextAction = addCommand("diff_next", Qt::Key_N, 1, m_next);
    m_previousAction = addCommand("diff_previous", Qt::Key_P, -1, m_previous);
    setFocusProxy(m_changes->view());
    retranslate();
}

DiffView::~DiffView() = default;

QString DiffView::summary() const { return static_cast<ElidedLabel*>(m_summary)->fullText(); }
QString DiffView::stateText() const { return m_stack->isContent() ? QString() : m_stack->page()->text(); }

void DiffView::runChanged() { request(); }
void DiffView::stepChanged() { request(); }

void DiffView::request()
{
    if (m_content && m_content->run == run() && m_content->before == comparedStep() &&
        m_content->after == shownStep() && !m_background.isRunning())
        return;
    m_background.cancel();
    if (!run() || run()->steps.empty()) return setContent(nullptr);
    if (m_content && m_content->run != run()) setContent(nullptr);
    // The old content stays in sight until the new one is there: stepping does not flicker.
    m_background.start([run = run(), before = comparedStep(), after = shownStep()](
                           const std::stop_token& stop) { return makeDiff(run, before, after, stop); },
                       [this](std::shared_ptr<const DiffContent> content) {
                           m_background.finished();
                           setContent(std::move(content));
                       });
}

void DiffView::setContent(std::shared_ptr<const DiffContent> content)
{
    m_content = std::move(content);
    m_changesModel->setContent(m_content);
    m_fieldsModel->setContent(m_content);
    m_fieldsModel->refresh(); // the header names the steps
    unfoldChanged();
    if (m_changesModel->nodeCount() <= rowsUnfolded) m_changes->view()->expandAll();
    // A list without a current row takes its first one with the focus, which would select a node that nobody chose.
    m_changes->setCurrentIndex(m_changesModel->index(0, 0));
    updateSummary();
    stateChanged();
    selectionChanged();
}

void DiffView::unfoldChanged()
{
    if (!m_content || m_fieldsModel->nodeCount() > rowsUnfolded) return;
    // Nodes that came or went say enough by their name; their fields open when they are chosen.
    const auto* proxy = static_cast<const QAbstractProxyModel*>(m_fields->view()->model());
    for (std::size_t i = 0; i < m_content->diff.changes.size(); ++i)
        if (m_content->diff.changes[i].kind == ChangeKind::Changed)
            m_fields->view()->expand(proxy->mapFromSource(m_fieldsModel->indexOfChange(static_cast<int>(i))));
}

void DiffView::stateChanged()
{
    m_stack->follow(*this);
    if (!run() || !m_content || !m_content->diff.isEmpty()) return;
    const Step& step = run()->step(m_content->after);
    const bool hasChanges = // of files it is known only where they were looked at
        run()->sourceOf(StepId{0}) != nullptr ||
        std::any_of(run()->steps.begin(), run()->steps.end(), [](const Step& each) { return each.hasChanged(); });
    const QString next =
        hasChanges ? tr("“Change ▶▶” in the tool bar goes to the next step that changes something; the pipeline list "
                        "shows where they are.")
                   : tr("No step of this run changes the graph.");
    if (m_content->before == m_content->after)
        m_stack->showEmpty(tr("Step %1 is compared with itself.").arg(m_content->after.value), next);
    else
        m_stack->showEmpty(tr("Nothing changed from step %1 to step %2 (%3).")
                               .arg(m_content->before.value)
                               .arg(m_content->after.value)
                               .arg(words::pass(step.pass)),
                           next);
}

/// How sure it is that nodes of two files are the same; nothing between two steps of one run.
QString DiffView::matchText(const GraphDiff& diff) const
{
    const auto count = [&](MatchBasis basis) { return diff.matchedBy[static_cast<std::size_t>(basis)]; };
    int pairs = 0;
    for (const int found : diff.matchedBy) pairs += found;
    if (pairs == 0) return {};
    return tr(" · matched %1 by name, %2 by origin names, %3 by structure, %4 sure")
        .arg(format::count(count(MatchBasis::Name) + count(MatchBasis::NameOnly)),
             format::count(count(MatchBasis::Origin)), format::count(count(MatchBasis::Structure)),
             format::percent(diff.confidence()));
}

void DiffView::updateSummary()
{
    auto* label = static_cast<ElidedLabel*>(m_summary);
    if (!m_content) return label->setFullText({});
    const GraphDiff& diff = m_content->diff;
    const auto counts = [](int added, int removed, int changed) {
        return QStringLiteral("+%1 −%2 ~%3").arg(format::count(added), format::count(removed), format::count(changed));
    };
    label->setFullText(tr("Step %1 against %2 · nodes %3 · tensors %4 · nodes unchanged %5")
                           .arg(format::count(m_content->after.value), format::count(m_content->before.value),
                                counts(diff.added, diff.removed, diff.changed),
                                counts(diff.tensorsAdded, diff.tensorsRemoved, diff.tensorsChanged),
                                format::count(m_content->unchangedNodes)) +
                       matchText(diff));
}

void DiffView::move(int step)
{
    // Along the rows in sight, past the titles of groups.
    QTreeView* view = m_changes->view();
    const auto* proxy = static_cast<const QAbstractProxyModel*>(view->model());
    QModelIndex at = view->currentIndex().siblingAtColumn(0);
    const auto isChange = [&](const QModelIndex& index) {
        return m_changesModel->item(proxy->mapToSource(index)).change >= 0;
    };
    if (!at.isValid()) {
        at = view->model()->index(0, 0);
        if (step < 0)
            while (view->indexBelow(at).isValid()) at = view->indexBelow(at);
        if (at.isValid() && isChange(at)) return view->setCurrentIndex(at);
    }
    while (at.isValid()) {
        if (step > 0 && !isChange(at)) view->expand(at);
        at = step > 0 ? view->indexBelow(at) : view->indexAbove(at);
        if (at.isValid() && isChange(at)) return view->setCurrentIndex(at);
    }
    Q_EMIT statusMessage(step > 0 ? tr("This was the last change.") : tr("This was the first change."));
}

void DiffView::choose(int change, bool isFromFields)
{
    if (!m_content || change < 0) return;
    showChange(change, isFromFields);
    Q_EMIT selectionRequested(Selection::ofNode(m_content->nodeOf(change)));
}

void DiffView::showChange(int change, bool isFromFields)
{
    if (isFromFields) {
        const QModelIndex current = m_changes->currentIndex();
        if (!current.isValid() || m_changesModel->item(current).change != change)
            m_changes->setCurrentIndex(m_changesModel->indexOfChange(change));
        return;
    }
    const QModelIndex current = m_fields->currentIndex();
    if (current.isValid() && m_fieldsModel->item(current).change == change) return;
    const QModelIndex heading = m_fieldsModel->indexOfChange(change);
    m_fields->setCurrentIndex(heading);
    const auto* proxy = static_cast<const QAbstractProxyModel*>(m_fields->view()->model());
    const QModelIndex shown = proxy->mapFromSource(heading);
    if (!shown.isValid()) return;
    m_fields->view()->expand(shown);
    m_fields->view()->scrollTo(shown, QAbstractItemView::PositionAtTop);
}

void DiffView::selectionChanged()
{
    if (!m_content) return;
    const int change = m_content->changeOf(selection().node);
    if (change < 0) return;
    showChange(change, false);
    showChange(change, true);
}

void DiffView::retranslate()
{
    setCommandTexts(m_previousAction, tr("Previous change"), tr("To the change before"));
    setCommandTexts(m_nextAction, tr("Next change"), tr("To the next change"));
    m_changes->view()->setAccessibleName(tr("Changed nodes"));
    m_fields->view()->setAccessibleName(tr("Fields before and after"));
    m_changesModel->refresh();
    m_fieldsModel->refresh();
    updateSummary();
    stateChanged();
}

/// Names of fields are read whole where there is room; on a small screen the values need it more.
void DiffView::resizeEvent(QResizeEvent* event)
{
    View::resizeEvent(event);
    QHeaderView* header = m_fields->view()->header();
    if (header->sectionSize(FieldsModel::Field) != m_fieldWidth) return; // somebody dragged it
    m_fieldWidth = std::clamp(width() / 10, leastFieldWidth, 230);
    header->resizeSection(FieldsModel::Field, m_fieldWidth);
}

void DiffView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    View::changeEvent(event);
}

} // namespace gelens
