#pragma once
// Chains that were not fused, below the four headline classes; below a chain its links.

#include "engine/session/run.h"
#include "viewers/models/tree_model.h"

#include <QCoreApplication>

#include <memory>
#include <unordered_set>

namespace gelens {

struct ChainItem {
    int chain = -1; ///< index in run.chains; -1 for the title of a class
    int link = -1;  ///< index in the chain's links; -1 for the chain itself
    ReasonClass reasonClass = ReasonClass::NoRule;
    int kinds = 0, occurrences = 0; ///< of a class
    bool isMarked = false;          ///< speaks of the selected node
};

class ChainsModel : public TreeModel<ChainItem> {
    Q_DECLARE_TR_FUNCTIONS(gelens::ChainsModel)
public:
    enum Column { Why, Nodes, Count, Needs, Has, FitsWhen, Remedy, ColumnCount };
    using TreeModel::TreeModel;

    void setRun(std::shared_ptr<const Run> run);
    /// Rows that speak of one of these nodes are shown as current. Returns the first such chain's number, or -1.
    int mark(const std::unordered_set<NodeId>& nodes);
    QModelIndex indexOfChain(int chain) const;
    const std::shared_ptr<const Run>& run() const { return m_run; }
    bool hasText(int column) const; ///< in the row of any chain or link

    /// The verdict that explains a row: that of the nearest rule tried; null when no rule was.
    static const FusionVerdict* nearest(const Chain& chain, int link);

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(int node, int column, int role) const override;

private:
    QVariant classCell(const ChainItem& row, int column, int role) const;
    QVariant text(const ChainItem& row, int column) const;

    std::shared_ptr<const Run> m_run;
    std::vector<int> m_rowOfChain;        ///< chain → node of the tree
    std::vector<std::uint8_t> m_isMarked; ///< by node of the tree
};

/// "MatMul → Add → Softmax"; long repetitions are told as "AddRmsNorm × 63".
QString chainText(const std::vector<std::string>& types);
/// "keys ≤ 15,872 · L1 size ≥ 1,081,344 B"; empty without thresholds.
QString thresholdsText(const std::vector<Threshold>& thresholds);
/// A check's number with its unit: "1,081,344 B", "3 readers".
QString quantityText(double value, const std::string& unit);

} // namespace gelens
