#include "app/gui/quick_list.h"

#include "viewers/models/text_filter.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QStandardItemModel>
#include <QVBoxLayout>

namespace gelens {
namespace {

constexpr int entryRole = Qt::UserRole + 500;

} // namespace

QuickList::QuickList(const QString& title, const QString& hint, std::vector<QuickEntry> entries, QWidget* parent)
    : QDialog(parent), m_entries(std::move(entries)), m_line(new QLineEdit), m_list(new QListView), m_note(new QLabel),
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
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    m_note->setObjectName(QStringLiteral("note"));
    layout->addWidget(m_note);
    for (std::size_t i = 0; i < m_entries.size(); ++i) {
        const QuickEntry& entry = m_entries[i];
        auto* item = new QStandardItem(
            entry.detail.isEmpty() ? entry.text : QStringLiteral("%1    %2").arg(entry.text, entry.detail));
        item->setData(static_cast<int>(i), entryRole);
        // It can be gone to all the same: the note says why it cannot be done.
        if (!entry.isEnabled) item->setForeground(palette().color(QPalette::Disabled, QPalette::Text));
        m_model->appendRow(item);
    }
    m_proxy->setSourceModel(m_model);
    m_list->setModel(m_proxy);
    m_list->setCurrentIndex(m_proxy->index(0, 0));
    m_line->installEventFilter(this);
    connect(m_line, &QLineEdit::textChanged, this, &QuickList::filter);
    connect(m_line, &QLineEdit::returnPressed, this, &QuickList::take);
    connect(m_list->selectionModel(), &QItemSelectionModel::currentChanged, this, &QuickList::showNote);
    connect(m_list, &QListView::activated, this, &QuickList::take);
    connect(m_list, &QListView::clicked, this, &QuickList::take);
    m_line->setFocus();
    showNote();
}

const QuickEntry* QuickList::current() const
{
    const QModelIndex index = m_list->currentIndex();
    return index.isValid() ? &m_entries[static_cast<std::size_t>(index.data(entryRole).toInt())] : nullptr;
}

void QuickList::showNote()
{
    const QuickEntry* entry = current();
    m_note->setText(entry == nullptr ? QString() : entry->note);
    m_note->setVisible(!m_note->text().isEmpty());
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
    // Of what contains the words, that which is called so comes first: "fit" is "Graph: Fit" and not "Graph: Fit selection".
    const auto rank = [&text](const QString& entry) {
        const QString name = entry.mid(entry.indexOf(QStringLiteral(": ")) + 1).trimmed(), wanted = text.trimmed();
        if (name.compare(wanted, Qt::CaseInsensitive) == 0) return 0;
        return name.startsWith(wanted, Qt::CaseInsensitive) ? 1 : 2;
    };
    QModelIndex best = m_proxy->index(0, 0);
    int least = 3;
    for (int row = 0; row < m_proxy->rowCount() && least > 0; ++row) {
        const QModelIndex index = m_proxy->index(row, 0);
        const int now = rank(m_entries[static_cast<std::size_t>(index.data(entryRole).toInt())].text);
        if (now >= least) continue;
        least = now;
        best = index;
    }
    m_list->setCurrentIndex(best);
    m_list->scrollTo(best);
    showNote();
}

void QuickList::take()
{
    const QuickEntry* entry = current();
    if (entry == nullptr || !entry->isEnabled) return;
    const auto run = entry->run;
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
