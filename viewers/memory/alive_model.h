#pragma once
// Tensors alive at one position of the task order, largest first.

#include "engine/session/run.h"
#include "viewers/models/table_model.h"

#include <QCoreApplication>

#include <memory>

namespace gelens {

struct AliveRow {
    int buffer = -1;
    std::string type; ///< operator that makes it
};

class AliveModel : public TableModel<AliveRow> {
    Q_DECLARE_TR_FUNCTIONS(gelens::AliveModel)
public:
    enum Column { Tensor, Type, Size, Share, Begin, End, ColumnCount };
    using TableModel::TableModel;
    void setBuffers(std::shared_ptr<const Run> run, const std::vector<int>& buffers);
    int rowOf(int buffer) const; ///< -1 when it is not alive there

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QString unit(int column) const override;
    QVariant cell(const AliveRow& row, int column, int role) const override;

private:
    std::shared_ptr<const Run> m_run;
    double m_total = 1;
};

} // namespace gelens
