#include "viewers/timeline/totals_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/words.h"

#include <algorithm>
#include <utility>

namespace gelens {

void TotalsModel::setTotals(std::shared_ptr<const TimelineIndex> index, Rows totals)
{
    m_totalUs = 0;
    m_tasks = 0;
    for (const TimelineIndex::Total& total : totals) {
        m_totalUs += total.us;
        m_tasks += total.tasks;
    }
    const auto keep = std::exchange(m_index, std::move(index));
    setRows(std::move(totals));
}

QString TotalsModel::title(int column) const
{
    switch (column) {
    case Type: return tr("Operator type");
    case Tasks: return tr("Tasks");
    case Time: return tr("Time (est.)");
    case Share: return tr("Share");
    case BoundBy: return tr("Bound by");
    default: return {};
    }
}

QString TotalsModel::unit(int column) const { return column == Time ? QStringLiteral("µs") : QString(); }

QVariant TotalsModel::cell(const TimelineIndex::Total& row, int column, int role) const
{
    const double share = m_totalUs > 0 ? row.us / m_totalUs : 0;
    const auto* longest = std::max_element(std::begin(row.boundUs), std::end(row.boundUs));
    if (role == Qt::DisplayRole) switch (column) {
        case Type: return words::text(m_index->types()[row.type]);
        case Tasks: return format::count(row.tasks);
        case Time: return format::microseconds(row.us);
        case Share: return format::percent(share);
        case BoundBy: return words::bound(static_cast<Bound>(longest - std::begin(row.boundUs)));
        default: return {};
        }
    if (role == SortRole) switch (column) {
        case Tasks: return static_cast<qlonglong>(row.tasks);
        case Time: return row.us;
        case Share: return share;
        default: return {};
        }
    return {};
}

} // namespace gelens
