#pragma once
// A list to type into: commands, steps, nodes. Enter takes the highlighted entry, Esc closes.

#include <QDialog>

#include <functional>
#include <vector>

class QLineEdit;
class QListView;
class QSortFilterProxyModel;
class QStandardItemModel;

namespace gelens {

struct QuickEntry {
    QString text;
    QString detail; ///< shortcut, place …; shown behind the text
    std::function<void()> run;
    bool isEnabled = true;
};

class QuickList : public QDialog {
    Q_OBJECT
public:
    QuickList(const QString& title, const QString& hint, std::vector<QuickEntry> entries, QWidget* parent);
    void setCurrentEntry(int entry);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& text);
    void take();

    std::vector<QuickEntry> m_entries;
    QLineEdit* m_line;
    QListView* m_list;
    QStandardItemModel* m_model;
    QSortFilterProxyModel* m_proxy;
};

} // namespace gelens
