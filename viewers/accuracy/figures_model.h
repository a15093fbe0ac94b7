#pragma once
// Statistics of one tensor after two steps, one figure a row.

#include "viewers/accuracy/accuracy_report.h"
#include "viewers/models/table_model.h"

#include <QCoreApplication>

namespace gelens {

struct FigureRow {
    QString name, before, after;
    std::optional<double> beforeValue, afterValue; ///< to sort by
    std::optional<bool> verdict;                   ///< a figure that is judged: held or not
};

class FiguresModel : public TableModel<FigureRow> {
    Q_DECLARE_TR_FUNCTIONS(gelens::FiguresModel)
public:
    enum Column { Name, Before, After, ColumnCount };
    using TableModel::TableModel;

    void setReport(const AccuracyReport& report);

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(const FigureRow& row, int column, int role) const override;

private:
    int m_shown = 0, m_compared = 0;
};

} // namespace gelens
