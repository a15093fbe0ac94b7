#pragma once
// What would lower the peak, each saving computed by planning anew.

#include "engine/session/memory_queries.h"
#include "viewers/models/table_model.h"

#include <QCoreApplication>

#include <memory>

namespace gelens {

class SavingsModel : public TableModel<PeakSaving> {
    Q_DECLARE_TR_FUNCTIONS(gelens::SavingsModel)
public:
    enum Column { Saves, Share, Action, Tensor, PeakAfter, How, ColumnCount };
    using TableModel::TableModel;
    void setSavings(std::shared_ptr<const Run> run, Rows rows);

    static QString actionText(PeakAction action);
    /// One sentence: what is done to whom.
    static QString howText(const Run& run, const PeakSaving& saving);

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QString unit(int column) const override;
    QVariant cell(const PeakSaving& row, int column, int role) const override;

private:
    std::shared_ptr<const Run> m_run;
};

} // namespace gelens
