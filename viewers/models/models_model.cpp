#include "viewers/models/models_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/run_figures.h"
#include "viewers/models/sentence.h"
#include "viewers/models/words.h"

namespace gelens {

QString ModelsModel::title(int column) const
{
    switch (column) {
    case Name: return tr("Model");
    case State: return tr("State");
    case Soc: return tr("SoC");
    case Mode: return tr("Mode");
    case Operators: return tr("Operators");
    case FusionRate: return tr("Fusion rate");
    case ReuseRate: return tr("Memory reuse");
    case Tasks: return tr("Tasks");
    case Peak: return tr("Peak memory");
    case Latency: return tr("Latency (est.)");
    case Kernels: return tr("Kernels / shared");
    default: return {};
    }
}

QString ModelsModel::unit(int column) const
{
    if (column == Peak) return QStringLiteral("B");
    if (column == Latency) return QStringLiteral("µs");
    return {};
}

QString ModelsModel::stateOf(const ModelRow& row) const
{
    if (row.isBusy) return row.run ? tr("running again …") : tr("running …");
    if (!row.error.isEmpty()) return row.error;
    if (!row.run) return tr("waiting");
    if (row.run->wasCancelled) return tr("cancelled, partly done");
    if (row.run->failed) return tr("stopped with an error");
    if (row.run->verification.ran)
        return row.run->verification.passed() ? tr("done, numbers verified") : tr("done, numbers differ");
    return tr("done");
}

QVariant ModelsModel::figure(const Run& run, int column, bool isRaw) const
{
    const RunStatistics& s = run.statistics;
    const auto unknown = [&] { return isRaw ? QVariant() : QVariant(QStringLiteral("–")); };
    if ((column == ReuseRate || column == Peak) && !hasMemoryFigures(run)) return unknown();
    if ((column == Tasks || column == Latency || column == Kernels) && !hasTaskFigures(run)) return unknown();
    switch (column) {
    case Soc: return words::text(run.soc.name);
    case Mode: return words::mode(run.mode);
    case Operators:
        if (isRaw) return s.nodes.after;
        return QStringLiteral("%1 → %2").arg(s.nodes.before ? format::count(*s.nodes.before) : QStringLiteral("–"),
                                             format::count(s.nodes.after));
    case FusionRate:
        if (!s.nodes.before) return unknown(); // what was fused is not told
        return isRaw ? QVariant(s.fusionRate) : format::percent(s.fusionRate);
    case ReuseRate: return isRaw ? QVariant(s.memoryReuseRate) : format::percent(s.memoryReuseRate);
    case Tasks: return isRaw ? QVariant(s.tasks.after) : format::count(s.tasks.after);
    case Peak: return isRaw ? QVariant(static_cast<qlonglong>(s.memoryAfter)) : format::bytes(s.memoryAfter);
    case Latency: return isRaw ? QVariant(s.latencyUs.after) : format::microseconds(s.latencyUs.after);
    case Kernels:
        if (isRaw) return s.compiledKernels;
        return QStringLiteral("%1 / %2").arg(format::count(s.compiledKernels), format::count(s.sharedKernels));
    default: return {};
    }
}

QVariant ModelsModel::cell(const ModelRow& row, int column, int role) const
{
    switch (role) {
    case Qt::DisplayRole:
        if (column == Name) return row.name;
        if (column == State) return stateOf(row);
        return row.run ? figure(*row.run, column, false) : QVariant();
    case SortRole: return column > State && row.run ? figure(*row.run, column, true) : QVariant();
    case Qt::TextAlignmentRole: // also where a figure is not known
        return column > Mode ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
    case CurrentRole: return row.isCurrent;
    case SeverityRole:
        if (column == State && !row.error.isEmpty()) return static_cast<int>(Severity::Error);
        return {};
    case Qt::ToolTipRole:
        if (!row.run) return row.error.isEmpty() ? QVariant() : row.error;
        if (column == Mode) return words::sentence(row.run->modeReason);
        return words::text(row.run->modelPath);
    default: return {};
    }
}

} // namespace gelens
