#pragma once
// The runs of one model that were kept, the base run first.

#include "viewers/models/table_model.h"
#include "viewers/whatif/whatif_view.h"

namespace gelens {

class KeptRunsModel : public TableModel<KeptRun> {
    Q_OBJECT
public:
    enum Column { Name, Changes, Operators, Peak, Latency, ColumnCount };
    using TableModel::TableModel;

    void setRuns(std::shared_ptr<const Run> base, const std::vector<KeptRun>& runs);
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void renamed(int id, const QString& name);

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QString unit(int column) const override;
    QVariant cell(const KeptRun& row, int column, int role) const override;

private:
    std::shared_ptr<const Run> m_base;
};

} // namespace gelens
