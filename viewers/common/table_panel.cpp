#include "viewers/common/table_panel.h"

#include "viewers/common/column_fit.h"
#include "viewers/common/command_texts.h"
#include "viewers/common/export_path.h"
#include "viewers/common/formatter.h"
#include "viewers/common/list_export.h"
#include "viewers/common/meaning_delegate.h"
#include "viewers/common/recorded_picture.h"
#include "viewers/models/export_text.h"
#include "viewers/models/roles.h"
#include "viewers/models/text_filter.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QMouseEvent>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace gelens {
namespace {

constexpr FileKind exportKinds[] = {{"csv", "CSV (*.csv)"},
                                    {"json", "JSON (*.json)"},
                                    {"svg", "SVG (*.svg)"},
                                    {"png", "PNG (*.png)"},
                                    {"pdf", "PDF (*.pdf)"}};

} // namespace

TablePanel::TablePanel(QWidget* parent)
    : QWidget(parent), m_filter(new QLineEdit), m_count(new QLabel), m_placeholder(new QLabel),
      m_tools(new QHBoxLayout), m_view(new QTreeView), m_exporting(new ListExport),
      m_delegate(new MeaningDelegate(m_view))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    m_tools->setContentsMargins(4, 4, 4, 2);
    m_tools->setSpacing(6);
    m_filter->setClearButtonEnabled(true);
    m_filter->setMinimumWidth(60);
    m_filter->setMaximumWidth(320);
    m_count->setContentsMargins(2, 0, 2, 0);
    m_count->setEnabled(false); // muted
    m_tools->addWidget(m_filter, 1);
    m_tools->addWidget(m_count);
    m_tools->addStretch(0);
    layout->addLayout(m_tools);
    layout->addWidget(m_view, 1);
    layout->addWidget(m_exporting);

    m_view->setItemDelegate(m_delegate);
    m_view->setUniformRowHeights(true);
    m_view->setAlternatingRowColors(true);
    m_view->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_view->setAllColumnsShowFocus(true);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->setExpandsOnDoubleClick(false);
    m_view->setSortingEnabled(true);
    m_view->header()->setSortIndicatorClearable(true);
    m_view->header()->setSortIndicator(-1, Qt::AscendingOrder);
    m_view->header()->setHighlightSections(false);
    m_view->header()->setContextMenuPolicy(Qt::CustomContextMenu);
    m_view->installEventFilter(this);
    m_view->viewport()->installEventFilter(this);
    m_filter->installEventFilter(this);

    m_placeholder->setParent(m_view->viewport());
    m_placeholder->setTextFormat(Qt::PlainText);
    m_placeholder->setWordWrap(true);
    m_placeholder->setAlignment(Qt::AlignCenter);
    m_placeholder->setEnabled(false); // muted
    m_placeholder->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_placeholder->setMargin(12);
    m_placeholder->hide();

    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (m_isOwnProxy) static_cast<TextFilter*>(m_proxy)->setText(text);
        Q_EMIT filterChanged(text);
        if (!text.isEmpty()) m_view->expandAll(); // what was found is to be seen
        updateCount();
    });
    connect(m_exporting, &ListExport::finished, this, [this](const QString& path, const QString& problem) {
        if (!problem.isEmpty()) showExportProblem(path, problem);
    });
    connect(m_view, &QTreeView::customContextMenuRequested, this, &TablePanel::showMenu);
    connect(m_view->header(), &QWidget::customContextMenuRequested, this, &TablePanel::showColumnMenu);
    connect(m_view, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        const QModelIndex first = index.siblingAtColumn(0);
        if (index.data(HeadingRole).toBool()) m_view->setExpanded(first, !m_view->isExpanded(first));
        Q_EMIT activated(toSource(index));
    });
    connect(m_view, &QTreeView::clicked, this, [this](const QModelIndex& index) {
        if (index.data(LinkRole).toBool() && QApplication::keyboardModifiers() == Qt::NoModifier)
            Q_EMIT activated(toSource(index));
    });
    createCommands();
    retranslate();
}

QAction* TablePanel::addCommand(const char* name, const QList<QKeySequence>& keys, const std::function<void()>& run)
{
    auto* action = new QAction(this);
    action->setObjectName(QLatin1String(name));
    action->setShortcuts(keys);
    // Its keys are seen by eventFilter() and belong to no widget: known to Qt's own shortcuts, they would clash with those of
    // the view around the list.
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, run);
    m_commands += action;
    return action;
}

void TablePanel::createCommands()
{
    addCommand("list_copy", QKeySequence::keyBindings(QKeySequence::Copy), [this] { copy(); });
    addCommand("list_select_all", QKeySequence::keyBindings(QKeySequence::SelectAll), [this] { m_view->selectAll(); });
    addCommand("list_filter", QKeySequence::keyBindings(QKeySequence::Find), [this] { showFilter(); });
    addCommand("list_unfold", {}, [this] { m_view->expandAll(); });
    addCommand("list_fold", {}, [this] { m_view->collapseAll(); });
    addCommand("list_sort", {}, [this] { showSortMenu(); });
    addCommand("list_columns", {}, [this] { showColumnMenu({}); });
    addCommand("list_export", {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)}, [this] { exportTo(); });
    for (const auto& [ending, filter] : exportKinds)
        addCommand(qPrintable(QStringLiteral("list_export_") + QLatin1String(ending)), {},
                   [this, kind = QString::fromLatin1(ending)] { exportTo({}, kind); });
    for (QAction* action : m_commands)
        if (action->objectName() == QLatin1String("list_filter"))
            connect(action, &QAction::changed, m_filter, [this, action] { m_filter->setToolTip(action->toolTip()); });
    updateCommands();
}

QAction* TablePanel::commandOf(const QKeySequence& keys) const
{
    const auto found = std::find_if(m_commands.begin(), m_commands.end(),
                                    [&](const QAction* action) { return action->shortcuts().contains(keys); });
    return found == m_commands.end() ? nullptr : *found;
}

/// What goes with the rows that are there: a table has nothing to unfold.
void TablePanel::updateCommands()
{
    const bool isTree = m_view->rootIsDecorated(),
               isChosen = m_proxy != nullptr && m_view->selectionModel()->hasSelection();
    for (QAction* action : m_commands) {
        const QString name = action->objectName();
        if (name == QLatin1String("list_copy")) action->setEnabled(isChosen);
        if (name == QLatin1String("list_unfold") || name == QLatin1String("list_fold")) action->setVisible(isTree);
    }
}

void TablePanel::setModel(QAbstractItemModel* model, QSortFilterProxyModel* proxy)
{
    if (m_isOwnProxy) m_proxy->deleteLater();
    m_isOwnProxy = proxy == nullptr;
    m_proxy = proxy != nullptr ? proxy : new TextFilter(this);
    m_proxy->setSourceModel(model);
    m_view->setModel(m_proxy);
    m_view->setRootIsDecorated(dynamic_cast<QAbstractTableModel*>(model) == nullptr);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& index) {
        if (!m_isSettingCurrent && index.isValid()) Q_EMIT chosen(toSource(index));
    });
    connect(m_view->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TablePanel::updateCommands);
    connect(m_proxy, &QAbstractItemModel::modelReset, this, &TablePanel::updateCommands);
    connect(m_proxy, &QAbstractItemModel::modelReset, this, &TablePanel::updateCount);
    connect(m_proxy, &QAbstractItemModel::rowsInserted, this, &TablePanel::updateCount);
    connect(m_proxy, &QAbstractItemModel::rowsRemoved, this, &TablePanel::updateCount);
    updateCount();
    updateCommands();
}

void TablePanel::setName(const QString& name) { m_name = name; }

void TablePanel::setColumnWanted(int column, bool isWanted)
{
    if (!m_usersColumns.contains(column)) m_view->setColumnHidden(column, !isWanted);
}

void TablePanel::setWraps(int lines)
{
    m_delegate->setLines(lines);
    m_view->setUniformRowHeights(lines <= 1);
    m_view->setWordWrap(lines > 1);
    // Another width makes other heights.
    if (lines > 1 && !m_isWrapping)
        connect(
            m_view->header(), &QHeaderView::sectionResized, m_view, [this] { m_view->doItemsLayout(); },
            Qt::QueuedConnection);
    m_isWrapping = lines > 1;
}

void TablePanel::setFilterVisible(bool isVisible)
{
    m_isFilterVisible = isVisible;
    m_filter->setVisible(isVisible);
    m_count->setVisible(isVisible);
    m_tools->setContentsMargins(4, isVisible ? 4 : 0, 4, isVisible ? 2 : 0);
}

void TablePanel::showFilter()
{
    m_filter->show();
    m_filter->setFocus();
}

QModelIndex TablePanel::toSource(const QModelIndex& index) const { return m_proxy->mapToSource(index); }

QModelIndex TablePanel::currentIndex() const
{
    return m_proxy == nullptr ? QModelIndex() : toSource(m_view->currentIndex());
}

QModelIndexList TablePanel::selectedRows() const
{
    QModelIndexList rows;
    if (m_proxy == nullptr) return rows;
    for (const QModelIndex& row : m_view->selectionModel()->selectedRows()) rows += toSource(row);
    return rows;
}

void TablePanel::setCurrentIndex(const QModelIndex& index)
{
    const QModelIndex mapped = m_proxy->mapFromSource(index);
    m_isSettingCurrent = true;
    if (mapped.isValid()) {
        for (QModelIndex above = mapped.parent(); above.isValid(); above = above.parent()) m_view->expand(above);
        m_view->setCurrentIndex(mapped);
        m_view->scrollTo(mapped);
    } else {
        m_view->selectionModel()->clear();
    }
    m_isSettingCurrent = false;
}

QString TablePanel::selectedText() const
{
    if (m_proxy == nullptr) return {};
    QModelIndexList rows = m_view->selectionModel()->selectedRows();
    // Their places on the screen would tell, too; each costs a walk along the list.
    std::sort(rows.begin(), rows.end(), isListedBefore);
    return rowsAsText(rows);
}

QString TablePanel::csv() const { return m_proxy == nullptr ? QString() : modelAsCsv(*m_proxy); }

QByteArray TablePanel::json() const { return m_proxy == nullptr ? QByteArray() : modelAsJson(*m_proxy); }

void TablePanel::copy() const { QApplication::clipboard()->setText(selectedText()); }

bool TablePanel::exportTo(QString path, const QString& kind)
{
    if (m_proxy == nullptr) return false;
    if (path.isEmpty()) path = askForExportPath(this, tr("Export the list"), m_name, kind, exportKinds);
    if (path.isEmpty()) return true; // the user thought better of it
    const QString ending = QFileInfo(path).suffix().toLower();
    Status status;
    if (ending == QLatin1String("csv"))
        status = m_exporting->begin(*m_proxy, path, ListForm::Csv);
    else if (ending == QLatin1String("json"))
        status = m_exporting->begin(*m_proxy, path, ListForm::Json);
    else
        m_exporting->beginPicture(recordList(*m_view), path);
    if (status.ok()) return true;
    showExportProblem(path, QString::fromStdString(status.error().what));
    return false;
}

void TablePanel::showExportProblem(const QString& path, const QString& problem)
{
    QMessageBox::warning(this, tr("Export the list"), tr("%1: %2").arg(path, problem));
}

void TablePanel::showMenu(const QPoint& at)
{
    QMenu menu(this);
    if (m_proxy == nullptr) return;
    Q_EMIT menuAboutToShow(&menu, toSource(m_view->indexAt(at)));
    if (!menu.isEmpty()) menu.addSeparator();
    for (QAction* action : m_commands) {
        const QString name = action->objectName();
        if (name == QLatin1String("list_export")) menu.addSeparator();
        if (!name.startsWith(QLatin1String("list_export_"))) menu.addAction(action); // its dialog offers each kind
    }
    menu.exec(m_view->viewport()->mapToGlobal(at));
}

/// What a click on the header does.
void TablePanel::showSortMenu()
{
    if (m_proxy == nullptr) return;
    QMenu menu(this);
    const QHeaderView* header = m_view->header();
    for (int column = 0; column < m_proxy->columnCount(); ++column) {
        const QString title = m_proxy->headerData(column, Qt::Horizontal).toString();
        if (m_view->isColumnHidden(column) || title.isEmpty()) continue;
        const bool isSorted = column == header->sortIndicatorSection();
        const Qt::SortOrder order =
            isSorted && header->sortIndicatorOrder() == Qt::AscendingOrder ? Qt::DescendingOrder : Qt::AscendingOrder;
        QAction* entry = menu.addAction(title, this, [this, column, order] { m_view->sortByColumn(column, order); });
        entry->setCheckable(true);
        entry->setChecked(isSorted);
    }
    menu.addSeparator();
    menu.addAction(tr("As it was"), this, [this] { m_view->sortByColumn(-1, Qt::AscendingOrder); });
    menu.exec(header->mapToGlobal(QPoint()));
}

void TablePanel::showColumnMenu(const QPoint& at)
{
    if (m_proxy == nullptr) return;
    QMenu menu(this);
    for (int column = 1; column < m_proxy->columnCount(); ++column) {
        QAction* entry = menu.addAction(m_proxy->headerData(column, Qt::Horizontal).toString());
        entry->setCheckable(true);
        entry->setChecked(!m_view->isColumnHidden(column));
        connect(entry, &QAction::toggled, m_view, [this, column](bool isOn) {
            m_usersColumns.insert(column);
            m_view->setColumnHidden(column, !isOn);
        });
    }
    if (auto* fit = m_view->findChild<ColumnFit*>(QString(), Qt::FindDirectChildrenOnly)) {
        menu.addSeparator();
        menu.addAction(tr("Fit the widths"), fit, &ColumnFit::reset)->setEnabled(fit->isUsers());
    }
    menu.exec(m_view->header()->mapToGlobal(at));
}

bool TablePanel::eventFilter(QObject* watched, QEvent* event)
{
    // A click on the row that is current already, or was made current by the program, is a choice like any other.
    if (watched == m_view->viewport()) {
        if (event->type() == QEvent::Resize) m_placeholder->setGeometry(m_view->viewport()->rect());
        if (event->type() == QEvent::MouseButtonPress && static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) {
            const QModelIndex at = m_view->indexAt(static_cast<QMouseEvent*>(event)->position().toPoint());
            if (at.isValid() && at.siblingAtColumn(0) == m_view->currentIndex().siblingAtColumn(0))
                Q_EMIT chosen(toSource(at));
        }
        return QWidget::eventFilter(watched, event);
    }
    // A list without a current row takes its first one with the focus, which is no choice of anybody's.
    if (watched == m_view && event->type() == QEvent::FocusIn && m_proxy != nullptr &&
        !m_view->currentIndex().isValid()) {
        m_isSettingCurrent = true;
        m_view->setAutoScroll(false); // a click gives the focus first, and means the row that was seen there
        m_view->selectionModel()->setCurrentIndex(m_proxy->index(0, 0), QItemSelectionModel::NoUpdate);
        m_view->setAutoScroll(true);
        m_isSettingCurrent = false;
    }
    // Shortcuts of the list win over those of the window while it has the focus.
    const bool isOverride = event->type() == QEvent::ShortcutOverride;
    if (!isOverride && event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const auto handle = [&](const std::function<void()>& run) {
        event->accept();
        if (!isOverride) run();
        return true;
    };
    if (key->key() == Qt::Key_Escape && m_exporting->isRunning()) return handle([this] { m_exporting->cancel(); });
    QAction* const command = commandOf(QKeySequence(key->keyCombination()));
    if (watched == m_filter) {
        if (key->key() == Qt::Key_Escape && (!m_filter->text().isEmpty() || !m_isFilterVisible))
            return handle([this] {
                m_filter->clear();
                if (m_isFilterVisible) return;
                m_view->setFocus();
                m_filter->hide();
            });
        if (key->key() == Qt::Key_Down || key->key() == Qt::Key_Return)
            return handle([this] {
                m_view->setFocus();
                if (m_view->selectionModel()->hasSelection() || m_proxy->rowCount() == 0) return;
                setCurrentIndex(toSource(m_proxy->index(0, 0)));
                Q_EMIT chosen(currentIndex());
            });
        // Copying and choosing all mean the text there, and letters are typed.
        const bool isTyping = !key->text().isEmpty() && key->text().front().isPrint();
        if (command != nullptr && !isTyping && command->objectName() != QLatin1String("list_copy") &&
            command->objectName() != QLatin1String("list_select_all"))
            return handle([command] { command->trigger(); });
        return QWidget::eventFilter(watched, event);
    }
    if (command != nullptr) return handle([command] { command->trigger(); });
    if (!isOverride && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) &&
        m_view->currentIndex().isValid())
        return handle([this] { Q_EMIT activated(currentIndex()); });
    return QWidget::eventFilter(watched, event);
}

void TablePanel::updateCount()
{
    if (m_proxy == nullptr || m_proxy->sourceModel() == nullptr) return;
    const int all = m_proxy->sourceModel()->rowCount(), shown = m_proxy->rowCount();
    m_count->setText(shown == all ? format::count(all) : tr("%1 of %2").arg(format::count(shown), format::count(all)));
    m_count->setVisible(m_isFilterVisible && !m_view->rootIsDecorated());
    updatePlaceholder();
}

void TablePanel::updatePlaceholder()
{
    const bool isEmpty = m_proxy != nullptr && m_proxy->rowCount() == 0;
    const bool isFiltered = isEmpty && m_proxy->sourceModel() != nullptr && m_proxy->sourceModel()->rowCount() > 0 &&
                            !m_filter->text().isEmpty();
    m_placeholder->setText(isFiltered ? tr("No row contains “%1”.").arg(m_filter->text())
                           : isEmpty  ? m_emptyText
                                      : QString());
    m_placeholder->setGeometry(m_view->viewport()->rect());
    m_placeholder->setVisible(!m_placeholder->text().isEmpty());
}

void TablePanel::setEmptyText(const QString& text)
{
    m_emptyText = text;
    updatePlaceholder();
}

QString TablePanel::placeholder() const { return m_placeholder->text(); }

void TablePanel::retranslate()
{
    m_filter->setPlaceholderText(tr("filter…"));
    const std::pair<QString, QString> texts[] = {
        {tr("Copy rows"), tr("Copy the chosen rows as text")},
        {tr("Select all"), tr("Choose every row")},
        {tr("Filter"), tr("Show only rows that contain these words")},
        {tr("Unfold all"), tr("Show what lies below every row")},
        {tr("Fold all"), tr("Show the topmost rows alone")},
        {tr("Sort by…"), tr("Choose the column that gives the order; once more turns it round")},
        {tr("Columns…"), tr("Hide and show columns")},
        {tr("Export…"), tr("Write what the filter lets through as CSV or JSON, or the rows in sight as a picture")}};
    for (int i = 0; i < static_cast<int>(std::size(texts)); ++i)
        setCommandTexts(m_commands[i], texts[i].first, texts[i].second);
    for (int i = 0; i < static_cast<int>(std::size(exportKinds)); ++i) {
        const QString kind = QString::fromLatin1(exportKinds[i].first).toUpper();
        setCommandTexts(m_commands[static_cast<int>(std::size(texts)) + i], tr("Export as %1…").arg(kind),
                        tr("Write the list as a %1 file").arg(kind));
    }
    updateCount();
}

void TablePanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace gelens
