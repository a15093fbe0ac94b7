#pragma once
// A list to type into: commands, steps, nodes. Enter takes the highlighted entry, Esc closes.

#include <QDialog>

#include <functional>
#include <vector>

class QLabel;
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
    QString note; ///< one sentence below the list: what it does, or why it cannot be done now
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
    void showNote();
    const QuickEntry* current() const;

    std::vector<QuickEntry> m_entries;
    QLineEdit* m_line;
    QListView* m_list;
    QLabel* m_note;
    QStandardItemModel* m_model;
    QSortFilterProxyModel* m_proxy;
};

} // namespace gelens
