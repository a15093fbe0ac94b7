#pragma once
// The filter and order of every other list.

#include <QSortFilterProxyModel>

namespace gelens {

/// Keeps rows in which every word of the text occurs, in any column or in the row's FilterRole; the parents and the
/// children of such rows stay too. Sorts numbers as numbers and texts as people do ("a2" before "a10").
class TextFilter : public QSortFilterProxyModel {
public:
    explicit TextFilter(QObject* parent = nullptr);
    void setText(const QString& text);
    /// Asked of every row that comes into a tree: without words the answer needs no table of the row's children.
    bool hasChildren(const QModelIndex& parent) const override;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    bool matches(int row, const QModelIndex& parent) const;
    QStringList m_words;
};

} // namespace gelens
