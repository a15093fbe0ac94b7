#pragma once
// The original model against the optimised one: whole, and for each compiled task with what it came from.

#include "engine/session/run.h"
#include "viewers/models/table_model.h"

#include <QCoreApplication>

#include <memory>

namespace gelens {

/// One compiled task and the tasks of the imported model that went into it. The last row holds what has no task any more.
struct CompareRow {
    int task = -1; ///< in run.tasks; -1 for what is gone
    NodeId node;
    std::string name, type;
    std::int64_t tasksBefore = 0;
    double beforeUs = 0, afterUs = 0;
    Bound bound = Bound::Launch;
};

/// Every task of the imported model counts once, for the first compiled task that came from it. Takes milliseconds for a
/// thousand tasks: not for the GUI thread.
std::vector<CompareRow> compareTasks(const Run& run);

class CompareModel : public TableModel<CompareRow> {
    Q_DECLARE_TR_FUNCTIONS(gelens::CompareModel)
public:
    enum Column { Task, Type, TasksBefore, Before, After, Gain, BoundBy, ColumnCount };
    using TableModel::TableModel;

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QString unit(int column) const override;
    QVariant cell(const CompareRow& row, int column, int role) const override;
};

} // namespace gelens
