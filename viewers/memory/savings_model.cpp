#include "viewers/memory/savings_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/words.h"

#include <utility>

namespace gelens {

void SavingsModel::setSavings(std::shared_ptr<const Run> run, Rows rows)
{
    const auto keep = std::exchange(m_run, std::move(run));
    setRows(std::move(rows));
}

QString SavingsModel::actionText(PeakAction action)
{
    switch (action) {
    case PeakAction::Remove: return tr("remove");
    case PeakAction::InPlace: return tr("in place");
    case PeakAction::Fuse: return tr("fuse");
    case PeakAction::Recompute: return tr("recompute");
    case PeakAction::Reorder: return tr("reorder");
    }
    return {};
}

QString SavingsModel::howText(const Run& run, const PeakSaving& saving)
{
    const QString producer = words::text(run.nameOf(saving.producer)), other = words::text(run.nameOf(saving.other));
    switch (saving.action) {
    case PeakAction::Remove: return tr("Without this tensor at all: the most that anything done to it could save.");
    case PeakAction::InPlace:
        return tr("'%1' writes it over '%2', which dies there.").arg(producer, words::text(saving.over));
    case PeakAction::Fuse:
        return tr("'%1' and its only reader '%2' as one kernel: it stays on the chip.").arg(producer, other);
    case PeakAction::Recompute:
        return tr("'%1' runs again for '%2', so that it is gone in between.").arg(producer, other);
    case PeakAction::Reorder:
        return saving.other == saving.producer
                   ? tr("'%1' runs as late as it can.").arg(producer)
                   : tr("'%1', its last reader, runs as soon as its inputs are there.").arg(other);
    }
    return {};
}

QString SavingsModel::title(int column) const
{
    switch (column) {
    case Saves: return tr("Saves");
    case Share: return tr("Of the peak");
    case Action: return tr("What to do");
    case Tensor: return tr("Tensor");
    case PeakAfter: return tr("Peak then");
    case How: return tr("How");
    default: return {};
    }
}

QString SavingsModel::unit(int column) const
{
    return column == Saves || column == PeakAfter ? QStringLiteral("B") : QString();
}

QVariant SavingsModel::cell(const PeakSaving& row, int column, int role) const
{
    const double peak = static_cast<double>(m_run->plan.totals.featureMapPeak);
    const double share = peak > 0 ? static_cast<double>(row.saves) / peak : 0;
    if (role == Qt::DisplayRole) switch (column) {
        case Saves: return row.saves > 0 ? format::bytes(row.saves) : tr("nothing");
        case Share: return format::percent(share);
        case Action: return actionText(row.action);
        case Tensor: return words::text(row.name);
        case PeakAfter: return format::bytes(row.peakAfter);
        case How: return howText(*m_run, row);
        default: return {};
        }
    if (role == SortRole) switch (column) {
        case Saves: return static_cast<qlonglong>(row.saves);
        case Share: return share;
        case PeakAfter: return static_cast<qlonglong>(row.peakAfter);
        default: return {};
        }
    if (role == Qt::ToolTipRole && (column == How || column == Tensor)) return howText(*m_run, row);
    if (role == Qt::ToolTipRole && column == Saves) return format::exactBytes(row.saves);
    if (role == NodeRole && row.producer.isValid()) return row.producer.value;
    return {};
}

} // namespace gelens
