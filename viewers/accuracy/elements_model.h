#pragma once
// Elements of a tensor, one a row: place, value before, value after, difference.

#include "viewers/accuracy/accuracy_report.h"
#include "viewers/models/table_model.h"

#include <QCoreApplication>

namespace gelens {

class ElementsModel : public TableModel<ElementRow> {
    Q_DECLARE_TR_FUNCTIONS(gelens::ElementsModel)
public:
    enum Column { Place, Before, After, Difference, Relative, ColumnCount };
    using TableModel::TableModel;

    /// Rows of a report; the shape tells their places, the measure which differences are too large.
    void setReport(const AccuracyReport& report);

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(const ElementRow& row, int column, int role) const override;

private:
    QString place(std::int64_t index) const;

    std::vector<std::int64_t> m_dims;
    int m_shown = 0, m_compared = 0;
    double m_absolute = 0, m_relative = 0;
    bool m_isJudged = false;
};

} // namespace gelens
