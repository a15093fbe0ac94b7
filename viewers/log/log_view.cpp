#include "viewers/log/log_view.h"

#include "viewers/common/state_page.h"
#include "viewers/common/table_panel.h"
#include "viewers/models/log_model.h"
#include "viewers/models/words.h"

#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QTreeView>
#include <QVBoxLayout>

namespace gelens {

LogView::LogView(QWidget* parent)
    : View(parent), m_model(new LogModel(this)), m_panel(new TablePanel), m_stack(new StateStack(m_panel))
{
    m_panel->setName(QStringLiteral("log"));
    m_panel->setModel(m_model);
    QHeaderView* header = m_panel->view()->header();
    for (const int column : {LogModel::Time, LogModel::Level, LogModel::Area})
        header->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    connect(m_panel, &TablePanel::menuAboutToShow, this, [this](QMenu* menu) {
        menu->addAction(tr("Clear the log"), this, [this] {
            m_model->setRows({});
            updateState();
        });
    });
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setFocusProxy(m_panel->view());
    updateState();
    // removeLogSink() in the destructor waits for a sink that is running, so `this` is alive in it.
    m_sink = addLogSink([this](LogLevel level, std::string_view area, std::string_view message) {
        QMetaObject::invokeMethod(
            this, [this, level, area = words::text(area), text = words::text(message)] { addLine(level, area, text); },
            Qt::QueuedConnection);
    });
}

LogView::~LogView() { removeLogSink(m_sink); }

void LogView::addLine(LogLevel level, const QString& area, const QString& text)
{
    QScrollBar* bar = m_panel->view()->verticalScrollBar();
    const bool wasAtEnd = bar->value() >= bar->maximum() - 2;
    m_model->addLine({QTime::currentTime(), level, area, text});
    updateState();
    if (wasAtEnd) m_panel->view()->scrollToBottom();
}

void LogView::updateState()
{
    if (m_model->rowCount() > 0) return m_stack->showContent();
    m_stack->showEmpty(tr("Nothing has been logged yet."), tr("Opening and compiling a model writes here."));
}

void LogView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        m_model->refresh();
        updateState();
    }
    View::changeEvent(event);
}

} // namespace gelens
