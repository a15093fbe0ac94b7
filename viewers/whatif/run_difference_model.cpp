#include "viewers/whatif/run_difference_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/option_words.h"
#include "viewers/models/words.h"

namespace gelens {

using Kind = RunDifferenceItem::Kind;
using Section = RunDifferenceItem::Section;

namespace {

RunDifferenceItem headingOf(Section section)
{
    RunDifferenceItem item;
    item.section = section;
    return item;
}

} // namespace

void RunDifferenceModel::addFigures(Tree& tree, int parent, const Run& base, const Run& other)
{
    for (FigureChange& change : figureChanges(base, other)) {
        RunDifferenceItem item;
        item.kind = Kind::Figure;
        item.figure = std::move(change);
        tree.add(parent, std::move(item));
    }
}

void RunDifferenceModel::addOptions(Tree& tree, const CompileOptions& base, const CompileOptions& other)
{
    const auto changes = optionChanges(base, other);
    if (changes.empty()) return;
    const int parent = tree.add(top, headingOf(Section::Options));
    for (const OptionChange& change : changes) {
        RunDifferenceItem item = headingOf(Section::Options);
        item.kind = Kind::Option;
        item.option = change;
        tree.add(parent, std::move(item));
    }
}

void RunDifferenceModel::setRuns(const std::shared_ptr<const Run>& base, const std::shared_ptr<const Run>& other)
{
    Tree tree;
    if (base && other) {
        addFigures(tree, tree.add(top, headingOf(Section::Figures)), *base, *other);
        const auto rules = ruleChanges(*base, *other);
        const int parent = rules.empty() ? top : tree.add(top, headingOf(Section::Rules));
        for (const RuleChange& change : rules) {
            RunDifferenceItem item = headingOf(Section::Rules);
            item.kind = Kind::Rule;
            item.rule = change;
            tree.add(parent, std::move(item));
        }
        addOptions(tree, base->options, other->options);
    }
    setTree(std::move(tree));
}

void RunDifferenceModel::setCards(const std::shared_ptr<const Run>& base,
                                  const std::vector<std::shared_ptr<const Run>>& cards, const CompileOptions& options)
{
    Tree tree;
    for (std::size_t card = 0; base && card < cards.size(); ++card) {
        RunDifferenceItem item = headingOf(Section::Card);
        item.card = static_cast<int>(card);
        item.name = cards[card]->modelName;
        addFigures(tree, tree.add(top, std::move(item)), *base, *cards[card]);
    }
    if (base) addOptions(tree, base->options, options);
    setTree(std::move(tree));
}

QString RunDifferenceModel::title(int column) const
{
    switch (column) {
    case Name: return tr("Figure");
    case Base: return tr("Base run");
    case Other: return tr("What-if");
    case Change: return tr("Difference");
    default: return {};
    }
}

QVariant RunDifferenceModel::cell(int node, int column, int role) const
{
    const RunDifferenceItem& content = item(node);
    if (role == HeadingRole) return content.kind == Kind::Heading;
    if (content.kind == Kind::Heading) {
        if (role != Qt::DisplayRole || column != Name) return {};
        if (content.section == Section::Card) return tr("Card %1: %2").arg(content.card).arg(words::text(content.name));
        return content.section == Section::Figures ? tr("Figures")
               : content.section == Section::Rules ? tr("Fusion rules")
                                                   : tr("Options");
    }
    if (content.kind == Kind::Option) {
        if (role != Qt::DisplayRole) return {};
        if (column == Name) return words::optionChange(content.option);
        const auto orNothing = [](const std::string& text) {
            return text.empty() ? QStringLiteral("–") : words::text(text);
        };
        if (column == Base) return orNothing(content.option.before);
        if (column == Other) return orNothing(content.option.after);
        return {};
    }
    const bool isFigure = content.kind == Kind::Figure;
    const double base = isFigure ? content.figure.base : content.rule.baseEffective;
    const double other = isFigure ? content.figure.other : content.rule.otherEffective;
    if (role == SortRole && column == Base) return base;
    if (role == SortRole && column == Other) return other;
    if (role == SortRole && column == Change) return other - base;
    if (role == MutedRole) return base == other;
    if (role == VerdictRole && column == Change && isFigure && base != other)
        return (other < base) == content.figure.isLessBetter;
    if (role != Qt::DisplayRole) return {};
    if (column == Name) return isFigure ? words::figure(content.figure.figure) : words::text(content.rule.rule);
    const auto unit = isFigure ? content.figure.unit : FigureChange::Unit::Count;
    if (column == Base) return words::figureValue(unit, base);
    if (column == Other) return words::figureValue(unit, other);
    if (isFigure) return words::figureDifference(content.figure);
    return format::signedCount(content.rule.otherEffective - content.rule.baseEffective);
}

} // namespace gelens
