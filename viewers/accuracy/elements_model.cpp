#include "viewers/accuracy/elements_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/words.h"

#include <cmath>

namespace gelens {
namespace {

QString number(double value)
{
    if (std::isnan(value)) return QStringLiteral("NaN");
    if (std::isinf(value)) return value > 0 ? QStringLiteral("+∞") : QStringLiteral("−∞");
    return format::real(value);
}

/// A value as it stands; sorted by number where it is one.
QVariant valueCell(const std::optional<double>& value, const std::string& text, int role)
{
    if (role == Qt::DisplayRole) {
        if (!text.empty()) return words::text(text);
        return value ? number(*value) : QString();
    }
    if (role == SortRole && value) return *value;
    return {};
}

} // namespace

void ElementsModel::setReport(const AccuracyReport& report)
{
    m_dims = report.value.tensor.shape.dims();
    m_shown = report.request.shown.value;
    m_compared = report.request.compared.value;
    m_isJudged = report.measure.has_value();
    m_absolute = m_isJudged ? report.measure->toleranceAbs : 0;
    m_relative = m_isJudged ? report.measure->toleranceRel : 0;
    setRows(report.rows);
    refresh();
}

QString ElementsModel::title(int column) const
{
    switch (column) {
    case Place: return tr("Element");
    case Before: return tr("Step %1").arg(m_compared);
    case After: return tr("Step %1").arg(m_shown);
    case Difference: return tr("Difference");
    case Relative: return tr("Relative");
    default: return {};
    }
}

QString ElementsModel::place(std::int64_t index) const
{
    QStringList parts;
    for (std::size_t axis = m_dims.size(); axis-- > 0; index /= std::max<std::int64_t>(m_dims[axis], 1))
        parts.prepend(QString::number(index % std::max<std::int64_t>(m_dims[axis], 1)));
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

QVariant ElementsModel::cell(const ElementRow& row, int column, int role) const
{
    const bool hasBoth = row.before && row.after;
    const double difference = hasBoth ? *row.after - *row.before : 0;
    const bool areEqual = hasBoth && (*row.after == *row.before || (std::isnan(*row.after) && std::isnan(*row.before)));
    switch (column) {
    case Place:
        if (role == Qt::DisplayRole) return place(row.place);
        if (role == SortRole) return static_cast<qlonglong>(row.place);
        if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
        return {};
    case Before: return valueCell(row.before, row.textBefore, role);
    case After: return valueCell(row.after, row.textAfter, role);
    case Difference:
        if (!hasBoth) return {};
        if (role == Qt::DisplayRole) return areEqual ? QStringLiteral("0") : number(difference);
        if (role == SortRole) return areEqual ? 0.0 : std::isnan(difference) ? INFINITY : std::abs(difference);
        if (role == VerdictRole && m_isJudged && !areEqual)
            return std::abs(difference) <= m_absolute + m_relative * std::abs(*row.before);
        return {};
    case Relative: {
        if (!hasBoth) return {};
        const double relative = areEqual ? 0 : std::abs(difference) / std::abs(*row.before);
        if (role == Qt::DisplayRole) return number(relative);
        if (role == SortRole) return std::isnan(relative) ? INFINITY : relative;
        return {};
    }
    default: return {};
    }
}

} // namespace gelens
