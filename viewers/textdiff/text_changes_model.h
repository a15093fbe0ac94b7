#pragma once
// Differences of two dumps: summary lines first, then nodes, below each its fields.

#include "engine/session/text_diff.h"
#include "viewers/models/tree_model.h"

#include <QCoreApplication>

#include <memory>

namespace gelens {

struct TextChangeItem {
    int summary = -1; ///< index in the diff's summaries
    int first = -1;   ///< of a node: its first change; of a field: the change
    int count = 0;    ///< of a node: its changes in a row; 0: a field
};

class TextChangesModel : public TreeModel<TextChangeItem> {
    Q_DECLARE_TR_FUNCTIONS(gelens::TextChangesModel)
public:
    enum Column { What, Before, After, ColumnCount };
    using TreeModel::TreeModel;
    void setDiff(std::shared_ptr<const TextDiff> diff);
    /// The change that a row leads to; null for summaries.
    const TextChange* changeOf(const QModelIndex& index) const;
    QModelIndex indexOfChange(int change) const;

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(int node, int column, int role) const override;

private:
    static QString summaryText(const TextSummary& summary);

    std::shared_ptr<const TextDiff> m_diff;
    std::vector<int> m_nodeOfChange;
};

} // namespace gelens
