#pragma once
// A list as every view shows it: filter line, sortable columns, copy as text, export as CSV.

#include <QKeySequence>
#include <QModelIndex>
#include <QWidget>

#include <functional>
#include <set>

class QAbstractItemModel;
class QAction;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QMenu;
class QSortFilterProxyModel;
class QTreeView;

namespace gelens {

class ListExport;
class MeaningDelegate;

/// Tables and trees alike. Its commands — filter, copy, export as CSV, JSON or a picture, unfold, choose columns — are
/// actions of the same names in every list ("list_copy"), which window, palette and shortcut page find there; while the
/// list has the focus their keys win over those of the view and the window around it. Indexes in signals and getters are
/// those of the model that was set, not of the proxy.
class TablePanel : public QWidget {
    Q_OBJECT
public:
    explicit TablePanel(QWidget* parent = nullptr);

    /// Without a proxy of its own the list gets a TextFilter; a given one listens to filterChanged(). Neither is owned.
    void setModel(QAbstractItemModel* model, QSortFilterProxyModel* proxy = nullptr);
    void setName(const QString& name); ///< used in file names of exports: "pipeline"
    const QString& name() const { return m_name; }
    /// A column that has nothing to say at the moment gives its room to others. What the person chose in the header's menu
    /// stays, whatever the rows are.
    void setColumnWanted(int column, bool isWanted);
    void setWraps(int lines);              ///< long texts take up to so many lines
    void setFilterVisible(bool isVisible); ///< a line that is hidden comes with Ctrl+F and goes with Esc
    /// What an empty list says in the place of rows; nothing unless it is set. A filter that lets no row through says so itself.
    void setEmptyText(const QString& text);
    QString placeholder() const; ///< shown now; empty while there are rows

    QTreeView* view() const { return m_view; }
    QLineEdit* filterLine() const { return m_filter; }
    QHBoxLayout* tools() const { return m_tools; } ///< beside the filter line

    QModelIndex currentIndex() const;
    QModelIndexList selectedRows() const;
    void setCurrentIndex(const QModelIndex& index); ///< without emitting chosen()
    QString selectedText() const;
    QString csv() const;
    QByteArray json() const;
    /// The ending of the path chooses: .csv, .json, .svg, .png or .pdf. Without a path the person is asked for one; `kind`
    /// is the ending that is proposed. False when it could not be written. A long list or a picture is still being
    /// written then (exporting()).
    bool exportTo(QString path = {}, const QString& kind = QStringLiteral("csv"));
    ListExport* exporting() const { return m_exporting; }
    void copy() const;
    /// In the order of menus.
    const QList<QAction*>& commands() const { return m_commands; }

Q_SIGNALS:
    /// The user moved to another row.
    void chosen(const QModelIndex& index);
    /// Double click or Enter; also a click on a link.
    void activated(const QModelIndex& index);
    void filterChanged(const QString& text);
    /// The context menu is about to open; views add their own entries.
    void menuAboutToShow(QMenu* menu, const QModelIndex& index);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void createCommands();
    QAction* addCommand(const char* name, const QList<QKeySequence>& keys, const std::function<void()>& run);
    QAction* commandOf(const QKeySequence& keys) const;
    void retranslate();
    void updateCommands();
    void showFilter();
    void showExportProblem(const QString& path, const QString& problem);
    void updateCount();
    void updatePlaceholder();
    void showMenu(const QPoint& at);
    void showSortMenu();
    void showColumnMenu(const QPoint& at);
    QModelIndex toSource(const QModelIndex& index) const;

    QLineEdit* m_filter;
    QLabel* m_count;
    QLabel* m_placeholder; ///< over the rows
    QString m_emptyText;
    QHBoxLayout* m_tools;
    QTreeView* m_view;
    ListExport* m_exporting;
    MeaningDelegate* m_delegate;
    QList<QAction*> m_commands;
    QSortFilterProxyModel* m_proxy = nullptr;
    bool m_isOwnProxy = false;
    bool m_isSettingCurrent = false;
    bool m_isFilterVisible = true;
    bool m_isWrapping = false;
    std::set<int> m_usersColumns; ///< shown or hidden by the person
    QString m_name = QStringLiteral("table");
};

} // namespace gelens
