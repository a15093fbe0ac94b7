#include "viewers/common/list_export.h"

#include "viewers/common/formatter.h"
#include "viewers/picture/chart_file.h"

#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include <utility>

namespace gelens {
namespace {

constexpr int sliceMilliseconds = 10; ///< of reading between two events
constexpr int mostRestarts = 20;      ///< a list that changes all the time never gets to its end

} // namespace

ListExport::ListExport(QWidget* parent)
    : QWidget(parent), m_label(new QLabel), m_bar(new QProgressBar), m_stop(new QToolButton), m_writing(this)
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(6, 1, 4, 1);
    layout->addWidget(m_label);
    layout->addWidget(m_bar, 1);
    layout->addWidget(m_stop);
    m_label->setTextFormat(Qt::PlainText);
    m_bar->setTextVisible(false);
    m_bar->setMaximumHeight(10);
    m_stop->setText(QStringLiteral("✕"));
    m_stop->setAutoRaise(true);
    m_slices.setInterval(0);
    connect(&m_slices, &QTimer::timeout, this, &ListExport::goOn);
    connect(m_stop, &QToolButton::clicked, this, &ListExport::cancel);
    hide();
    retranslate();
}

QString ListExport::progressText() const { return m_label->text(); }

Status ListExport::begin(const QAbstractItemModel& model, const QString& path, ListForm form)
{
    cancel();
    m_model = &model;
    m_path = path;
    m_form = form;
    m_restarts = 0;
    m_isStale = false;
    m_text = std::make_unique<ListText>(model, form);
    if (m_text->advance(QDeadlineTimer(sliceMilliseconds))) {
        const auto whole = std::exchange(m_text, nullptr);
        m_model = nullptr;
        return writeText(whole->text().toStdString(), path.toStdString());
    }
    watch(model);
    retranslate();
    show();
    m_slices.start();
    return Status::success();
}

void ListExport::beginPicture(RecordedPicture picture, const QString& path)
{
    cancel();
    m_path = path;
    m_label->setText(QFileInfo(path).fileName());
    m_bar->setRange(0, 0);
    show();
    m_writing.start([picture = std::move(picture),
                     path = path.toStdString()](std::stop_token) { return writeRecorded(picture, path); },
                    [this](const Status& status) {
                        m_writing.finished();
                        end(status.ok() ? QString() : QString::fromStdString(status.error().what));
                    });
}

void ListExport::watch(const QAbstractItemModel& model)
{
    const auto change = [this] { m_isStale = true; };
    connect(&model, &QAbstractItemModel::modelReset, this, change);
    connect(&model, &QAbstractItemModel::layoutChanged, this, change);
    connect(&model, &QAbstractItemModel::rowsRemoved, this, change);
    connect(&model, &QAbstractItemModel::rowsMoved, this, change);
    connect(&model, &QAbstractItemModel::rowsInserted, this, [this](const QModelIndex& parent, int, int last) {
        m_isStale = m_isStale || parent.isValid() || last + 1 < m_model->rowCount();
    });
    connect(&model, &QObject::destroyed, this, &ListExport::cancel);
}

/// A filter takes rows out piece by piece: many changes of one event make it begin once.
bool ListExport::beginAnew()
{
    m_isStale = false;
    m_text = std::make_unique<ListText>(*m_model, m_form);
    return ++m_restarts <= mostRestarts;
}

void ListExport::goOn()
{
    if (!m_text) return m_slices.stop();
    if (m_isStale && !beginAnew()) return end(tr("the list changed again and again while it was read"));
    if (m_text->advance(QDeadlineTimer(sliceMilliseconds))) return write();
    retranslate();
}

void ListExport::write()
{
    m_slices.stop();
    const std::shared_ptr<ListText> whole = std::exchange(m_text, nullptr);
    m_writing.start(
        [whole, path = m_path.toStdString()](std::stop_token) { return writeText(whole->text().toStdString(), path); },
        [this](const Status& status) {
            m_writing.finished();
            end(status.ok() ? QString() : QString::fromStdString(status.error().what));
        });
}

void ListExport::end(const QString& problem)
{
    const QString path = m_path;
    cancel();
    Q_EMIT finished(path, problem);
}

void ListExport::cancel()
{
    m_slices.stop();
    m_writing.cancel();
    m_text.reset();
    if (m_model != nullptr) m_model->disconnect(this);
    m_model = nullptr;
    hide();
}

void ListExport::retranslate()
{
    m_stop->setToolTip(tr("Stop writing the file (Esc)"));
    m_stop->setAccessibleName(m_stop->toolTip());
    if (!m_text || m_isStale) return;
    const int rows = m_model->rowCount();
    m_label->setText(tr("%1: %2 of %3 rows")
                         .arg(QFileInfo(m_path).fileName(), format::count(m_text->rowsDone()), format::count(rows)));
    m_bar->setRange(0, rows);
    m_bar->setValue(m_text->rowsDone());
}

void ListExport::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace gelens
