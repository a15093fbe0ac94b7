#pragma once
// What one run gives and another does not: options, figures, fusion rules.

#include "engine/session/what_if.h"
#include "viewers/models/tree_model.h"

#include <QCoreApplication>

#include <memory>

namespace gelens {

struct RunDifferenceItem {
    enum class Kind { Heading, Option, Figure, Rule } kind = Kind::Heading;
    enum class Section { Figures, Rules, Options } section = Section::Figures;
    FigureChange figure;
    RuleChange rule;
    OptionChange option;
};

class RunDifferenceModel : public TreeModel<RunDifferenceItem> {
    Q_DECLARE_TR_FUNCTIONS(gelens::RunDifferenceModel)
public:
    enum Column { Name, Base, Other, Change, ColumnCount };
    using TreeModel::TreeModel;
    void setRuns(const std::shared_ptr<const Run>& base, const std::shared_ptr<const Run>& other);

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(int node, int column, int role) const override;
};

} // namespace gelens
