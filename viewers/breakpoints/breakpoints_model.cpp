#include "viewers/breakpoints/breakpoints_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/words.h"

namespace gelens {

void BreakpointsModel::rebuild()
{
    Tree tree;
    const auto& entries = m_list->entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const int parent = tree.add(top, {static_cast<int>(i), -1});
        for (std::size_t hit = 0; hit < entries[i].hits.size(); ++hit)
            tree.add(parent, {static_cast<int>(i), static_cast<int>(hit)});
    }
    setTree(std::move(tree));
}

void BreakpointsModel::setShown(StepId step)
{
    m_shown = step;
    refresh();
}

Qt::ItemFlags BreakpointsModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = TreeModel::flags(index);
    if (index.isValid() && index.column() == Watches && item(index).hit < 0) flags |= Qt::ItemIsUserCheckable;
    return flags;
}

bool BreakpointsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid() || item(index).hit >= 0) return false;
    m_list->setEnabled(item(index).entry, value.toInt() == Qt::Checked);
    return true;
}

QString BreakpointsModel::title(int column) const
{
    switch (column) {
    case Watches: return tr("Breakpoint");
    case Condition: return tr("Condition");
    case Hits: return tr("Hits");
    case Stops: return tr("Stops at");
    default: return {};
    }
}

QVariant BreakpointsModel::breakpointCell(const BreakpointList::Entry& entry, int column, int role) const
{
    const Breakpoint& breakpoint = entry.breakpoint;
    if (role == Qt::CheckStateRole && column == Watches) return breakpoint.isEnabled ? Qt::Checked : Qt::Unchecked;
    if (role == MutedRole) return !breakpoint.isEnabled;
    if (role == SortRole && column == Hits) return static_cast<int>(entry.hits.size());
    if (role == CurrentRole) {
        for (const BreakpointHit& hit : entry.hits)
            if (hit.step == m_shown) return true;
        return false;
    }
    if (role != Qt::DisplayRole) return {};
    switch (column) {
    case Watches:
        return QStringLiteral("%1 %2").arg(breakpointKindText(breakpoint.kind), words::text(breakpoint.pattern));
    case Condition: return words::text(breakpoint.condition);
    case Hits:
        if (!entry.error.isEmpty()) return QStringLiteral("–");
        return entry.isSearched ? format::count(static_cast<std::int64_t>(entry.hits.size())) : QStringLiteral("…");
    case Stops: {
        if (!entry.error.isEmpty()) return entry.error;
        QStringList steps;
        constexpr std::size_t shown = 12;
        for (std::size_t i = 0; i < std::min(shown, entry.hits.size()); ++i)
            steps += QString::number(entry.hits[i].step.value);
        if (entry.hits.size() > shown) steps += QStringLiteral("…");
        if (steps.isEmpty() && !entry.isSearched) return QString();
        if (steps.isEmpty())
            return m_list->run() && m_list->run()->isUnderWay ? tr("not yet in this run") : tr("nowhere in this run");
        return tr("step %1").arg(steps.join(QStringLiteral(", ")));
    }
    default: return {};
    }
}

QVariant BreakpointsModel::hitCell(const BreakpointHit& hit, int column, int role) const
{
    if (role == StepRole) return hit.step.value;
    if (role == NodeRole && hit.node.isValid()) return hit.node.value;
    if (role == CurrentRole) return hit.step == m_shown;
    if (role == LinkRole) return column == Watches;
    const auto& run = m_list->run();
    if (role == SortRole && column == Watches) return hit.step.value;
    if (role == Qt::TextAlignmentRole && column == Watches) return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole || !run || hit.step.value >= run->stepCount()) return {};
    if (column == Watches) return tr("step %1 · %2").arg(hit.step.value).arg(words::text(run->step(hit.step).pass));
    if (column == Hits) return tr("no. %1").arg(hit.count);
    if (column == Stops) return words::text(hit.what);
    return {};
}

QVariant BreakpointsModel::cell(int node, int column, int role) const
{
    const BreakpointItem& content = item(node);
    if (content.entry < 0 || content.entry >= static_cast<int>(m_list->entries().size())) return {};
    const BreakpointList::Entry& entry = m_list->entries()[static_cast<std::size_t>(content.entry)];
    if (content.hit < 0) return breakpointCell(entry, column, role);
    if (content.hit >= static_cast<int>(entry.hits.size())) return {};
    return hitCell(entry.hits[static_cast<std::size_t>(content.hit)], column, role);
}

} // namespace gelens
