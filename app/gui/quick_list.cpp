#include "app/gui/quick_list.h"

#include "viewers/models/text_filter.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace gelens {
namespace {

constexpr int entryRole = Qt::UserRole + 500;

} // namespace

QuickList::QuickList(const QString& title, const QString& hint, std::vector<QuickEntry> entries, QWidget* parent)
    : QDialog(parent), m_entries(std::move(entries)), m_line(new QLineEdit), m_list(new QListView),
      m_model(new QStandardItemModel(this)), m_proxy(new TextFilter(this))
{
    setWindowTitle(title);
    setObjectName(QStringLiteral("quick_list"));
    setAttribute(Qt::WA_DeleteOnClose);
    setModal(true);
    resize(560, 420);
    m_line->setPlaceholderText(hint);
    m_line->setClearButtonEnabled(true);
    m_list->setUniformItemSizes(true);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_line);
    layout->addWidget(m_list, 1);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const QuickEntry& entry = m_entries[i];
        auto* item = new QStandardItem(
            entry.detail.isEmpty() ? entry.text : QStringLiteral("%1    %2").arg(entry.text, entry.detail));
        item->setData(static_cast<int>(i), entryRole);
        item->setEnabled(entry.isEnabled);
        m_model->appendRow(item);
    }
    m_proxy->setSourceModel(m_model);
    m_list->setModel(m_proxy);
    m_list->setCurrentIndex(m_proxy->index(0, 0));
    m_line->installEventFilter(this);
    connect(m_line, &QLineEdit::textChanged, this, &QuickList::filter);
    connect(m_line, &QLineEdit::returnPressed, this, &QuickList::take);
    connect(m_list, &QListView::activated, this, &QuickList::take);
    connect(m_list, &QListView::clicked, this, &QuickList::take);
    m_line->setFocus();
}

void QuickList::setCurrentEntry(int entry)
{
    const QModelIndex index = m_proxy->mapFromSource(m_model->index(entry, 0));
    m_list->setCurrentIndex(index);
    m_list->scrollTo(index, QAbstractItemView::PositionAtCenter);
}

void QuickList::filter(const QString& text)
{
    static_cast<TextFilter*>(m_proxy)->setText(text);
    m_list->setCurrentIndex(m_proxy->index(0, 0));
}

void QuickList::take()
{
    const QModelIndex index = m_list->currentIndex();
    if (!index.isValid() || !(index.flags() & Qt::ItemIsEnabled)) return;
    const auto run = m_entries[static_cast<std::size_t>(index.data(entryRole).toInt())].run;
    close();
    run();
}

bool QuickList::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_line && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp || key == Qt::Key_PageDown) {
            QCoreApplication::sendEvent(m_list, event); // the cursor stays in the line
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace gelens
