#pragma once
// Fusion rules of a run by how often they matched and how often they took effect; below each, the places.

#include "engine/session/run.h"
#include "viewers/models/tree_model.h"

#include <QCoreApplication>

#include <memory>

namespace gelens {

struct FusionItem {
    const FusionSummary* rule = nullptr;  ///< of a rule's row
    const FusionVerdict* place = nullptr; ///< of a place's row; points into the run
    int step = -1;
};

class FusionsModel : public TreeModel<FusionItem> {
    Q_DECLARE_TR_FUNCTIONS(gelens::FusionsModel)
public:
    enum Column { Rule, Matched, Effective, Summary, ColumnCount };
    using TreeModel::TreeModel;
    void setRun(std::shared_ptr<const Run> run);
    /// The first place that made a node or was made of it.
    QModelIndex indexOfNode(NodeId node) const;

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(int node, int column, int role) const override;

private:
    std::shared_ptr<const Run> m_run; ///< keeps alive what the items point to
};

} // namespace gelens
