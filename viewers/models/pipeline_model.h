#pragma once
// The steps of a run as a tree: stage → phase → pass.

#include "engine/session/run.h"
#include "viewers/models/tree_model.h"

#include <QCoreApplication>

#include <functional>
#include <memory>

namespace gelens {

/// A stage, a phase, or one step of it; sums over what lies below.
struct PipelineItem {
    enum class Kind { Stage, Phase, Pass } kind = Kind::Pass;
    Stage stage = Stage::Parse;
    std::string phase;
    int step = -1; ///< of a pass; the last step of a stage or phase
    int firstStep = -1;
    int operatorChange = 0; ///< operators after − before
    int nodeChange = 0;     ///< the same over all graph nodes
    std::size_t edits = 0;
    double milliseconds = 0;
    bool isSkipped = false;  ///< the pass was left out
    bool isRepeated = false; ///< the pass name occurs more than once in the run
};

class PipelineModel : public TreeModel<PipelineItem> {
    Q_DECLARE_TR_FUNCTIONS(gelens::PipelineModel)
public:
    enum Column { Name, Operators, Edits, Time, Stop, ColumnCount };
    using TreeModel::TreeModel;

    void setRun(std::shared_ptr<const Run> run);
    const std::shared_ptr<const Run>& run() const { return m_run; }
    void setShown(StepId step);
    StepId shown() const { return m_shown; }
    /// Says for each step whether it is one where breakpoints stop; the column "Stop" marks it. refresh() asks again.
    void setStops(std::function<bool(StepId)> stopsAt) { m_stopsAt = std::move(stopsAt); }
    /// Index of a step's row; invalid when there is none.
    QModelIndex indexOfStep(StepId step) const;

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QString unit(int column) const override;
    QVariant cell(int node, int column, int role) const override;

private:
    QString nameOf(const PipelineItem& item) const;
    QString toolTipOf(const PipelineItem& item) const;
    QString fileToolTip(const Step& step, const StepSource& source) const;
    void addFiles(Tree& tree);
    bool hasFiles() const; ///< the steps were found in files, not made by passes
    QString nodesText(const PipelineItem& item) const;

    std::shared_ptr<const Run> m_run;
    std::vector<int> m_nodeOfStep;
    StepId m_shown{-1};
    std::function<bool(StepId)> m_stopsAt;
};

} // namespace gelens
