#include "viewers/models/text_filter.h"

#include "viewers/models/table_model.h"

namespace gelens {
namespace {

qsizetype digitsAt(const QString& text, qsizetype at)
{
    qsizetype end = at;
    while (end < text.size() && text[end].isDigit()) ++end;
    return end - at;
}

/// "a2" before "a10", without regard to case; independent of the system's collation.
int compareNatural(const QString& a, const QString& b)
{
    qsizetype i = 0, k = 0;
    while (i < a.size() && k < b.size()) {
        const qsizetype n = digitsAt(a, i), m = digitsAt(b, k);
        if (n > 0 && m > 0) {
            qsizetype zerosA = 0, zerosB = 0;
            while (zerosA < n - 1 && a[i + zerosA] == QLatin1Char('0')) ++zerosA;
            while (zerosB < m - 1 && b[k + zerosB] == QLatin1Char('0')) ++zerosB;
            if (n - zerosA != m - zerosB) return n - zerosA < m - zerosB ? -1 : 1;
            const int order = a.mid(i + zerosA, n - zerosA).compare(b.mid(k + zerosB, m - zerosB));
            if (order != 0) return order;
            i += n;
            k += m;
            continue;
        }
        const QChar left = a[i].toCaseFolded(), right = b[k].toCaseFolded();
        if (left != right) return left < right ? -1 : 1;
        ++i;
        ++k;
    }
    return static_cast<int>((a.size() - i > 0) - (b.size() - k > 0));
}

} // namespace

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

bool TextFilter::hasChildren(const QModelIndex& parent) const
{
    if (!m_words.isEmpty() || sourceModel() == nullptr) return QSortFilterProxyModel::hasChildren(parent);
    return sourceModel()->hasChildren(mapToSource(parent));
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
    return compareNatural(a.toString(), b.toString()) < 0;
}

} // namespace gelens
