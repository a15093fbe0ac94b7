#include "viewers/models_monitor/models_view.h"

#include "viewers/common/column_fit.h"
#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"

#include <QKeyEvent>
#include <QMenu>
#include <QTreeView>
#include <QVBoxLayout>

namespace gelens {

ModelsView::ModelsView(QWidget* parent)
    : View(parent), m_model(new ModelsModel(this)), m_panel(new TablePanel), m_stack(new StateStack(m_panel))
{
    m_panel->setName(QStringLiteral("models"));
    m_panel->setModel(m_model);
    new ColumnFit(m_panel->view(), {{ModelsModel::Name, 90}, {ModelsModel::State, 60}, {ModelsModel::Mode, 70}},
                  ModelsModel::Name);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    connect(m_panel, &TablePanel::activated, this,
            [this](const QModelIndex& index) { Q_EMIT modelChosen(m_model->row(index.row()).id); });
    connect(m_panel, &TablePanel::menuAboutToShow, this, [this](QMenu* menu, const QModelIndex& index) {
        if (!index.isValid()) return;
        const int id = m_model->row(index.row()).id;
        menu->addAction(tr("Show this model"), this, [this, id] { Q_EMIT modelChosen(id); });
        menu->addAction(tr("Close"), QKeySequence::Delete, this, [this, id] { Q_EMIT closeRequested(id); });
    });
    m_panel->view()->installEventFilter(this);
    setFocusProxy(m_panel->view());
    updateState();
}

void ModelsView::setModels(std::vector<Row> rows)
{
    m_model->setRows(std::move(rows));
    updateState();
}

void ModelsView::updateState()
{
    if (m_model->rowCount() > 0) return m_stack->showContent();
    m_stack->showEmpty(tr("No model is open."), tr("Each open model gets a row here. Open one with Ctrl+O."));
}

void ModelsView::closeSelected()
{
    std::vector<int> ids;
    for (const QModelIndex& row : m_panel->selectedRows()) ids.push_back(m_model->row(row.row()).id);
    for (const int id : ids) Q_EMIT closeRequested(id);
}

bool ModelsView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        closeSelected();
        return true;
    }
    return View::eventFilter(watched, event);
}

void ModelsView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        m_model->refresh();
        updateState();
    }
    View::changeEvent(event);
}

} // namespace gelens
