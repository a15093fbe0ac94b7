#include "viewers/common/chart_export.h"

#include "viewers/common/command_texts.h"
#include "viewers/common/export_path.h"
#include "viewers/common/recorded_picture.h"
#include "viewers/common/view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QMessageBox>
#include <QPixmap>

#include <memory>
#include <utility>

namespace gelens {
namespace {

constexpr FileKind pictureKinds[] = {{"svg", "SVG (*.svg)"}, {"png", "PNG (*.png)"}, {"pdf", "PDF (*.pdf)"}};

} // namespace

ChartExport::ChartExport(View* view, QWidget* canvas, std::function<Chart()> chart)
    : QObject(view), m_view(view), m_canvas(canvas), m_chart(std::move(chart)), m_action(new QAction(this)),
      m_copy(new QAction(this)), m_job(this)
{
    m_action->setObjectName(QStringLiteral("picture_export"));
    m_copy->setObjectName(QStringLiteral("picture_copy"));
    m_action->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)); // as in every list
    m_action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_copy->setShortcut(QKeySequence::Copy);
    m_copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    view->addAction(m_action);
    canvas->addAction(m_action);
    canvas->addAction(m_copy);
    canvas->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(m_action, &QAction::triggered, this, &ChartExport::exportWithDialog);
    connect(m_copy, &QAction::triggered, this, &ChartExport::copy);
    for (const auto& [ending, filter] : pictureKinds) {
        auto* action = new QAction(this);
        action->setObjectName(QLatin1String("picture_export_") + QLatin1String(ending));
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        view->addAction(action);
        connect(action, &QAction::triggered, this, [this, kind = QString::fromLatin1(ending)] { exportAs(kind); });
        m_kinds += action;
    }
    view->installEventFilter(this); // for the language
    retranslate();
}

void ChartExport::retranslate()
{
    setCommandTexts(m_action, tr("Export…"), tr("Write it as SVG, PNG or PDF"));
    setCommandTexts(m_copy, tr("Copy picture"), tr("Put what is seen on the clipboard"));
    for (int i = 0; i < m_kinds.size(); ++i) {
        const QString kind = QString::fromLatin1(pictureKinds[i].first).toUpper();
        setCommandTexts(m_kinds[i], tr("Export as %1…").arg(kind), tr("Write the picture as a %1 file").arg(kind));
    }
}

bool ChartExport::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_view && event->type() == QEvent::LanguageChange) retranslate();
    return QObject::eventFilter(watched, event);
}

ChartExport::Writer ChartExport::writerOf(QWidget& widget)
{
    return [recorded = std::make_shared<const RecordedPicture>(recordWidget(widget))](const std::string& path) {
        return writeRecorded(*recorded, path);
    };
}

void ChartExport::copy() const { QApplication::clipboard()->setPixmap(m_canvas->grab()); }

void ChartExport::exportAs(const QString& kind)
{
    const Chart chart = m_chart();
    if (!chart.writer) return Q_EMIT m_view->statusMessage(tr("There is nothing to export here yet."));
    const QString path = askForExportPath(m_view, chart.title, chart.name, kind, pictureKinds, chart.more);
    if (path.isEmpty()) return;
    Q_EMIT m_view->statusMessage(tr("Writing %1 …").arg(path));
    m_job.start([write = chart.writer, path](std::stop_token) { return write(path.toStdString()); },
                [this, path](const Status& status) {
                    m_job.finished();
                    if (status.ok())
                        Q_EMIT m_view->statusMessage(tr("Written: %1").arg(path));
                    else
                        QMessageBox::warning(
                            m_view, tr("Export"),
                            tr("%1 was not written. %2").arg(path, QString::fromStdString(status.error().what)));
                });
}

bool ChartExport::exportTo(const QString& path, QString* error) const
{
    const Chart chart = m_chart();
    QString said;
    if (!chart.writer)
        said = tr("There is nothing to export here yet.");
    else if (const Status status = chart.writer(path.toStdString()); !status.ok())
        said = QString::fromStdString(status.error().what);
    if (error != nullptr) *error = said;
    return said.isEmpty();
}

} // namespace gelens
