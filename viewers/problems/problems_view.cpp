#include "viewers/problems/problems_view.h"

#include "viewers/common/column_fit.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"

#include <QEvent>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace gelens {

ProblemsView::ProblemsView(QWidget* parent)
    : View(parent), m_model(new MessagesModel(this)), m_panel(new TablePanel), m_stack(new StateStack(m_panel))
{
    m_panel->setName(QStringLiteral("problems"));
    m_panel->setModel(m_model);
    m_panel->setWraps(3);
    new ColumnFit(m_panel->view(), {{MessagesModel::Text, 240}, {MessagesModel::Where, 150}, {MessagesModel::Id, 150}},
                  MessagesModel::Text, 600);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    connect(m_panel, &TablePanel::chosen, this, &ProblemsView::goTo);
    connect(m_panel, &TablePanel::activated, this, &ProblemsView::goTo);
    setFocusProxy(m_panel->view());
    fill();
}

void ProblemsView::addFileError(const QString& path, const QString& sentence)
{
    // The place has a column of its own.
    const QString prefix = path + QStringLiteral(": ");
    const QString what = sentence.startsWith(prefix) ? sentence.mid(prefix.size()) : sentence;
    m_fileErrors.insert(m_fileErrors.begin(),
                        {{Severity::Error, "file.open", what.toStdString(), path.toStdString(), {}}, -1});
    fill();
}

int ProblemsView::problemCount(const Run* run) const
{
    const auto isProblem = [](const MessageRow& row) { return row.message.severity != Severity::Info; };
    const std::vector<MessageRow> found = run == nullptr ? std::vector<MessageRow>() : messagesOf(*run);
    return static_cast<int>(std::count_if(m_fileErrors.begin(), m_fileErrors.end(), isProblem) +
                            std::count_if(found.begin(), found.end(), isProblem));
}

void ProblemsView::fill()
{
    std::vector<MessageRow> rows = m_fileErrors;
    if (run())
        for (MessageRow& row : messagesOf(*run())) rows.push_back(std::move(row));
    const bool isEmpty = rows.empty();
    m_model->setRows(std::move(rows));
    if (!isEmpty)
        m_stack->showContent();
    else if (run())
        m_stack->showEmpty(tr("Nothing to report."),
                           tr("Verify (Shift+F5) computes before and after each step and lists what differs."));
    else
        m_stack->follow(*this);
}

void ProblemsView::goTo(const QModelIndex& index)
{
    const QVariant step = index.data(StepRole), node = index.data(NodeRole);
    if (step.isValid()) Q_EMIT stepRequested(StepId{step.toInt()});
    if (node.isValid()) Q_EMIT selectionRequested(Selection::ofNode(NodeId{node.toInt()}));
}

void ProblemsView::selectionChanged()
{
    const auto speaksOf = [this](const QModelIndex& index) {
        const QVariant node = index.data(NodeRole);
        return node.isValid() && NodeId{node.toInt()} == selection().node;
    };
    if (speaksOf(m_panel->currentIndex())) return;
    QModelIndex found;
    for (int row = 0; row < m_model->rowCount() && !found.isValid() && selection().node.isValid(); ++row)
        if (speaksOf(m_model->index(row, 0))) found = m_model->index(row, 0);
    m_panel->setCurrentIndex(found);
}

void ProblemsView::runChanged() { fill(); }
void ProblemsView::stateChanged() { fill(); }

void ProblemsView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        m_model->refresh();
        fill();
    }
    View::changeEvent(event);
}

} // namespace gelens
