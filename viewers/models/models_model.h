#pragma once
// The monitor: one row for each open model.

#include "engine/session/run.h"
#include "viewers/models/table_model.h"

#include <QCoreApplication>
#include <QString>

#include <memory>

namespace gelens {

struct ModelRow {
    int id = -1;
    QString name;
    std::shared_ptr<const Run> run; ///< null while it loads and after it failed
    QString error;
    bool isBusy = false;
    bool isCurrent = false;
};

class ModelsModel : public TableModel<ModelRow> {
    Q_DECLARE_TR_FUNCTIONS(gelens::ModelsModel)
public:
    enum Column {
        Name,
        State,
        Soc,
        Mode,
        Operators,
        FusionRate,
        ReuseRate,
        Tasks,
        Peak,
        Latency,
        Kernels,
        ColumnCount
    };
    using TableModel::TableModel;

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QString unit(int column) const override;
    QVariant cell(const ModelRow& row, int column, int role) const override;

private:
    QVariant figure(const Run& run, int column, bool isRaw) const;
    QString stateOf(const ModelRow& row) const;
};

} // namespace gelens
