#pragma once
// The reference table: what the compile did to the model.

#include "engine/session/run.h"
#include "viewers/models/table_model.h"

#include <QCoreApplication>

#include <memory>
#include <optional>

namespace gelens {

struct StatisticsRow {
    enum class Figure { Operators, Tensors, Memory, Tasks, Latency } figure = Figure::Operators;
    std::optional<double> before;     ///< absent where no original graph exists
    double after = 0;                 ///< counts, bytes or microseconds
    std::optional<double> other = {}; ///< of a second run
    /// 1 − after / before; nothing when there is no before or it is zero.
    std::optional<double> reduction() const;
};

class StatisticsModel : public TableModel<StatisticsRow> {
    Q_DECLARE_TR_FUNCTIONS(gelens::StatisticsModel)
public:
    enum Column { Figure, Before, After, Reduction, Other, ColumnCount };
    using TableModel::TableModel;
    void setRun(const std::shared_ptr<const Run>& run);
    /// A second run in a column of its own, under its name; null takes the column away.
    void setOther(std::shared_ptr<const Run> other, const QString& name);

protected:
    int columns() const override { return m_other ? ColumnCount : Other; }
    QString title(int column) const override;
    QVariant cell(const StatisticsRow& row, int column, int role) const override;

private:
    std::shared_ptr<const Run> m_run, m_other;
    QString m_otherName;
};

/// Operators by type, before and after, most frequent first.
struct HistogramRow {
    std::string type;
    int before = 0, after = 0;
};

class HistogramModel : public TableModel<HistogramRow> {
    Q_DECLARE_TR_FUNCTIONS(gelens::HistogramModel)
public:
    enum Column { Type, Before, After, Bars, ColumnCount };
    using TableModel::TableModel;
    using Counts = std::vector<std::pair<std::string, int>>;
    void setRun(const std::shared_ptr<const Run>& run);
    /// What came before is not known where only the compiled model is there.
    void setCounts(const Counts& before, const Counts& after, bool isBeforeKnown = true);

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(const HistogramRow& row, int column, int role) const override;

private:
    int m_longest = 1;
    bool m_isBeforeKnown = true;
};

} // namespace gelens
