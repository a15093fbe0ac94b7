#include "viewers/accuracy/figures_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/words.h"

namespace gelens {
namespace {

using Statistics = std::optional<TensorStatistics>;

QString numberOf(const Statistics& statistics, double TensorStatistics::*field)
{
    if (!statistics || statistics->finiteCount() == 0) return {};
    return format::real((*statistics).*field);
}

QString countOf(const Statistics& statistics, std::int64_t TensorStatistics::*field)
{
    return statistics ? format::count((*statistics).*field) : QString();
}

QString typeOf(const Statistics& statistics)
{
    if (!statistics) return {};
    return QStringLiteral("%1 %2").arg(words::text(dataTypeShortName(statistics->dtype)),
                                       words::text(statistics->shape.text()));
}

} // namespace

void FiguresModel::setReport(const AccuracyReport& report)
{
    m_shown = report.request.shown.value;
    m_compared = report.request.compared.value;
    const Statistics &a = report.statisticsBefore, &b = report.statistics;
    Rows rows;
    const auto number = [&](const QString& name, double TensorStatistics::*field) {
        FigureRow row{name, numberOf(a, field), numberOf(b, field), {}, {}, {}};
        if (a) row.beforeValue = (*a).*field;
        if (b) row.afterValue = (*b).*field;
        rows.push_back(std::move(row));
    };
    const auto count = [&](const QString& name, std::int64_t TensorStatistics::*field) {
        FigureRow row{name, countOf(a, field), countOf(b, field), {}, {}, {}};
        if (a) row.beforeValue = static_cast<double>((*a).*field);
        if (b) row.afterValue = static_cast<double>((*b).*field);
        rows.push_back(std::move(row));
    };
    if (b) {
        rows.push_back({tr("Type and shape"), typeOf(a), typeOf(b), {}, {}, {}});
        count(tr("Elements"), &TensorStatistics::elements);
        number(tr("Minimum"), &TensorStatistics::minimum);
        number(tr("Maximum"), &TensorStatistics::maximum);
        number(tr("Mean"), &TensorStatistics::mean);
        number(tr("Standard deviation"), &TensorStatistics::deviation);
        count(tr("NaN"), &TensorStatistics::nanCount);
        count(tr("Infinite"), &TensorStatistics::infinityCount);
        count(tr("Zeros"), &TensorStatistics::zeroCount);
    }
    if (report.measure) {
        const ErrorMeasure& m = *report.measure;
        const auto judged = [&](const QString& name, double value, const QString& text, std::optional<bool> verdict) {
            rows.push_back({name, {}, text, {}, value, verdict});
        };
        if (m.typeDiffers || m.shapeDiffers) {
            judged(tr("Compared"), 0, tr("types or shapes differ"), false);
        } else {
            judged(tr("Largest difference"), m.maxAbs, format::real(m.maxAbs), {});
            judged(tr("Largest relative difference"), m.maxRel, format::real(m.maxRel), {});
            judged(tr("Cosine"), m.cosine, format::real(m.cosine), {});
            judged(tr("Difference of the whole"), m.overall,
                   m.toleranceOverall > 0
                       ? tr("%1 (at most %2)").arg(format::real(m.overall), format::real(m.toleranceOverall))
                       : format::real(m.overall),
                   m.toleranceOverall > 0 ? std::optional(!m.isFarOverall) : std::nullopt);
            judged(tr("Elements beyond the tolerance"), static_cast<double>(m.mismatches), format::count(m.mismatches),
                   m.mismatches == 0);
        }
    }
    setRows(std::move(rows));
    refresh();
}

QString FiguresModel::title(int column) const
{
    switch (column) {
    case Name: return tr("Figure");
    case Before: return tr("Step %1").arg(m_compared);
    case After: return tr("Step %1").arg(m_shown);
    default: return {};
    }
}

QVariant FiguresModel::cell(const FigureRow& row, int column, int role) const
{
    switch (column) {
    case Name: return role == Qt::DisplayRole ? QVariant(row.name) : QVariant();
    case Before:
        if (role == Qt::DisplayRole) return row.before;
        return role == SortRole && row.beforeValue ? QVariant(*row.beforeValue) : QVariant();
    case After:
        if (role == Qt::DisplayRole) return row.after;
        if (role == SortRole && row.afterValue) return *row.afterValue;
        return role == VerdictRole && row.verdict ? QVariant(*row.verdict) : QVariant();
    default: return {};
    }
}

} // namespace gelens
