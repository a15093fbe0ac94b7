#include "viewers/common/chart_export.h"

#include "viewers/common/view.h"

#include <QAction>
#include <QFileDialog>
#include <QMessageBox>

#include <utility>

namespace gelens {

ChartExport::ChartExport(View* view, QWidget* canvas)
    : QObject(view), m_view(view), m_action(new QAction(this)), m_job(this)
{
    m_action->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S));
    m_action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    view->addAction(m_action);
    canvas->addAction(m_action);
    canvas->setContextMenuPolicy(Qt::ActionsContextMenu);
}

void ChartExport::ask(const QString& title, const QString& name, const QString& filter, Writer writer)
{
    const QString path = QFileDialog::getSaveFileName(m_view, title, name, filter);
    if (path.isEmpty()) return;
    Q_EMIT m_view->statusMessage(tr("Writing %1 …").arg(path));
    m_job.start([writer = std::move(writer), path](std::stop_token) { return write(writer, path); },
                [this, path](const QString& error) {
                    m_job.finished();
                    if (error.isEmpty())
                        Q_EMIT m_view->statusMessage(tr("Written: %1").arg(path));
                    else
                        QMessageBox::warning(m_view, tr("Export"), tr("%1 was not written. %2").arg(path, error));
                });
}

QString ChartExport::write(const Writer& writer, const QString& path)
{
    const Status status = writer(path.toStdString());
    return status.ok() ? QString() : QString::fromStdString(status.error().what);
}

} // namespace gelens
