#pragma once
// Breakpoints, and below each the steps at which it stops.

#include "viewers/common/breakpoint_list.h"
#include "viewers/models/tree_model.h"

#include <QCoreApplication>

namespace gelens {

struct BreakpointItem {
    int entry = -1; ///< index in the list
    int hit = -1;   ///< index of the stop; -1 for the breakpoint itself
};

class BreakpointsModel : public TreeModel<BreakpointItem> {
    Q_DECLARE_TR_FUNCTIONS(gelens::BreakpointsModel)
public:
    enum Column { Watches, Condition, Hits, Stops, ColumnCount };
    BreakpointsModel(BreakpointList* list, QObject* parent) : TreeModel(parent), m_list(list) {}

    void rebuild();
    void setShown(StepId step);
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(int node, int column, int role) const override;

private:
    QVariant breakpointCell(const BreakpointList::Entry& entry, int column, int role) const;
    QVariant hitCell(const BreakpointHit& hit, int column, int role) const;

    BreakpointList* m_list;
    StepId m_shown{-1};
};

} // namespace gelens
