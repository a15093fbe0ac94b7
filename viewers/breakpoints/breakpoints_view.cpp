#include "viewers/breakpoints/breakpoints_view.h"

#include "viewers/breakpoints/breakpoints_model.h"
#include "viewers/common/breakpoint_list.h"
#include "viewers/common/command_texts.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/models/words.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace gelens {
namespace {

constexpr BreakpointKind allKinds[] = {BreakpointKind::Pass,     BreakpointKind::Node,      BreakpointKind::OpType,
                                       BreakpointKind::Tensor,   BreakpointKind::RuleFires, BreakpointKind::RuleRefused,
                                       BreakpointKind::Statistic};

} // namespace

BreakpointsView::BreakpointsView(BreakpointList* list, QWidget* parent)
    : View(parent), m_list(list), m_model(new BreakpointsModel(list, this)), m_panel(new TablePanel),
      m_stack(new StateStack(m_panel)), m_kind(new QComboBox), m_pattern(new QLineEdit), m_condition(new QLineEdit),
      m_add(new QToolButton), m_remove(new QToolButton), m_notice(new QLabel)
{
    m_panel->setName(QStringLiteral("breakpoints"));
    m_panel->setModel(m_model);
    QHeaderView* header = m_panel->view()->header();
    header->setStretchLastSection(true);
    const int widths[] = {340, 200, 60};
    for (int column = 0; column < BreakpointsModel::Stops; ++column) header->resizeSection(column, widths[column]);
    m_panel->view()->setIndentation(16);
    m_editAction = addCommand("breakpoint_edit", QKeySequence(Qt::Key_F2), &BreakpointsView::editChosen);
    m_removeAction =
        addCommand("breakpoint_remove", QKeySequence(QKeySequence::Delete), &BreakpointsView::removeChosen);

    for (const BreakpointKind kind : allKinds) m_kind->addItem(QString(), static_cast<int>(kind));
    for (QLineEdit* line : {m_pattern, m_condition}) {
        line->setClearButtonEnabled(true);
        connect(line, &QLineEdit::returnPressed, this, &BreakpointsView::addFromLines);
    }
    m_notice->setTextFormat(Qt::PlainText);
    m_notice->setWordWrap(true);
    m_notice->setContentsMargins(8, 2, 8, 4);
    auto* line = m_line = new QHBoxLayout;
    line->setContentsMargins(4, 4, 4, 0);
    line->setSpacing(6);
    line->addWidget(m_kind);
    line->addWidget(m_pattern, 3);
    line->addWidget(m_condition, 2);
    line->addWidget(m_add);
    line->addWidget(m_remove);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(line);
    layout->addWidget(m_notice);
    layout->addWidget(m_stack, 1);
    setFocusProxy(m_pattern);

    connect(m_add, &QToolButton::clicked, this, &BreakpointsView::addFromLines);
    connect(m_remove, &QToolButton::clicked, this, &BreakpointsView::removeChosen);
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] { retranslate(); });
    for (QLineEdit* typed : {m_pattern, m_condition}) // what was refused stands there no more
        connect(typed, &QLineEdit::textEdited, this, [this] {
            m_error.clear();
            updateState();
        });
    connect(m_panel, &TablePanel::activated, this, &BreakpointsView::follow);
    connect(m_panel, &TablePanel::menuAboutToShow, this, [this](QMenu* menu, const QModelIndex& index) {
        if (index.isValid()) menu->addActions({m_editAction, m_removeAction});
    });
    connect(m_panel->view()->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &BreakpointsView::updateActions);
    connect(m_list, &BreakpointList::hitsChanged, this, &BreakpointsView::rebuild);
    connect(m_list, &BreakpointList::changed, this, &BreakpointsView::rebuild);
    retranslate();
    rebuild();
}

/// Of the list: in the lines above, the same keys belong to the text.
QAction* BreakpointsView::addCommand(const char* name, const QKeySequence& keys, void (BreakpointsView::*run)())
{
    auto* action = new QAction(this);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    action->setEnabled(false); // nothing is chosen yet
    m_panel->view()->addAction(action);
    connect(action, &QAction::triggered, this, run);
    return action;
}

void BreakpointsView::addActionButton(QAction* action)
{
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    m_line->addWidget(button);
}

QString BreakpointsView::notice() const { return m_notice->text(); }
QString BreakpointsView::stateText() const { return m_stack->isContent() ? QString() : m_stack->page()->text(); }

void BreakpointsView::runChanged() { rebuild(); }

void BreakpointsView::stepChanged() { m_model->setShown(shownStep()); }

void BreakpointsView::rebuild()
{
    std::set<int> open;
    QTreeView* tree = m_panel->view();
    for (int row = 0; row < tree->model()->rowCount(); ++row)
        if (tree->isExpanded(tree->model()->index(row, 0))) open.insert(row);
    const int current = m_panel->currentIndex().isValid() ? m_model->item(m_panel->currentIndex()).entry : -1;
    m_model->rebuild();
    for (const int row : open) tree->expand(tree->model()->index(row, 0));
    if (current >= 0 && current < m_model->rowCount()) m_panel->setCurrentIndex(m_model->index(current, 0));
    m_remove->setEnabled(m_model->rowCount() > 0);
    updateActions(); // what was chosen may be gone without a word
    updateState();
}

void BreakpointsView::updateActions()
{
    for (QAction* action : {m_editAction, m_removeAction})
        action->setEnabled(m_panel->view()->selectionModel()->hasSelection());
}

/// Said once: an empty list is told by its page, what was refused by the notice.
void BreakpointsView::updateState()
{
    m_notice->setText(m_error);
    m_notice->setVisible(!m_error.isEmpty());
    if (m_list->entries().empty())
        m_stack->showEmpty(
            tr("No breakpoint is set."),
            tr("Say above what to wait for and press Enter, or set one on the pass shown with Ctrl+B; F8 "
               "then goes from stop to stop, and a compile can halt there."));
    else
        m_stack->showContent();
}

void BreakpointsView::addFromLines()
{
    Breakpoint breakpoint;
    breakpoint.kind = static_cast<BreakpointKind>(m_kind->currentData().toInt());
    breakpoint.pattern = m_pattern->text().trimmed().toStdString();
    breakpoint.condition = m_condition->text().trimmed().toStdString();
    const auto& entries = m_list->entries();
    const auto edited = std::find_if(entries.begin(), entries.end(), [this](const BreakpointList::Entry& entry) {
        return m_edited && entry.breakpoint == *m_edited;
    });
    if (edited != entries.end()) {
        breakpoint.isEnabled = edited->breakpoint.isEnabled;
        m_error = m_list->replace(static_cast<int>(edited - entries.begin()), breakpoint);
    } else {
        m_error = m_list->add(breakpoint);
    }
    if (m_error.isEmpty()) {
        m_edited.reset();
        m_pattern->clear();
        m_condition->clear();
    }
    updateAddButton();
    updateState();
}

/// Into the lines; what comes out of them takes its place.
void BreakpointsView::editChosen()
{
    const QModelIndex index = m_panel->currentIndex();
    if (!index.isValid()) return;
    const Breakpoint& chosen = m_list->entries()[static_cast<std::size_t>(m_model->item(index).entry)].breakpoint;
    m_edited = chosen;
    m_kind->setCurrentIndex(m_kind->findData(static_cast<int>(chosen.kind)));
    m_pattern->setText(words::text(chosen.pattern));
    m_condition->setText(words::text(chosen.condition));
    m_pattern->setFocus();
    m_pattern->selectAll();
    updateAddButton();
}

void BreakpointsView::updateAddButton()
{
    m_add->setText(m_edited ? tr("Change") : tr("Add"));
    m_add->setToolTip(m_edited ? tr("Put this in the place of the breakpoint that was chosen (Enter)")
                               : tr("Add this breakpoint (Enter)"));
}

void BreakpointsView::removeChosen()
{
    std::set<int> entries;
    for (const QModelIndex& row : m_panel->selectedRows()) entries.insert(m_model->item(row).entry);
    for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) m_list->remove(*entry);
}

void BreakpointsView::follow(const QModelIndex& index)
{
    if (!run() || !index.isValid()) return;
    const BreakpointItem& content = m_model->item(index);
    const BreakpointList::Entry& entry = m_list->entries()[static_cast<std::size_t>(content.entry)];
    if (entry.hits.empty()) return;
    // A breakpoint leads to its next stop behind the step shown, and round to the first.
    const BreakpointHit* target = &entry.hits[static_cast<std::size_t>(std::max(content.hit, 0))];
    for (std::size_t i = 0; content.hit < 0 && i < entry.hits.size(); ++i)
        if (entry.hits[i].step > shownStep()) {
            target = &entry.hits[i];
            break;
        }
    const NodeId node = target->node; // the list may change while others answer
    Q_EMIT stepRequested(target->step);
    if (node.isValid()) Q_EMIT selectionRequested(Selection::ofNode(node));
}

QString BreakpointsView::hintFor(int kind) const
{
    switch (static_cast<BreakpointKind>(kind)) {
    case BreakpointKind::Pass: return tr("pass, phase or rule: FlashAttention*");
    case BreakpointKind::Node: return tr("node name: *layers.0*");
    case BreakpointKind::OpType: return tr("operator type: BatchMatMul*");
    case BreakpointKind::Tensor: return tr("tensor as node:index: */Softmax:0");
    case BreakpointKind::RuleFires:
    case BreakpointKind::RuleRefused: return tr("rule or GE pass: *SwiGlu*");
    case BreakpointKind::Statistic: return tr("memory > 20M, operators < 300, ms > 5 …");
    }
    return {};
}

void BreakpointsView::retranslate()
{
    for (int i = 0; i < m_kind->count(); ++i)
        m_kind->setItemText(i, breakpointKindText(static_cast<BreakpointKind>(m_kind->itemData(i).toInt())));
    m_kind->setToolTip(tr("What to wait for"));
    m_kind->setAccessibleName(m_kind->toolTip());
    m_pattern->setPlaceholderText(hintFor(m_kind->currentData().toInt()));
    m_pattern->setToolTip(tr("* and ? stand for anything; upper and lower case do not matter"));
    m_condition->setPlaceholderText(tr("only when: hits >= 2 and edits > 10"));
    m_condition->setToolTip(
        tr("Figures: hits, step, edits, operators, nodes, edges, constants, ms, memory, peak; joined by “and”; "
           "numbers may end in k, M or G"));
    updateAddButton();
    setCommandTexts(m_editAction, tr("Edit"), tr("Change what the chosen breakpoint waits for"));
    setCommandTexts(m_removeAction, tr("Remove"), tr("Remove the chosen breakpoints"));
    m_remove->setText(m_removeAction->text());
    m_remove->setToolTip(m_removeAction->toolTip());
    m_panel->view()->setToolTip(tr("Double click or Enter goes to the next stop"));
    m_model->refresh();
    updateState();
}

void BreakpointsView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    View::changeEvent(event);
}

} // namespace gelens
