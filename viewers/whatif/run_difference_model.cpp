#include "viewers/whatif/run_difference_model.h"

#include "viewers/common/formatter.h"
#include "viewers/models/option_words.h"
#include "viewers/models/words.h"

namespace gelens {

using Kind = RunDifferenceItem::Kind;
using Section = RunDifferenceItem::Section;

void RunDifferenceModel::setRuns(const std::shared_ptr<const Run>& base, const std::shared_ptr<const Run>& other)
{
    Tree tree;
    if (base && other) {
        const auto heading = [&](Section section) {
            RunDifferenceItem item;
            item.section = section;
            return tree.add(top, std::move(item));
        };
        const int figures = heading(Section::Figures);
        for (FigureChange& change : figureChanges(*base, *other)) {
            RunDifferenceItem item{Kind::Figure, Section::Figures, {}, {}, {}};
            item.figure = std::move(change);
            tree.add(figures, std::move(item));
        }
        const auto rules = ruleChanges(*base, *other);
        if (!rules.empty()) {
            const int parent = heading(Section::Rules);
            for (const RuleChange& change : rules) tree.add(parent, {Kind::Rule, Section::Rules, {}, change, {}});
        }
        const auto options = optionChanges(base->options, other->options);
        if (!options.empty()) {
            const int parent = heading(Section::Options);
            for (const OptionChange& change : options) tree.add(parent, {Kind::Option, Section::Options, {}, {}, change});
        }
    }
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
        return content.section == Section::Figures ? tr("Figures") : content.section == Section::Rules ? tr("Fusion rules") : tr("Options");
    }
    if (content.kind == Kind::Option) {
        if (role != Qt::DisplayRole) return {};
        if (column == Name) return words::optionChange(content.option);
        const auto orNothing = [](const std::string& text) { return text.empty() ? QStringLiteral("–") : words::text(text); };
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
