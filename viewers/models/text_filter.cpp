#include "viewers/models/text_filter.h"

#include "viewers/models/table_model.h"

#include <QCollator>

namespace gelens {

TextFilter::TextFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setRecursiveFilteringEnabled(true);
    setSortRole(SortRole);
}

void TextFilter::setText(const QString& text)
{
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool TextFilter::matches(int row, const QModelIndex& parent) const
{
    QString content;
    for (int column = 0; column < sourceModel()->columnCount(parent); ++column)
        content += sourceModel()->index(row, column, parent).data().toString() + QLatin1Char('\n');
    content += sourceModel()->index(row, 0, parent).data(FilterRole).toString();
    for (const QString& word : m_words)
        if (!content.contains(word, Qt::CaseInsensitive)) return false;
    return true;
}

bool TextFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    if (m_words.isEmpty() || matches(row, parent)) return true;
    // Details of a row that was found belong to it.
    for (QModelIndex above = parent; above.isValid(); above = above.parent())
        if (matches(above.row(), above.parent())) return true;
    return false;
}

bool TextFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = left.data(SortRole), b = right.data(SortRole);
    const bool isNumberA = isNumber(a), isNumberB = isNumber(b);
    if (isNumberA && isNumberB) return a.toDouble() < b.toDouble();
    if (isNumberA != isNumberB) return isNumberB; // texts ("–") before numbers
    static const QCollator collator = [] {
        QCollator natural;
        natural.setNumericMode(true);
        natural.setCaseSensitivity(Qt::CaseInsensitive);
        return natural;
    }();
    return collator.compare(a.toString(), b.toString()) < 0;
}

} // namespace gelens
