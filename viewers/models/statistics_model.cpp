#include "viewers/models/statistics_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/export_text.h"
#include "viewers/models/run_figures.h"
#include "viewers/models/words.h"

#include <QPointF>

#include <algorithm>
#include <unordered_map>

namespace gelens {
namespace {

QString noValue() { return QStringLiteral("–"); }

template <typename T>
std::optional<double> numberOf(const std::optional<T>& value)
{
    return value ? std::optional<double>(static_cast<double>(*value)) : std::nullopt;
}

QString figureText(StatisticsRow::Figure figure, double value)
{
    using Figure = StatisticsRow::Figure;
    if (figure == Figure::Memory) return format::bytes(static_cast<std::int64_t>(value));
    if (figure == Figure::Latency) return format::microseconds(value);
    return format::count(static_cast<std::int64_t>(value));
}

} // namespace

std::optional<double> StatisticsRow::reduction() const
{
    if (!before || *before == 0) return {};
    return 1 - after / *before;
}

void StatisticsModel::setRun(const std::shared_ptr<const Run>& run)
{
    using Figure = StatisticsRow::Figure;
    m_run = run;
    if (!run) return setRows({});
    const RunStatistics& s = run->statistics;
    Rows rows;
    const auto add = [&](Figure figure, std::optional<double> before, auto valueOf, bool isKnownOfOther) {
        rows.push_back({figure, before, valueOf(s)});
        if (isKnownOfOther) rows.back().other = valueOf(m_other->statistics);
    };
    add(
        Figure::Operators, numberOf(s.nodes.before), [](const auto& of) { return double(of.nodes.after); },
        m_other != nullptr);
    if (hasMemoryFigures(*run)) {
        const bool isKnown = m_other && hasMemoryFigures(*m_other);
        add(
            Figure::Tensors, numberOf(s.intermediateTensors.before),
            [](const auto& of) { return double(of.intermediateTensors.after); }, isKnown);
        add(
            Figure::Memory, numberOf(s.memoryBefore), [](const auto& of) { return double(of.memoryAfter); }, isKnown);
    }
    if (hasTaskFigures(*run)) {
        const bool isKnown = m_other && hasTaskFigures(*m_other);
        add(
            Figure::Tasks, numberOf(s.tasks.before), [](const auto& of) { return double(of.tasks.after); }, isKnown);
        add(
            Figure::Latency, s.latencyUs.before, [](const auto& of) { return of.latencyUs.after; }, isKnown);
    }
    setRows(std::move(rows));
}

void StatisticsModel::setOther(std::shared_ptr<const Run> other, const QString& name)
{
    beginResetModel(); // there is a column more, or one less
    m_other = std::move(other);
    m_otherName = name;
    endResetModel();
    setRun(m_run);
}

QString StatisticsModel::title(int column) const
{
    switch (column) {
    case Figure: return tr("Figure");
    case Before: return tr("Before");
    case After: return tr("After");
    case Reduction: return tr("Reduction");
    case Other: return m_otherName;
    default: return {};
    }
}

QVariant StatisticsModel::cell(const StatisticsRow& row, int column, int role) const
{
    using Kind = StatisticsRow::Figure;
    if (role == Qt::DisplayRole) {
        if (column == Before) return row.before ? figureText(row.figure, *row.before) : noValue();
        if (column == After) return figureText(row.figure, row.after);
        if (column == Other) return row.other ? figureText(row.figure, *row.other) : noValue();
        if (column == Reduction) return row.reduction() ? format::percent(*row.reduction()) : noValue();
        switch (row.figure) {
        case Kind::Operators: return tr("Operators");
        case Kind::Tensors: return tr("Intermediate tensors");
        case Kind::Memory: return tr("Memory");
        case Kind::Tasks: return tr("Tasks");
        case Kind::Latency: return tr("Latency (est.)");
        }
    }
    // The cells bring their units, the raw numbers of an export do not.
    if (role == ExportTextRole && column == Figure && row.figure == Kind::Memory) return tr("Memory (bytes)");
    if (role == ExportTextRole && column == Figure && row.figure == Kind::Latency) return tr("Latency, estimated (µs)");
    if (role == SortRole) {
        if (column == Before && row.before) return *row.before;
        if (column == After) return row.after;
        if (column == Reduction && row.reduction()) return *row.reduction();
        if (column == Other && row.other) return *row.other;
    }
    if (role == Qt::TextAlignmentRole && column != Figure) return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (row.figure) {
        case Kind::Operators: return tr("Nodes that compute; constants, inputs, outputs and views are not counted.");
        case Kind::Tensors: return tr("Tensors that need memory of their own: no views, no in-place results.");
        case Kind::Memory:
            return tr(
                "Before: each intermediate tensor has its own allocation. After: planned peak. Weights are not counted.");
        case Kind::Tasks: return tr("Kernels launched on the device.");
        case Kind::Latency:
            return tr(
                "From the cost model: one task after another, launched from the host, before; the sunk task list after.");
        }
    }
    return {};
}

void HistogramModel::setRun(const std::shared_ptr<const Run>& run)
{
    if (run)
        setCounts(run->statistics.histogramBefore, run->statistics.histogramAfter,
                  run->statistics.nodes.before.has_value() || !run->statistics.histogramBefore.empty());
    else
        setCounts({}, {});
}

void HistogramModel::setCounts(const Counts& before, const Counts& after, bool isBeforeKnown)
{
    m_isBeforeKnown = isBeforeKnown;
    std::vector<HistogramRow> rows;
    m_longest = 1;
    if (!before.empty() || !after.empty()) {
        std::unordered_map<std::string, std::size_t> position;
        const auto rowOf = [&](const std::string& type) -> HistogramRow& {
            const auto [found, isNew] = position.try_emplace(type, rows.size());
            if (isNew) rows.push_back({type});
            return rows[found->second];
        };
        for (const auto& [type, count] : before) rowOf(type).before = count;
        for (const auto& [type, count] : after) rowOf(type).after = count;
        for (const HistogramRow& row : rows) m_longest = std::max({m_longest, row.before, row.after});
        std::stable_sort(rows.begin(), rows.end(), [](const HistogramRow& a, const HistogramRow& b) {
            return std::max(a.before, a.after) > std::max(b.before, b.after);
        });
    }
    setRows(std::move(rows));
}

QString HistogramModel::title(int column) const
{
    switch (column) {
    case Type: return tr("Operator");
    case Before: return tr("Before");
    case After: return tr("After");
    case Bars: return tr("Bars");
    default: return {};
    }
}

QVariant HistogramModel::cell(const HistogramRow& row, int column, int role) const
{
    if (role == Qt::DisplayRole) {
        if (column == Type) return words::text(row.type);
        if (column == Before) return m_isBeforeKnown ? format::count(row.before) : noValue();
        if (column == After) return format::count(row.after);
    }
    if (role == SortRole) {
        if (column == Before) return m_isBeforeKnown ? QVariant(row.before) : QVariant();
        if (column == After) return row.after;
        if (column == Bars) return row.after - row.before;
    }
    if (role == BarsRole && column == Bars)
        return QPointF(double(row.before) / m_longest, double(row.after) / m_longest);
    if (role == Qt::ToolTipRole)
        return tr("%1: %2 before, %3 after")
            .arg(words::text(row.type), m_isBeforeKnown ? format::count(row.before) : noValue(),
                 format::count(row.after));
    if (role == MutedRole && column == Type) return row.before == row.after;
    if (role == Qt::TextAlignmentRole && (column == Before || column == After))
        return int(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

} // namespace gelens
