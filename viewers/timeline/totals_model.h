#pragma once
// Time by operator type within a span of a timeline.

#include "viewers/models/table_model.h"
#include "viewers/timeline/timeline_index.h"

#include <QCoreApplication>

#include <memory>

namespace gelens {

class TotalsModel : public TableModel<TimelineIndex::Total> {
    Q_DECLARE_TR_FUNCTIONS(gelens::TotalsModel)
public:
    enum Column { Type, Tasks, Time, Share, BoundBy, ColumnCount };
    using TableModel::TableModel;
    void setTotals(std::shared_ptr<const TimelineIndex> index, Rows totals);
    double totalUs() const { return m_totalUs; }
    std::int64_t taskCount() const { return m_tasks; }

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QString unit(int column) const override;
    QVariant cell(const TimelineIndex::Total& row, int column, int role) const override;

private:
    std::shared_ptr<const TimelineIndex> m_index;
    double m_totalUs = 0;
    std::int64_t m_tasks = 0;
};

} // namespace gelens
