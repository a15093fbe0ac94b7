#include "viewers/whatif/kept_runs_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/option_words.h"
#include "viewers/models/run_figures.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"

#include <algorithm>
#include <optional>

namespace gelens {
namespace {

/// What one line says of a run: of several cards all operators, the fullest and the slowest.
struct Figures {
    std::int64_t operators = 0;
    std::optional<std::int64_t> peak; ///< nothing where the run did not get that far
    std::optional<double> latency;
};

std::optional<Figures> figuresOf(const KeptRun& row)
{
    std::vector<std::shared_ptr<const Run>> runs = row.cards;
    if (row.run) runs.push_back(row.run);
    if (runs.empty()) return std::nullopt;
    Figures figures;
    for (const auto& run : runs) {
        figures.operators += run->statistics.nodes.after;
        if (hasMemoryFigures(*run)) figures.peak = std::max(figures.peak.value_or(0), run->statistics.memoryAfter);
        if (hasTaskFigures(*run))
            figures.latency = std::max(figures.latency.value_or(0), run->statistics.latencyUs.after);
    }
    return figures;
}

} // namespace

void KeptRunsModel::setRuns(std::shared_ptr<const Run> base, const std::vector<KeptRun>& runs)
{
    m_base = std::move(base);
    Rows rows;
    if (m_base) rows.push_back({-1, {}, m_base->options, m_base, {}, false});
    rows.insert(rows.end(), runs.begin(), runs.end());
    setRows(std::move(rows));
}

Qt::ItemFlags KeptRunsModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = TableModel::flags(index);
    if (index.isValid() && index.column() == Name && row(index.row()).id >= 0) flags |= Qt::ItemIsEditable;
    return flags;
}

bool KeptRunsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid() || value.toString().trimmed().isEmpty()) return false;
    Q_EMIT renamed(row(index.row()).id, value.toString().trimmed());
    return true;
}

QString KeptRunsModel::title(int column) const
{
    switch (column) {
    case Name: return tr("Run");
    case Changes: return tr("Other than the base run");
    case Operators: return tr("Operators");
    case Peak: return tr("Peak memory");
    case Latency: return tr("Latency (est.)");
    default: return {};
    }
}

QString KeptRunsModel::unit(int column) const
{
    return column == Peak ? QStringLiteral("B") : column == Latency ? QStringLiteral("us") : QString();
}

QVariant KeptRunsModel::cell(const KeptRun& row, int column, int role) const
{
    if (role == CurrentRole) return row.id < 0;
    if (role == Qt::EditRole && column == Name) return row.name;
    if (role == SeverityRole && !row.error.isEmpty() && column == Changes) return static_cast<int>(Severity::Error);
    const auto figures = figuresOf(row);
    if (role == SortRole && figures) {
        if (column == Operators) return static_cast<qlonglong>(figures->operators);
        if (column == Peak) return figures->peak ? QVariant(static_cast<qlonglong>(*figures->peak)) : QVariant();
        if (column == Latency) return figures->latency ? QVariant(*figures->latency) : QVariant();
    }
    if (role == Qt::ToolTipRole && !row.cards.empty()) {
        if (column == Operators) return tr("of all cards together");
        if (column == Peak) return tr("of the card that needs most");
        if (column == Latency) return tr("of the slowest card");
    }
    if (role == Qt::ToolTipRole && column == Changes && m_base)
        return row.error.isEmpty() ? words::optionChanges(optionChanges(m_base->options, row.options))
                                   : words::sentence(row.error.toStdString());
    if (role == Qt::TextAlignmentRole && column >= Operators) // also where a figure is not known
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    if (column == Name) return row.id < 0 ? tr("base run") : row.name;
    if (column == Changes) {
        if (!row.error.isEmpty()) return words::sentence(row.error.toStdString());
        if (row.id < 0) return QString();
        return m_base ? words::optionChanges(optionChanges(m_base->options, row.options)) : QString();
    }
    const QString unknown = row.isRunning ? QStringLiteral("…") : QStringLiteral("–");
    if (!figures) return unknown;
    if (column == Operators) return format::count(figures->operators);
    if (column == Peak) return figures->peak ? format::bytes(*figures->peak) : unknown;
    if (column == Latency) return figures->latency ? format::microseconds(*figures->latency) : unknown;
    return {};
}

} // namespace gelens
