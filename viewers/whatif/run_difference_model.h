#pragma once
// What one run gives and another does not: options, figures, fusion rules.

#include "engine/session/what_if.h"
#include "viewers/models/tree_model.h"

#include <QCoreApplication>

#include <memory>

namespace gelens {

struct RunDifferenceItem {
    enum class Kind { Heading, Option, Figure, Rule } kind = Kind::Heading;
    enum class Section { Figures, Rules, Options, Card } section = Section::Figures;
    FigureChange figure;
    RuleChange rule;
    OptionChange option;
    int card = -1;    ///< of a card's heading, counted from 0
    std::string name; ///< of the card's part
};

class RunDifferenceModel : public TreeModel<RunDifferenceItem> {
    Q_DECLARE_TR_FUNCTIONS(gelens::RunDifferenceModel)
public:
    enum Column { Name, Base, Other, Change, ColumnCount };
    using TreeModel::TreeModel;
    void setRuns(const std::shared_ptr<const Run>& base, const std::shared_ptr<const Run>& other);
    /// The parts of a model that was split, each against the base run, and the options that differ.
    void setCards(const std::shared_ptr<const Run>& base, const std::vector<std::shared_ptr<const Run>>& cards,
                  const CompileOptions& options);

protected:
    int columns() const override { return ColumnCount; }
    QString title(int column) const override;
    QVariant cell(int node, int column, int role) const override;

private:
    static void addFigures(Tree& tree, int parent, const Run& base, const Run& other);
    static void addOptions(Tree& tree, const CompileOptions& base, const CompileOptions& other);
};

} // namespace gelens
